package replay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"assize/cmd/assize/internal/bench"
	"assize/cmd/assize/internal/record"
	"assize/localllm"
)

// seat puts the model on the bench that made a run: the same one, asked by the same prompts and with the same options.
// The error is a [*Refusal].
func (c *Court) seat(ctx context.Context, b *bench.Bench, head *record.Header) error {
	conf, was := head.Configuration, head.Model
	switch {
	case !slices.Contains([]string{bench.ByRules, bench.ByModel}, conf.Evaluator), !slices.Contains([]string{bench.ByRules, bench.ByModel, bench.ByBoth}, conf.Critic):
		return &Refusal{Why: fmt.Sprintf("nobody here is called what its agents are (Evaluator %q, Critic %q); want rules or model", conf.Evaluator, conf.Critic)}
	case was == nil:
		return &Refusal{Why: "a model judged it, and the header does not say which"}
	}
	o := c.Asking.Again(*was)
	now, err := localllm.Identify(ctx, o)
	if err != nil {
		return unreachable(ctx, err)
	}
	if list := unlike(*was, now); len(list) > 0 {
		return &Refusal{
			"what would judge is not what judged it: " + strings.Join(list, "; "),
			"score the transcripts again, and assize compare the two runs",
		}
	}
	o.Model += "@sha256:" + was.Digest
	if b.Model, err = localllm.Open(ctx, o, head.Basis.Rubric); err != nil {
		return unreachable(ctx, err)
	}
	b.Evaluator, b.Critic, b.Fallback = conf.Evaluator, conf.Critic, conf.Fallback == bench.ByRules
	return nil
}

// unlike lists where a model is not what it was. The same model may be asked of another version of the server.
func unlike(was, now localllm.Identity) (list []string) {
	now.Server = was.Server
	a, _ := json.Marshal(was) // strings, numbers and booleans always encode
	b, _ := json.Marshal(now)
	if string(a) == string(b) {
		return nil
	}
	differences, _ := differ(a, b, func(string) string { return "now it is" })
	for i := range differences {
		list = append(list, "/provenance/model"+differences[i].String())
	}
	return list
}

// unreachable tells why a model cannot be asked: a [*Refusal], unless all is being stopped.
func unreachable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	r := &Refusal{Why: "a model judged it, which cannot be asked: " + err.Error()}
	var f *localllm.Failure
	if errors.As(err, &f) {
		r.Why, r.Hint = "a model judged it, which cannot be asked: "+f.Msg, f.Hint
	}
	return r
}
