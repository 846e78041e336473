package record

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"assize/rubric"
)

// FieldError tells what is wrong with one member of a line, so that it can be read as nothing.
type FieldError struct {
	Pointer string // where, as a JSON pointer (RFC 6901); empty for the line as a whole
	Msg     string // what is there and what would be right: "is 70; want 20, 40, 60, 80 or 100"
}

// mostTold bounds how much of a strange name or text an error repeats.
const mostTold = 300

func fieldError(pointer, format string, args ...any) *FieldError {
	return &FieldError{clip(pointer), clip(fmt.Sprintf(format, args...))}
}

// clip shortens what nobody would read to its end.
func clip(s string) string {
	if len(s) <= mostTold {
		return s
	}
	return strings.ToValidUTF8(s[:mostTold], "") + "…"
}

func (e *FieldError) Error() string {
	if e.Pointer == "" {
		return "the line " + e.Msg
	}
	return e.Pointer + " " + e.Msg
}

// cursor reads a line of JSON from left to right, without reflection: a run is read as often as it is written, and
// encoding/json takes longer over a line than settling the matter again does.
//
// It stops at the first member that cannot be what it should be. About the form of JSON it is lenient: a line is
// compared byte for byte with what comes out of it, so nothing gets through that is not written as it should be.
type cursor struct {
	text []byte
	at   int
	path []step
	err  *FieldError // the first; every value that is read after it is zero
}

// step leads from a value to one in it: the key of an object's member, or the index of an array's item.
type step struct {
	key   []byte // as it is written; nil for an item
	index int
}

// fail ends the reading. The error is about the value that is being read, or about what below leads to in it; where
// the line is at its end, it is that.
func (c *cursor) fail(below, format string, args ...any) {
	if c.err != nil {
		return
	}
	if c.at >= len(c.text) {
		format, args = "breaks off here; want a whole line", nil
	}
	var pointer strings.Builder
	for _, s := range c.path {
		if s.key == nil {
			fmt.Fprintf(&pointer, "/%d", s.index)
			continue
		}
		key, _ := unescape(s.key)
		pointer.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key))
	}
	c.err = fieldError(pointer.String()+below, format, args...)
	c.at = len(c.text)
}

// object calls member for every member of the object that is next. It must take or skip the value.
func (c *cursor) object(member func(key []byte)) {
	if !c.take('{') {
		c.fail("", "is not an object; want one")
		return
	}
	for n := 0; !c.closed('}', n); n++ {
		key, ok := c.quoted()
		if !ok || !c.take(':') {
			c.fail("", "is not written as JSON; want members, each a name and a value")
			return
		}
		c.path = append(c.path, step{key: key})
		member(key)
		c.path = c.path[:len(c.path)-1]
	}
}

// array calls item for every item of the array that is next. It must take or skip the value.
func (c *cursor) array(item func(i int)) {
	if !c.take('[') {
		c.fail("", "is not a list; want one")
		return
	}
	for i := 0; !c.closed(']', i); i++ {
		c.path = append(c.path, step{index: i})
		item(i)
		c.path = c.path[:len(c.path)-1]
	}
}

// closed takes the end of an object or array after n items, or else the comma before the next item.
func (c *cursor) closed(end byte, n int) bool {
	switch {
	case c.err != nil || c.take(end):
		return true
	case n > 0 && !c.take(','):
		c.fail("", "is not written as JSON; want a comma or %q", end)
		return true
	}
	return false
}

// peek gives the byte that is next, white space left out; 0 at the end.
func (c *cursor) peek() byte {
	for ; c.at < len(c.text); c.at++ {
		switch b := c.text[c.at]; b {
		case ' ', '\t', '\r', '\n':
		default:
			return b
		}
	}
	return 0
}

// take takes b if it is next.
func (c *cursor) take(b byte) bool {
	if c.peek() != b || c.at >= len(c.text) {
		return false
	}
	c.at++
	return true
}

// quoted takes a string and gives what is between its quotes, as it is written.
func (c *cursor) quoted() ([]byte, bool) {
	if !c.take('"') {
		return nil, false
	}
	for start, from := c.at, c.at; ; from++ {
		i := bytes.IndexByte(c.text[from:], '"')
		if i < 0 {
			c.at = len(c.text)
			return nil, false
		}
		from += i
		body := c.text[start:from]
		if (len(body)-len(bytes.TrimRight(body, `\`)))%2 == 0 {
			c.at = from + 1
			return body, true
		}
	}
}

// string takes a string.
func (c *cursor) string() string {
	if raw, ok := c.quoted(); ok {
		if s, ok := unescape(raw); ok {
			return s
		}
	}
	c.fail("", "is not a string; want one")
	return ""
}

// scalar takes what is no string, list or object: a number, true, false or null.
func (c *cursor) scalar() []byte {
	c.peek()
	rest := c.text[c.at:]
	if end := bytes.IndexAny(rest, ",]} \t\r\n"); end >= 0 {
		rest = rest[:end]
	}
	c.at += len(rest)
	return rest
}

// int takes a whole number.
func (c *cursor) int() int {
	raw := c.scalar()
	n, err := strconv.Atoi(string(raw))
	if err != nil {
		c.fail("", "is not a whole number; want one")
		return 0
	}
	return n
}

// number takes a number.
func (c *cursor) number() float64 {
	f, err := strconv.ParseFloat(string(c.scalar()), 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		c.fail("", "is not a number; want one")
		return 0
	}
	return f
}

// hundredths takes a number with two decimals.
func (c *cursor) hundredths() rubric.Hundredths {
	h, err := rubric.ParseHundredths(string(c.scalar()))
	if err != nil {
		c.fail("", "is not a number with two decimals; want one")
		return 0
	}
	return h
}

// skip takes a value, whatever it is.
func (c *cursor) skip() {
	for depth := 0; c.err == nil; {
		switch b := c.peek(); {
		case c.at >= len(c.text):
			c.fail("", "")
		case b == '{' || b == '[':
			depth++
			c.at++
		case b == '}' || b == ']':
			depth--
			c.at++
		case b == ',' || b == ':':
			c.at++
		case b == '"':
			if _, ok := c.quoted(); !ok {
				c.fail("", "")
			}
		default:
			c.scalar()
		}
		if depth <= 0 {
			return
		}
	}
}

// unescape gives what a string says.
func unescape(raw []byte) (string, bool) {
	i := bytes.IndexByte(raw, '\\')
	if i < 0 {
		return string(raw), true
	}
	b := make([]byte, 0, len(raw))
	for ; i >= 0; i = bytes.IndexByte(raw, '\\') {
		b = append(b, raw[:i]...)
		r, size := escape(raw[i:])
		if size == 0 {
			return "", false
		}
		b = utf8.AppendRune(b, r)
		raw = raw[i+size:]
	}
	return string(append(b, raw...)), true
}

// escape reads the escape that raw begins with; size is 0 where that is none.
func escape(raw []byte) (r rune, size int) {
	if len(raw) < 2 {
		return 0, 0
	}
	if raw[1] != 'u' {
		if i := strings.IndexByte(`"\/bfnrt`, raw[1]); i >= 0 {
			return rune("\"\\/\b\f\n\r\t"[i]), 2
		}
		return 0, 0
	}
	if r, size = hex4(raw); !utf16.IsSurrogate(r) {
		return r, size
	}
	if low, n := hex4(raw[size:]); n > 0 {
		if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
			return both, size + n
		}
	}
	return utf8.RuneError, size
}

// hex4 reads \u and four digits.
func hex4(raw []byte) (r rune, size int) {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return 0, 0
	}
	n, err := strconv.ParseUint(string(raw[2:6]), 16, 16)
	if err != nil {
		return 0, 0
	}
	return rune(n), 6
}
