package findings

import (
	"fmt"
	"io"
	"strings"

	"assize/cmd/assize/internal/junit"
	"assize/cmd/assize/internal/report"
	"assize/rubric/check"
)

// JUnit writes the XML that build servers read: a test suite for every file, a test case for every evaluation.
// Findings that make a build fail are its failure, the others stand in its system-out.
type JUnit struct {
	w      *junit.Writer
	failOn check.Severity
}

// NewJUnit makes a JUnit that writes to w. Findings of at least the severity failOn are failures.
func NewJUnit(w io.Writer, failOn check.Severity) *JUnit {
	return &JUnit{junit.New(w, "assize check"), failOn}
}

// Report adds a test case.
func (j *JUnit) Report(r *check.Report) error {
	file := r.Document.File
	c := junit.Case{Name: report.Visible(caseName(r))}
	fails, rest := j.split(r)
	if len(fails) > 0 {
		c.Failures = []junit.Failure{{Type: fails[0].Severity.String(), Message: report.Visible(message(fails)), Text: list(file, fails)}}
	}
	if len(rest) > 0 {
		c.Output = list(file, rest)
	}
	return j.w.Case(report.Visible(file), c)
}

// split parts the findings that fail a build from the others.
func (j *JUnit) split(r *check.Report) (fails, rest []*check.Finding) {
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Severity >= j.failOn {
			fails = append(fails, f)
		} else {
			rest = append(rest, f)
		}
	}
	return fails, rest
}

// caseName tells the evaluations of a file apart.
func caseName(r *check.Report) string {
	name := fmt.Sprintf("evaluation %d", r.Document.Number)
	if r.DialogueID != "" {
		name += ", dialogue " + r.DialogueID
	}
	return name
}

// message says what a failure is about: the finding where it is one, else their number and ids.
func message(fails []*check.Finding) string {
	if len(fails) == 1 {
		return fails[0].ID + ": " + fails[0].Message
	}
	var ids []string
	last := ""
	for _, f := range fails {
		if f.ID != last {
			ids = append(ids, f.ID)
		}
		last = f.ID
	}
	return fmt.Sprintf("%s: %s", report.Counted(len(fails), "finding"), strings.Join(ids, ", "))
}

// list gives findings as the text form has them.
func list(file string, fs []*check.Finding) string {
	var p report.Page
	for i, f := range fs {
		if i > 0 {
			p.WriteByte('\n')
		}
		finding(&p, file, f)
	}
	return p.String()
}

// Flush writes the last file and ends the output.
func (j *JUnit) Flush() error { return j.w.Close() }
