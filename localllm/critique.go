package localllm

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"assize/rubric"
)

// Critique acts as the Critic. A model that is shown scores agrees with them, and one that is asked for faults finds
// them everywhere, so code nominates: where signals contradict a score, the model is asked one closed question about
// the turn that contradicts it most, namely which of two levels describes the SYSTEM better. It is not told which level
// is the Evaluator's, and an objection must win in both orders, so a model that always says A, or always B, never
// objects. A score moves by one level at most.
//
// Where a turn is flagged as an attack nothing is asked, since other signals may rest on what that turn says. An answer
// that cannot be used is no objection; the account holds it. The error is like that of Evaluate.
func (s *Session) Critique(ctx context.Context, c rubric.Case, card rubric.Scorecard) (rubric.Critique, error) {
	var critique rubric.Critique
	if s.m.free.Acquire(ctx, 1) != nil {
		return critique, cancelled(ctx)
	}
	defer s.m.free.Release(1)
	t := newTranscript(c, s.room)
	s.account.Suspicious, s.account.Shortened = t.suspicious, t.shortened
	windows := t.parts(s.room)
	if len(t.suspicious) > 0 || len(windows) > mostWindows {
		return critique, nil
	}
	doubts := nominate(c, card, t)
	slices.SortStableFunc(doubts, func(a, b doubt) int {
		return cmp.Compare(holding(windows, a.signal.Turn), holding(windows, b.signal.Turn))
	})
	for _, d := range doubts {
		moves, f := s.moves(ctx, c, d, t, windows)
		if f != nil && !f.Kind.ofAnswer() && f.Kind != PromptTruncated && f.Kind != TimedOut {
			return rubric.Critique{}, agentError(f)
		}
		if moves {
			critique[d.criterion] = rubric.Objection{
				Suggested: d.to,
				Kind:      rubric.Contradicts,
				Claim:     s.m.clause(d.criterion, d.to.Level()) + "; " + s.m.title(d.signal.ID),
				Quotes:    []rubric.Quote{excerpt(c, d.signal.Turn, d.signal)},
				By:        "model",
			}
		}
	}
	return critique, nil
}

// doubt is a score that a signal contradicts.
type doubt struct {
	criterion rubric.Criterion
	from, to  rubric.Score // neighbours on the scale
	signal    rubric.Signal
}

// leastDoubt is what a turn's signals must weigh to be asked about, as for the rule Critic to quote it.
const leastDoubt rubric.Hundredths = 75

// nominate lists, in rubric order, the criteria whose signals contradict the score: they add up to less than nothing and
// it is 80 or 100, or to more and it is 20 or 40; 60 takes no side. The turn is the one that weighs most, the latest of
// equals. In 2,800 rated dialogues these are 1.1 per dialogue with the rules as Evaluator, and 1.6 where all scores are
// 80; with 60 on both sides they would be 2.7, most of them about trifles.
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
		score, direction := card[k].Score, 1
		if sum < 0 {
			direction = -1
		}
		if sum == 0 || !score.Valid() || int(score)*direction >= 60*direction {
			continue
		}
		turn := 0
		for n, weight := range weights {
			weight *= rubric.Hundredths(direction)
			if weight >= leastDoubt && weight >= weights[turn]*rubric.Hundredths(direction) {
				turn = n
			}
		}
		d := doubt{k, score, score.Step(direction), strongest(c, k, turn, direction)}
		if d.signal.ID != "" && d.to != d.from {
			doubts = append(doubts, d)
		}
	}
	return doubts
}

// moves asks whether the score should move, and if so asks again with the levels in the other order.
func (s *Session) moves(ctx context.Context, c rubric.Case, d doubt, t *transcript, windows []window) (bool, *Failure) {
	const most = 10 // words of the quote: the model has the whole turn, and a question must be short beside it
	turn, _ := c.Dialogue.Turn(d.signal.Turn)
	quote := harmless(excerpt(c, d.signal.Turn, d.signal).Text)
	if words := strings.Fields(quote); len(words) > most {
		quote = strings.Join(words[:most], " ") + " …"
	}
	choice := choiceOf{
		Turn: d.signal.Turn, Role: turn.Role.String(), Words: quote,
		A: s.m.clause(d.criterion, d.from.Level()), B: s.m.clause(d.criterion, d.to.Level()),
	}
	for _, moved := range []string{"B", "A"} {
		var answer struct{ Better string }
		read := func(text string) *Failure {
			f := unmarshal(text, &answer)
			if f == nil && answer.Better != "A" && answer.Better != "B" {
				f = failure(NotJSON, "the answer is neither A nor B")
			}
			return f
		}
		q := asked{Call: Call{Purpose: ForObjection, Criterion: &d.criterion}, predict: 20, format: objectSchema}
		f := s.askAbout(ctx, t, windows, holding(windows, d.signal.Turn), q, objectPrompt, choice, read)
		if f != nil || answer.Better != moved {
			return false, f
		}
		choice.A, choice.B = choice.B, choice.A
	}
	return true, nil
}
