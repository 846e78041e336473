package report

import (
	"io"

	"assize/cmd/assize/internal/record"
)

// JSONL writes a run: its header, then one record a line. Every line is written whole as soon as it is
// known, so what an interrupted run leaves behind can be read.
type JSONL struct {
	w    io.Writer
	line []byte
}

// NewJSONL makes a JSONL that writes to w, and writes the header.
func NewJSONL(w io.Writer, h record.Header) (*JSONL, error) {
	_, err := w.Write(append(h.Append(nil), '\n'))
	return &JSONL{w: w}, err
}

// Record writes r.
func (j *JSONL) Record(r *record.Record) error {
	j.line = append(r.Append(j.line[:0]), '\n')
	_, err := j.w.Write(j.line)
	return err
}

// Flush does nothing: every line is out already.
func (j *JSONL) Flush() error { return nil }
