package main

import (
	"context"
	"errors"
	"fmt"

	"assize/cmd/assize/internal/bench"
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
