// Package report writes records for people and for programs. Every form is a [Sink], so that scores are written by the
// same code whether they were made now or are read from a run. A Sink writes records as they come and keeps at most
// one, so that memory does not grow with their number.
package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"assize/cmd/assize/internal/junit"
	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/summary"
	"assize/cmd/assize/internal/ui"
	"assize/rubric"
)

// Sink takes records one by one. Close ends the output; nothing may be added after it. It does not close the writer.
type Sink interface {
	Add(*run.Record) error
	Close() error
}

// Formats lists the names of the forms, as --format takes them.
func Formats() []string { return []string{"text", "json", "jsonl", "csv", "xlsx", "markdown", "junit"} }

// groups is a Sink of the figures of groups.
type groups struct {
	w  io.Writer
	by *summary.Grouper
}

// NewGroups makes a Sink of CSV with a row for each group of the column called by. The error of its Close may be that
// of [summary.Grouper.Groups].
func NewGroups(w io.Writer, by string) Sink { return groups{w, summary.NewGrouper(by)} }

func (g groups) Add(r *run.Record) error {
	row := r.Row(0)
	g.by.Add(&row)
	return nil
}

func (g groups) Close() error {
	list, err := g.by.Groups()
	if err != nil || len(list.List) == 0 {
		return err
	}
	return list.Figures().CSV(g.w)
}

// documents is a Sink of the strict documents of a protocol: an object for one dialogue, an array for several. An
// unscored dialogue has no document, and no place in the array.
type documents struct {
	w       io.Writer
	append  func(*rubric.Evaluation, []byte) []byte
	pending []byte // a document that is held back until it is known whether there is another record
	records int
	lead    string // of the next document in the array
}

// NewJSON makes a Sink of documents, which append makes, such as [rubric.Evaluation.AppendDebate].
func NewJSON(w io.Writer, append func(*rubric.Evaluation, []byte) []byte) Sink {
	return &documents{w: w, append: append, lead: "[\n  "}
}

func (d *documents) Add(r *run.Record) error {
	err := d.flush("  ")
	if d.records++; r.Scored() {
		d.pending = d.append(r.Evaluation, d.pending)
	}
	return err
}

// flush writes the document that is held back, if there is one, indented as an element of the array or as the only one.
func (d *documents) flush(indent string) error {
	if len(d.pending) == 0 {
		return nil
	}
	var page bytes.Buffer
	if indent != "" {
		page.WriteString(d.lead)
	}
	json.Indent(&page, d.pending, indent, "  ") // cannot fail: the document is JSON
	d.pending, d.lead = d.pending[:0], ",\n  "
	_, err := page.WriteTo(d.w)
	return err
}

func (d *documents) Close() error {
	indent, end := "  ", "\n]\n"
	switch {
	case d.records == 1 && len(d.pending) > 0:
		indent, end = "", "\n"
	case len(d.pending) == 0 && d.lead[0] == '[': // nothing to show: an empty list says so
		end = "[]\n"
	}
	if err := d.flush(indent); err != nil {
		return err
	}
	_, err := io.WriteString(d.w, end)
	return err
}

// jsonLines is a Sink of a run: its header, one record a line, and a closing line. Every line is written whole as soon
// as it is known, so that what a stopped run leaves behind can be read; such a run has no closing line.
type jsonLines struct {
	w       io.Writer
	line    []byte
	closing *run.Closing
}

// NewJSONL makes a Sink of a run, and writes the header.
func NewJSONL(w io.Writer, h run.Header) (Sink, error) {
	header := h.Append(nil)
	_, err := w.Write(append(header, '\n'))
	return &jsonLines{w: w, closing: run.NewClosing(header)}, err
}

func (j *jsonLines) Add(r *run.Record) error {
	j.line = r.Append(j.line[:0])
	j.closing.Add(j.line)
	_, err := j.w.Write(append(j.line, '\n'))
	return err
}

func (j *jsonLines) Close() error {
	_, err := j.w.Write(append(j.closing.End().Append(nil), '\n'))
	return err
}

// JUnit is a Sink of the XML that build servers read: a test suite for every file, a test case for every dialogue, and
// a failure for every threshold that it misses, with the scores and the words that they rest on. An unscored dialogue
// is skipped, and one that could not be read is an error. A failure is written however many are allowed.
type JUnit struct {
	*junit.Writer
	thresholds []summary.Threshold
}

// NewJUnit makes a JUnit.
func NewJUnit(w io.Writer, thresholds []summary.Threshold) *JUnit {
	return &JUnit{junit.New(w, "assize score"), thresholds}
}

// Add implements [Sink].
func (j *JUnit) Add(r *run.Record) error {
	c := junit.Case{Name: "dialogue " + ui.Visible(r.Name())}
	if !r.Scored() {
		c.Skipped = &junit.Result{Message: ui.Visible(r.Reason)}
	}
	row := r.Row(0)
	for _, t := range j.thresholds {
		if t.Missed(&row) {
			c.Failures = append(c.Failures, junit.Result{
				Type:    t.Name(),
				Message: fmt.Sprintf("%s is %d; want %d or more", t.Name(), t.Score(&row), t.Least),
				Text:    failure(r, t),
			})
		}
	}
	j.Case(ui.Visible(r.Source.File), c)
	return nil
}

func failure(r *run.Record, t summary.Threshold) string {
	e, s := r.Evaluation, ui.Page{}
	s.Line(ui.Plain, headline(r))
	for _, c := range rubric.Criteria() {
		if (t.Whole || c == t.Criterion) && int(e.Final[c].Score) < t.Least {
			s.Line(ui.Plain, fmt.Sprintf("%s %d, %d %% of the average, %s",
				c, e.Final[c].Score, e.Rubric.Weights[c], e.Rulings[c].ID))
			s.Item(ui.Plain, Sentence(e.Final[c].Claim))
			WriteQuotes(&s, e.Dialogue, e.Final[c].Quotes)
		}
	}
	return s.String()
}

// Unread adds a test case for what could not be read of a file, at a line or another place of it.
func (j *JUnit) Unread(file, place string, err error) {
	why := ui.Visible(err.Error())
	failed := &junit.Result{Type: "unreadable", Message: why, Text: why}
	j.Case(ui.Visible(file), junit.Case{Name: place, Error: failed})
}
