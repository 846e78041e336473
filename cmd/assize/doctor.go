package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"assize/cmd/assize/internal/doctor"
	"assize/cmd/assize/internal/ui"
	"assize/localllm"
)

// doctorFlags are the flags of `assize doctor`.
type doctorFlags struct {
	serverFlags
	config, model     string
	all               bool
	numCtx, numThread int
	format, color     choice
}

func (p *program) doctorCommand() *cobra.Command {
	o := doctorFlags{format: oneOf("text", "json"), color: oneOf("auto", "always", "never")}
	cmd := helpOf("doctor")
	cmd.Args = cobra.NoArgs
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.StringVar(&o.model, "model", "", "try the model `NAME`: qwen2.5:1.5b, or exactly one with @sha256:…")
	fs.BoolVar(&o.all, "all", false, "try every installed model that has a chat template")
	o.serverFlags.register(fs)
	fs.IntVar(&o.numCtx, "num-ctx", 0, "`TOKENS` of context (default 6144, or what the model has)")
	fs.IntVar(&o.numThread, "num-thread", 0, "`N` threads of the server (default: the server's choice)")
	fs.Var(&o.format, "format", "write the report as `FORMAT`: "+o.format.any())
	fs.Var(&o.color, "color", "use colours `WHEN`: auto, always or never; auto means on a terminal without NO_COLOR")
	fs.StringVar(&o.config, "config", "", "read settings from `FILE` (default "+usualPlace()+")")
	validate := func(given map[string]bool, _ []string) error {
		if o.all && given["model"] { // a model that is set for all calls gives way to --all
			return errors.New("--all cannot be used with --model; it tries every model")
		}
		return o.serverFlags.validate()
	}
	return define(cmd, &o.config, validate, func(ctx context.Context, _ []string) error { return p.doctor(ctx, &o) })
}

func (p *program) doctor(ctx context.Context, o *doctorFlags) error {
	opt := o.serverFlags.options()
	opt.Model, opt.NumCtx, opt.NumThread = o.model, o.numCtx, o.numThread
	if p.watched() {
		p.progress = p.asked()
	}
	r, err := doctor.Examine(ctx, opt, o.all, func(model string, done, of int) {
		if p.watched() {
			p.progress.Tell(fmt.Sprintf("%s: %d of %d", model, done, of))
		}
	})
	p.clear()
	var f *localllm.Failure
	switch {
	case err != nil && ctx.Err() != nil:
		return errors.New("stopped before the trial was over")
	case errors.As(err, &f):
		return withHints(errors.New(f.Msg), cmp.Or(f.Hint, "see assize doctor --help"))
	case err != nil:
		return err
	}
	if o.format.value == "json" {
		err = ui.WriteJSON(p.stdout, r, "  ")
	} else {
		page := ui.Page{Color: p.colored(o.color.value)}
		r.Text(&page)
		err = page.Send(p.stdout)
	}
	if why := r.Unfit(); why != "" {
		err = errors.Join(err, answerNo(why))
	}
	return err
}
