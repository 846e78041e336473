package record

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
)

// Line is a line of a run that holds a record, with what the run's header says of it. It is decoded apart from
// reading, so that many can be decoded at once.
type Line struct {
	File   string
	Number int // from 1
	Text   []byte
	Header *Header // nil where the run has none
	basis  *Basis
}

// Basis is what the record follows from besides its evidence.
func (l Line) Basis() Basis { return *l.basis }

// Decode reads the record. The error names the file and the line.
func (l Line) Decode() (*Record, error) {
	r, err := l.basis.Decode(l.Text)
	if err != nil {
		return nil, &LineError{l.File, l.Number, err}
	}
	return r, nil
}

// LineError is what is wrong with one line of a run.
type LineError struct {
	File string
	Line int
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err) }

func (e *LineError) Unwrap() error { return e.Err }

// mostLine bounds how long a line may be: several hundred times the longest record of an ordinary run.
const mostLine = 256 << 20

// Lines yields the lines of a run that hold records. A header may stand anywhere, as it does where runs were put
// together, and holds for the lines after it. An error spoils one line, or ends the run where reading fails or a
// header cannot be read: nothing after it could be understood.
func Lines(r io.Reader, file string) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		in := bufio.NewReaderSize(r, 1<<16)
		basis := DefaultBasis()
		l := Line{File: file, basis: &basis}
		for {
			text, err := readLine(in)
			if errors.Is(err, io.EOF) && len(text) == 0 {
				return
			}
			l.Number++
			switch {
			case err != nil && !errors.Is(err, io.EOF):
				yield(l, &LineError{file, l.Number, err})
				return
			case len(bytes.TrimSpace(text)) == 0:
				continue
			}
			if l.Number == 1 || bytes.HasPrefix(text, []byte(`{"assize_run"`)) {
				h, ok, err := ParseHeader(text)
				if err != nil {
					yield(l, &LineError{file, l.Number, err})
					return
				}
				if ok {
					l.Header, l.basis = &h, &h.Basis
					continue
				}
			}
			l.Text = text
			if !yield(l, nil) {
				return
			}
		}
	}
}

// readLine reads up to the end of a line, which it leaves out.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > mostLine:
			return nil, fmt.Errorf("the line is longer than %d MB; want a run", mostLine>>20)
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		}
		return bytes.TrimSuffix(line, []byte("\n")), err
	}
}
