package report

import (
	"bytes"
	"encoding/json"
	"io"

	"assize/cmd/assize/internal/run"
	"assize/rubric"
)

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

// Add implements [Sink].
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

// Close implements [Sink].
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

// Add implements [Sink].
func (j *jsonLines) Add(r *run.Record) error {
	j.line = r.Append(j.line[:0])
	j.closing.Add(j.line)
	_, err := j.w.Write(append(j.line, '\n'))
	return err
}

// Close writes the closing line.
func (j *jsonLines) Close() error {
	_, err := j.w.Write(append(j.closing.End().Append(nil), '\n'))
	return err
}
