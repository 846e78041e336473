package main

import (
	"errors"
	"time"

	"github.com/spf13/pflag"

	"assize/cmd/assize/internal/bench"
	"assize/heuristics"
	"assize/localllm"
)

// benchOptions are the flags that concern a model on the bench.
type benchOptions struct {
	askOptions
	model                               string
	reasons                             bool
	evaluator, critic, fallback         choice
	overflow                            choice
	numCtx, numPredict, numThread, seed int
	repeats                             int
	keepAlive                           time.Duration
	names                               []string // of the flags, save --model
}

func (o *benchOptions) register(fs *pflag.FlagSet) {
	fs.StringVar(&o.model, "model", "", "let the Ollama model `NAME` judge: qwen2.5:1.5b, or with @sha256:… just that one")
	o.names = added(fs, func() {
		o.askOptions.register(fs)
		o.registerJudging(fs)
	})
}

// registerJudging adds the flags that decide what the model answers.
func (o *benchOptions) registerJudging(fs *pflag.FlagSet) {
	o.evaluator, o.critic = oneOf("", bench.ByRules, bench.ByModel), oneOf("", bench.ByRules, bench.ByModel, bench.ByBoth)
	o.fallback, o.overflow = oneOf("none", bench.ByRules), oneOf("window", "refuse")
	fs.Var(&o.evaluator, "evaluator", "`WHO` is the Evaluator: "+o.evaluator.any()+" (default with --model: model)")
	fs.Var(&o.critic, "critic", "`WHO` is the Critic: "+o.critic.any()+" (default with --model: both)")
	fs.Var(&o.fallback, "fallback", "`WHO` takes over where the model fails: none leaves the dialogue unscored, or rules")
	fs.IntVar(&o.numCtx, "num-ctx", 0, "`TOKENS` of context (default 6144, or what the model has)")
	fs.IntVar(&o.numPredict, "num-predict", 0, "`TOKENS` of an answer (default 300, with --reasons 600)")
	fs.IntVar(&o.numThread, "num-thread", 0, "`N` threads of the server (default: as it chooses)")
	fs.IntVar(&o.seed, "model-seed", 0, "`SEED` that is sent; without effect, since the temperature is 0")
	fs.DurationVar(&o.keepAlive, "keep-alive", 0, "`TIME` for which the server keeps the model loaded (default 10m)")
	fs.IntVar(&o.repeats, "repeats", 1, "present each dialogue in `N` ways and take the medians")
	fs.BoolVar(&o.reasons, "reasons", false, "ask the model for reasons too, which are marked as its words")
	fs.Var(&o.overflow, "on-overflow", "`WHAT` becomes of a dialogue that is too long for the model: "+o.overflow.any())
	fs.Lookup("repeats").DefValue = "1"
	for _, name := range []string{"num-ctx", "num-predict", "num-thread", "model-seed", "keep-alive"} {
		fs.Lookup(name).DefValue = "0" // the default is in the words
	}
}

// seats gives who plays Evaluator and Critic.
func (o *benchOptions) seats() (evaluator, critic string) {
	if o.model == "" {
		return bench.ByRules, bench.ByRules
	}
	evaluator, critic = o.evaluator.value, o.critic.value
	if evaluator == "" {
		evaluator = bench.ByModel
	}
	if critic == "" {
		critic = bench.ByBoth
	}
	return evaluator, critic
}

// seated reports whether a model plays at all.
func (o *benchOptions) seated() bool {
	evaluator, critic := o.seats()
	return evaluator != bench.ByRules || critic != bench.ByRules
}

// validate holds every rule on what goes together, where the command line makes it.
func (o *benchOptions) validate(given map[string]bool) error {
	if o.model == "" {
		return without("model", given, o.names)
	}
	evaluator, _ := o.seats()
	switch {
	case given["model"] && !o.seated():
		return errors.New("--model cannot be used with --evaluator rules and --critic rules; they leave it nothing to do")
	case evaluator == bench.ByRules && (given["reasons"] || given["repeats"]):
		return errors.New("--reasons and --repeats cannot be used with --evaluator rules; they are for the model as Evaluator")
	}
	return o.serverOptions.validate()
}

// options gives what [localllm.Open] must know.
func (o *benchOptions) options(a *heuristics.Agents) (localllm.Options, error) {
	opt, err := o.askOptions.options()
	opt.Model = o.model
	opt.NumCtx, opt.NumPredict, opt.NumThread, opt.Seed = o.numCtx, o.numPredict, o.numThread, o.seed
	opt.KeepAlive, opt.Reasons, opt.Repeats, opt.Refuse = o.keepAlive, o.reasons, o.repeats, o.overflow.value == "refuse"
	opt.Titles = bench.Titles(a)
	return opt, err
}
