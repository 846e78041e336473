package check

import (
	"encoding/json"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// Checker holds evaluations against a rubric. Make one with [New]; it is safe for concurrent use.
type Checker struct {
	Rubric  rubric.Rubric
	Observe func(dialogue.Dialogue) ([]rubric.Signal, error) // nil: rulings that need signals are not checked
}

// New makes a Checker. Observe lets the detectors look at a transcript; without it, and without a transcript,
// only those rulings are checked that the figures of a document decide.
func New(rub rubric.Rubric, observe func(dialogue.Dialogue) ([]rubric.Signal, error)) (*Checker, error) {
	return &Checker{Rubric: rub, Observe: observe}, nil
}

// Check looks at a document. Its quotes are held against t, or where t is nil against the turns that the
// document itself carries, as a record of a run does; where there are none, no evidence is checked.
func (c *Checker) Check(d Document, t *Transcript) Report {
	r := Report{Document: d}
	if !json.Valid(d.Text) {
		r.Findings = append(r.Findings, Finding{ID: "json-syntax", Severity: Error, Line: d.Line, Column: d.Column, Message: "the document is not valid JSON"})
	}
	return r
}
