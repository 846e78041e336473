package main

import (
	"context"
	"errors"
	"fmt"

	"assize/cmd/assize/internal/record"
	"assize/localllm"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// bench is a model with the parts that it plays beside the rules. It is safe for concurrent use.
type bench struct {
	model             *localllm.Model
	rules             rubric.Panel
	evaluator, critic string // rules, model or both
	fallback          bool   // the rules take over where the model fails
}

// seat puts the model on the bench that the options name, if they do.
func (c *court) seat(ctx context.Context, o *benchOptions) error {
	if !o.seated() {
		return nil
	}
	opt, err := o.options(c.agents.Detectors())
	if err != nil {
		return err
	}
	model, err := localllm.Open(ctx, opt, c.panel.Rubric)
	if err != nil {
		return modelError(ctx, err)
	}
	c.bench = &bench{model: model, rules: c.panel, fallback: o.fallback.value == byRules}
	c.bench.evaluator, c.bench.critic = o.seats()
	return nil
}

// modelError words a failure for the one who typed the command.
func modelError(ctx context.Context, err error) error {
	var f *localllm.Failure
	switch {
	case ctx.Err() != nil:
		return errors.New("stopped before the model was ready; nothing is scored")
	case !errors.As(err, &f):
		return err
	case f.Hint == "":
		return withHints(fmt.Errorf("--model: %s", f.Msg), "assize explain "+string(f.Kind))
	}
	return withHints(fmt.Errorf("--model: %s", f.Msg), f.Hint, "assize explain "+string(f.Kind))
}

// sign enters the model and who plays what.
func (b *bench) sign(h *record.Header) {
	id := b.model.Identity()
	h.Model = &id
	h.Configuration.Evaluator, h.Configuration.Critic = b.evaluator, b.critic
	if b.fallback {
		h.Configuration.Fallback = byRules
	}
}

// judge holds a trial. What became of the model's words joins the record, scored or not. The rules judge first: what
// they cannot judge, nobody could check.
func (b *bench) judge(ctx context.Context, d dialogue.Dialogue, r *record.Record) (*rubric.Evaluation, error) {
	rules, err := b.rules.Judge(ctx, d)
	if err != nil {
		return nil, err
	}
	t := &trial{bench: b, hearing: b.model.Hear()}
	panel := rubric.Panel{
		Rubric:    b.rules.Rubric,
		Observe:   func(dialogue.Dialogue) ([]rubric.Signal, error) { return rules.Signals, nil },
		Evaluator: t,
		Critic:    t,
	}
	e, err := panel.Judge(ctx, d)
	account := t.hearing.Account()
	r.Model, r.Fallback = &account, t.fallback
	if err != nil {
		return nil, err
	}
	e.Remarks = r.Remarks()
	if b.evaluator == byModel && len(t.fallback) == 0 {
		check, err := b.rules.Rubric.CrossCheck(e.Evaluator.Scores(), rules.Final.Scores())
		if err != nil {
			return nil, fmt.Errorf("cross-check: %w", err)
		}
		r.CrossCheck = &check
	}
	return e, nil
}

// trial plays both agents, by the model and by the rules, for one dialogue.
type trial struct {
	*bench
	hearing  *localllm.Hearing
	fallback []record.Agent // whose part the rules took over
}

// Evaluate implements [rubric.Evaluator].
func (t *trial) Evaluate(ctx context.Context, c rubric.Case) (rubric.Scorecard, error) {
	if t.evaluator == byModel {
		card, err := t.hearing.Evaluate(ctx, c)
		if !t.takesOver(record.Evaluator, err) {
			return card, err
		}
	}
	return t.rules.Evaluator.Evaluate(ctx, c)
}

// Critique implements [rubric.Critic]. A model that has failed as the Evaluator is not asked again.
func (t *trial) Critique(ctx context.Context, c rubric.Case, card rubric.Scorecard) (rubric.Critique, error) {
	rules, err := t.rules.Critic.Critique(ctx, c, card)
	if err != nil || t.critic == byRules {
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
	case err != nil || t.critic == byModel:
		return model, err
	}
	return rubric.Merge(rules, model, card), nil
}

// takesOver reports whether the rules take an agent's part: where the model failed and the user wants that.
func (t *trial) takesOver(a record.Agent, err error) bool {
	var unscored *rubric.Unscored
	if !t.bench.fallback || !errors.As(err, &unscored) {
		return false
	}
	t.fallback = append(t.fallback, a)
	return true
}
