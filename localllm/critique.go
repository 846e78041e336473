package localllm

import (
	"cmp"
	"context"

	"assize/rubric"
)

// minGap is the minimum distance in levels between the model and a score for an objection. One
// level may be chance, since a harmless change of the prompt moves a small model by as much.
const minGap = 2

// Critique acts as the Critic of the session's criteria. The model does not see the scores, because
// it agrees with what it sees: it answers the same questions as an Evaluator, and code compares the
// results. For a score that is two or more levels away, Critique suggests a change by one level. It
// never objects if a turn is flagged as an attack, since the model has not read the whole dialogue.
// The error is as for Evaluate.
func (s *Session) Critique(ctx context.Context, c rubric.Case,
	card rubric.Scorecard) (rubric.Critique, error) {
	if s.m.free.Acquire(ctx, 1) != nil {
		return rubric.Critique{}, cancelled(ctx)
	}
	defer s.m.free.Release(1)
	critique, f := s.critique(ctx, c, card)
	if f != nil {
		return rubric.Critique{}, agentError(f)
	}
	return critique, nil
}

func (s *Session) critique(ctx context.Context, c rubric.Case,
	card rubric.Scorecard) (critique rubric.Critique, f *Failure) {
	o, f := s.askAll(ctx, c)
	if f != nil || len(s.account.Suspicious) > 0 {
		return critique, f
	}
	for _, k := range rubric.Criteria() {
		score := card[k].Score
		gap := o.scores[k].Level() - score.Level()
		if !s.criticises.Has(k) || o.scores[k] == 0 || !score.Valid() || max(gap, -gap) < minGap {
			continue
		}
		if o.turns[k] == nil {
			if f := s.askTurn(ctx, o, k); f != nil && !f.Kind.isAnswerFailure() {
				return critique, f
			}
		}
		better := s.m.rating(c, k, o)
		critique[k] = rubric.Objection{
			Suggested: score.Step(cmp.Compare(gap, 0)),
			Kind:      rubric.Contradicts,
			Claim:     better.Claim,
			Quotes:    better.Quotes,
			By:        "model",
		}
	}
	return critique, nil
}
