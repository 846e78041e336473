package main

import (
	"fmt"
	"os"
	"time"

	"github.com/spf13/pflag"

	"assize/localllm"
)

// serverOptions are the flags that say how a model's server is reached and waited for. They mean the same in every
// command that asks a model.
type serverOptions struct {
	ollama            string
	allowRemote       bool
	timeout, patience time.Duration
}

func (o *serverOptions) register(fs *pflag.FlagSet) {
	fs.StringVar(&o.ollama, "ollama", "", "`URL` of the Ollama server (default OLLAMA_HOST, else http://127.0.0.1:11434)")
	fs.BoolVar(&o.allowRemote, "allow-remote", false, "let transcripts leave this machine, for a server on another")
	fs.DurationVar(&o.timeout, "model-timeout", 0, "`TIME` for one answer (default: ten times what it should take, 2m at least)")
	fs.DurationVar(&o.patience, "model-patience", 0, "`TIME` for which a server that is gone is waited for (default 1m)")
	for _, name := range []string{"model-timeout", "model-patience"} {
		fs.Lookup(name).DefValue = "0" // the default is in the words
	}
}

// added lists the flags that a function adds.
func added(fs *pflag.FlagSet, register func()) (names []string) {
	known := map[string]bool{}
	fs.VisitAll(func(f *pflag.Flag) { known[f.Name] = true })
	register()
	fs.VisitAll(func(f *pflag.Flag) {
		if !known[f.Name] {
			names = append(names, f.Name)
		}
	})
	return names
}

// without refuses flags that say nothing without another one.
func without(other string, given map[string]bool, names []string) error {
	for _, name := range names {
		if given[name] {
			return fmt.Errorf("--%s needs --%s", name, other)
		}
	}
	return nil
}

func (o *serverOptions) validate() error {
	switch {
	case o.timeout < 0:
		return fmt.Errorf("--model-timeout %s; want a time such as 90s or 10m", o.timeout)
	case o.patience < 0:
		return fmt.Errorf("--model-patience %s; want a time such as 30s or 5m", o.patience)
	}
	return nil
}

// reach gives what [localllm.Open] must know of the server.
func (o *serverOptions) reach() localllm.Options {
	return localllm.Options{Address: o.ollama, AllowRemote: o.allowRemote, Deadline: o.timeout, Patience: o.patience}
}

// askOptions are the flags of the commands by which a model judges: by what else it is asked, and what is kept.
type askOptions struct {
	serverOptions
	prompts, cache string
}

func (o *askOptions) register(fs *pflag.FlagSet) {
	o.serverOptions.register(fs)
	fs.StringVar(&o.prompts, "prompts", "", "ask by the templates in the folder `DIR`, by the names of those that come with the program")
	fs.StringVar(&o.cache, "cache", "", "keep the model's answers in the folder `DIR`, and ask nothing twice")
}

// options gives what [localllm.Open] must know of the server, the templates and the cache.
func (o *askOptions) options() (opt localllm.Options, err error) {
	opt = o.reach()
	if opt.Prompts, err = o.readPrompts(); err != nil {
		return opt, err
	}
	if o.cache != "" {
		if opt.Cache, err = localllm.OpenCache(o.cache, 0); err != nil {
			return opt, fmt.Errorf("--cache: %w", err)
		}
	}
	return opt, nil
}

// readPrompts reads the templates; those that come with the program where no others are wanted.
func (o *askOptions) readPrompts() (*localllm.Prompts, error) {
	if o.prompts == "" {
		return localllm.DefaultPrompts(), nil
	}
	p, err := localllm.ReadPrompts(os.DirFS(o.prompts))
	if err != nil {
		return nil, fmt.Errorf("--prompts %s: %w", o.prompts, err)
	}
	return p, nil
}

// over puts what is set here in the place of what another says; whether transcripts may leave the machine is said only here.
func (o *serverOptions) over(other *serverOptions) {
	if o.ollama != "" {
		other.ollama = o.ollama
	}
	if o.timeout != 0 {
		other.timeout = o.timeout
	}
	if o.patience != 0 {
		other.patience = o.patience
	}
	other.allowRemote = o.allowRemote
}
