package localllm

import (
	"context"
	"strings"

	"assize/rubric"
)

// Evaluate plays Agent A. Its error is both a [*rubric.Unscored] and a *[Failure], save when the run was stopped.
func (h *Hearing) Evaluate(ctx context.Context, c rubric.Case) (rubric.Scorecard, error) {
	defer h.leave()
	b, f := h.judge(ctx, c)
	if f != nil && f.Kind == PromptTruncated {
		h.room /= 2
		h.enter(0)
		b, f = h.judge(ctx, c)
	}
	if f != nil {
		return rubric.Scorecard{}, verdict(f)
	}
	return h.card(c, b), nil
}

// heard is what the model said of a dialogue in all presentations.
type heard struct {
	t        *transcript
	opinions [][rubric.NumCriteria]opinion // by presentation
	counting bool
}

// opinion is a score with its evidence.
type opinion struct {
	score rubric.Score
	turns []int
	why   string
}

// judge asks the model for its ratings, presentation by presentation and window by window.
func (h *Hearing) judge(ctx context.Context, c rubric.Case) (heard, *Failure) {
	b := heard{t: newTranscript(c, h.room), counting: true}
	windows, f := h.windows(b.t)
	if f != nil {
		return b, f
	}
	for p := range h.m.presentations {
		h.enter(p)
		answers := make([]answer, len(windows))
		for i := range windows {
			if answers[i], f = h.rate(ctx, b.t, windows, i); f != nil {
				return b, f
			}
			b.counting = b.counting && answers[i].counts()
		}
		b.opinions = append(b.opinions, merge(answers, windows))
	}
	return b, nil
}

// mostWindows bounds the work for one dialogue: a day-long log is not read in an hour.
const mostWindows = 16

// windows settles in which parts the dialogue is judged.
func (h *Hearing) windows(t *transcript) ([]window, *Failure) {
	windows := t.parts(h.room)
	h.account.Suspicious, h.account.Shortened, h.account.Windows = t.suspicious, t.shortened, nil
	if len(windows) == 0 {
		return nil, failure(TooLong, "no turn is left that could be cited")
	}
	cut := windows[0] != t.whole()
	if (cut || len(t.shortened) > 0) && h.m.o.Refuse || len(windows) > mostWindows {
		f := failure(TooLong, "the dialogue has some %d tokens; %d fit into the context", t.size(t.whole()), h.room)
		f.Hint = "give a larger --num-ctx"
		return nil, f
	}
	if cut {
		for _, w := range windows {
			h.account.Windows = append(h.account.Windows, Window{w.from + 1, w.to})
		}
	}
	return windows, nil
}

// rate asks for the ratings of a window: all at once, and those that are missing then one by one.
func (h *Hearing) rate(ctx context.Context, t *transcript, windows []window, i int) (answer, *Failure) {
	w := windows[i]
	turns := func(c rubric.Criterion) []int { return t.turns(w, c) }
	part := w != t.whole()
	order := h.m.presentations[h.presentation].order
	words, f := fill(h.m.o.Prompts.evaluate, question{Part: part})
	if f != nil {
		return answer{}, f
	}
	q := h.about(t, windows, i, words)
	q.Purpose, q.predict = ForCard, h.m.o.NumPredict
	a, f := h.ratings(ctx, q, order[:], turns)
	if f == nil || !mendable(f.Kind) {
		return a, f
	}
	for _, c := range a.missing() {
		one := []rubric.Criterion{c}
		words, f := fill(h.m.o.Prompts.criterion, question{c, form(one, h.m.o.Reasons), part})
		if f != nil {
			return a, f
		}
		q := h.about(t, windows, i, words)
		q.Purpose, q.Criterion, q.predict = ForCriterion, c, h.m.singlePredict()
		single, f := h.ratings(ctx, q, one, turns)
		if f != nil {
			return a, f
		}
		a.ratings[c] = single.ratings[c]
	}
	return a, nil
}

// ratings asks a question for ratings; a cut answer is asked for again with twice the tokens.
func (h *Hearing) ratings(ctx context.Context, q asked, criteria []rubric.Criterion, turns citable) (a answer, f *Failure) {
	q.format = cardSchema(criteria, turns, h.m.o.Reasons)
	a.order = criteria
	for range 2 {
		r, f := h.ask(ctx, q)
		if f != nil {
			return a, f
		}
		if r.Reason != "length" {
			if a, f = parseCard(r.Text, criteria, turns); f != nil {
				h.blame(f)
			}
			return a, f
		}
		h.blame(cut(r, q.predict))
		q.predict *= 2
	}
	return a, failure(CutAnswer, "the answer was cut at %d tokens", q.predict/2)
}

func cut(r reply, predict int) *Failure {
	return failed(failure(CutAnswer, "the answer was cut at %d tokens", predict), r.Text)
}

// singlePredict bounds the answer for one criterion: 20 tokens are usual, and as many for each reason again.
func (m *Model) singlePredict() int {
	if m.o.Reasons {
		return 120
	}
	return 40
}

// about begins a question about a window: the transcript first, so that the server reads it once for all questions.
func (h *Hearing) about(t *transcript, windows []window, i int, words string) asked {
	var b strings.Builder
	t.write(&b, windows[i])
	b.WriteString(words)
	q := asked{system: h.m.presentations[h.presentation].system, user: b.String()}
	if windows[i] != t.whole() {
		q.Window = i + 1
	}
	return q
}

// mendable reports whether asking for each criterion by itself can mend what was wrong with an answer.
func mendable(kind FailureKind) bool {
	switch kind {
	case EmptyAnswer, CutAnswer, EndlessAnswer, NotJSON, MissingCriterion, OffScale, NoSuchTurn:
		return true
	}
	return false
}
