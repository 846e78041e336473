package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"assize/cmd/assize/internal/judging/corpus"
	"assize/cmd/assize/internal/judging/experiment"
	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/reading/source"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/statistics/agree"
	"assize/cmd/assize/internal/terminal/console"
	"assize/cmd/assize/internal/terminal/flags"
	"assize/cmd/assize/internal/terminal/ui"
)

// experimentFlags are the flags of `assize experiment`, which concern this machine, this call and
// people's ratings. The file says what is scored, and how.
type experimentFlags struct {
	output string      `flag:"output"`
	_      serverFlags `flag:"*"` // of score, like jobs; see prepare
	peopleFlags
	readingFlags `flag:"columns"` // of the ratings
	drawFlags
	_ jobsFlag `flag:"*"`
	displayFlags
}

func (o *experimentFlags) validate(given map[string]bool, _ []string) error {
	if !given["output"] { // a value from the config file applies to score
		return errors.New("no folder for the runs; want -o DIR")
	}
	return nil
}

// run scores the dialogues in each way of the file. If one fails, the others are run all the same.
func (o *experimentFlags) run(ctx context.Context, p *program, args []string) error {
	plan, err := experiment.Read(args[0])
	if err != nil {
		return err
	}
	var scores []*scoreFlags
	for _, r := range plan.Runs { // all of them first, so that errors in the file are found first
		f, err := o.prepare(plan, r)
		if err != nil {
			return err
		}
		scores = append(scores, f)
	}
	files, err := o.dialogues(p, plan)
	rated, err2 := o.readRatings(p)
	if err = cmp.Or(err, err2); err == nil {
		err = os.MkdirAll(o.output, 0o777)
	}
	if err != nil {
		return err
	}
	t := &experiment.Table{Version: 2, File: filepath.Base(plan.File)}
	opt := agree.Options{Worst: .2, Draws: o.draws, Seed: o.seed, Scale: o.people}
	wrong := "" // in the ratings of a run
	for i, r := range plan.Runs {
		f := scores[i]
		p.Advise(fmt.Sprintf("%s (%d of %d)", r.Name, i+1, len(plan.Runs)))
		failed := f.run(ctx, p, files)
		if ctx.Err() != nil {
			return errors.New("stopped; run the same command again to resume")
		}
		err := t.Add(ctx, r.Name, f.output, failed == nil, opt,
			func(rows []*run.Row) ([]ratings.Rated, []string, error) {
				carried := func(row *run.Row) bool { return len(row.Ratings) > 0 }
				if rated == nil && !slices.ContainsFunc(rows, carried) {
					return nil, nil, nil
				}
				people, notes, err := ratings.Collect(rows, rated, o.sources, o.people)
				if err != nil && wrong == err.Error() {
					return nil, nil, nil // it is the same for all runs
				} else if err != nil {
					wrong = err.Error()
				}
				return people, notes, err
			})
		if err = errors.Join(failed, err); err != nil {
			p.Complain(fmt.Errorf("%s: %w", r.Name, err))
		}
	}
	return p.show(&o.displayFlags, t)
}

// readRatings reads the files of --ratings, before anything is judged.
func (o *experimentFlags) readRatings(p *program) ([]*ratings.File, error) {
	opt, err := o.readingFlags.options(slices.Concat(ratings.Uses, []string{"where"}))
	if err != nil {
		return nil, err
	}
	p.columns = opt.Columns
	return p.readRatings(&o.peopleFlags, nil)
}

// dialogues returns the files of the dialogues, without those in the folder of the runs.
func (o *experimentFlags) dialogues(p *program, plan *experiment.Plan) ([]string, error) {
	files, _, err := corpus.Find(p.Console, source.Transcripts, "experiment",
		ui.Each(plan.Dialogues, plan.Path), plan.File)
	if err == nil && p.Complained { // half of the dialogues would be a different experiment
		err = errors.New("nothing is run, since not all dialogues are there")
	}
	folder, _ := filepath.Abs(o.output)
	files = slices.DeleteFunc(files, func(file string) bool {
		abs, err := filepath.Abs(file)
		return err == nil && strings.HasPrefix(abs, folder+string(filepath.Separator))
	})
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s: no dialogues outside the folder of the runs", plan.File)
	}
	return files, err
}

// prepare returns the flags of score for a run, as the file sets them. The command line
// overrides the file's flags about the model's server.
func (o *experimentFlags) prepare(plan *experiment.Plan, r experiment.Run) (*scoreFlags, error) {
	f := &scoreFlags{}
	set := flags.NewSet(pflag.NewFlagSet("score", pflag.ContinueOnError))
	set.AddAll(f)
	// others are about the output, or could send transcripts to another machine
	allowed := flags.Group("score", "runs")
	for _, name := range slices.Sorted(maps.Keys(r.Flags)) {
		v := r.Flags[name]
		if !slices.Contains(allowed, name) {
			where := texts.Say("elsewhere", map[string]any{"Name": name,
				"Variable": flags.Variable(name), "IsOurs": o.set.Find(name) != nil,
				"IsFlag": o.set.Lookup(name) != nil})
			err := fmt.Errorf("%s: %q cannot be set here; want %s", v.Place, name, where)
			return nil, console.Hint(err, flags.DidYouMean(name, allowed)...)
		}
		if slices.Contains([]string{"rubric", "profile", "cache", "calibration", "prompts"}, name) {
			v.Texts = ui.Each(v.Texts, plan.Path)
		}
		if err := set.Fill(name, v); err != nil {
			return nil, err
		}
	}
	given := map[string]bool{}
	set.Visit(func(flag *pflag.Flag) { given[flag.Name] = true })
	for _, name := range []string{"ollama", "allow-remote", "model-timeout", "model-patience",
		"jobs"} {
		if ours := o.set.Find(name); ours.Changed {
			_ = set.Apply(name, ours.Value.String()) // the value is valid
		}
	}
	f.output, f.folder = filepath.Join(o.output, r.Name+".jsonl"), filepath.Dir(plan.File)
	if err := f.validate(given, nil); err != nil {
		return nil, fmt.Errorf("%s: %s: %w", plan.File, r.Name, err)
	}
	return f, nil
}
