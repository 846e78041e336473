package main

import (
	"errors"

	"github.com/spf13/pflag"

	"assize/cmd/assize/internal/doctor"
	"assize/localllm"
)

// doctorOptions are the flags of `assize doctor`. Those that score has too mean the same.
type doctorOptions struct {
	serverOptions
	config, model     string
	all               bool
	numCtx, numThread int
	format, color     choice
}

func (o *doctorOptions) register(fs *pflag.FlagSet) {
	o.format, o.color = oneOf("text", "json"), oneOf("auto", "always", "never")

	fs.SortFlags = false
	fs.StringVar(&o.model, "model", "", "try the model `NAME`: qwen2.5:1.5b, or with @sha256:… just that one")
	fs.BoolVar(&o.all, "all", false, "try every installed model that has a chat template")
	o.serverOptions.register(fs)
	fs.IntVar(&o.numCtx, "num-ctx", 0, "`TOKENS` of context (default 6144, or what the model has)")
	fs.IntVar(&o.numThread, "num-thread", 0, "`N` threads of the server (default: as it chooses)")
	fs.Var(&o.format, "format", "write the report as `FORMAT`: "+o.format.any())
	fs.Var(&o.color, "color", "colours `WHEN`: auto, always or never; auto means on a terminal without NO_COLOR")
	fs.StringVar(&o.config, "config", "", "settings from `FILE` (default "+usualPlace()+")")
	for _, name := range []string{"num-ctx", "num-thread"} {
		fs.Lookup(name).DefValue = "0" // the default is in the words
	}
}

// validate holds every rule on what goes together. A model that is set for all calls gives way to --all.
func (o *doctorOptions) validate(given map[string]bool) error {
	if o.all && given["model"] {
		return errors.New("--all cannot be used with --model; it tries every model")
	}
	return o.serverOptions.validate()
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
	opt := o.reach()
	opt.Model, opt.NumCtx, opt.NumThread = model, o.numCtx, o.numThread
	return opt
}
