package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/pflag"

	"assize/cmd/assize/internal/console"
	"assize/cmd/assize/internal/doctor"
	"assize/cmd/assize/internal/ui"
	"assize/localllm"
)

// doctorFlags are the flags of `assize doctor`.
type doctorFlags struct {
	serverFlags
	displayFlags
	all, quick bool
	output     string
}

func (o *doctorFlags) register(fs *pflag.FlagSet) {
	fs.StringVar(&o.server.Model, "model", "", "try the model `NAME`: qwen2.5:1.5b, or exactly one with @sha256:…")
	fs.BoolVar(&o.all, "all", false, "try every installed model that has a chat template")
	fs.BoolVar(&o.quick, "quick", false, fmt.Sprintf("ask about %d dialogues, and not all 120", doctor.Quick))
	fs.StringVarP(&o.output, "output", "o", "", "write the calibration of the model to `FILE`, for score --calibration")
	o.serverFlags.register(fs)
	fs.IntVar(&o.server.NumCtx, "num-ctx", 0, "`TOKENS` of context (default 6144, or what the model has)")
	fs.IntVar(&o.server.NumThread, "num-thread", 0, "`N` threads of the server (default: the server's choice)")
	o.displayFlags.register(fs, "the report", "text", "json")
}

func (o *doctorFlags) validate(given map[string]bool, _ []string) error {
	if o.all && given["model"] { // a model that is set for all calls gives way to --all
		return errors.New("--all cannot be used with --model; it tries every model")
	}
	if o.output != "" && (o.all || o.server.Model == "") {
		return errors.New("--output takes the calibration of one model; want --model")
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
	answers := ""
	if o.output != "" {
		answers = o.output + ".answers" // so that a trial that is stopped goes on where it was
		var err error
		if o.server.Cache, err = localllm.OpenCache(answers); err != nil {
			return fmt.Errorf("--output: %w", err)
		}
	}
	r, err := doctor.Examine(ctx, o.server, doctor.Options{All: o.all, Quick: o.quick, Progress: progress})
	p.Progress.Clear()
	var f *localllm.Failure
	switch {
	case err != nil && ctx.Err() != nil:
		err = errors.New("stopped before the trial was over")
		if answers != "" {
			err = console.Hint(err, "the answers so far are in "+answers+"; the same command goes on")
		}
		return err
	case errors.As(err, &f):
		return console.Hint(errors.New(f.Msg), cmp.Or(f.Hint, "see assize doctor --help"))
	case err != nil:
		return err
	}
	if o.output != "" && r.Trials[0].Calibration != nil {
		if err := os.WriteFile(o.output, r.Trials[0].Calibration.File(), 0o644); err != nil {
			return fmt.Errorf("--output: %w", err)
		}
		if err := os.RemoveAll(answers); err != nil {
			p.Note("the answers are not removed: " + err.Error())
		}
		p.Note("the calibration is in " + o.output)
	}
	err = p.show(&o.displayFlags, r)
	if why := r.Unfit(); why != "" {
		return errors.Join(err, console.Answer(why))
	}
	return err
}
