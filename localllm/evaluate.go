package localllm

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"text/template"

	"assize/rubric"
)

// Evaluate acts as the Evaluator. Its error is both a [*rubric.Unscored] and a [*Failure], unless the run was stopped.
func (s *Session) Evaluate(ctx context.Context, c rubric.Case) (rubric.Scorecard, error) {
	if f := s.m.acquire(ctx); f != nil {
		return rubric.Scorecard{}, f
	}
	defer s.m.release()
	card, f := s.evaluate(ctx, c)
	if f != nil && f.Kind == PromptTruncated { // once more, in windows of half the size
		s.room /= 2
		s.present(0)
		card, f = s.evaluate(ctx, c)
	}
	if f != nil {
		return rubric.Scorecard{}, agentError(f)
	}
	return card, nil
}

// evaluate asks the model for its ratings, for each presentation and window, and settles on one card.
func (s *Session) evaluate(ctx context.Context, c rubric.Case) (card rubric.Scorecard, f *Failure) {
	t := newTranscript(c, s.room)
	windows, f := s.windows(t)
	if f != nil {
		return card, f
	}
	counting := true
	var answers []answer // by presentation
	for p, presentation := range s.m.presentations {
		s.present(p)
		parts := make([]answer, len(windows))
		for i := range windows {
			if parts[i], f = s.rate(ctx, t, windows, i); f != nil {
				return card, f
			}
			counting = counting && parts[i].countsUp(presentation.order[:])
		}
		answers = append(answers, merge(parts, windows))
	}
	a := &s.account
	a.Spread, a.Unstable, a.Flags = nil, nil, nil
	for _, k := range rubric.Criteria() {
		r, spread := median(answers, k)
		card[k] = s.m.rating(c, k, r)
		if len(answers) > 1 {
			a.Spread = append(a.Spread, spread)
		}
		if spread >= unstableFrom {
			a.Unstable = append(a.Unstable, k)
		}
	}
	scores := card.Scores()
	if first := scores[0]; scores == [rubric.NumCriteria]rubric.Score{first, first, first, first, first, first} {
		a.Flags = append(a.Flags, Flat)
	}
	if counting {
		a.Flags = append(a.Flags, Counting)
	}
	s.m.count(scores)
	return card, nil
}

// mostWindows bounds the work for one dialogue, such as the log of a day.
const mostWindows = 16

// windows settles in which parts the dialogue is judged.
func (s *Session) windows(t *transcript) ([]window, *Failure) {
	windows := t.parts(s.room)
	s.account.Suspicious, s.account.Shortened, s.account.Windows = t.suspicious, t.shortened, nil
	if len(windows) == 0 {
		return nil, failure(TooLong, "no turn is left that could be cited")
	}
	cut := windows[0] != t.whole()
	if (cut || len(t.shortened) > 0) && s.m.o.Refuse || len(windows) > mostWindows {
		f := failure(TooLong, "the dialogue has some %d tokens; %d fit into the context", t.size(t.whole()), s.room)
		return nil, f.hint("give a larger --num-ctx")
	}
	if cut {
		for _, w := range windows {
			s.account.Windows = append(s.account.Windows, Window{w.from + 1, w.to})
		}
	}
	return windows, nil
}

// rate asks for the ratings of a window: all at once, and then one by one for those that are missing.
func (s *Session) rate(ctx context.Context, t *transcript, windows []window, i int) (a answer, f *Failure) {
	part := windows[i] != t.whole()
	turns := func(c rubric.Criterion) []int { return t.turns(windows[i], c) }
	ask := func(q asked, words *template.Template, data question, criteria ...rubric.Criterion) *Failure {
		q.format = cardSchema(criteria, turns, s.m.o.Reasons)
		read := func(text string) *Failure { return a.read(text, criteria, turns) }
		return s.askAbout(ctx, t, windows, i, q, words, data, read)
	}
	order := s.m.presentations[s.presentation].order[:]
	card := asked{Call: Call{Purpose: ForCard}, predict: s.m.o.NumPredict}
	f = ask(card, s.m.o.Prompts.evaluate, question{Part: part}, order...)
	if f == nil || !f.Kind.repairable() {
		return a, f
	}
	for _, c := range order {
		if a[c].score != 0 {
			continue
		}
		one := asked{Call: Call{Purpose: ForCriterion, Criterion: &c}, predict: 40} // 20 tokens are usual
		if s.m.o.Reasons {
			one.predict = 120
		}
		if f := ask(one, s.m.o.Prompts.criterion, question{c, form([]rubric.Criterion{c}, s.m.o.Reasons), part}, c); f != nil {
			return a, f
		}
	}
	return a, nil
}

// askAbout asks a question about a window: the transcript comes first, so that the server reads it once for all
// questions, and then the words of a template.
func (s *Session) askAbout(ctx context.Context, t *transcript, windows []window, i int, q asked,
	words *template.Template, data any, read func(text string) *Failure) *Failure {
	text, f := fill(words, data)
	if f != nil {
		return f
	}
	q.system, q.user = s.m.presentations[s.presentation].system, t.text(windows[i])+text
	if windows[i] != t.whole() {
		q.Window = i + 1
	}
	return s.ask(ctx, q, read)
}

// rating is what the model gave for one criterion, before code has made sentences of it. The zero rating is missing.
type rating struct {
	score rubric.Score
	turns []int  // the evidence
	why   string // as the model wrote it
}

// answer holds the ratings by criterion.
type answer [rubric.NumCriteria]rating

// read reads the ratings of criteria from what the model wrote, and trusts nothing: a server may ignore the schema. What
// is valid is taken even where a failure is named for the rest.
func (a *answer) read(text string, criteria []rubric.Criterion, turns citable) (f *Failure) {
	var members map[string]json.RawMessage
	if f := unmarshal(text, &members); f != nil {
		return f
	}
	var why map[string]any
	_ = json.Unmarshal(members["why"], &why) // reasons are optional
	for _, c := range criteria {
		r, wrong := readRating(c, members[c.String()], turns(c))
		if wrong == nil {
			r.why, _ = why[c.String()].(string)
			a[c] = r
		} else if f == nil {
			f = wrong.raw(text)
		}
	}
	return f
}

func readRating(c rubric.Criterion, member json.RawMessage, turns []int) (rating, *Failure) {
	var in struct{ Turn, Score *json.Number }
	if len(member) == 0 || json.Unmarshal(member, &in) != nil || in.Turn == nil || in.Score == nil {
		return rating{}, failure(MissingCriterion, "%s has no turn and score", c)
	}
	score, err := in.Score.Int64()
	if err != nil || score < 0 || score > 100 || !rubric.Score(score).Valid() {
		return rating{}, failure(OffScale, "%s has the score %s; want 20, 40, 60, 80 or 100", c, plain(in.Score.String()))
	}
	turn, err := in.Turn.Int64()
	if err != nil || !slices.Contains(turns, int(turn)) {
		return rating{}, failure(NoSuchTurn, "%s cites turn %s, which cannot be cited for it", c, plain(in.Turn.String()))
	}
	return rating{score: rubric.Score(score), turns: []int{int(turn)}}, nil
}

// unmarshal reads an answer as JSON. Models without a schema wrap it in the marks of a code block.
func unmarshal[T any](text string, to *T) *Failure {
	inner := strings.TrimSpace(text)
	if inner == "" {
		return failure(EmptyAnswer, "the model answered nothing")
	}
	if block, ok := strings.CutPrefix(inner, "```"); ok {
		inner = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(block), "json"), "```")
	}
	if inner == "null" || json.Unmarshal([]byte(inner), to) != nil {
		return failure(NotJSON, "the answer is not the JSON that was asked for").raw(text)
	}
	return nil
}

// countsUp reports whether the turns that a whole answer cites just count upwards, in the order of the criteria.
func (a *answer) countsUp(order []rubric.Criterion) bool {
	for i := 1; i < len(order); i++ {
		if a[order[i]].turns[0] <= a[order[i-1]].turns[0] {
			return false
		}
	}
	return true
}

// merge joins the ratings of a dialogue's windows. The end of the dialogue shows whether the goal was reached, so
// TaskSuccess is the last window's. Every other score is the mean, weighted by turns, at its nearest level, the lower
// of two; its evidence is from the windows with the nearest scores, two turns at most.
func merge(answers []answer, windows []window) (merged answer) {
	for _, k := range rubric.Criteria() {
		if k == rubric.TaskSuccess {
			merged[k] = answers[len(answers)-1][k]
			continue
		}
		sum, weight := 0, 0
		ratings := make([]rating, len(answers))
		for i, w := range windows {
			ratings[i] = answers[i][k]
			sum += int(ratings[i].score) * (w.to - w.from)
			weight += w.to - w.from
		}
		const step = 20
		score := (sum + weight*step/2 - 1) / (weight * step) * step
		off := func(r rating) int { return max(int(r.score)-score, score-int(r.score)) }
		slices.SortStableFunc(ratings, func(a, b rating) int { return cmp.Compare(off(a), off(b)) })
		m := rating{score: rubric.Score(score), why: ratings[0].why}
		for _, r := range ratings {
			if off(r) == off(ratings[0]) && !slices.Contains(m.turns, r.turns[0]) && len(m.turns) < 2 {
				m.turns = append(m.turns, r.turns[0])
			}
		}
		merged[k] = m
	}
	return merged
}

// median gives the rating with the median score, the lower of two, of several presentations: the first that has it.
// The spread is the number of levels between the lowest and the highest.
func median(answers []answer, k rubric.Criterion) (m rating, spread int) {
	var scores []rubric.Score
	for i := range answers {
		scores = append(scores, answers[i][k].score)
	}
	slices.Sort(scores)
	middle := scores[(len(scores)-1)/2]
	first := slices.IndexFunc(answers, func(a answer) bool { return a[k].score == middle })
	return answers[first][k], scores[len(scores)-1].Level() - scores[0].Level()
}
