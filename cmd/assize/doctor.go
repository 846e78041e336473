package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"assize/cmd/assize/internal/doctor"
	"assize/cmd/assize/internal/ui"
	"assize/heuristics"
	"assize/localllm"
	"assize/rubric"
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
	r, err := p.examine(ctx, o)
	var f *localllm.Failure
	switch {
	case err != nil && ctx.Err() != nil:
		return errors.New("stopped before the trial was over")
	case errors.As(err, &f) && f.Hint != "":
		return withHints(errors.New(f.Msg), f.Hint)
	case f != nil:
		return withHints(errors.New(f.Msg), "see assize doctor --help")
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
	return errors.Join(err, verdictOf(r))
}

// examine surveys the server and tries the models that were asked for. What is wrong with the server or a model is in
// the report; the error is one of the command line, or of a run that was stopped.
func (p *program) examine(ctx context.Context, o *doctorFlags) (*doctor.Report, error) {
	byUser := func(f *localllm.Failure) bool {
		return slices.Contains([]localllm.FailureKind{localllm.BadOptions, localllm.RemoteAddress, localllm.Cancelled}, f.Kind)
	}
	opt := o.serverFlags.options()
	opt.NumCtx, opt.NumThread = o.numCtx, o.numThread
	inv, err := localllm.Survey(ctx, opt)
	if f := (*localllm.Failure)(nil); err != nil {
		if !errors.As(err, &f) || byUser(f) {
			return nil, err
		}
		return doctor.NewReport(inv, f, nil), nil
	}
	var names []string
	for _, m := range inv.Models {
		if o.all && doctor.CanJudge(m) {
			names = append(names, m.Name)
		}
	}
	if !o.all && o.model != "" {
		names = []string{o.model}
	}
	d := &doctor.Doctor{Rubric: rubric.Default()}
	if d.Agents, err = heuristics.New(); err != nil {
		return nil, err
	}
	if d.Specimens, err = doctor.Specimens(d.Agents, d.Rubric); err != nil {
		return nil, err
	}
	if p.watched() {
		p.progress = p.asked()
		defer p.clear()
	}
	var trials []*doctor.Trial
	for _, name := range names {
		opt.Model = name
		if p.watched() {
			d.Progress = func(done, of int) { p.progress.Tell(fmt.Sprintf("%s: %d of %d", name, done, of)) }
		}
		t, err := d.Try(ctx, opt)
		if err != nil {
			return nil, err
		}
		if t.Failure != nil && byUser(t.Failure) && !o.all {
			return nil, t.Failure
		}
		trials = append(trials, t)
	}
	return doctor.NewReport(inv, nil, trials), nil
}

// verdictOf gives the answer "no" where nothing can be judged with what there is.
func verdictOf(r *doctor.Report) error {
	switch {
	case r.Server.Failure != nil:
		return answerNo("the server cannot be used: " + r.Server.Failure.Msg)
	case len(r.Trials) > 0 && r.Use == nil:
		return answerNo("none of the models that were tried is good enough to judge")
	case len(r.Trials) == 0 && !slices.ContainsFunc(r.Models, doctor.CanJudge):
		return answerNo("the server has no model that could judge")
	}
	return nil
}
