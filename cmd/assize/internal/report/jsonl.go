package report

import (
	"io"

	"assize/cmd/assize/internal/record"
)

// JSONL writes a run: its header, then one record a line, and a closing line. Every line is written whole as soon as
// it is known, so what a stopped run leaves behind can be read; it is not flushed, and so not closed.
type JSONL struct {
	w       io.Writer
	line    []byte
	closing *record.Closing
}

// NewJSONL makes a JSONL that writes to w, and writes the header.
func NewJSONL(w io.Writer, h record.Header) (*JSONL, error) {
	header := h.Append(nil)
	j := &JSONL{w: w, closing: record.NewClosing(header)}
	_, err := w.Write(append(header, '\n'))
	return j, err
}

// Record writes r.
func (j *JSONL) Record(r *record.Record) error {
	j.line = append(r.Append(j.line[:0]), '\n')
	_, err := j.w.Write(j.line)
	j.closing.Add(j.line[:len(j.line)-1], r.Scored(), r.Source.DuplicateOf != nil)
	return err
}

// Flush writes the closing line.
func (j *JSONL) Flush() error {
	_, err := j.w.Write(append(j.closing.End().Append(nil), '\n'))
	return err
}
