package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"assize/cmd/assize/internal/judging/corpus"
	"assize/cmd/assize/internal/reading/source"
	"assize/cmd/assize/internal/records/compare"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/terminal/console"
	"assize/cmd/assize/internal/terminal/flags"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

// compareFlags are the flags of `assize compare`.
type compareFlags struct {
	outputFlags
	drawFlags
	jobsFlag
	judgingFlags
	confidenceFlag
	mustPass         []string
	paired, unpaired bool
	failOnDrop       rubric.Hundredths
	top              int
}

func (o *compareFlags) register(fs *flags.Set) {
	o.outputFlags.register(fs, "a comparison", "text", "json", "csv", "markdown")
	fs.Add("top", &o.top)
	fs.Add("paired", &o.paired)
	fs.Add("unpaired", &o.unpaired)
	fs.Add("fail-on-drop", func(s string) (err error) {
		o.failOnDrop, err = rubric.ParseHundredths(s)
		if err != nil || o.failOnDrop <= 0 || o.failOnDrop > 80*100 {
			return errors.New("want a number of points above 0 and up to 80, with at most two " +
				"decimals")
		}
		return nil
	})
	fs.Add("must-pass", &o.mustPass)
	fs.Add("confidence", &o.confidence)
	o.drawFlags.register(fs)
	o.judgingFlags.register(fs)
	o.jobsFlag.register(fs)
}

func (o *compareFlags) validate(given map[string]bool, args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("%s; want two, the one before and the one after",
			ui.Counted(len(args), "run"))
	}
	if given["confidence"] && o.failOnDrop == 0 {
		return errors.New("--confidence needs --fail-on-drop")
	}
	return cmp.Or(o.outputFlags.validate(given), oneStdin(args...))
}

func (o *compareFlags) run(ctx context.Context, p *program, files []string) error {
	var runs [2]*compare.Run
	unfinished := 0
	for i, file := range files {
		side, err := p.corpus(ctx, "compare", files[i:i+1], &o.judgingFlags, o.jobs, o.output)
		if err != nil || len(side.Files) == 0 {
			return err
		}
		var rows []run.Row
		err = side.Each(ctx, side.Records(ctx), "dialogue", func(e *corpus.Entry) (bool, error) {
			rows = append(rows, e.Line.Row(e.Record, e.Line.Number))
			return true, nil
		})
		if err != nil {
			return err
		}
		runs[i] = compare.NewRun(file, rows, side.Headers)
		unfinished += side.Unfinished
	}
	opt := compare.Options{Top: o.top, Draws: o.draws, Seed: o.seed}
	switch {
	case o.unpaired:
		opt.Mode = compare.Unpaired
	case o.paired:
		opt.Mode = compare.Paired
	}
	c := compare.New(runs[0], runs[1], opt)
	c.Warnings = slices.Insert(c.Warnings, 0, p.Warned()...)
	if source.Same(files[0], files[1]) {
		c.Warnings = slices.Insert(c.Warnings, 0, "A and B are the same file.")
	}
	err := p.write(&o.outputFlags, c)
	if err != nil {
		return err
	}
	for i, id := range o.mustPass {
		o.mustPass[i] = strings.TrimSpace(id)
	}
	v, lines := stats.Passed, ui.Sentences{}
	if o.failOnDrop > 0 {
		var why string
		if v, why, err = c.Drop(o.failOnDrop, o.level()); err != nil {
			return fmt.Errorf("--fail-on-drop: %w", err)
		}
		lines.If(why != "", "%s; --fail-on-drop %s", why, o.failOnDrop)
	}
	for _, wrong := range c.MustPass(o.mustPass) {
		v = stats.Failed
		lines.Add("--must-pass: %s", wrong)
	}
	if v == stats.Passed && unfinished > 0 && (o.failOnDrop > 0 || len(o.mustPass) > 0) {
		return errUnfinished
	}
	return gate(v, lines)
}

// errUnfinished is the answer of a gate that would pass if dialogues were not missing.
const errUnfinished = console.Undecided(
	"undecided: a run is unfinished, so dialogues may be missing")

// gate returns the exit status for a verdict, with the lines that explain it.
func gate(v stats.Verdict, lines []string) error {
	switch said := strings.Join(lines, "\n"); v {
	case stats.Failed:
		return console.Answer(said)
	case stats.Undecided:
		return console.Undecided(said)
	}
	return nil
}
