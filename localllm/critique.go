package localllm

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"assize/rubric"
)

// Critique plays Agent B. A model that is shown scores nods at them, and one that is asked for faults finds them
// everywhere, so code nominates: where signals contradict a score, the model is asked one closed question about the
// turn that contradicts it most, namely which of two levels describes the SYSTEM better. It is not told which of them
// is the Evaluator's, and an objection must win in both orders, so a model that always says A, or B, objects to nothing.
// A change is one level at most.
//
// Where a turn is flagged as an attack nothing is asked, since other signals may rest on what that turn says. An answer
// that cannot be used is no objection; the account holds it. The error is as that of Evaluate.
func (h *Hearing) Critique(ctx context.Context, c rubric.Case, card rubric.Scorecard) (rubric.Critique, error) {
	defer h.leave()
	var critique rubric.Critique
	t := newTranscript(c, h.room)
	h.account.Suspicious, h.account.Shortened = t.suspicious, t.shortened
	if len(t.suspicious) > 0 {
		return critique, nil
	}
	windows := t.parts(h.room)
	if len(windows) > mostWindows {
		return critique, nil
	}
	doubts := nominate(c, card, t)
	slices.SortStableFunc(doubts, func(a, b doubt) int {
		return cmp.Compare(holding(windows, a.signal.Turn), holding(windows, b.signal.Turn))
	})
	for _, d := range doubts {
		moves, f := h.moves(ctx, c, d, t, windows)
		if f != nil && !mendable(f.Kind) && f.Kind != PromptTruncated && f.Kind != TimedOut {
			return rubric.Critique{}, verdict(f)
		}
		if moves {
			critique[d.criterion] = h.m.objection(c, d)
		}
	}
	return critique, nil
}

// doubt is a score that a signal contradicts.
type doubt struct {
	criterion rubric.Criterion
	score     rubric.Score
	way       int // 1 to raise it, -1 to lower it
	signal    rubric.Signal
}

// to gives the score that the doubt would move to.
func (d doubt) to() rubric.Score { return d.score.Step(d.way) }

// leastDoubt is what a turn's signals must weigh to be asked about, as for the rule Critic to quote it.
const leastDoubt rubric.Hundredths = 75

// nominate lists, in rubric order, the criteria whose signals contradict the score: they weigh less than nothing together
// and it is 80 or 100, or more and it is 20 or 40; 60 takes no side. The turn is the one that weighs most, the latest of
// equals. In 2,800 rated dialogues these are 1.1 a dialogue with the rules as Evaluator, and 1.6 where all scores are 80;
// with 60 on both sides they would be 2.7, most of them about trifles.
func nominate(c rubric.Case, card rubric.Scorecard, t *transcript) (doubts []doubt) {
	for _, k := range rubric.Criteria() {
		var sum rubric.Hundredths
		weights := make([]rubric.Hundredths, len(c.Dialogue.Turns)+1)
		for _, s := range c.Signals {
			if s.Criteria.Has(k) && s.Turn >= 1 && s.Turn < len(weights) && t.citable[s.Turn-1] {
				sum += s.Points
				weights[s.Turn] += s.Points
			}
		}
		d := doubt{criterion: k, score: card[k].Score, way: 1}
		if sum < 0 {
			d.way = -1
		}
		if sum == 0 || !d.score.Valid() || int(d.score)*d.way >= 60*d.way {
			continue
		}
		turn := 0
		for n, weight := range weights {
			if weight *= rubric.Hundredths(d.way); weight >= leastDoubt && weight >= weights[turn]*rubric.Hundredths(d.way) {
				turn = n
			}
		}
		if d.signal = telling(c, k, turn, d.way); d.signal.ID != "" && d.to() != d.score {
			doubts = append(doubts, d)
		}
	}
	return doubts
}

// moves asks whether the score should move, and once more the other way round if so.
func (h *Hearing) moves(ctx context.Context, c rubric.Case, d doubt, t *transcript, windows []window) (bool, *Failure) {
	keep, move := h.m.clause(d.criterion, d.score.Level()), h.m.clause(d.criterion, d.to().Level())
	for _, order := range []struct{ a, b, moved string }{{keep, move, "B"}, {move, keep, "A"}} {
		better, f := h.choose(ctx, c, d, t, windows, order.a, order.b)
		if f != nil || better != order.moved {
			return false, f
		}
	}
	return true, nil
}

// choose puts a closed question.
func (h *Hearing) choose(ctx context.Context, c rubric.Case, d doubt, t *transcript, windows []window, a, b string) (string, *Failure) {
	turn, _ := c.Dialogue.Turn(d.signal.Turn)
	words, f := fill(h.m.o.Prompts.object, choiceOf{
		Turn: d.signal.Turn, Role: turn.Role.String(), Words: opening(harmless(excerpt(c, d.signal.Turn, d.signal).Text)), A: a, B: b,
	})
	if f != nil {
		return "", f
	}
	q := h.about(t, windows, holding(windows, d.signal.Turn), words)
	q.Purpose, q.Criterion, q.predict, q.format = ForObjection, d.criterion, 20, objectSchema
	r, f := h.ask(ctx, q)
	if f != nil {
		return "", f
	}
	if r.Reason == "length" {
		f = cut(r, q.predict)
		h.blame(f)
		return "", f
	}
	better, f := parseBetter(r.Text)
	if f != nil {
		h.blame(f)
	}
	return better, f
}

// opening gives the first words of what is quoted in a question: the model has the whole turn before it, and a question
// must be short beside the transcript.
func opening(quote string) string {
	const most = 10
	words := strings.Fields(quote)
	if len(words) <= most {
		return quote
	}
	return strings.Join(words[:most], " ") + " …"
}

// objection writes the objection that a doubt has become.
func (m *Model) objection(c rubric.Case, d doubt) rubric.Objection {
	return rubric.Objection{
		Suggested: d.to(),
		Kind:      rubric.Contradicts,
		Claim:     m.clause(d.criterion, d.to().Level()) + "; " + m.title(d.signal.ID),
		Quotes:    []rubric.Quote{excerpt(c, d.signal.Turn, d.signal)},
		By:        "model",
	}
}
