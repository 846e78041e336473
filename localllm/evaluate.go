package localllm

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"assize/rubric"
)

// Evaluate acts as the Evaluator. Its error is both a [*rubric.Unscored] and a [*Failure], unless the run was stopped.
func (s *Session) Evaluate(ctx context.Context, c rubric.Case) (rubric.Scorecard, error) {
	if f := s.m.acquire(ctx); f != nil {
		return rubric.Scorecard{}, f
	}
	defer s.m.release()
	card, f := s.evaluate(ctx, c)
	if f != nil && f.Kind == PromptTruncated { // once more, in windows of half the size, and from a known state of the cache
		s.room /= 2
		if s.asked, s.warm = nil, 0; s.m.owner == s {
			s.m.owner = nil
		}
		card, f = s.evaluate(ctx, c)
	}
	if f != nil {
		return rubric.Scorecard{}, agentError(f)
	}
	return card, nil
}

// evaluate asks the model for its ratings, window by window, and settles on one card.
func (s *Session) evaluate(ctx context.Context, c rubric.Case) (card rubric.Scorecard, f *Failure) {
	t := newTranscript(c, s.room)
	windows, f := s.windows(t)
	if f != nil {
		return card, f
	}
	counting := true
	parts := make([]answer, len(windows))
	for i := range windows {
		if parts[i], f = s.rate(ctx, t, windows, i); f != nil {
			return card, f
		}
		counting = counting && parts[i].countsUp()
	}
	a := &s.account
	a.Flags = nil
	for k, r := range merge(parts, windows) {
		card[k] = s.m.rating(c, rubric.Criterion(k), r)
	}
	scores := card.Scores()
	if first := scores[0]; scores == [rubric.NumCriteria]rubric.Score{first, first, first, first, first, first} {
		a.Flags = append(a.Flags, Flat)
	}
	if counting {
		a.Flags = append(a.Flags, Counting)
	}
	for k := range scores[2:] {
		if scores[k]-scores[k+1] == 20 && scores[k+1]-scores[k+2] == 20 && !a.Flagged(Descending) {
			a.Flags = append(a.Flags, Descending)
		}
	}
	s.m.count(scores)
	return card, nil
}

// mostWindows bounds the work for one dialogue, such as the log of a day.
const mostWindows = 16

func (s *Session) windows(t *transcript) ([]window, *Failure) {
	windows := t.parts(s.room)
	s.account.Suspicious, s.account.Shortened, s.account.Windows = t.suspicious, t.shortened, nil
	if len(windows) == 0 {
		return nil, failure(TooLong, "no turn is left that could be cited")
	}
	cut := windows[0] != t.whole()
	if (cut || len(t.shortened) > 0) && s.m.o.Overflow == Refuse || len(windows) > mostWindows {
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
	ask := func(q asked, prompt string, data question, criteria ...rubric.Criterion) *Failure {
		q.format = cardSchema(criteria, turns)
		read := func(text string) *Failure { return a.read(text, criteria, turns) }
		return s.askAbout(ctx, t, windows, i, q, prompt, data, read)
	}
	all := rubric.Criteria()
	card := asked{Call: Call{Purpose: ForCard}, predict: s.m.o.NumPredict}
	f = ask(card, evaluatePrompt, question{Part: part}, all[:]...)
	if f == nil || !f.Kind.repairable() {
		return a, f
	}
	for _, c := range all {
		if a[c].score != 0 {
			continue
		}
		one := asked{Call: Call{Purpose: ForCriterion, Criterion: &c}, predict: 40} // 20 tokens are usual
		if f := ask(one, criterionPrompt, question{c, form([]rubric.Criterion{c}), part}, c); f != nil {
			return a, f
		}
	}
	return a, nil
}

// askAbout asks a question about a window: the transcript comes first, so that the server reads it once for all
// questions, and then the words of a template.
func (s *Session) askAbout(ctx context.Context, t *transcript, windows []window, i int, q asked,
	prompt string, data any, read func(text string) *Failure) *Failure {
	text, f := s.m.o.Prompts.fill(prompt, data)
	if f != nil {
		return f
	}
	q.system, q.user = s.m.system, t.text(windows[i])+text
	if windows[i] != t.whole() {
		q.Window = i + 1
	}
	return s.ask(ctx, q, read)
}

// rating is what the model gave for one criterion, before code has made sentences of it. The zero rating is missing.
type rating struct {
	score rubric.Score
	turns []int // the evidence
}

// answer holds the ratings by criterion.
type answer [rubric.NumCriteria]rating

// read reads the ratings of criteria from what the model wrote, and trusts nothing: a server may ignore the schema.
// What is valid is taken even where a failure is named for the rest.
func (a *answer) read(text string, criteria []rubric.Criterion, turns citable) (f *Failure) {
	var members map[string]json.RawMessage
	if f := unmarshal(text, &members); f != nil {
		return f
	}
	for _, c := range criteria {
		r, wrong := readRating(c, members[c.String()], turns(c))
		if wrong == nil {
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
func unmarshal(text string, to any) *Failure {
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
func (a *answer) countsUp() bool {
	for k := 1; k < len(a); k++ {
		if a[k].turns[0] <= a[k-1].turns[0] {
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
		m := rating{score: rubric.Score(score)}
		for _, r := range ratings {
			if off(r) == off(ratings[0]) && !slices.Contains(m.turns, r.turns[0]) && len(m.turns) < 2 {
				m.turns = append(m.turns, r.turns[0])
			}
		}
		merged[k] = m
	}
	return merged
}

// rating writes the Rating for what the model chose: the level's own words, what a detector saw at the turn if that
// points the same way, and the turn's words.
func (m *Model) rating(c rubric.Case, k rubric.Criterion, chosen rating) rubric.Rating {
	r := rubric.Rating{Score: chosen.score, Claim: m.clause(k, chosen.score.Level())}
	direction := -1
	if chosen.score >= 80 {
		direction = 1
	}
	for i, turn := range chosen.turns {
		signal := strongest(c, k, turn, direction)
		if i == 0 && signal.ID != "" {
			r.Claim += "; " + m.title(signal.ID)
		}
		if q := excerpt(c, turn, signal); q.Text != "" {
			r.Quotes = append(r.Quotes, q)
		}
	}
	return r
}

// clause gives the words of a level as a clause: the first sentence without its full stop.
func (m *Model) clause(k rubric.Criterion, level int) string {
	text := strings.Join(strings.Fields(strings.ReplaceAll(m.rubric.Levels[k][level], `"`, "'")), " ")
	if i := strings.Index(text, ". "); i > 0 {
		text = text[:i]
	}
	if text = strings.TrimRight(text, ".!?"); text == "" {
		return "the rubric's level " + rubric.Scale[level].String() + " fits"
	}
	return text
}

func (m *Model) title(id string) string {
	if t := m.o.Titles[id]; t != "" {
		return t
	}
	return "a signal is there (" + id + ")"
}

// strongest gives the signal at a turn that speaks most for a criterion in a direction, 1 or -1, the first of equals;
// the zero Signal for none.
func strongest(c rubric.Case, k rubric.Criterion, turn, direction int) (best rubric.Signal) {
	for _, s := range c.Signals {
		if s.Turn == turn && s.Criteria.Has(k) && int(s.Points)*direction > int(best.Points)*direction {
			best = s
		}
	}
	return best
}

// excerpt quotes what a signal saw at a turn, or else the beginning of the turn.
func excerpt(c rubric.Case, turn int, s rubric.Signal) rubric.Quote {
	t, _ := c.Dialogue.Turn(turn)
	if s.Turn == turn && s.End > 0 {
		return rubric.Excerpt(turn, t.Text, s.Start, s.End)
	}
	return rubric.Excerpt(turn, t.Text, 0, len(t.Text))
}
