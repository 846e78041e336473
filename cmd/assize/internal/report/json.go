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
	err := d.flush(d.lead, "  ", "")
	if d.records++; r.Scored() {
		d.pending = d.append(r.Evaluation, d.pending)
	}
	return err
}

// flush writes the document that is held back, if there is one.
func (d *documents) flush(before, indent, behind string) error {
	if len(d.pending) == 0 {
		return nil
	}
	page := bytes.NewBufferString(before)
	json.Indent(page, d.pending, indent, "  ") // cannot fail: the document is JSON
	page.WriteString(behind)
	d.pending, d.lead = d.pending[:0], ",\n  "
	_, err := page.WriteTo(d.w)
	return err
}

// Close implements [Sink].
func (d *documents) Close() error {
	if d.records == 1 && len(d.pending) > 0 {
		return d.flush("", "", "\n")
	}
	if err := d.flush(d.lead, "  ", ""); err != nil {
		return err
	}
	end := "\n]\n"
	if d.lead[0] == '[' { // nothing to show: an empty list says so
		end = "[]\n"
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
	j := &jsonLines{w: w, closing: run.NewClosing(header)}
	_, err := w.Write(append(header, '\n'))
	return j, err
}

// Add implements [Sink].
func (j *jsonLines) Add(r *run.Record) error {
	j.line = append(r.Append(j.line[:0]), '\n')
	_, err := j.w.Write(j.line)
	j.closing.Add(j.line[:len(j.line)-1], r.Scored(), r.Source.DuplicateOf != nil)
	return err
}

// Close writes the closing line.
func (j *jsonLines) Close() error {
	_, err := j.w.Write(append(j.closing.End().Append(nil), '\n'))
	return err
}
