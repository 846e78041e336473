package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"assize/cmd/assize/internal/judging/batch"
	"assize/cmd/assize/internal/judging/corpus"
	"assize/cmd/assize/internal/judging/experiment"
	"assize/cmd/assize/internal/judging/judge"
	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/reading/source"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/statistics/agree"
	"assize/cmd/assize/internal/terminal/console"
	"assize/cmd/assize/internal/terminal/flags"
	"assize/cmd/assize/internal/terminal/settings"
	"assize/rubric/dialogue/importer"
)

// experimentFlags are the flags of `assize experiment`, which concern this machine and this call.
// The file says what is judged, and how.
type experimentFlags struct {
	serverFlags
	natsFlags
	jobsFlag
	drawFlags
	displayFlags
	output string
	dryRun bool
	flags  *pflag.FlagSet
}

func (o *experimentFlags) register(fs *pflag.FlagSet) {
	o.flags = fs
	fs.StringVarP(&o.output, "output", "o", "",
		"write the runs to the folder `DIR` (default: as the file says)")
	fs.BoolVar(&o.dryRun, "dry-run", false, "show what would be run, and run nothing")
	o.serverFlags.register(fs)
	o.natsFlags.register(fs)
	o.drawFlags.register(fs, true)
	o.jobsFlag.register(fs, "let the rules judge")
	o.displayFlags.register(fs, "the table", experiment.Formats()...)
}

func (o *experimentFlags) validate(given map[string]bool, _ []string) error {
	if !given["output"] { // a value from the config file applies to score
		o.output = ""
	}
	if o.dryRun && given["format"] {
		return errors.New("--format cannot be used with --dry-run")
	}
	return o.natsFlags.validate(given)
}

func (o *experimentFlags) run(ctx context.Context, p *program, args []string) error {
	e, err := p.prepareExperiment(ctx, args[0], o)
	if err != nil {
		return err
	}
	if o.dryRun {
		page := p.Page(o.color.Value)
		e.Describe(&page)
		return page.Send(p.Out)
	}
	if err := e.Judge(ctx); err != nil {
		return err
	}
	t, err := e.Measure(ctx)
	if err != nil {
		return err
	}
	return p.show(&o.displayFlags, t)
}

// prepareExperiment reads the file and the dialogues, and sets up the judge of every config. It
// judges nothing, so that errors are found first.
func (p *program) prepareExperiment(ctx context.Context, file string, o *experimentFlags,
) (*experiment.Experiment, error) {
	plan, err := experiment.Read(file)
	if err != nil {
		return nil, err
	}
	e := &experiment.Experiment{
		Console: p.Console, Plan: plan, Folder: o.output,
		Agree: agree.Options{Worst: .2, Draws: o.draws, Seed: o.seed},
	}
	switch {
	case o.output != "":
		e.Folder = filepath.Clean(o.output)
	case plan.Output != "":
		e.Folder = plan.Path(plan.Output)
	default:
		err := errors.New("no folder for the runs; want output: in the file, or -o DIR")
		return nil, console.Hint(err, "assize experiment "+file+" -o runs")
	}
	e.Agree.Scale = ratings.DefaultScale
	if s := plan.Scale; s.Texts != nil {
		if e.Agree.Scale, err = ratings.ParseScale(strings.Join(s.Texts, ", ")); err != nil {
			return nil, fmt.Errorf("%s: scale: %w", s.Place, err)
		}
	}
	if plan.Ratings != "" {
		if e.People, err = p.readRatings("ratings", plan.Path(plan.Ratings)); err != nil {
			return nil, err
		}
	}
	var reading importer.Options // the same for all configs
	for _, c := range plan.Configs() {
		r := &experiment.Run{Config: c}
		if reading, err = p.setup(o, plan, r); err != nil {
			return nil, err
		}
		e.Runs = append(e.Runs, r)
	}
	var paths []string
	for _, path := range plan.Dialogues {
		paths = append(paths, plan.Path(path))
	}
	files, _, err := corpus.Find(p.Console, source.Transcripts, "experiment", paths, file)
	if err == nil && p.Complained { // half of the dialogues would be a different experiment
		err = errors.New("nothing is run, since not all dialogues are there")
	}
	if err != nil {
		return nil, err
	}
	return e, e.Pick(ctx, files, reading)
}

// configFlags are the flags of score that a file may set.
type configFlags struct {
	readingFlags
	scaleFlags
	modelFlags
	redact bool
}

// setup sets the flags of a config as the file says, and returns how to read the transcripts.
func (p *program) setup(o *experimentFlags, plan *experiment.Plan, r *experiment.Run,
) (reading importer.Options, err error) {
	var f configFlags
	fs := pflag.NewFlagSet("config", pflag.ContinueOnError)
	common := flags.Group(fs, "", func() {
		f.readingFlags.register(fs)
		f.scaleFlags.register(fs)
		fs.BoolVar(&f.redact, "redact", false, "")
	})
	f.modelFlags.register(fs)
	aboutModel := slices.DeleteFunc(slices.Clone(f.modelFlags.names), func(name string) bool {
		// so that no file can send transcripts to another machine
		return name == "prompts" || name == "allow-remote"
	})
	if err = setFlags(fs, plan, plan.Options, slices.Concat(common, aboutModel)); err == nil {
		err = setFlags(fs, plan, r.Flags, aboutModel)
	}
	if err != nil {
		return reading, err
	}
	o.flags.Visit(func(ours *pflag.Flag) { // the command line overrides the file's server flags
		if theirs := fs.Lookup(ours.Name); theirs != nil {
			_ = theirs.Value.Set(ours.Value.String()) // the value is valid
		}
	})
	if r.Model != experiment.Rules {
		f.model = r.Model
		if err := f.modelFlags.validate(map[string]bool{"model": true}); err != nil {
			return reading, fmt.Errorf("%s: %s: %w", plan.File, r.Row(), err)
		}
		if r.Prompts != experiment.Default {
			f.prompts = plan.Path(r.Prompts)
		}
	}
	prompts, err := readPrompts(f.prompts)
	if err == nil {
		reading, err = f.readingFlags.options()
	}
	if err != nil {
		return reading, fmt.Errorf("%s: %w", plan.File, err)
	}
	p.Redact = f.redact // the same for all configs
	j, err := f.scaleFlags.judge(judge.Options{Redact: f.redact})
	if err != nil {
		return reading, err
	}
	header := j.Header(reading)
	r.Decisive = []any{header.Fingerprint(), prompts.Digests(), r.Model}
	if f.calibration != "" && f.used() {
		c, err := readCalibration(f.calibration)
		if err != nil {
			return reading, fmt.Errorf("%s: %w", plan.File, err)
		}
		r.Decisive = append(r.Decisive, string(c.AppendJSON(nil)))
	}
	for _, name := range aboutModel {
		if o.flags.Lookup(name) == nil && name != "cache" && name != "calibration" && f.used() {
			r.Decisive = append(r.Decisive, fs.Lookup(name).Value.String())
		}
	}
	r.Score = func(ctx context.Context, path string, items iter.Seq[source.Item],
		accept func(*run.Record) error) error {
		if err := f.modelFlags.open(ctx, j); err != nil {
			return err
		}
		useWeights(p.Console, j)
		s := &batch.Scoring{Console: p.Console, Accept: accept,
			Batch: batch.Batch{Judge: j, Jobs: o.jobs, Header: new(j.Header(reading))}}
		if j.Model != nil {
			s.Jobs = 1
		}
		if err := s.Resume(path); err != nil {
			return err
		}
		p.ShowProgressBeside(path)
		return p.judge(ctx, s, &o.natsFlags, path, items)
	}
	return reading, nil
}

// setFlags sets the flags that are named in a part of the file.
func setFlags(fs *pflag.FlagSet, plan *experiment.Plan, part map[string]settings.Value,
	allowed []string,
) error {
	for _, name := range slices.Sorted(maps.Keys(part)) {
		v := part[name]
		v.Texts = slices.Clone(v.Texts)
		switch {
		case !slices.Contains(allowed, name):
			err := fmt.Errorf("%s: %q cannot be set here; want a flag of assize score for "+
				"judging, without its dashes", v.Place, name)
			return console.Hint(err, flags.DidYouMean(name, allowed)...)
		case name == "cache" && plan.Repeats > 1:
			return fmt.Errorf("%s: with a cache all repeats would be the same; want repeats: 1, "+
				"or no cache", v.Place)
		case name == "rubric" || name == "profile" || name == "cache" || name == "calibration":
			for i := range v.Texts {
				v.Texts[i] = plan.Path(v.Texts[i])
			}
		}
		if err := flags.Set(fs, fs.Lookup(name), v); err != nil {
			return err
		}
	}
	return nil
}
