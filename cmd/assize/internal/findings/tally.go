package findings

import (
	"fmt"
	"strings"

	"assize/cmd/assize/internal/report"
	"assize/rubric/check"
)

// Tally counts evaluations and what was found in them.
type Tally struct {
	Evaluations int `json:"evaluations"`
	Sound       int `json:"sound"`           // those without an error
	Verified    int `json:"quotes_verified"` // those whose quotes were held against a transcript
	Errors      int `json:"errors"`
	Warnings    int `json:"warnings"`
	Notes       int `json:"notes"`
	Fixable     int `json:"fixable"` // findings that --fix puts right
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
	for i := range r.Findings {
		f := &r.Findings[i]
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
	var parts []string
	unsound := t.Evaluations - t.Sound
	switch {
	case unsound == 0:
		parts = append(parts, "all sound")
	case t.Sound > 0:
		parts = append(parts, fmt.Sprintf("%d sound", t.Sound))
	}
	if unsound > 0 {
		parts = append(parts, fmt.Sprintf("%d with %s", unsound, report.Counted(t.Errors, "error")))
	}
	parts = append(parts, counts(0, t.Warnings, t.Notes)...)
	all := report.Counted(t.Evaluations, "evaluation") + ": " + strings.Join(parts, ", ")
	switch t.Verified {
	case 0:
		return all
	case t.Evaluations:
		return all + "; quotes verified"
	}
	return fmt.Sprintf("%s; quotes verified in %d", all, t.Verified)
}

// counts names what there is: "2 errors", "1 warning".
func counts(errors, warnings, notes int) []string {
	var list []string
	for _, c := range []struct {
		n    int
		what string
	}{{errors, "error"}, {warnings, "warning"}, {notes, "note"}} {
		if c.n > 0 {
			list = append(list, report.Counted(c.n, c.what))
		}
	}
	return list
}
