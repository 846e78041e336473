package run

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"iter"
)

// Line is a line of a run. It is decoded apart from reading, so that many lines can be decoded at once.
type Line struct {
	File   string
	Number int // from 1
	Text   []byte
	Torn   bool    // no line break ends it: the last line of a run that was stopped while it was written
	Header *Header // the one above it
}

// Under gives the line as one below a header.
func (l Line) Under(h *Header) Line {
	l.Header = h
	return l
}

func (l Line) blank() bool { return len(bytes.TrimSpace(l.Text)) == 0 }

// begins reports whether the line begins as headers or closing lines do, whether or not it can be read as one.
func (l Line) begins(member string) bool { return bytes.HasPrefix(l.Text, []byte(`{"`+member+`"`)) }

const (
	headerMember = "assize_run"
	endMember    = "assize_run_end"
)

// LineError is what is wrong with one line of a run.
type LineError struct {
	File string
	Line int
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err) }

func (e *LineError) Unwrap() error { return e.Err }

// Unfinished is the error of a run without its closing line, or with another number of records than that counts. Its
// records can be used.
type Unfinished struct {
	File    string
	Closing *End // nil where there is none
	Records int  // above it, or above the place where it should be
}

func (e *Unfinished) Error() string {
	if e.Closing != nil {
		return fmt.Sprintf("%s: the run is not whole: its closing line counts %d records, and %d are above it", e.File, e.Closing.Records, e.Records)
	}
	after := fmt.Sprintf("after record %d", e.Records)
	if e.Records == 0 {
		after = "before its first record"
	}
	return fmt.Sprintf("%s: the run is unfinished: it was stopped %s, or lines are missing at its end", e.File, after)
}

// Read yields the lines of a run that hold records, each under its header. The first line is a header; where runs were
// put together, others and closing lines may be anywhere.
//
// Nothing is proved but the digest of the closing line, which is an error after the last record where the lines above
// it have another one: they were changed, and replay names what differs. A run without its closing line, or with the
// wrong number of records, gives an [*Unfinished]. Neither ends the reading. All other errors do: reading fails, or a
// header cannot be read, so nothing below it could be understood.
func Read(r io.Reader, file string) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		for p := range Parts(r, file) {
			err := p.Err
			switch {
			case err != nil:
				yield(p.Line, err)
				return
			case p.Begins:
				continue
			case p.End != nil:
				if err = p.checkEnd(); err == nil || p.Torn {
					continue
				}
			case p.Unfinished:
				err = &Unfinished{File: file, Records: p.records}
			}
			if !yield(p.Line, err) {
				return
			}
		}
	}
}

// Part is a header, a record, a closing line, or the place where that is missing.
type Part struct {
	Line
	Begins     bool  // the line is a header, and Header is what it says
	End        *End  // of a closing line: what the lines above it give; nil for any other
	Behind     bool  // it is a record behind the closing line
	Unfinished bool  // there is no line: the run above has no closing line
	Err        error // why the header, or all that is left, cannot be read

	records int // above it
}

// Parts yields what a run is made of. After an error that is not a [*HeaderError], nothing follows.
func Parts(r io.Reader, file string) iter.Seq[Part] {
	return func(yield func(Part) bool) {
		var header *Header
		var sum *Closing
		open, closed := false, false // whether a closing line is still to come, and whether there was one
		unfinished := func() bool {
			return !open || yield(Part{Unfinished: true, records: sum.end.Records})
		}
		for l, err := range Scan(r, file) {
			p := Part{Line: l, Err: err}
			p.Begins = err == nil && (l.begins(headerMember) || header == nil)
			switch {
			case p.Begins:
				h, err := ParseHeader(l.Text)
				if err != nil {
					p.Err = &LineError{file, l.Number, err}
				}
				if p.Begins = err == nil || errors.As(err, new(*HeaderError)); !p.Begins { // nothing below it could be understood
					yield(p)
					return
				}
				if !unfinished() {
					return
				}
				header, sum, open, closed = &h, NewClosing(l.Text), true, false
			case err != nil:
				yield(p)
				return
			case l.blank():
				sum.Text(l.Text) // the digest is of every byte
				continue
			case l.begins(endMember):
				end := sum.End()
				whole := !l.Torn || bytes.Equal(end.Append(nil), l.Text)
				p.End, open, closed = &end, open && !whole, true
			default:
				p.Behind, open = closed, true
				if !l.Torn {
					scored := bytes.Contains(l.Text, []byte(`,"status":"scored",`)) // in a string, its quotes would be escaped
					sum.Add(l.Text, scored, bytes.Contains(l.Text, []byte(`,"duplicate_of":{`)))
				}
			}
			p.Header, p.records = header, sum.end.Records
			if !yield(p) {
				return
			}
		}
		unfinished()
	}
}

// checkEnd compares a closing line with the lines above it.
func (p *Part) checkEnd() error {
	end, err := ParseEnd(p.Text)
	switch {
	case err != nil:
		return &LineError{p.File, p.Number, err}
	case end.Records != p.End.Records:
		return &Unfinished{p.File, &end, p.End.Records}
	case end.Digest != p.End.Digest:
		return &LineError{p.File, p.Number, errors.New("the closing line does not match the lines above it, " +
			"so something in the run was changed; assize replay names what differs")}
	}
	return nil
}

// Scan yields all lines of a run, headers, closing lines and blank ones too, each as if there were no header. An error
// ends the run.
func Scan(r io.Reader, file string) iter.Seq2[Line, error] {
	const most = 256 << 20 // several hundred times the longest record of an ordinary run
	return func(yield func(Line, error) bool) {
		in := bufio.NewScanner(r)
		in.Buffer(make([]byte, 1<<16), most)
		in.Split(withBreaks)
		number := 1
		for ; in.Scan(); number++ {
			text, whole := bytes.CutSuffix(in.Bytes(), []byte("\n"))
			if !yield(Line{File: file, Number: number, Text: bytes.Clone(text), Torn: !whole}, nil) {
				return
			}
		}
		err := in.Err()
		if errors.Is(err, bufio.ErrTooLong) {
			err = fmt.Errorf("the line is longer than %d MB; want a run", most>>20)
		}
		if err != nil {
			yield(Line{}, &LineError{file, number, err})
		}
	}
}

// withBreaks is a [bufio.SplitFunc] of lines with their line breaks.
func withBreaks(data []byte, atEOF bool) (int, []byte, error) {
	n := bytes.IndexByte(data, '\n') + 1
	if n == 0 && atEOF {
		n = len(data)
	}
	if n == 0 {
		return 0, nil, nil
	}
	return n, data[:n], nil
}

// End is the closing line of a run. It is written once all dialogues are, so a run without it is unfinished; and it
// shows where a line was removed, added, moved or changed, even in a way that contradicts nothing.
type End struct {
	Version    int    `json:"assize_run_end"` // of the line itself: 1
	Records    int    `json:"records"`
	Scored     int    `json:"scored"`
	Duplicates int    `json:"duplicates"` // records of dialogues whose turns came in the run before
	Digest     string `json:"digest"`     // the SHA-256 of all bytes from the header to the last record
}

const endVersion = 1

// Append appends the closing line to b, without the line break.
func (e End) Append(b []byte) []byte {
	line, err := json.Marshal(e)
	if err != nil {
		panic(err) // its parts are numbers and a string
	}
	return append(b, line...)
}

// ParseEnd reads a closing line. The error is of one that this program does not write.
func ParseEnd(line []byte) (End, error) {
	var e End
	if err := json.Unmarshal(line, &e); err != nil || e.Version != endVersion || !bytes.Equal(e.Append(nil), line) {
		return e, errors.New("the run's closing line is not written as this program writes one; want it, or the program that wrote it")
	}
	return e, nil
}

// Closing computes the closing line of a run from the lines above it.
type Closing struct {
	sum hash.Hash
	end End
}

// NewClosing begins with the run's header.
func NewClosing(header []byte) *Closing {
	c := &Closing{sha256.New(), End{Version: endVersion}}
	c.Text(header)
	return c
}

// Text adds a line that is no record, which is given without its line break.
func (c *Closing) Text(text []byte) {
	c.sum.Write(text)
	c.sum.Write([]byte("\n"))
}

// Add adds the line of a record, and counts it.
func (c *Closing) Add(line []byte, scored, duplicate bool) {
	c.Text(line)
	c.end.Records++
	if scored {
		c.end.Scored++
	}
	if duplicate {
		c.end.Duplicates++
	}
}

// End gives the closing line of what was added so far.
func (c *Closing) End() End {
	e := c.end
	e.Digest = hex.EncodeToString(c.sum.Sum(nil))
	return e
}
