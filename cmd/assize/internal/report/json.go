package report

import (
	"bytes"
	"encoding/json"
	"io"

	"assize/cmd/assize/internal/record"
	"assize/rubric"
)

// JSON writes the strict documents of a protocol: an object for one dialogue, an array for several. An
// unscored dialogue has no document, and no place in the array.
type JSON struct {
	w       io.Writer
	append  func(*rubric.Evaluation, []byte) []byte
	first   []byte // held back until it is known whether there is another record
	compact []byte
	page    bytes.Buffer
	count   int // records, scored or not
	written int // documents in the array
}

// NewJSON makes a JSON that writes documents to w as append makes them, such as [rubric.Evaluation.AppendDebate].
func NewJSON(w io.Writer, append func(*rubric.Evaluation, []byte) []byte) *JSON {
	return &JSON{w: w, append: append}
}

// Record writes r's document, or holds it back where it is the first.
func (j *JSON) Record(r *record.Record) error {
	if j.count++; j.count == 2 {
		j.page.WriteByte('[')
		if j.first != nil {
			j.element(j.first)
		}
	}
	if !r.Scored() {
		return nil
	}
	j.compact = j.append(r.Evaluation, j.compact[:0])
	if j.count == 1 {
		j.first = bytes.Clone(j.compact)
		return nil
	}
	j.element(j.compact)
	return j.flush()
}

// element adds a document to the array.
func (j *JSON) element(doc []byte) {
	if j.written++; j.written > 1 {
		j.page.WriteByte(',')
	}
	j.page.WriteString("\n  ")
	json.Indent(&j.page, doc, "  ", "  ") // cannot fail: the document is JSON
}

func (j *JSON) flush() error {
	_, err := j.w.Write(j.page.Bytes())
	j.page.Reset()
	return err
}

// Flush ends the output.
func (j *JSON) Flush() error {
	switch {
	case j.count > 1 && j.written > 0:
		j.page.WriteString("\n]\n")
	case j.count > 1:
		j.page.WriteString("]\n")
	case j.first != nil:
		json.Indent(&j.page, j.first, "", "  ")
		j.page.WriteByte('\n')
	default: // nothing to show: an empty list says so
		j.page.WriteString("[]\n")
	}
	return j.flush()
}
