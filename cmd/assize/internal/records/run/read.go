package run

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"iter"
	"os"
	"regexp"

	"assize/rubric"
)

// Line is a line of a run, before it is decoded, so that many can be decoded at once.
type Line struct {
	File     string
	Number   int // from 1
	Text     []byte
	Torn     bool    // the line has no line break: the run was stopped while it was written
	Header   *Header // the header above the line, or the line itself
	Kind     LineKind
	Expected *End // for a closing line: the expected one, computed from the lines above
	AfterEnd bool // a record after the closing line
}

// LineKind is the kind of a line.
type LineKind uint8

// The kinds of lines.
const (
	recordLine LineKind = iota
	HeaderLine
	EndLine
)

// begins reports whether the line has the prefix of headers or closing lines, readable or not.
func (l *Line) begins(as string) bool { return bytes.HasPrefix(l.Text, []byte(as)) }

// Beginning is the prefix of a header, and so of every run.
const Beginning = `{"assize_run"`

const endBeginning = `{"assize_run_end"`

// runStart matches the beginning of a run: its header or, if that is missing, a record.
var runStart = regexp.MustCompile(`^\x{FEFF}?\s*\{("assize_run":|` +
	`"dialogue_id":-?\d+,("evaluator":\{"TaskSuccess":\{"score"|"source":\{"file":))`)

// Begins reports whether an input, packed or not, begins like a run. It consumes no input.
func Begins(in *bufio.Reader) bool {
	head, _ := in.Peek(1 << 10)
	if unpacked, err := gzip.NewReader(bytes.NewReader(head)); err == nil {
		head, _ = io.ReadAll(unpacked) // the truncation error is ignored
	}
	return runStart.Match(head) || bytes.HasPrefix(head, []byte(packedBeginning))
}

// IsFile reports whether a file is a run. It returns false for a pipe, which can be read only once.
func IsFile(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	return Begins(bufio.NewReader(f))
}

// LineError is an error in one line of a run.
type LineError struct {
	File string
	Line int
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err) }

func (e *LineError) Unwrap() error { return e.Err }

// Unfinished is the error for a run without its closing line, or without some of the records or of
// the input that this counts. Its records can be used.
type Unfinished struct {
	File    string
	Closing *End // nil if there is none
	Records int  // number of records above the closing line, or above the place where it should be
}

// Whole reports whether all records are there, and only parts of the input could not be read.
func (e *Unfinished) Whole() bool { return e.Closing != nil && e.Closing.Records <= e.Records }

func (e *Unfinished) Error() string {
	switch end := e.Closing; {
	case e.Whole():
		return texts.Text("unread", e.File, end.Unread)
	case end != nil:
		return texts.Text("incomplete", e.File, end.Records, e.Records)
	case e.Records == 0:
		return texts.Text("begun", e.File)
	}
	return texts.Text("unfinished", e.File, e.Records)
}

// Read yields the record lines of a run, each with its header, and the errors of [Lines]. The first
// line is a header; in concatenated runs, further headers and closing lines may occur anywhere.
// Only the digest of the closing line is verified; replay shows what was changed.
func Read(r io.Reader, file string) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		for l, err := range Lines(r, file) {
			if l.AfterEnd {
				err = cmp.Or(err, error(&LineError{file, l.Number, ErrAfterEnd}))
			}
			if end := l.Expected; err == nil && end != nil && end.Unread > 0 {
				err = &Unfinished{file, end, end.Records}
			}
			if (l.Kind == recordLine || err != nil) && !yield(l, err) {
				return
			}
		}
	}
}

// ErrAfterEnd is the error of a record after the closing line.
var ErrAfterEnd = errors.New("is after the closing line; want it before the closing line, or " +
	"after another header")

// Lines yields all lines of a run: headers, records and closing lines. It yields an [*Unfinished]
// where a closing line or records are missing, and an error for a closing line that does not match
// the lines above it, and continues. All other errors end the run: a failed read, or an unreadable
// header, without which nothing below it could be interpreted.
func Lines(r io.Reader, file string) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		var header *Header
		var sum *Closing
		open, closed := false, false // a closing line is still expected; there was one
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
					return // without its header, nothing below could be interpreted
				}
				header, sum, open, closed = &h, NewClosing(l.Text), true, false
				continue
			case len(bytes.TrimSpace(l.Text)) == 0:
				sum.text(l.Text) // the digest covers every byte
				continue
			case l.begins(endBeginning):
				end := sum.End()
				if is, err := ParseEnd(l.Text); err == nil {
					end.Unread = is.Unread // which the lines above do not show
				}
				whole := !l.Torn || bytes.Equal(end.Append(nil), l.Text)
				l.Kind, l.Expected, open, closed = EndLine, &end, open && !whole, true
			default:
				l.AfterEnd, open = closed, !closed
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

// checkEnd compares a closing line with the lines above it. The error is an [*Unfinished] if
// records are missing, and a [*LineError] if any of these lines was changed. If the line is torn,
// the run counts as unfinished.
func (l *Line) checkEnd() error {
	if l.Kind != EndLine || l.Torn {
		return nil
	}
	end, err := ParseEnd(l.Text)
	switch {
	case err != nil:
		return &LineError{l.File, l.Number, err}
	case end.Records > l.Expected.Records && end.Digest != l.Expected.Digest:
		return &Unfinished{l.File, &end, l.Expected.Records}
	case end != *l.Expected:
		return &LineError{l.File, l.Number, texts.Error("changed")}
	}
	return nil
}

// Scan yields all lines of a run, including headers, closing lines and blank lines, without
// associating them with headers. An error ends the run.
func Scan(r io.Reader, file string) iter.Seq2[Line, error] {
	const limit = 256 << 20 // several hundred times the longest ordinary record
	return func(yield func(Line, error) bool) {
		in := bufio.NewScanner(Unpack(r))
		in.Buffer(make([]byte, 1<<16), limit)
		// lines including their line breaks
		in.Split(func(data []byte, atEOF bool) (int, []byte, error) {
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
			if !yield(Line{File: file, Number: number, Text: bytes.Clone(text), Torn: !whole},
				nil) {
				return
			}
		}
		err := in.Err()
		if errors.Is(err, bufio.ErrTooLong) {
			err = texts.Error("long line", limit>>20)
		}
		if err != nil {
			yield(Line{}, &LineError{file, number, err})
		}
	}
}

// End is the closing line of a run. It is written after all dialogues, so a run without it is
// unfinished. It also reveals consistent lines that were removed, added, moved or changed.
type End struct {
	Version int `json:"assize_run_end"` // version of the closing line: 1
	Records int `json:"records"`
	Scored  int `json:"scored"`
	// records of dialogues that are equal to an earlier one of the run, by [Row.Copy]
	Duplicates int `json:"duplicates"`
	// dialogues and files of the input that could not be read
	Unread int    `json:"unread,omitzero"`
	Digest string `json:"digest"` // SHA-256 of all bytes from the header to the last record
}

const endVersion = 1

// Append appends the closing line to b, without a line break.
func (e End) Append(b []byte) []byte { return rubric.AppendJSON(b, e) }

// ParseEnd parses a closing line. It returns an error for a line that this program would not write.
func ParseEnd(line []byte) (End, error) {
	var e End
	if err := rubric.ParseJSON(line, &e); err != nil || e.Version != endVersion ||
		!bytes.Equal(e.Append(nil), line) {
		return e, texts.Error("unknown closing line")
	}
	return e, nil
}

// Closing computes the closing line of a run from the lines above it.
type Closing struct {
	sum hash.Hash
	end End
}

// NewClosing returns a Closing for a run with the given header.
func NewClosing(header []byte) *Closing {
	c := &Closing{sha256.New(), End{Version: endVersion}}
	c.text(header)
	return c
}

// text adds a line that is not a record, without its line break.
func (c *Closing) text(text []byte) {
	c.sum.Write(text)
	c.sum.Write([]byte("\n"))
}

// Add adds and counts the line of a record.
func (c *Closing) Add(line []byte) {
	c.text(line)
	c.end.Records++
	// within a string, the quotes would be escaped
	source, status, _ := bytes.Cut(line, []byte(`,"status":"`))
	if bytes.HasPrefix(status, []byte(`scored",`)) {
		c.end.Scored++
	}
	if bytes.Contains(source, []byte(`,"duplicate_of":{`)) {
		c.end.Duplicates++
	}
}

// Unread counts a part of the input that could not be read.
func (c *Closing) Unread(_, _ string, _ error) { c.end.Unread++ }

// End returns the closing line for the lines added so far.
func (c *Closing) End() End {
	e := c.end
	e.Digest = fmt.Sprintf("%x", c.sum.Sum(nil))
	return e
}
