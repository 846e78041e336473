package localllm

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"assize/rubric"
)

// Evaluate acts as the Evaluator. Each criterion is asked for by itself: a model that gives all six in one answer goes
// on as it began. One of 1.5B copied the list of levels downwards (100, 80, 60), and its averages ranked 24 rated
// help-desk dialogues with .21; asked criterion by criterion it ranked them with .59, in the same time: the server reads
// the transcript once, and as many tokens are generated.
//
// Its error is both a [*rubric.Unscored] and a [*Failure], unless the run was stopped.
func (s *Session) Evaluate(ctx context.Context, c rubric.Case) (rubric.Scorecard, error) {
	if s.m.free.Acquire(ctx, 1) != nil {
		return rubric.Scorecard{}, cancelled(ctx)
	}
	defer s.m.free.Release(1)
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

// mostWindows bounds the work for one dialogue, such as the log of a day.
const mostWindows = 16

// evaluate asks the model for its ratings, window by window and criterion by criterion, and settles on one card.
func (s *Session) evaluate(ctx context.Context, c rubric.Case) (card rubric.Scorecard, f *Failure) {
	t := newTranscript(c, s.room)
	windows := t.parts(s.room)
	s.account.Suspicious, s.account.Shortened, s.account.Windows = t.suspicious, t.shortened, nil
	if len(windows) == 0 {
		return card, failure(TooLong, "no turn is left that could be cited")
	}
	cut := windows[0] != t.whole()
	if (cut || len(t.shortened) > 0) && s.m.o.Overflow == Refuse || len(windows) > mostWindows {
		f := failure(TooLong, "the dialogue has some %d tokens; %d fit into the context", t.size(t.whole()), s.room)
		return card, f.hint("give a larger --num-ctx")
	}
	for _, w := range windows {
		if cut {
			s.account.Windows = append(s.account.Windows, Window{w.from + 1, w.to})
		}
	}
	parts := make([]answer, len(windows))
	for i, w := range windows {
		for _, k := range rubric.Criteria() {
			if k == rubric.TaskSuccess && i < len(windows)-1 {
				continue // see merge
			}
			turns := t.turns(w, k)
			call := Call{Purpose: ForCriterion, Criterion: &k}
			q := asked{Call: call, predict: s.m.o.NumPredict, format: criterionSchema(k, turns)}
			read := func(text string) (wrong *Failure) {
				parts[i][k], wrong = readRating(text, k, turns)
				return wrong
			}
			if f = s.askAbout(ctx, t, windows, i, q, criterionPrompt, question{k, form(k), cut}, read); f != nil {
				return card, f
			}
		}
	}
	s.account.Flags = nil
	for k, r := range merge(parts, windows) {
		card[k] = s.m.rating(c, rubric.Criterion(k), r)
	}
	scores := card.Scores()
	if first := scores[0]; scores == [rubric.NumCriteria]rubric.Score{first, first, first, first, first, first} {
		s.account.Flags = []string{Flat}
	}
	s.m.mu.Lock()
	s.m.seen[scores]++
	s.m.mu.Unlock()
	return card, nil
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

// readRating reads the rating of a criterion, which must cite one of turns, from what the model wrote. It trusts
// nothing: a server may ignore the schema.
func readRating(text string, c rubric.Criterion, turns []int) (rating, *Failure) {
	var members map[string]json.RawMessage
	if f := unmarshal(text, &members); f != nil {
		return rating{}, f
	}
	member := members[c.String()]
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
		return failure(NotJSON, "the answer is not the JSON that was asked for")
	}
	return nil
}

// merge joins the ratings of a dialogue's windows. The end of the dialogue shows whether the goal was reached, so
// TaskSuccess is the last window's, and of no other is it asked. Every other score is the mean, weighted by turns, at
// its nearest level, the lower of two; its evidence is from the windows with the nearest scores, two turns at most.
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
