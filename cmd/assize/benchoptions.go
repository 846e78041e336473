package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"assize/heuristics"
	"assize/localllm"
)

// benchOptions are the flags that concern a model on the bench.
type benchOptions struct {
	model, ollama                       string
	allowRemote, reasons                bool
	evaluator, critic, fallback         choice
	overflow                            choice
	numCtx, numPredict, numThread, seed int
	repeats                             int
	keepAlive, timeout, patience        time.Duration
	cache                               string
	names                               []string // of the flags, save --model
}

func (o *benchOptions) register(fs *pflag.FlagSet) {
	o.evaluator, o.critic = oneOf("", byRules, byModel), oneOf("", byRules, byModel, byBoth)
	o.fallback, o.overflow = oneOf("none", byRules), oneOf("window", "refuse")
	known := map[string]bool{}
	fs.VisitAll(func(f *pflag.Flag) { known[f.Name] = true })

	fs.StringVar(&o.model, "model", "", "let the Ollama model `NAME` judge: qwen2.5:1.5b, or with @sha256:… just that one")
	fs.StringVar(&o.ollama, "ollama", "", "`URL` of the Ollama server (default OLLAMA_HOST, else http://127.0.0.1:11434)")
	fs.BoolVar(&o.allowRemote, "allow-remote", false, "let transcripts leave this machine, for a server on another")
	fs.Var(&o.evaluator, "evaluator", "`WHO` is the Evaluator: "+o.evaluator.any()+" (default with --model: model)")
	fs.Var(&o.critic, "critic", "`WHO` is the Critic: "+o.critic.any()+" (default with --model: both)")
	fs.Var(&o.fallback, "fallback", "`WHO` takes over where the model fails: none leaves the dialogue unscored, or rules")
	fs.IntVar(&o.numCtx, "num-ctx", 0, "`TOKENS` of context (default 6144, or what the model has)")
	fs.IntVar(&o.numPredict, "num-predict", 0, "`TOKENS` of an answer (default 300, with --reasons 600)")
	fs.IntVar(&o.numThread, "num-thread", 0, "`N` threads of the server (default: as it chooses)")
	fs.IntVar(&o.seed, "model-seed", 0, "`SEED` that is sent; without effect, since the temperature is 0")
	fs.DurationVar(&o.keepAlive, "keep-alive", 0, "`TIME` for which the server keeps the model loaded (default 10m)")
	fs.DurationVar(&o.timeout, "model-timeout", 0, "`TIME` for one answer (default: ten times what it should take, 2m at least)")
	fs.DurationVar(&o.patience, "model-patience", 0, "`TIME` for which a server that is gone is waited for (default 1m)")
	fs.IntVar(&o.repeats, "repeats", 1, "present each dialogue in `N` ways and take the medians")
	fs.BoolVar(&o.reasons, "reasons", false, "ask the model for reasons too, which are marked as its words")
	fs.Var(&o.overflow, "on-overflow", "`WHAT` becomes of a dialogue that is too long for the model: "+o.overflow.any())
	fs.StringVar(&o.cache, "cache", "", "keep the model's answers in the folder `DIR`, and ask nothing twice")
	fs.Lookup("repeats").DefValue = "1"
	for _, name := range []string{"num-ctx", "num-predict", "num-thread", "model-seed", "keep-alive", "model-timeout", "model-patience"} {
		fs.Lookup(name).DefValue = "0" // the default is in the words
	}
	fs.VisitAll(func(f *pflag.Flag) {
		if !known[f.Name] && f.Name != "model" {
			o.names = append(o.names, f.Name)
		}
	})
}

// Who plays an agent.
const (
	byRules = "rules"
	byModel = "model"
	byBoth  = "both"
)

// seats gives who plays Evaluator and Critic.
func (o *benchOptions) seats() (evaluator, critic string) {
	if o.model == "" {
		return byRules, byRules
	}
	evaluator, critic = o.evaluator.value, o.critic.value
	if evaluator == "" {
		evaluator = byModel
	}
	if critic == "" {
		critic = byBoth
	}
	return evaluator, critic
}

// seated reports whether a model plays at all.
func (o *benchOptions) seated() bool {
	evaluator, critic := o.seats()
	return evaluator != byRules || critic != byRules
}

// validate holds every rule on what goes together, where the command line makes it.
func (o *benchOptions) validate(given map[string]bool) error {
	if o.model == "" {
		for _, name := range o.names {
			if given[name] {
				return fmt.Errorf("--%s needs --model", name)
			}
		}
		return nil
	}
	evaluator, _ := o.seats()
	switch {
	case given["model"] && !o.seated():
		return errors.New("--model cannot be used with --evaluator rules and --critic rules; they leave it nothing to do")
	case evaluator == byRules && (given["reasons"] || given["repeats"]):
		return errors.New("--reasons and --repeats cannot be used with --evaluator rules; they are for the model as Evaluator")
	case o.timeout < 0:
		return fmt.Errorf("--model-timeout %s; want a time such as 90s or 10m", o.timeout)
	case o.patience < 0:
		return fmt.Errorf("--model-patience %s; want a time such as 30s or 5m", o.patience)
	}
	return nil
}

// options gives what [localllm.Open] must know.
func (o *benchOptions) options(detectors []heuristics.Detector) (localllm.Options, error) {
	opt := localllm.Options{
		Address: o.ollama, AllowRemote: o.allowRemote, Model: o.model,
		NumCtx: o.numCtx, NumPredict: o.numPredict, NumThread: o.numThread, Seed: o.seed,
		KeepAlive: o.keepAlive, Deadline: o.timeout, Patience: o.patience,
		Reasons: o.reasons, Repeats: o.repeats, Refuse: o.overflow.value == "refuse",
		Titles: map[string]string{},
	}
	for _, d := range detectors {
		opt.Titles[d.ID] = d.Title
	}
	if o.cache == "" {
		return opt, nil
	}
	var err error
	if opt.Cache, err = localllm.OpenCache(o.cache, 0); err != nil {
		return opt, fmt.Errorf("--cache: %w", err)
	}
	return opt, nil
}
