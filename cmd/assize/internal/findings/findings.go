// Package findings checks evaluations that are read from files, and writes what is wrong with them, for people and for
// programs.
package findings

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"assize/cmd/assize/internal/junit"
	"assize/cmd/assize/internal/ui"
	"assize/rubric/check"
)

// Sink takes the reports of evaluations one by one. Flush ends the output; nothing may be added after it. Their errors
// are those of the writer.
type Sink interface {
	Report(*check.Report) error
	Flush() error
}

// Formats lists the names of the formats, as --format takes them.
func Formats() []string { return []string{"text", "json", "sarif", "junit"} }

// Tally counts evaluations and what was found in them.
type Tally struct {
	Evaluations int `json:"evaluations"`
	Sound       int `json:"sound"`           // those without an error
	Verified    int `json:"quotes_verified"` // those whose quotes were looked up in a transcript
	Errors      int `json:"errors"`
	Warnings    int `json:"warnings"`
	Notes       int `json:"notes"`
	Fixable     int `json:"fixable"` // findings that --fix corrects
}

// Add counts the report of one evaluation.
func (t *Tally) Add(r *check.Report) {
	t.Evaluations++
	if r.Worst() < check.Error {
		t.Sound++
	}
	if r.Verified {
		t.Verified++
	}
	for _, f := range r.Findings {
		switch f.Severity {
		case check.Error:
			t.Errors++
		case check.Warning:
			t.Warnings++
		case check.Note:
			t.Notes++
		}
		if f.Fixable {
			t.Fixable++
		}
	}
}

// String sums up: "3 evaluations: 2 sound, 1 with 4 errors, 2 warnings; quotes verified in 2".
func (t *Tally) String() string {
	sound := append([]string{"all sound"}, t.faults()...)
	if unsound := t.Evaluations - t.Sound; unsound > 0 {
		sound = []string{fmt.Sprintf("%d sound, %d with %s", t.Sound, unsound, strings.Join(t.faults(), ", "))}
	}
	all := ui.Counted(t.Evaluations, "evaluation") + ": " + strings.Join(sound, ", ")
	switch t.Verified {
	case 0:
		return all
	case t.Evaluations:
		return all + "; quotes verified"
	}
	return fmt.Sprintf("%s; quotes verified in %d", all, t.Verified)
}

// faults names what was found: "2 errors", "1 warning".
func (t *Tally) faults() (list []string) {
	for i, n := range []int{t.Errors, t.Warnings, t.Notes} {
		if n > 0 {
			list = append(list, ui.Counted(n, []string{"error", "warning", "note"}[i]))
		}
	}
	return list
}

// JUnit writes the XML that build servers read: a test suite for every file, a test case for every evaluation.
// Findings that make a build fail are its failure, the others are in its system-out.
type JUnit struct {
	w      *junit.Writer
	failOn check.Severity
}

// NewJUnit makes a JUnit that writes to w. Findings of at least the severity failOn are failures.
func NewJUnit(w io.Writer, failOn check.Severity) *JUnit {
	return &JUnit{junit.New(w, "assize check"), failOn}
}

// Report adds a test case. The cases of a file are kept until it ends, because the format wants their number first.
func (j *JUnit) Report(r *check.Report) error {
	c := junit.Case{Name: fmt.Sprintf("evaluation %d", r.Document.Number)}
	if r.DialogueID != "" {
		c.Name += ", dialogue " + ui.Visible(r.DialogueID)
	}
	var fails, rest ui.Page
	var ids []string
	for _, f := range r.Findings {
		p := &rest
		if f.Severity >= j.failOn {
			p, ids = &fails, append(ids, f.ID)
		}
		if p.Len() > 0 {
			p.WriteByte('\n')
		}
		writeFinding(p, r.Document.File, &f)
	}
	if len(ids) > 0 {
		message := ui.Counted(len(ids), "finding") + ": " + strings.Join(slices.Compact(ids), ", ")
		c.Failures = []junit.Result{{Type: r.Worst().String(), Message: message, Text: fails.String()}}
	}
	if rest.Len() > 0 {
		c.Output = &junit.Result{Text: rest.String()}
	}
	return j.w.Case(ui.Visible(r.Document.File), c)
}

// Flush writes the last file and ends the output.
func (j *JUnit) Flush() error { return j.w.Close() }
