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
	Header *Header // the one above it, or that it is
	Kind   Kind
	Above  *End // of a closing line: what the lines above it give
	Behind bool // it is a record behind the closing line
}

// Kind is what a line holds.
type Kind uint8

// The kinds of lines.
const (
	RecordLine Kind = iota
	HeaderLine
	EndLine
)

// begins reports whether the line begins as headers or closing lines do, whether or not it can be read as one.
func (l *Line) begins(as string) bool { return bytes.HasPrefix(l.Text, []byte(as)) }

// Beginning is how a header begins, and so every run.
const Beginning = `{"assize_run"`

const endBeginning = `{"assize_run_end"`

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
		for l, err := range Lines(r, file) {
			if (l.Kind == RecordLine || err != nil) && !yield(l, err) {
				return
			}
		}
	}
}

// Lines yields what a run is made of: headers, records and closing lines. The place where a closing line is missing has
// an [*Unfinished], and a closing line that is not that of the lines above it has an error. All other errors end the
// run.
func Lines(r io.Reader, file string) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		var header *Header
		var sum *Closing
		open, closed := false, false // whether a closing line is still to come, and whether there was one
		unfinished := func() bool {
			return !open || yield(Line{}, &Unfinished{File: file, Records: sum.end.Records})
		}
		for l, err := range Scan(r, file) {
			switch {
			case err != nil:
				yield(l, err)
				return
			case header == nil || l.begins(Beginning):
				h, err := ParseHeader(l.Text)
				if err != nil {
					err = &LineError{file, l.Number, err}
				}
				l.Kind, l.Header = HeaderLine, &h
				if err == nil && !unfinished() || !yield(l, err) || err != nil {
					return // below a header that cannot be read, nothing could be understood
				}
				header, sum, open, closed = &h, NewClosing(l.Text), true, false
				continue
			case len(bytes.TrimSpace(l.Text)) == 0:
				sum.Text(l.Text) // the digest is of every byte
				continue
			case l.begins(endBeginning):
				end := sum.End()
				whole := !l.Torn || bytes.Equal(end.Append(nil), l.Text)
				l.Kind, l.Above, open, closed = EndLine, &end, open && !whole, true
			default:
				l.Behind, open = closed, true
				if !l.Torn {
					sum.Add(l.Text)
				}
			}
			l.Header = header
			if !yield(l, l.checkEnd()) {
				return
			}
		}
		unfinished()
	}
}

// checkEnd compares a closing line with the lines above it. The error is an [*Unfinished] where there are more records
// or fewer, and a [*LineError] where they were changed. Of a line that is torn, the run is unfinished all the same.
func (l *Line) checkEnd() error {
	if l.Kind != EndLine || l.Torn {
		return nil
	}
	end, err := ParseEnd(l.Text)
	switch {
	case err != nil:
		return &LineError{l.File, l.Number, err}
	case end.Records != l.Above.Records:
		return &Unfinished{l.File, &end, l.Above.Records}
	case end.Digest != l.Above.Digest:
		return &LineError{l.File, l.Number, errors.New("the closing line does not match the lines above it, " +
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
		in.Split(func(data []byte, atEOF bool) (int, []byte, error) { // lines with their line breaks
			n := bytes.IndexByte(data, '\n') + 1
			if n == 0 && atEOF {
				n = len(data)
			}
			if n == 0 {
				return 0, nil, nil
			}
			return n, data[:n], nil
		})
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
	line, _ := json.Marshal(e) // its parts are numbers and a string
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
func (c *Closing) Add(line []byte) {
	c.Text(line)
	c.end.Records++
	source, status, _ := bytes.Cut(line, []byte(`,"status":"`)) // in a string, its quotes would be escaped
	if bytes.HasPrefix(status, []byte(`scored",`)) {
		c.end.Scored++
	}
	if bytes.Contains(source, []byte(`,"duplicate_of":{`)) {
		c.end.Duplicates++
	}
}

// End gives the closing line of what was added so far.
func (c *Closing) End() End {
	e := c.end
	e.Digest = hex.EncodeToString(c.sum.Sum(nil))
	return e
}
