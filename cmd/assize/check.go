package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"assize/cmd/assize/internal/judging/corpus"
	"assize/cmd/assize/internal/output"
	"assize/cmd/assize/internal/reading/source"
	"assize/cmd/assize/internal/showing/findings"
	"assize/cmd/assize/internal/terminal/console"
	"assize/cmd/assize/internal/terminal/flags"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics"
	"assize/rubric/check"
	"assize/rubric/dialogue/importer"
)

// checkFlags are the flags of `assize check`.
type checkFlags struct {
	outputFlags
	transcripts []string     `flag:"transcript"`
	id          string       `flag:"id"`
	fix         bool         `flag:"fix"`
	failOn      flags.Choice `flag:"fail-on"`
	scaleFlags  `flag:"rubric"`
	readingFlags
	jobsFlag
}

func (o *checkFlags) validate(given map[string]bool, _ []string) error {
	if o.fix {
		return nil // the output is the evaluation
	}
	return o.outputFlags.validate(given)
}

func (o *checkFlags) run(ctx context.Context, p *program, args []string) error {
	if slices.ContainsFunc(args, isRubric) {
		return p.checkRubrics(o, args)
	}
	except := o.output
	if o.fix {
		except = "" // the output may replace an input, which is read completely before
	}
	files, _, err := corpus.Find(p.Console, source.Evaluations, "check", args, except)
	switch {
	case err != nil || len(files) == 0:
		return err
	case o.fix && len(files) > 1:
		return texts.Error("fix", len(files))
	case slices.Contains(files, ui.Stdin) && slices.Contains(o.transcripts, ui.Stdin):
		return texts.Error("transcript")
	}
	x, err := p.examiner(ctx, o)
	if err != nil {
		return err
	}
	if err := x.FailOn.UnmarshalText([]byte(o.failOn.Value)); err != nil {
		return err
	}
	create := output.Create
	if o.fix {
		create = func(w io.Writer, path, _ string) (*output.File, error) {
			isInput := func(input string) bool { return source.Same(input, path) }
			if err := output.Check(path); err != nil && !slices.ContainsFunc(files, isInput) {
				return nil, err
			}
			return output.Overwrite(w, path)
		}
	}
	out, err := create(p.Out, o.output, o.format.Value)
	if err != nil {
		return err
	}
	report := io.Writer(out)
	if o.fix {
		report, x.Fixed = p.Err, out
	}
	sink := findings.New(o.format.Value, report, findings.TextOptions{
		Color:      o.output == "" && !o.fix && p.Colored(o.color.Value),
		Transcript: len(o.transcripts) > 0, Fixed: o.fix, Quiet: p.Quiet})
	err = x.CheckAll(ctx, p.Console, o.jobs, files, sink)
	if err != nil && ctx.Err() != nil && o.output != "" && o.output != ui.Stdin {
		err = fmt.Errorf("%w, and %s is as it was before", err, o.output)
	}
	if err := out.End(err); err != nil {
		return err
	}
	return x.Answer(p.Console)
}

// examiner reads the rubric and the transcripts. It loads the detectors only if there are
// transcripts, since loading takes a while.
func (p *program) examiner(ctx context.Context, o *checkFlags) (*findings.Examiner, error) {
	x := &findings.Examiner{OwnRubric: o.rubric != ""}
	agents := heuristics.New()
	r, err := o.readRubric(agents)
	if err != nil {
		return nil, err
	}
	x.Checker = &check.Checker{Rubric: r}
	if len(o.transcripts) > 0 {
		x.Checker.Observe = agents.Observe
		t, err := p.transcripts(ctx, o)
		if err != nil {
			return nil, err
		}
		x.Checker.Find = t.Find
	}
	return x, nil
}

// transcripts reads the transcripts. An error in one dialogue is reported, and the others count.
func (p *program) transcripts(ctx context.Context, o *checkFlags) (*findings.Transcripts, error) {
	reading, err := o.readingFlags.options(importer.Uses())
	if err != nil {
		return nil, err
	}
	t, read := &findings.Transcripts{Files: o.transcripts}, false
	for it := range corpus.Samples(p.Console, o.transcripts, reading) {
		switch {
		case ctx.Err() != nil:
			return nil, errors.New("stopped while the transcripts were read; nothing is checked")
		case it.Err != nil:
			p.Unread(it.Err)
		default:
			t.Add(it.Sample)
			read = true
		}
	}
	if !read && p.Complained {
		return nil, errors.New("no dialogue could be read; nothing is checked")
	}
	if err := t.Choose(o.id); err != nil {
		return nil, console.Hint(err, "assize score FILE --format csv lists the ids")
	}
	return t, nil
}
