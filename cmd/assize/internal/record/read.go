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
	Number int   // from 1
	Offset int64 // of its first byte in the file
	Text   []byte
	Torn   bool    // no line break ends it: the last line of a run whose writing was broken off
	Header *Header // nil where the run has none
	basis  *Basis
}

// Under gives the line as one that stands under a header.
func (l Line) Under(h *Header) Line {
	l.Header, l.basis = h, &h.Basis
	return l
}

// Basis is what the record follows from besides its evidence: what the header says, or the embedded rubric and
// profile where there is none.
func (l Line) Basis() Basis { return *l.basis }

// Decode reads the record. The error names the file and the line.
func (l Line) Decode() (*Record, error) {
	r, err := l.basis.Decode(l.Text)
	if err != nil {
		return nil, &LineError{l.File, l.Number, err}
	}
	return r, nil
}

// BeginsEnd reports whether the line begins as closing lines do, whether or not it can be read as one.
func (l Line) BeginsEnd() bool { return bytes.HasPrefix(l.Text, beginsEnd) }

// BeginsHeader reports whether the line begins as headers do, whether or not it can be read as one.
func (l Line) BeginsHeader() bool { return bytes.HasPrefix(l.Text, beginsHeader) }

var beginsHeader = []byte(`{"assize_run"`)

// ParseHeader reads the line as [ParseHeader] does. Only the first line of a run, and one that begins as headers
// do, can be one.
func (l Line) ParseHeader() (h Header, ok bool, err error) {
	if l.Number == 1 || l.BeginsHeader() {
		if h, ok, err = ParseHeader(l.Text); err != nil {
			err = &LineError{l.File, l.Number, err}
		}
	}
	return h, ok, err
}

// LineError is what is wrong with one line of a run.
type LineError struct {
	File string
	Line int
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err) }

func (e *LineError) Unwrap() error { return e.Err }

// Unfinished is the error of a run that lacks its closing line, or has not the records that this counts. What stands in
// it can be used.
type Unfinished struct {
	File    string
	Closing *End // nil where there is none
	Records int  // that stand before it, or where it should be
}

func (e *Unfinished) Error() string {
	if e.Closing == nil {
		after := fmt.Sprintf("after record %d", e.Records)
		if e.Records == 0 {
			after = "before its first record"
		}
		return fmt.Sprintf("%s: the run is unfinished: it was stopped %s, or lines are missing at its end", e.File, after)
	}
	return fmt.Sprintf("%s: the run is not whole: its closing line counts %d records, and %d stand before it", e.File, e.Closing.Records, e.Records)
}

// mostLine bounds how long a line may be: several hundred times the longest record of an ordinary run.
const mostLine = 256 << 20

// Lines yields the lines of a run that hold records. A header may stand anywhere, as it does where runs were put
// together, and holds for the lines after it; closing lines are left out. An error ends the run where reading fails or
// a header cannot be read: nothing after it could be understood. An [*Unfinished] ends nothing; it stands where the
// closing line does or should.
func Lines(r io.Reader, file string) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		var header *Header
		open := false // there is a header above, and no closing line yet
		records := 0  // below the header
		for l, err := range Scan(r, file) {
			if err == nil && l.BeginsEnd() {
				end, wrong := ParseEnd(l.Text)
				if wrong == nil && open && end.Records != records && !yield(Line{}, &Unfinished{file, &end, records}) {
					return
				}
				open = open && wrong != nil && l.Torn // a whole line that says something else is for replay to look at
				continue
			}
			var h Header
			begins := false
			if err == nil {
				h, begins, err = l.ParseHeader()
			}
			if err == nil && begins {
				if open && !yield(Line{}, &Unfinished{File: file, Records: records}) {
					return
				}
				header, open, records = &h, true, 0
				continue
			}
			if !l.Torn {
				records++
			}
			if header != nil {
				l, open = l.Under(header), true
			}
			if !yield(l, err) || err != nil {
				return
			}
		}
		if open {
			yield(Line{}, &Unfinished{File: file, Records: records})
		}
	}
}

// Scan yields the lines of a run as they stand, headers and closing lines too, each as if there were no header. Lines without anything
// are left out. An error ends the run.
func Scan(r io.Reader, file string) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		in := bufio.NewReaderSize(r, 1<<16)
		basis := DefaultBasis()
		offset := int64(0)
		for number := 1; ; number++ {
			text, err := readLine(in)
			l := Line{File: file, Number: number, Offset: offset, Text: text, Torn: errors.Is(err, io.EOF), basis: &basis}
			switch {
			case l.Torn && len(text) == 0:
				return
			case err != nil && !l.Torn:
				yield(l, &LineError{file, number, err})
				return
			case len(bytes.TrimSpace(text)) > 0 && !yield(l, nil):
				return
			}
			offset += int64(len(text)) + 1
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
