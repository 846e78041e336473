package localllm

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"assize/rubric"
)

// Evaluate acts as the Evaluator of the session's criteria. The ratings of all other criteria are
// zero, and so are those for which the model answered no question. It always asks all questions.
// Its error is both a [*rubric.Unscored] and a [*Failure], unless the run was stopped.
func (s *Session) Evaluate(ctx context.Context, c rubric.Case) (rubric.Scorecard, error) {
	if s.m.free.Acquire(ctx, 1) != nil {
		return rubric.Scorecard{}, cancelled(ctx)
	}
	defer s.m.free.Release(1)
	card, f := s.evaluate(ctx, c)
	if f != nil {
		return rubric.Scorecard{}, agentError(f)
	}
	return card, nil
}

func (s *Session) evaluate(ctx context.Context, c rubric.Case) (card rubric.Scorecard, f *Failure) {
	o, f := s.askAll(ctx, c)
	if f != nil {
		return card, f
	}
	for _, k := range rubric.Criteria() {
		if !s.evaluates.Has(k) || o.scores[k] == 0 {
			continue
		}
		if o.turns[k] == nil && o.scores[k] != s.m.scale(k).Usual {
			if f := s.askTurn(ctx, o, k); f != nil && !f.Kind.isAnswerFailure() {
				return card, f
			}
		}
		card[k] = s.m.rating(c, k, o)
	}
	return card, nil
}

// judgement is a model's judgement of a dialogue, before code turns it into sentences.
type judgement struct {
	transcript *transcript
	windows    []window
	scores     [rubric.NumCriteria]rubric.Score // 0 if no question was answered
	// turns that show the score, if the model was asked for one
	turns [rubric.NumCriteria][]int
	// the most telling answer, as a clause; "" if there is none
	because [rubric.NumCriteria]string
}

// askAll asks the model all questions that its scores depend on, once per session.
func (s *Session) askAll(ctx context.Context, c rubric.Case) (*judgement, *Failure) {
	if s.judgement != nil {
		return s.judgement, nil
	}
	o, f := s.askWindows(ctx, c)
	// retry with windows of half the size and a known state of the cache
	if f != nil && f.Kind == PromptTruncated {
		s.tokenBudget /= 2
		for i := range s.account.Calls {
			s.account.Calls[i].Yes = nil // answers about the discarded windows do not count
		}
		if s.sent, s.cached = nil, 0; s.m.owner == s {
			s.m.owner = nil
		}
		o, f = s.askWindows(ctx, c)
	}
	if f != nil {
		return nil, f
	}
	if s.judgement, s.account.Flags = o, nil; slices.Contains(o.scores[:], 0) {
		return o, nil
	}
	if first := o.scores[0]; o.scores == [rubric.NumCriteria]rubric.Score{first, first, first,
		first, first, first} {
		s.account.Flags = []string{Flat}
	}
	s.m.mu.Lock()
	s.m.seen[o.scores]++
	s.m.mu.Unlock()
	return o, nil
}

// maxWindows limits the work for one dialogue, such as a log of a whole day.
const maxWindows = 16

// askWindows asks the model for its opinion, window by window.
func (s *Session) askWindows(ctx context.Context, c rubric.Case) (*judgement, *Failure) {
	t := newTranscript(c, s.tokenBudget)
	o := &judgement{transcript: t, windows: t.judgedWindows(s.tokenBudget)}
	s.account.Suspicious, s.account.Shortened, s.account.Windows = t.suspicious, t.shortened, nil
	if len(o.windows) == 0 {
		return nil, failure(TooLong, "no turn can be cited")
	}
	cut := o.windows[0] != t.whole()
	if (cut || len(t.shortened) > 0) && s.m.o.Overflow == Refuse || len(o.windows) > maxWindows {
		f := failure(TooLong, "the dialogue has about %d tokens; %d fit into the context",
			t.size(t.whole()), s.tokenBudget)
		return nil, f.withHint("set a larger num-ctx")
	}
	for _, w := range o.windows {
		if cut {
			s.account.Windows = append(s.account.Windows, Window{w.from + 1, w.to})
		}
	}
	if s.m.id.Answers == Probabilities {
		return o, s.askQuestions(ctx, o)
	}
	return o, s.askLevels(ctx, o)
}

// askQuestions asks the closed questions one at a time, since a model that answers them all at once
// repeats its earlier answers. A question without an answer is recorded and skipped.
func (s *Session) askQuestions(ctx context.Context, o *judgement) *Failure {
	first := len(s.account.Calls)
	for i := range o.windows {
		for _, q := range s.m.id.Questions {
			if q.Criterion == rubric.TaskSuccess && i < len(o.windows)-1 {
				continue // only the end shows whether the goal was reached
			}
			call := Call{Purpose: ForQuestion, Criterion: &q.Criterion, Question: q.ID}
			f := s.askAbout(ctx, o, i, request{Call: call, predict: 1, closed: true},
				questionPrompt, questionData{q.Ask, len(s.account.Windows) > 0}, readAnswer)
			if f != nil && f.Kind != NoAnswer && f.Kind != BadProbabilities &&
				f.Kind != EndlessAnswer {
				return f
			}
		}
	}
	said := s.account
	said.Calls = said.Calls[first:]
	goodness, ok := s.m.id.Goodness(&said)
	if !ok {
		return failure(NoAnswer, "the model answers no question with Yes or No")
	}
	for k, g := range goodness {
		if g > 0 {
			o.scores[k] = s.m.scale(rubric.Criterion(k)).Score(g)
		}
	}
	for k := range o.because {
		o.because[k] = s.m.id.strongestAnswer(&said, rubric.Criterion(k), o.scores[k])
	}
	return nil
}

// strongestAnswer returns the answer that best supports a score, in words: the one with the lowest
// goodness for a score up to 60, and with the highest for others.
func (id *Identity) strongestAnswer(a *Account, k rubric.Criterion,
	score rubric.Score) (says string) {
	best := -1
	for _, call := range a.Calls {
		if call.Yes == nil || *call.Criterion != k {
			continue
		}
		i := slices.IndexFunc(id.Questions, func(q Question) bool { return q.ID == call.Question })
		g := id.Questions[i].goodness(*call.Yes)
		if score <= 60 {
			g = 1000 - g
		}
		if g > best {
			best = g
			says = fmt.Sprintf("to the question %s the model answers yes with a probability "+
				"of %d %%", id.Questions[i].Ask, (*call.Yes+5)/10)
		}
	}
	// double quotes are reserved for quotes of the dialogue
	return strings.ReplaceAll(says, `"`, "'")
}

// askLevels asks the model to write a level for each criterion, with the turn that shows it. It is
// used for servers that return no probabilities.
func (s *Session) askLevels(ctx context.Context, o *judgement) *Failure {
	parts := make([]answer, len(o.windows))
	for i, w := range o.windows {
		for _, k := range rubric.Criteria() {
			if k == rubric.TaskSuccess && i < len(o.windows)-1 {
				continue // see merge
			}
			turns := o.transcript.turns(w, k)
			call := Call{Purpose: ForCriterion, Criterion: &k}
			q := request{Call: call, predict: s.m.o.NumPredict, format: criterionSchema(k, turns)}
			read := func(_ *Call, r reply) (wrong *Failure) {
				parts[i][k], wrong = readRating(r.Text, k, turns)
				return wrong
			}
			f := s.askAbout(ctx, o, i, q, levelPrompt,
				levelData{k, answerForm(k), len(s.account.Windows) > 0}, read)
			if f != nil {
				return f
			}
		}
	}
	for k, r := range merge(parts, o.windows) {
		o.scores[k], o.turns[k] = r.score, r.turns
	}
	return nil
}

// askTurn asks which turn shows a criterion's score. An invalid answer is recorded and ignored.
func (s *Session) askTurn(ctx context.Context, o *judgement, k rubric.Criterion) *Failure {
	i := s.window(o, k)
	turns := o.transcript.turns(o.windows[i], k)
	read := func(_ *Call, r reply) *Failure {
		turn, err := strconv.Atoi(strings.TrimSpace(r.Text))
		if err != nil || !slices.Contains(turns, turn) {
			return failure(NoSuchTurn, "%s cites turn %s, which cannot be cited for it", k,
				printable(r.Text))
		}
		o.turns[k] = []int{turn}
		return nil
	}
	q := request{Call: Call{Purpose: ForTurn, Criterion: &k}, predict: 8, format: turnSchema(turns)}
	return s.askAbout(ctx, o, i, q, turnPrompt, turnData{s.m.clause(k, o.scores[k].Level())}, read)
}

// window returns the index of the window that best shows a criterion's score: for TaskSuccess the
// last one; otherwise the one with the lowest goodness for a score up to 60, and with the highest
// for others. Of equal windows it returns the last.
func (s *Session) window(o *judgement, k rubric.Criterion) (best int) {
	best = len(o.windows) - 1
	if k == rubric.TaskSuccess {
		return best
	}
	highest := -1
	for i := range o.windows {
		of := Account{}
		for _, call := range s.account.Calls {
			if call.Window == i+1 {
				call.Window = 0
				of.Calls = append(of.Calls, call)
			}
		}
		g, _ := s.m.id.Goodness(&of)
		extreme := g[k]
		if o.scores[k] <= 60 {
			extreme = 1000 - g[k]
		}
		if g[k] > 0 && extreme >= highest {
			best, highest = i, extreme
		}
	}
	return best
}

// askAbout asks a question about a window. The transcript comes first, so that the server reads it
// only once for all questions, followed by the text of a template.
func (s *Session) askAbout(ctx context.Context, o *judgement, i int, q request, prompt string,
	data any, read func(*Call, reply) *Failure) *Failure {
	text, f := s.m.o.Prompts.fill(prompt, data)
	if f != nil {
		return f
	}
	q.system = s.m.system
	q.user = o.transcript.text(o.windows[i], q.system != "") + strings.TrimRight(text, "\n")
	if len(s.account.Windows) > 0 {
		q.Window = i + 1
	}
	return s.ask(ctx, q, read)
}

// scale returns the scale of a criterion.
func (m *Model) scale(k rubric.Criterion) Scale {
	if m.o.Scales == nil {
		return DefaultScale
	}
	return m.o.Scales[k]
}

// rating is the model's written rating of one criterion. The zero rating means that it is missing.
type rating struct {
	score rubric.Score
	turns []int // the evidence
}

// answer holds the ratings by criterion.
type answer [rubric.NumCriteria]rating

// readRating parses a rating of a criterion, which must cite one of turns, from the model's text.
// It validates everything, because a server may ignore the schema.
func readRating(text string, c rubric.Criterion, turns []int) (rating, *Failure) {
	var members map[string]jsontext.Value
	if f := unmarshal(text, &members); f != nil {
		return rating{}, f
	}
	member := members[c.String()]
	var in struct{ Turn, Score jsontext.Value }
	if len(member) == 0 || rubric.ParseJSON(member, &in, json.RejectUnknownMembers(false)) != nil ||
		number(in.Turn) == "" || number(in.Score) == "" {
		return rating{}, failure(MissingCriterion, "%s has no turn and score", c)
	}
	score, err := strconv.Atoi(number(in.Score))
	if err != nil || score < 0 || score > 100 || !rubric.Score(score).Valid() {
		return rating{}, failure(OffScale, "%s has the score %s; want 20, 40, 60, 80 or 100", c,
			printable(number(in.Score)))
	}
	turn, err := strconv.Atoi(number(in.Turn))
	if err != nil || !slices.Contains(turns, turn) {
		return rating{}, failure(NoSuchTurn, "%s cites turn %s, which cannot be cited for it", c,
			printable(number(in.Turn)))
	}
	return rating{score: rubric.Score(score), turns: []int{turn}}, nil
}

// number returns a number as the model wrote it, without quotes. It returns "" for any other value.
func number(v jsontext.Value) string {
	text := jsontext.Value(strings.Trim(string(v), `"`))
	if text.Kind() != '0' || !text.IsValid() {
		return ""
	}
	return string(text)
}

// unmarshal decodes an answer as JSON. Models that ignore the schema wrap it in a code fence, which
// is removed.
func unmarshal(text string, to any) *Failure {
	inner := strings.TrimSpace(text)
	if inner == "" {
		return failure(EmptyAnswer, "the model's answer is empty")
	}
	if block, ok := strings.CutPrefix(inner, "```"); ok {
		inner = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(block), "json"), "```")
	}
	if inner == "null" || rubric.ParseJSON([]byte(inner), to) != nil {
		return failure(NotJSON, "the answer is not the requested JSON")
	}
	return nil
}

// merge combines the ratings of a dialogue's windows. TaskSuccess is taken from the last window,
// which alone shows whether the goal was reached; other windows are not asked about it. Every other
// score is the mean weighted by turns, rounded to the nearest level (ties go down); its evidence
// comes from the windows with the closest scores, at most two turns.
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
			if off(r) == off(ratings[0]) && !slices.Contains(m.turns, r.turns[0]) &&
				len(m.turns) < 2 {
				m.turns = append(m.turns, r.turns[0])
			}
		}
		merged[k] = m
	}
	return merged
}

// rating returns the Rating for the model's opinion on a criterion: the wording of the level, the
// most telling answer, and quotes of the turns that show it. If the model was not asked for a turn,
// it uses the one with the strongest signal in the same direction, or else the last.
func (m *Model) rating(c rubric.Case, k rubric.Criterion, o *judgement) rubric.Rating {
	r := rubric.Rating{Score: o.scores[k], Claim: m.clause(k, o.scores[k].Level())}
	if o.because[k] != "" {
		r.Claim += "; " + o.because[k]
	}
	direction := -1
	if r.Score >= 80 {
		direction = 1
	}
	turns := o.turns[k]
	if turns == nil {
		citable := o.transcript.turns(o.transcript.whole(), k)
		turns = []int{citable[len(citable)-1]}
		best := rubric.Hundredths(0)
		for _, turn := range citable {
			if points := strongest(c, k, turn, direction).
				Points * rubric.Hundredths(direction); points > best {
				turns[0], best = turn, points
			}
		}
	}
	for _, turn := range turns {
		if q := quoteFor(c, turn, strongest(c, k, turn, direction)); q.Text != "" {
			r.Quotes = append(r.Quotes, q)
		}
	}
	return r
}

// clause returns the wording of a level as a clause: its first sentence without the full stop.
func (m *Model) clause(k rubric.Criterion, level int) string {
	text := strings.Join(strings.Fields(strings.ReplaceAll(m.rubric.Levels[k][level], `"`, "'")),
		" ")
	if i := strings.Index(text, ". "); i > 0 {
		text = text[:i]
	}
	if text = strings.TrimRight(text, ".!?"); text == "" {
		return "the rubric's level " + rubric.Scale[level].String() + " fits"
	}
	return text
}

// strongest returns the signal at a turn that is the strongest for a criterion in a direction, 1 or
// -1. Of equal signals it returns the first; if there is none, the zero Signal.
func strongest(c rubric.Case, k rubric.Criterion, turn, direction int) (best rubric.Signal) {
	for _, s := range c.Signals {
		if s.Turn == turn && s.Criteria.Has(k) &&
			int(s.Points)*direction > int(best.Points)*direction {
			best = s
		}
	}
	return best
}

// quoteFor quotes the words that a signal marks in a turn, or else the beginning of the turn.
func quoteFor(c rubric.Case, turn int, s rubric.Signal) rubric.Quote {
	t, _ := c.Dialogue.Turn(turn)
	if s.Turn == turn && s.End > 0 {
		return rubric.Excerpt(turn, t.Text, s.Start, s.End)
	}
	return rubric.Excerpt(turn, t.Text, 0, len(t.Text))
}
