package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"assize/cmd/assize/internal/doctor"
	"assize/localllm"
)

// doctorOptions are the flags of `assize doctor`. Those that score has too mean the same.
type doctorOptions struct {
	config, model, ollama string
	all, allowRemote      bool
	numCtx, numThread     int
	timeout, patience     time.Duration
	format, color         choice
}

func (o *doctorOptions) register(fs *pflag.FlagSet) {
	o.format, o.color = oneOf("text", "json"), oneOf("auto", "always", "never")

	fs.SortFlags = false
	fs.StringVar(&o.model, "model", "", "try the model `NAME`: qwen2.5:1.5b, or with @sha256:… just that one")
	fs.BoolVar(&o.all, "all", false, "try every installed model that has a chat template")
	fs.StringVar(&o.ollama, "ollama", "", "`URL` of the Ollama server (default OLLAMA_HOST, else http://127.0.0.1:11434)")
	fs.BoolVar(&o.allowRemote, "allow-remote", false, "let the server be on another machine")
	fs.IntVar(&o.numCtx, "num-ctx", 0, "`TOKENS` of context (default 6144, or what the model has)")
	fs.IntVar(&o.numThread, "num-thread", 0, "`N` threads of the server (default: as it chooses)")
	fs.DurationVar(&o.timeout, "model-timeout", 0, "`TIME` for one answer (default: ten times what it should take, 2m at least)")
	fs.DurationVar(&o.patience, "model-patience", 0, "`TIME` for which a server that is gone is waited for (default 1m)")
	fs.Var(&o.format, "format", "write the report as `FORMAT`: "+o.format.any())
	fs.Var(&o.color, "color", "colours `WHEN`: auto, always or never; auto means on a terminal without NO_COLOR")
	fs.StringVar(&o.config, "config", "", "settings from `FILE` (default "+usualPlace()+")")
	for _, name := range []string{"num-ctx", "num-thread", "model-timeout", "model-patience"} {
		fs.Lookup(name).DefValue = "0" // the default is in the words
	}
}

// validate holds every rule on what goes together. A model that is set for all calls gives way to --all.
func (o *doctorOptions) validate(given map[string]bool) error {
	switch {
	case o.all && given["model"]:
		return errors.New("--all cannot be used with --model; it tries every model")
	case o.timeout < 0:
		return fmt.Errorf("--model-timeout %s; want a time such as 90s or 10m", o.timeout)
	case o.patience < 0:
		return fmt.Errorf("--model-patience %s; want a time such as 30s or 5m", o.patience)
	}
	return nil
}

// wanted lists the models to try.
func (o *doctorOptions) wanted(installed []localllm.Installed) (names []string) {
	switch {
	case o.all:
		for _, m := range installed {
			if doctor.CanPlay(m) {
				names = append(names, m.Name)
			}
		}
	case o.model != "":
		names = []string{o.model}
	}
	return names
}

// options gives what [localllm.Open] must know to try a model.
func (o *doctorOptions) options(model string) localllm.Options {
	return localllm.Options{
		Address: o.ollama, AllowRemote: o.allowRemote, Model: model,
		NumCtx: o.numCtx, NumThread: o.numThread, Deadline: o.timeout, Patience: o.patience,
	}
}
