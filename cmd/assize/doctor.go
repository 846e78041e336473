package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"assize/cmd/assize/internal/judging/doctor"
	"assize/cmd/assize/internal/output"
	"assize/cmd/assize/internal/terminal/console"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics"
	"assize/localllm"
)

// doctorFlags are the flags of `assize doctor`.
type doctorFlags struct {
	model        string                                `flag:"model"`
	all          bool                                  `flag:"all"`
	quick        bool                                  `flag:"quick"`
	output       string                                `flag:"output"`
	questions    string                                `flag:"questions"`
	peopleFlags  `flag:"ratings scale"`                // with which questions are compared
	readingFlags `flag:"columns role-map system-name"` // of the transcripts
	drawFlags
	prompts string `flag:"prompts"`
	serverFlags
	contextFlags
	displayFlags
}

func (o *doctorFlags) validate(given map[string]bool, args []string) error {
	switch {
	case len(args) > 0 && !given["ratings"]:
		return fmt.Errorf("%s: transcripts need --questions and --ratings", args[0])
	case len(args) == 0 && given["questions"] && given["ratings"]:
		return errors.New("--ratings measures the questions on transcripts; want their paths too")
	}
	return nil
}

func (o *doctorFlags) run(ctx context.Context, p *program, args []string) error {
	if p.given["ratings"] {
		sheet := agreeFlags{peopleFlags: o.peopleFlags, drawFlags: o.drawFlags}
		sheet.displayFlags, sheet.rubric, sheet.jobs = o.displayFlags, o.questions, 1
		sheet.readingFlags = o.readingFlags
		return sheet.run(ctx, p, args)
	}
	p.ShowProgress()
	begun := time.Now()
	progress := func(model string, done, of int) {
		if done == 0 {
			begun = time.Now()
		}
		if p.Progress.Due() || !p.Quiet && ui.OnTerminal(p.Err) {
			p.Progress.Print(model + ": " + ui.Pace(done, of, done, time.Since(begun)))
		}
	}
	server, err := o.serverFlags.options(&o.contextFlags, o.prompts)
	if err != nil {
		return err
	}
	server.Model = o.model
	if o.questions != "" {
		return p.tryQuestions(ctx, o, server, progress)
	}
	var out *output.File
	answers := ""
	if o.output != "" {
		if out, err = output.Create(p.Out, o.output, "json"); err != nil {
			return err
		}
		defer out.Abandon()
		answers = o.output + ".answers" // lets the next trial resume if this one is stopped
		if server.Cache, err = localllm.OpenCache(answers); err != nil {
			return fmt.Errorf("--output: %w", err)
		}
	}
	r, err := doctor.Examine(ctx, server, doctor.Options{All: o.all, Quick: o.quick,
		Progress: progress})
	p.Progress.Clear()
	switch {
	case err != nil && ctx.Err() != nil:
		err = errors.New("stopped before the trial was over")
		if answers != "" {
			err = console.Hint(err, texts.Text("answers", answers))
		}
		return err
	case err != nil:
		return failed(err)
	}
	err = p.show(&o.displayFlags, r)
	if o.output != "" {
		err = errors.Join(err, p.keep(out, r.Trials, answers))
	}
	if why := r.WhyUnusable(); why != "" {
		return errors.Join(err, console.Answer(why))
	}
	return err
}

// failed returns the message and the hint of a failure of the model, or any other error as it is.
func failed(err error) error {
	if f := (*localllm.Failure)(nil); errors.As(err, &f) {
		return console.Hint(errors.New(f.Msg), cmp.Or(f.Hint, "see assize doctor --help"))
	}
	return err
}

// tryQuestions asks the model about the examples of a scorecard.
func (p *program) tryQuestions(ctx context.Context, o *doctorFlags, server localllm.Options,
	progress func(model string, done, of int)) error {
	card, err := (&scaleFlags{rubric: o.questions}).readRubric(heuristics.New())
	if err != nil {
		return err
	}
	r, err := doctor.AskExamples(ctx, server, card, progress)
	p.Progress.Clear()
	if err != nil {
		return failed(fmt.Errorf("--questions %s: %w", o.questions, err))
	}
	err = p.show(&o.displayFlags, r)
	if !r.Answered() {
		err = errors.Join(err, console.Answer("the model answers none of the examples"))
	}
	return err
}

// keep writes the calibration of the tried model, and removes the answers to resume with.
func (p *program) keep(out *output.File, trials []*doctor.Trial, answers string) error {
	if len(trials) == 0 || trials[0].Calibration == nil {
		p.Note("no calibration is written")
		return nil
	}
	_, err := out.Write(trials[0].Calibration.File())
	if err = out.End(err); err != nil {
		return err
	}
	p.Note("the calibration is in " + out.Replaces)
	return os.RemoveAll(answers)
}
