package findings

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"assize/cmd/assize/internal/console"
	"assize/cmd/assize/internal/judge"
	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/ui"
	"assize/rubric/check"
)

// New makes the sink of a format. Findings of at least the severity failOn make a build fail.
func New(format string, w io.Writer, failOn check.Severity, opt TextOptions) Sink {
	switch format {
	case "json":
		return NewJSON(w)
	case "sarif":
		return NewSARIF(w, judge.Version(), check.Kinds())
	case "junit":
		return NewJUnit(w, failOn)
	}
	return NewText(w, opt)
}

// Checked counts the results of a check.
type Checked struct {
	Evaluations int
	failOn      check.Severity
	unscored    int // records
	failed      int // evaluations with a finding of at least failOn
}

// CheckAll checks the evaluations in files, jobs at once, hands each to the sink, and writes the corrected text of its
// document to fixed, unless that is nil. The console is told of what is not among the findings. The error is one of
// writing, or one of reading where half a corrected file would be of no use, or says that ctx ended.
func (x *Examiner) CheckAll(ctx context.Context, c *console.Console, jobs int, files []string, sink Sink,
	fixed io.Writer, failOn check.Severity) (n Checked, err error) {
	n.failOn = failOn
	for e := range x.Examine(ctx, jobs, files, c.Open) {
		d := &e.Document
		switch {
		case errors.As(e.Err, new(*run.Unfinished)):
			c.Note(e.Err.Error())
			continue
		case e.Err != nil && fixed != nil:
			return n, e.Err
		case e.Err != nil:
			c.Unread(e.Err)
			continue
		}
		if fixed != nil {
			if _, err := fixed.Write(slices.Concat(d.Before, d.Text, d.After)); err != nil {
				return n, err
			}
		}
		if d.Skip == check.Unscored {
			n.unscored++
		}
		if d.Skip != "" {
			continue
		}
		n.Evaluations++
		if e.Worst() >= failOn {
			n.failed++
		}
		if e.Unverified != nil {
			c.Unread(e.Unverified)
		}
		if err := sink.Report(&e.Report); err != nil {
			return n, err
		}
	}
	if err := sink.Flush(); err != nil {
		return n, err
	}
	if ctx.Err() != nil {
		err = fmt.Errorf("stopped after %s; the rest is not checked", ui.Counted(n.Evaluations, "evaluation"))
	}
	return n, err
}

// Answer sums up, and is "no" where a finding is severe enough.
func (n *Checked) Answer(c *console.Console) error {
	c.TellProblems()
	if n.unscored > 0 {
		c.Note(fmt.Sprintf("%s %s unscored, without an evaluation", ui.Counted(n.unscored, "record"), ui.Is(n.unscored)))
	}
	if n.Evaluations == 0 && !c.Complained {
		return errors.New("there is no evaluation in the input")
	}
	if n.failed == 0 {
		return nil
	}
	what := [...]string{check.Error: "errors", check.Warning: "errors or warnings", check.Note: "findings"}[n.failOn]
	has := "have"
	if n.failed == 1 {
		has = "has"
	}
	return console.Answer(fmt.Sprintf("%d of %s %s %s", n.failed, ui.Counted(n.Evaluations, "evaluation"), has, what))
}
