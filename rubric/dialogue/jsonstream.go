package dialogue

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"strings"
)

// value is one JSON value of a stream: a conversation, or one message of it.
type value struct {
	raw    []byte // valid until the next call of next
	line   int    // on which it begins
	group  int    // the array that it stands in, counted from 1; 0 outside of any
	broken string // why raw is not whole
}

// jsonStream cuts a stream into values without holding more than one of them: values one after the other,
// such as JSON lines, the elements of an array, or the elements of the array in a wrapper such as
// {"tickets":[…]}. It looks at brackets and quotes only; whether a value is valid is for the caller to find.
type jsonStream struct {
	value
	in      *bufio.Reader
	most    int  // bytes of a value
	newline int  // line ends that were read
	byLine  bool // one value a line, so that a broken one does no harm to the next
	inArray bool
	wraps   bool // the objects of the stream are wrappers
	wrapped bool // the array stands in one
	groups  int
	buf     []byte
	err     error
	over    bool // nothing can be told about what follows
}

// newJSONStream looks at the head of in to tell JSON lines from other JSON.
func newJSONStream(in *bufio.Reader, most int) *jsonStream {
	s := &jsonStream{in: in, most: most}
	head, _ := in.Peek(headSize)
	line, rest, whole := bytes.Cut(bytes.TrimLeft(head, " \t\n"), []byte("\n"))
	next, _, nextWhole := bytes.Cut(bytes.TrimLeft(rest, " \t\n"), []byte("\n"))
	switch {
	case findWrapper(head) > 0:
		s.wraps = true
	case whole && json.Valid(line): // after a list, only another list makes it a list a line
		next = bytes.TrimSpace(next)
		s.byLine = len(next) > 0 && (line[0] != '[' || next[0] == '[')
	case whole && nextWhole && json.Valid(next): // the first line may be the broken one
		s.byLine = !bytes.ContainsAny(lastByte(line), "[{,:")
	}
	return s
}

func lastByte(line []byte) []byte {
	line = bytes.TrimSpace(line)
	return line[max(0, len(line)-1):]
}

// next moves to the next value and reports whether there is one.
func (s *jsonStream) next() bool {
	if s.over {
		return false
	}
	s.value = value{}
	if s.byLine {
		return s.nextLine()
	}
	for {
		c, ok := s.skipSpace()
		switch {
		case !ok:
			return s.end()
		case s.inArray && c == ']':
			s.discard(1)
			s.leaveArray()
		case !s.inArray && c == '[':
			s.discard(1)
			s.enterArray()
		case !s.inArray && c == '{' && s.wraps && s.enterWrapper():
		case c == '{' || c == '[' || s.inArray && c != '}':
			return s.take()
		default:
			s.line, s.broken, s.over = s.newline+1, "text between JSON values: "+quote(s.peekLine()), true
			return true
		}
	}
}

// end is reached at the end of the stream, which is too early inside an array or its wrapper.
func (s *jsonStream) end() bool {
	s.over = true
	if s.err == nil && (s.inArray || s.broken != "") {
		s.line, s.broken, s.group = s.newline+1, "the JSON ends before its last bracket", s.groups
		return true
	}
	return false
}

func (s *jsonStream) enterArray() {
	s.inArray = true
	s.groups++
}

// leaveArray ends an array, and passes over the rest of the object that it stands in.
func (s *jsonStream) leaveArray() {
	s.inArray = false
	if s.wrapped {
		s.wrapped = false
		s.scan(1, nil)
	}
}

// nextLine takes the next line that is not blank.
func (s *jsonStream) nextLine() bool {
	l := lines{in: s.in, most: s.most, number: s.newline, long: s.buf}
	for l.next() {
		if !l.tooLong && blank(l.text) {
			continue
		}
		s.raw, s.line = l.text, l.number
		if l.tooLong {
			s.broken = tooLong
		}
		s.newline, s.buf = l.number, l.long
		return true
	}
	s.err, s.over = l.err, true
	return false
}

// take reads the value that begins at the next byte. A first object on one line means JSON lines.
func (s *jsonStream) take() bool {
	s.line = s.newline + 1
	if s.inArray {
		s.group = s.groups
	}
	s.buf = s.buf[:0]
	s.scan(0, func(c byte) bool {
		if len(s.buf) == s.most {
			s.broken = tooLong
			return false
		}
		s.buf = append(s.buf, c)
		return true
	})
	s.raw = s.buf
	if s.err != nil {
		s.over = true
		return false
	}
	if !s.inArray && s.line == s.newline+1 {
		head, _ := s.in.Peek(1)
		s.byLine = bytes.Equal(head, []byte("\n"))
		if s.byLine {
			s.discard(1)
		}
	}
	return true
}

// scan reads to the end of the value at the next byte, or out of depth levels of brackets, and hands every
// byte to keep until that wants no more. A string cannot go over the end of a line, so one whose quote is
// missing ends there, and the value with it if the next line begins an object: the damage stays in this value.
func (s *jsonStream) scan(depth int, keep func(byte) bool) {
	inString, escaped := false, false
	outer := depth
	for {
		c, err := s.in.ReadByte()
		if err != nil {
			s.over = true
			if err != io.EOF {
				s.err = err
			} else if depth > 0 || inString {
				s.broken = "the JSON ends inside this dialogue"
			}
			return
		}
		if outer == 0 && depth == 0 && !inString && (c == ',' || c == ']' || c == '\n') {
			s.in.UnreadByte() // a value without brackets ends before what follows
			return
		}
		if keep != nil && !keep(c) {
			keep = nil
		}
		switch {
		case c == '\n':
			s.newline++
			if head, _ := s.in.Peek(1); inString && bytes.Equal(head, []byte("{")) {
				s.broken = "a string without its closing quote"
				return
			}
			inString, escaped = false, false
		case escaped:
			escaped = false
		case inString && c == '\\':
			escaped = true
		case c == '"':
			inString = !inString
		case inString:
		case c == '{', c == '[':
			depth++
		case c == '}', c == ']':
			if depth--; depth == 0 {
				return
			}
		}
	}
}

// skipSpace passes over white space and the commas between values, and gives the byte that comes next.
func (s *jsonStream) skipSpace() (byte, bool) {
	for {
		c, err := s.in.ReadByte()
		switch {
		case err != nil:
			if err != io.EOF {
				s.err = err
			}
			return 0, false
		case c == '\n':
			s.newline++
		case c == ' ', c == '\t', c == ',':
		default:
			s.in.UnreadByte()
			return c, true
		}
	}
}

func (s *jsonStream) discard(n int) {
	head, _ := s.in.Peek(n)
	s.newline += bytes.Count(head, []byte("\n"))
	s.in.Discard(n)
}

// peekLine gives the beginning of what comes next, for an error.
func (s *jsonStream) peekLine() string {
	head, _ := s.in.Peek(40)
	line, _, _ := strings.Cut(string(head), "\n")
	return line
}
