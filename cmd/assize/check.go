package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assize/cmd/assize/internal/findings"
	"assize/cmd/assize/internal/judge"
	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/source"
	"assize/cmd/assize/internal/ui"
	"assize/heuristics"
	"assize/rubric"
	"assize/rubric/check"
	"assize/rubric/dialogue"
)

// checkFlags are the flags of `assize check`.
type checkFlags struct {
	outputFlags
	jobsFlag
	readingFlags
	scaleFlags
	transcripts []string
	id          string
	failOn      choice
	fix         bool
}

func (p *program) checkCommand() *cobra.Command {
	var o checkFlags
	cmd := helpOf("check")
	o.register(cmd.Flags())
	return define(cmd, &o.config, o.validate, func(ctx context.Context, args []string) error {
		return p.check(ctx, args, &o)
	})
}

func (o *checkFlags) register(fs *pflag.FlagSet) {
	o.outputFlags.register(fs, "findings", findings.Formats()...)
	o.failOn = oneOf("error", "warning", "note")
	fs.StringArrayVar(&o.transcripts, "transcript", nil, "look up the quotes in the dialogues in `FILE`; repeatable")
	fs.StringVar(&o.id, "id", "", "the evaluations are of the dialogue with this `ID`, whatever they say")
	fs.BoolVar(&o.fix, "fix", false, "write the evaluation with the computed values corrected, and list the changes")
	fs.Var(&o.failOn, "fail-on", "exit 1 if a finding has at least this `SEVERITY`: "+o.failOn.any())
	o.scaleFlags.registerRubric(fs)
	o.readingFlags.register(fs)
	o.jobsFlag.register(fs, "check")
	fs.Lookup("jobs").Usage = "check `N` evaluations at once"
}

func (o *checkFlags) validate(given map[string]bool, _ []string) error {
	switch {
	case o.fix && given["format"]:
		return errors.New("--format cannot be used with --fix, which writes the evaluation itself")
	case given["id"] && o.id == "":
		return errors.New("--id is empty; want the id of a dialogue, such as 335")
	case given["id"] && len(o.transcripts) == 0:
		return errors.New("--id cannot be used without --transcript, which it chooses a dialogue of")
	case o.fix:
		return o.jobsFlag.validate()
	}
	return errors.Join(o.jobsFlag.validate(), o.outputFlags.validate(given))
}

// check reads evaluations, checks each and writes what it finds.
func (p *program) check(ctx context.Context, args []string, o *checkFlags) error {
	except, create := o.output, p.create
	if o.fix {
		except, create = "", p.overwrite // a file may be corrected in place: it is read to its end before it is replaced
	}
	files, err := p.inputs(source.Evaluations, args, except, "assize check evaluation.json", "assize check --help")
	if err != nil || len(files) == 0 {
		return err
	}
	if o.fix && len(files) > 1 {
		return fmt.Errorf("--fix writes one file and cannot be used with %d; want one at a time", len(files))
	}
	if slices.Contains(files, stdinName) && slices.Contains(o.transcripts, stdinName) {
		return errors.New("--transcript - cannot be used with evaluations from standard input, which can be read only once")
	}
	x, err := p.examiner(ctx, o)
	if err != nil {
		return err
	}
	c := checking{program: p, o: o, x: x}
	if err := c.failOn.UnmarshalText([]byte(o.failOn.value)); err != nil {
		return err
	}
	out, err := create(o.output)
	if err != nil {
		return err
	}
	if err := out.end(c.all(ctx, files, out)); err != nil {
		return err
	}
	return c.answer()
}

// examiner reads the rubric and the transcripts. The detectors are made only where there is a transcript for them to
// look at: that takes a while.
func (p *program) examiner(ctx context.Context, o *checkFlags) (*findings.Examiner, error) {
	x := &findings.Examiner{Fix: o.fix, OwnRubric: o.rubric != "", OwnMapping: o.mapping.value != ""}
	var r rubric.Rubric
	var observe func(dialogue.Dialogue) ([]rubric.Signal, error)
	agents, err := heuristics.New()
	if err == nil {
		r, err = o.readRubric(agents)
	}
	if err == nil && len(o.transcripts) > 0 {
		observe = agents.Observe
		x.Transcripts, err = p.transcripts(ctx, o)
	}
	if err == nil {
		x.Checker, err = check.New(r, observe)
	}
	return x, err
}

// transcripts reads the transcripts. What is wrong with one dialogue is reported, and the others count.
func (p *program) transcripts(ctx context.Context, o *checkFlags) (*findings.Transcripts, error) {
	reading, err := o.readingFlags.options()
	if err != nil {
		return nil, err
	}
	t, read := &findings.Transcripts{Files: o.transcripts}, false
	for it := range p.samples(o.transcripts, reading) {
		switch {
		case ctx.Err() != nil:
			return nil, errors.New("stopped while the transcripts were read; nothing is checked")
		case it.Err != nil:
			p.complain(it.Err)
		default:
			t.Add(it.Sample)
			read = true
		}
	}
	if !read && p.complained {
		return nil, errors.New("no dialogue could be read; nothing is checked")
	}
	if err := t.Choose(o.id); err != nil && read {
		return nil, withHints(err, "assize score FILE --format csv lists the ids")
	} else if err != nil {
		return nil, err
	}
	return t, nil
}

// checking counts the results of a check.
type checking struct {
	*program
	o                            *checkFlags
	x                            *findings.Examiner
	failOn                       check.Severity
	evaluations, failed          int
	unscored, unverified, asides int
}

// all checks every evaluation, and writes the findings and, with --fix, the evaluations.
func (c *checking) all(ctx context.Context, files []string, out io.Writer) error {
	report, fixed := out, io.Discard
	if c.o.fix {
		report, fixed = c.stderr, out
	}
	var sink findings.Sink
	var err error
	switch c.o.format.value {
	case "json":
		sink = findings.NewJSON(report)
	case "sarif":
		sink, err = findings.NewSARIF(report, judge.Version(), check.Kinds())
	case "junit":
		sink = findings.NewJUnit(report, c.failOn)
	default:
		color := c.o.output == "" && !c.o.fix && c.colored(c.o.color.value)
		sink = findings.NewText(report, findings.TextOptions{Color: color, Transcript: len(c.o.transcripts) > 0, Fixed: c.o.fix})
	}
	if err != nil {
		return err
	}
	examine := func(_ context.Context, d findings.Document) findings.Examined { return c.x.Examine(d) }
	for e := range run.Ordered(ctx, c.o.jobs, c.documents(files), examine) {
		d := &e.Report.Document
		if c.o.fix && e.Err == nil && d.Cut {
			e.Err = fmt.Errorf("%s:%d: the document is too large to be corrected", d.File, d.Line)
		}
		switch {
		case errors.As(e.Err, new(*run.Unfinished)):
			c.note(e.Err.Error())
			continue
		case e.Err != nil && c.o.fix: // half a file is of no use
			return e.Err
		case e.Err != nil:
			c.complain(e.Err)
			continue
		}
		for _, part := range [][]byte{d.Before, d.Text, d.After} {
			if _, err := fixed.Write(part); err != nil {
				return err
			}
		}
		if c.count(&e) {
			if err := sink.Report(&e.Report); err != nil {
				return err
			}
		}
	}
	if err := sink.Flush(); err != nil {
		return err
	}
	if ctx.Err() != nil {
		err := fmt.Errorf("stopped after %s; the rest is not checked", ui.Counted(c.evaluations, "evaluation"))
		if c.o.output != "" && c.o.output != stdinName {
			return fmt.Errorf("%w, and %s is as it was before", err, c.o.output)
		}
		return err
	}
	return nil
}

// documents reads one file after the other.
func (c *checking) documents(files []string) iter.Seq[findings.Document] {
	return func(yield func(findings.Document) bool) {
		for _, file := range files {
			r, err := c.open(file)
			if err != nil {
				if !yield(findings.Document{Err: err}) {
					return
				}
				continue
			}
			for d := range c.x.Documents(r, file) {
				if !yield(d) {
					r.Close()
					return
				}
			}
			r.Close()
		}
	}
}

// count counts an evaluation, reports what is not among its findings, and tells whether there is one at all.
func (c *checking) count(e *findings.Examined) bool {
	if skip := e.Report.Document.Skip; skip != "" {
		if skip == check.Unscored {
			c.unscored++
		}
		return false
	}
	c.evaluations++
	if e.Report.Worst() >= c.failOn {
		c.failed++
	}
	if e.HeaderErr != nil {
		c.complain(e.HeaderErr)
	}
	if e.Unverified != nil {
		if c.unverified++; c.unverified <= maxTold {
			c.complain(e.Unverified)
		}
	}
	if e.Note != "" {
		if c.asides++; c.asides <= maxTold {
			c.note(e.Note)
		}
	}
	return true
}

// answer sums up, and answers "no" where a finding is severe enough.
func (c *checking) answer() error {
	if rest := c.unverified - maxTold; rest > 0 {
		c.complain(fmt.Errorf("the quotes of %d more evaluations are not verified either", rest))
	}
	if rest := c.asides - maxTold; rest > 0 {
		c.note(fmt.Sprintf("%d more are of other dialogues", rest))
	}
	switch {
	case c.unscored == 1:
		c.note("1 record is unscored and has no evaluation")
	case c.unscored > 1:
		c.note(fmt.Sprintf("%d records are unscored and have no evaluation", c.unscored))
	}
	if c.evaluations == 0 && !c.complained {
		return errors.New("there is no evaluation in the input")
	}
	if c.failed == 0 {
		return nil
	}
	has, what := "have", map[check.Severity]string{check.Error: "errors", check.Warning: "errors or warnings", check.Note: "findings"}
	if c.failed == 1 {
		has = "has"
	}
	return answerNo(fmt.Sprintf("%d of %s %s %s", c.failed, ui.Counted(c.evaluations, "evaluation"), has, what[c.failOn]))
}
