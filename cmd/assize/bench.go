package main

import (
	"context"
	"errors"
	"fmt"

	"assize/cmd/assize/internal/bench"
	"assize/heuristics"
	"assize/localllm"
)

// seat puts the model on the bench that the options name, if they do.
func (c *court) seat(ctx context.Context, o *benchOptions) error {
	if !o.seated() {
		return nil
	}
	opt, err := o.options(c.agents)
	if err != nil {
		return err
	}
	if c.bench.Model, err = localllm.Open(ctx, opt, c.bench.Rules.Rubric); err != nil {
		return modelError(ctx, err)
	}
	c.bench.Evaluator, c.bench.Critic = o.seats()
	c.bench.Fallback = o.fallback.value == bench.ByRules
	return c.checkWeighed()
}

// weighed is the model to which the profile gives weight; nil for none.
func (c *court) weighed() *heuristics.Model {
	if m := c.bench.Profile.Model; m != nil && m.Weight > 0 {
		return m
	}
	return nil
}

// checkWeighed refuses a model other than the one that the profile weighs: what was learnt of one says nothing of
// another.
func (c *court) checkWeighed() error {
	m, here := c.weighed(), c.bench.Model.Identity()
	if m == nil || c.bench.Evaluator != bench.ByModel || m.Digest == here.Digest {
		return nil
	}
	err := fmt.Errorf("the profile weighs what %s says, sha256:%s; --model is %s, sha256:%s", m.Name, m.Digest, here.Name, here.Digest)
	return withHints(err, "score with that model, or without this profile", "assize fit learns from a rated run of a model what it is worth")
}

// noteUnheard tells of a profile that weighs a model where none is the Evaluator.
func (p *program) noteUnheard(c *court) {
	if m := c.weighed(); m != nil && c.bench.Evaluator != bench.ByModel {
		p.note(fmt.Sprintf("the weight that the profile gives %s has no effect, since the rules are the Evaluator", m.Name))
	}
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
