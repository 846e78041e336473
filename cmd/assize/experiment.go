package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assize/cmd/assize/internal/agree"
	"assize/cmd/assize/internal/batch"
	"assize/cmd/assize/internal/experiment"
	"assize/cmd/assize/internal/judge"
	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/settings"
	"assize/cmd/assize/internal/source"
	"assize/cmd/assize/internal/ui"
	"assize/rubric/dialogue"
)

// experimentFlags are the flags of `assize experiment`: what concerns this machine and this call. What is judged, and
// how, is in the file.
type experimentFlags struct {
	serverFlags
	jobsFlag
	drawFlags
	format, color  choice
	output, config string
	dryRun         bool
	flags          *pflag.FlagSet
}

func (p *program) experimentCommand() *cobra.Command {
	var o experimentFlags
	cmd := helpOf("experiment")
	cmd.Args = cobra.ExactArgs(1)
	fs := cmd.Flags()
	o.flags, fs.SortFlags = fs, false
	o.format, o.color = oneOf(experiment.Formats()...), oneOf("auto", "always", "never")
	fs.StringVarP(&o.output, "output", "o", "", "write the runs to the folder `DIR` (default: as the file says)")
	fs.Var(&o.format, "format", "print the table as `FORMAT`: "+o.format.any())
	fs.BoolVar(&o.dryRun, "dry-run", false, "show what would be run, and run nothing")
	o.serverFlags.register(fs)
	o.drawFlags.register(fs, 1000)
	o.jobsFlag.register(fs, "let the rules judge")
	fs.Var(&o.color, "color", "use colours `WHEN`: auto, always or never; auto means on a terminal without NO_COLOR")
	fs.StringVar(&o.config, "config", "", "read settings from `FILE` (default "+usualPlace()+")")
	validate := func(given map[string]bool, _ []string) error {
		if !given["output"] { // what is set for all calls is where score writes
			o.output = ""
		}
		if o.dryRun && given["format"] {
			return errors.New("--format cannot be used with --dry-run")
		}
		return errors.Join(o.drawFlags.validate(true), o.jobsFlag.validate(), o.serverFlags.validate())
	}
	return define(cmd, &o.config, validate, func(ctx context.Context, args []string) error {
		return p.experiment(ctx, args[0], &o)
	})
}

func (p *program) experiment(ctx context.Context, file string, o *experimentFlags) error {
	e, err := experiment.Prepare(ctx, file, experiment.Host{
		Output: o.output, Agree: agree.Options{Worst: .2, Draws: o.draws, Seed: o.seed, Jobs: o.jobs},
		Open: p.open, Samples: p.samples, Note: p.note, Complain: p.complain, Hint: withHints,
		Find: func(paths []string) ([]string, error) {
			files, err := p.inputs(source.Transcripts, paths, file)
			if err == nil && p.complained { // half of the dialogues would be another experiment
				err = errors.New("nothing is run, since not all dialogues are there")
			}
			return files, err
		},
		Setup: func(plan *experiment.Plan, c experiment.Config) (*experiment.Setup, error) {
			return p.setup(o, plan, c)
		},
	})
	if err != nil {
		return err
	}
	page := ui.Page{Color: p.colored(o.color.value)}
	if o.dryRun {
		e.Describe(&page)
		return page.Send(p.stdout)
	}
	if err := e.Run(ctx); err != nil {
		return err
	}
	t, err := e.Measure(ctx)
	if err == nil {
		err = t.Write(p.stdout, &page, o.format.value)
	}
	return errors.Join(err, page.Send(p.stdout))
}

// configFlags are the flags of score that a file may set.
type configFlags struct {
	readingFlags
	scaleFlags
	modelFlags
	redact bool
}

// setup sets the flags of a config as the file says.
func (p *program) setup(o *experimentFlags, plan *experiment.Plan, c experiment.Config) (*experiment.Setup, error) {
	var f configFlags
	fs := pflag.NewFlagSet("config", pflag.ContinueOnError)
	shared := added(fs, func() {
		f.readingFlags.register(fs)
		f.scaleFlags.register(fs)
		fs.BoolVar(&f.redact, "redact", false, "")
	})
	f.modelFlags.register(fs)
	aboutModel := slices.DeleteFunc(slices.Clone(f.modelFlags.names), func(name string) bool { return name == "prompts" })
	given := map[string]bool{}
	err := setFlags(fs, plan, plan.Options, slices.Concat(shared, aboutModel), given)
	if err == nil {
		err = setFlags(fs, plan, c.Panel.Flags, aboutModel, given)
	}
	if err != nil {
		return nil, err
	}
	switch {
	case !c.ByRules():
		f.model, given["model"] = c.Model, true
		if c.Prompts != experiment.Default {
			f.prompts = plan.Path(c.Prompts)
		}
	case len(plan.Models) > 1: // the flags about a model are for the others
		maps.DeleteFunc(given, func(name string, _ bool) bool { return slices.Contains(aboutModel, name) })
	}
	// Of the server, the command line has the last word. Whether transcripts may leave the machine is never up to a file.
	o.flags.Visit(func(ours *pflag.Flag) {
		if theirs := fs.Lookup(ours.Name); theirs != nil {
			_ = theirs.Value.Set(ours.Value.String()) // which is valid
		}
	})
	if err := f.modelFlags.validate(given); err != nil {
		return nil, fmt.Errorf("%s: %s: %w", plan.File, c.Row(), err)
	}
	reading, err := f.readingFlags.options()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", plan.File, err)
	}
	j, err := f.scaleFlags.judge(judge.Options{Redact: f.redact})
	if err != nil {
		return nil, err
	}
	s := &experiment.Setup{Reading: reading, Presentations: f.server.Repeats}
	s.Evaluator, s.Critic = f.agents()
	header := j.Header(reading)
	s.Decisive = []any{header.Fingerprint()}
	if f.used() {
		prompts, err := readPrompts(f.prompts)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", plan.File, err)
		}
		s.Decisive = append(s.Decisive, prompts.Digests(), f.model, s.Evaluator, s.Critic, f.fallback.value, f.overflow.value,
			f.server.NumCtx, f.server.NumPredict, f.server.NumThread, f.server.Seed, f.server.KeepAlive, f.server.Reasons,
			f.server.Repeats)
	}
	s.Score = func(ctx context.Context, path string, items iter.Seq[source.Item], accept func(*run.Record) error) error {
		return p.scoreInto(ctx, path, &f, o.jobs, reading, items, accept)
	}
	return s, nil
}

// setFlags sets flags as a part of the file says, and notes which.
func setFlags(fs *pflag.FlagSet, plan *experiment.Plan, part []settings.Pair, allowed []string, given map[string]bool) error {
	for _, pair := range part {
		name := pair.Key
		f := fs.Lookup(name)
		switch {
		case name == "allow-remote":
			return fmt.Errorf("%s: allow-remote works only on the command line, so that no file can send transcripts away", pair.Place)
		case f == nil || !slices.Contains(allowed, name):
			err := fmt.Errorf("%s: %q cannot be set here; want the name of a flag of assize score about judging, without its dashes", pair.Place, name)
			return withHints(err, didYouMean(name, allowed)...)
		case name == "cache" && plan.Repeats > 1:
			return fmt.Errorf("%s: a cache would answer the repeats, which would then tell nothing; want repeats: 1, or no cache", pair.Place)
		}
		values, err := pair.Value.Values("a value of " + name + " as on the command line")
		if err != nil {
			return err
		}
		for i, v := range values {
			if _, many := f.Value.(pflag.SliceValue); i > 0 && !many {
				return fmt.Errorf("%s: %s has several values; want one", v.Place, name)
			}
			text := v.Text
			if slices.Contains([]string{"rubric", "profile", "cache"}, name) {
				text = plan.Path(text)
			}
			if err := fs.Set(name, text); err != nil {
				return fmt.Errorf("%s: %s %q: %w", v.Place, name, text, cause(errors.Unwrap(err)))
			}
		}
		given[name] = true
	}
	return nil
}

// scoreInto scores items into a run, as score does.
func (p *program) scoreInto(ctx context.Context, path string, f *configFlags, jobs int, reading dialogue.Options,
	items iter.Seq[source.Item], accept func(*run.Record) error) error {
	j, err := f.scaleFlags.judge(judge.Options{Redact: f.redact})
	if err == nil {
		err = f.modelFlags.open(ctx, j)
	}
	if err != nil {
		return err
	}
	p.noteUnusedWeight(j)
	header := j.Header(reading)
	file, _ := target(path)
	w, err := run.Create(file, &header)
	if err != nil {
		return runError(err, path, "remove the file to judge its dialogues again", &header)
	}
	if j.Model != nil {
		jobs = 1
	}
	s := scoring{
		program: p, out: runOutput(w), sink: runSink{w}, format: "jsonl", accept: accept,
		batch: batch.Batch{Judge: j, Jobs: jobs, Run: w, Header: &header},
	}
	p.progress = p.paced(path)
	defer p.clear()
	err = s.write(ctx, items)
	if j.Model != nil && (err == nil || ctx.Err() != nil) {
		p.reportUsage(&s.totals.Usage, j.Model)
	}
	return err
}
