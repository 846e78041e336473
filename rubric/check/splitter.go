package check

import (
	"bufio"
	"bytes"
	"io"
)

// splitter cuts a stream into documents. It looks at brackets and quotes only; whether what it cuts out is
// JSON is for the parser to say.
type splitter struct {
	in       *bufio.Reader
	name     string
	most     int
	yield    func(Document, error) bool
	stopped  bool      // the consumer wants no more
	position           // of the next byte
	before   []byte    // what was read since the last document
	last     *Document // it waits for what may stand behind it
	number   int
	told     bool // that there is prose
}

// position is a position in a file, from 1.
type position struct{ line, column int }

// over moves a position to behind a piece of text.
func (p position) over(text []byte) position {
	if n := bytes.Count(text, []byte("\n")); n > 0 {
		return position{p.line + n, len(text) - bytes.LastIndexByte(text, '\n')}
	}
	return position{p.line, p.column + len(text)}
}

// split reads the stream to its end.
func (s *splitter) split() error {
	for !s.stopped {
		if err := s.space(); err != nil {
			return err
		}
		switch c, err := s.peek(); {
		case err == io.EOF:
			s.end()
			return nil
		case err != nil:
			return err
		case c == '[' && s.opensList():
			if err := s.list(); err != nil {
				return err
			}
		case c == '{':
			if err := s.object(); err != nil {
				return err
			}
		default:
			return s.prose(nil, s.position)
		}
	}
	return nil
}

// end is reached at the end of the stream.
func (s *splitter) end() {
	if s.number == 0 && s.last == nil {
		s.emit(nil, s.position)
	}
	s.flush()
}

// flush yields the document that waits.
func (s *splitter) flush() {
	if s.last == nil || s.stopped {
		return
	}
	s.last.After, s.before = s.before, nil
	if !s.told && isProse(s.last.After) {
		s.last.prose, s.told = true, true
	}
	s.send()
}

func (s *splitter) send() {
	d := *s.last
	s.last = nil
	if !s.stopped && !s.yield(d, nil) {
		s.stopped = true
	}
}

// emit makes a document of a text that begins at a place. It is yielded when the next one begins.
func (s *splitter) emit(text []byte, at position) *Document {
	if s.last != nil {
		s.send()
	}
	d := &Document{File: s.name, Line: at.line, Column: at.column, Before: s.before, Text: text, Skip: skip(text)}
	if d.Skip != HeaderOfRun && d.Skip != EndOfRun {
		s.number++
		d.Number = s.number
	}
	if !s.told && isProse(d.Before) {
		d.prose, s.told = true, true
	}
	s.last, s.before = d, nil
	return d
}

// isProse reports whether there is more between documents than JSON has there.
func isProse(b []byte) bool {
	return len(bytes.Trim(bytes.TrimPrefix(b, []byte(utf8Mark)), " \t\r\n,[]")) > 0
}

// peek gives the next byte.
func (s *splitter) peek() (byte, error) {
	b, err := s.in.Peek(1)
	if len(b) == 0 {
		return 0, err
	}
	return b[0], nil
}

// take reads n bytes, which have been looked at.
func (s *splitter) take(n int) []byte {
	b, _ := s.in.Peek(n)
	b = bytes.Clone(b)
	s.in.Discard(n)
	s.position = s.over(b)
	return b
}

// space reads white space into what stands before the next document. Of endless white space the rest goes.
func (s *splitter) space() error {
	for {
		c, err := s.peek()
		if err == io.EOF || err == nil && !isBlank(c) {
			return nil
		}
		if err != nil {
			return err
		}
		head, _ := s.in.Peek(s.in.Buffered())
		n := len(head) - len(bytes.TrimLeft(head, " \t\r\n"))
		b := s.take(n)
		s.before = append(s.before, b[:min(n, max(s.most-len(s.before), 0))]...)
	}
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// opensList reports whether the bracket that comes next begins a list of documents, and not prose.
func (s *splitter) opensList() bool {
	for n := 64; ; n *= 2 {
		head, err := s.in.Peek(min(n, bufferSize))
		rest := bytes.TrimLeft(head[1:], " \t\r\n")
		if len(rest) > 0 {
			return bytes.IndexByte([]byte("{[]"), rest[0]) >= 0
		}
		if err != nil || n > bufferSize {
			return true
		}
	}
}
