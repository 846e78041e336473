package main

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/spf13/pflag"

	"assize/cmd/assize/internal/console"
	"assize/cmd/assize/internal/doctor"
	"assize/cmd/assize/internal/flags"
	"assize/cmd/assize/internal/ui"
	"assize/localllm"
)

// doctorFlags are the flags of `assize doctor`.
type doctorFlags struct {
	serverFlags
	displayFlags
	all bool
}

func (o *doctorFlags) register(fs *pflag.FlagSet) {
	fs.StringVar(&o.server.Model, "model", "", "try the model `NAME`: qwen2.5:1.5b, or exactly one with @sha256:…")
	fs.BoolVar(&o.all, "all", false, "try every installed model that has a chat template")
	o.serverFlags.register(fs)
	fs.IntVar(&o.server.NumCtx, "num-ctx", 0, "`TOKENS` of context (default 6144, or what the model has)")
	fs.IntVar(&o.server.NumThread, "num-thread", 0, "`N` threads of the server (default: the server's choice)")
	o.displayFlags.register(fs, "the report", "text", "json")
}

func (o *doctorFlags) validate(given map[string]bool, _ []string) error {
	if o.all && given["model"] { // a model that is set for all calls gives way to --all
		return errors.New("--all cannot be used with --model; it tries every model")
	}
	return nil
}

func (o *doctorFlags) run(ctx context.Context, p *program, _ []string) error {
	p.ShowProgress()
	begun := time.Now()
	progress := func(model string, done, of int) {
		if done == 0 {
			begun = time.Now()
		}
		if p.Progress.Due() || !p.Quiet && ui.OnTerminal(p.Err) {
			p.Progress.Tell(model + ": " + ui.Pace(done, of, done, time.Since(begun)))
		}
	}
	r, err := doctor.Examine(ctx, o.server, o.all, progress)
	p.Progress.Clear()
	var f *localllm.Failure
	switch {
	case err != nil && ctx.Err() != nil:
		return errors.New("stopped before the trial was over")
	case errors.As(err, &f):
		return console.Hint(errors.New(f.Msg), cmp.Or(f.Hint, "see assize doctor --help"))
	case err != nil:
		return err
	}
	if err := r.Keep(flags.UsualPlace(flags.FindingsFile)); err != nil {
		p.Note("what was found is not kept, so score does not know it: " + err.Error())
	}
	err = p.show(&o.displayFlags, r)
	if why := r.Unfit(); why != "" {
		return errors.Join(err, console.Answer(why))
	}
	return err
}
