package bench

import (
	"context"
	"errors"

	"assize/cmd/assize/internal/record"
	"assize/localllm"
	"assize/rubric"
)

// trial plays both agents, by the model and by the rules, for one dialogue.
type trial struct {
	*Bench
	hearing  *localllm.Hearing
	fallback []record.Agent // whose part the rules took over
}

// Evaluate implements [rubric.Evaluator].
func (t *trial) Evaluate(ctx context.Context, c rubric.Case) (rubric.Scorecard, error) {
	if t.Evaluator == ByModel {
		card, err := t.hearing.Evaluate(ctx, c)
		if !t.takesOver(record.Evaluator, err) {
			return card, err
		}
	}
	return t.Rules.Evaluator.Evaluate(ctx, c)
}

// Critique implements [rubric.Critic]. A model that has failed as the Evaluator is not asked again.
func (t *trial) Critique(ctx context.Context, c rubric.Case, card rubric.Scorecard) (rubric.Critique, error) {
	rules, err := t.Rules.Critic.Critique(ctx, c, card)
	if err != nil || t.Critic == ByRules {
		return rules, err
	}
	if len(t.fallback) > 0 {
		t.fallback = append(t.fallback, record.Critic)
		return rules, nil
	}
	model, err := t.hearing.Critique(ctx, c, card)
	switch {
	case t.takesOver(record.Critic, err):
		return rules, nil
	case err != nil || t.Critic == ByModel:
		return model, err
	}
	return rubric.Merge(rules, model, card), nil
}

// takesOver reports whether the rules take an agent's part: where the model failed and the user wants that.
func (t *trial) takesOver(a record.Agent, err error) bool {
	var unscored *rubric.Unscored
	if !t.Fallback || !errors.As(err, &unscored) {
		return false
	}
	t.fallback = append(t.fallback, a)
	return true
}
