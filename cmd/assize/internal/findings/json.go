package findings

import (
	"bytes"
	"encoding/json"
	"io"

	"assize/rubric"
	"assize/rubric/check"
)

// JSON writes one object for programs. The keys always stand in this order, and those in brackets are left out
// where there is nothing to say:
//
//	{"documents": [
//	   {"file", "number", "line", "column", "protocol", "dialogue_id", "sound", "quotes_verified",
//	    "findings": [
//	      {"id", "severity", "path", "line", "column", "message",
//	       ["got"], ["want"], ["nearest"], ["difference"], "fixable"}]}],
//	 "summary": {"evaluations", "sound", "quotes_verified", "errors", "warnings", "notes", "fixable"}}
//
// The number of a document is its place in the file; protocol and dialogue_id are null where a document is
// neither of the two or gives no id. Lines and columns count from 1, columns in bytes. A path is a JSON pointer
// (RFC 6901) into the document.
type JSON struct {
	w    io.Writer
	page bytes.Buffer
	sum  Tally
}

// NewJSON makes a JSON that writes to w.
func NewJSON(w io.Writer) *JSON { return &JSON{w: w} }

// text is a string that is escaped as the documents of evaluations are: nothing in it acts on a terminal.
type text string

// MarshalJSON implements [json.Marshaler].
func (t text) MarshalJSON() ([]byte, error) { return rubric.AppendString(nil, []byte(t)), nil }

type document struct {
	File     text   `json:"file"`
	Number   int    `json:"number"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Protocol *text  `json:"protocol"`
	Dialogue *text  `json:"dialogue_id"`
	Sound    bool   `json:"sound"`
	Verified bool   `json:"quotes_verified"`
	Findings []item `json:"findings"`
}

type item struct {
	ID         text   `json:"id"`
	Severity   string `json:"severity"`
	Path       text   `json:"path"`
	Line       int    `json:"line"`
	Column     int    `json:"column"`
	Message    text   `json:"message"`
	Got        text   `json:"got,omitempty"`
	Want       text   `json:"want,omitempty"`
	Nearest    text   `json:"nearest,omitempty"`
	Difference text   `json:"difference,omitempty"`
	Fixable    bool   `json:"fixable"`
}

// Report writes r.
func (j *JSON) Report(r *check.Report) error {
	j.open()
	if j.sum.Evaluations > 0 {
		j.page.WriteByte(',')
	}
	j.sum.Add(r)
	d := document{
		File: text(r.Document.File), Number: r.Document.Number, Line: r.Document.Line, Column: r.Document.Column,
		Protocol: known(r.Protocol), Dialogue: known(r.DialogueID),
		Sound: r.Worst() < check.Error, Verified: r.Verified, Findings: []item{},
	}
	for _, f := range r.Findings {
		d.Findings = append(d.Findings, item{
			ID: text(f.ID), Severity: f.Severity.String(), Path: text(f.Path), Line: f.Line, Column: f.Column,
			Message: text(f.Message), Got: text(f.Got), Want: text(f.Want),
			Nearest: text(f.Nearest), Difference: text(f.Difference), Fixable: f.Fixable,
		})
	}
	j.page.WriteString("\n    ")
	if err := indented(&j.page, "    ", d); err != nil {
		return err
	}
	return j.flush()
}

// known gives null for what a document does not say.
func known(s string) *text {
	if s == "" {
		return nil
	}
	return (*text)(&s)
}

func (j *JSON) open() {
	if j.sum.Evaluations == 0 {
		j.page.WriteString("{\n  \"documents\": [")
	}
}

// Flush ends the output with the summary.
func (j *JSON) Flush() error {
	j.open()
	if j.sum.Evaluations > 0 {
		j.page.WriteString("\n  ")
	}
	j.page.WriteString("],\n  \"summary\": ")
	if err := indented(&j.page, "  ", j.sum); err != nil {
		return err
	}
	j.page.WriteString("\n}\n")
	return j.flush()
}

func (j *JSON) flush() error {
	_, err := j.w.Write(j.page.Bytes())
	j.page.Reset()
	return err
}

// indented adds v as JSON, two spaces deeper at each level; the lines after the first begin with prefix.
func indented(b *bytes.Buffer, prefix string, v any) error {
	compact, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return json.Indent(b, compact, prefix, "  ")
}
