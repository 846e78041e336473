package dialogue

import (
	"bufio"
	"bytes"
	"cmp"
	"io"
	"iter"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// values cuts a stream of JSON into values and holds only one of them: values one after the other, such as JSON lines,
// the elements of an array, or the elements of the array in a wrapper such as {"tickets":[…]}.
type values struct {
	lines  lines // of JSON lines
	byLine bool  // one value a line, so that a broken one does no harm to the next
	wraps  bool  // the objects of the stream are wrappers
	feed   feed
	dec    *jsontext.Decoder
}

// values looks at the head of the stream to tell JSON lines from other JSON.
func (f *file) values() *values {
	s := &values{lines: f.lines(), feed: f.feed()}
	s.dec = jsontext.NewDecoder(&s.feed, lenient)
	head, _ := f.in.Peek(headSize)
	first, rest, ends := bytes.Cut(bytes.TrimLeft(head, " \t\r\n"), []byte("\n"))
	next, _, _ := bytes.Cut(bytes.TrimLeft(rest, " \t\r\n"), []byte("\n"))
	first = bytes.TrimSpace(first)
	isValid := func(line []byte) bool { return jsontext.Value(line).IsValid(lenient) }
	switch {
	case isWrapper(head):
		s.wraps = true
	case bytes.HasPrefix(first, []byte("[")): // after a list, only another list makes it a list a line
		s.byLine = bytes.HasPrefix(next, []byte("[")) && isValid(first)
	case !ends || isValid(first):
		s.byLine = true
	default: // the first line may be the broken one
		s.byLine = isValid(next) && !bytes.ContainsAny(first[max(0, len(first)-1):], "[{,:")
	}
	return s
}

// next gives the next value and the line on which it begins, or what is wrong and where; io.EOF after the last one.
// The value is valid JSON, and may be used until the next call.
func (s *values) next() (raw jsontext.Value, line int, err error) {
	for s.byLine && s.lines.next() {
		if raw = bytes.TrimSpace(s.lines.Bytes()); len(raw) > 0 {
			return raw, s.lines.number, json.Unmarshal(raw, new(jsontext.Value), lenient)
		}
	}
	if s.byLine {
		return nil, s.lines.number, cmp.Or(s.lines.Err(), io.EOF)
	}
	for s.feed.err == nil {
		s.feed.left = s.feed.most
		depth := s.dec.StackDepth()
		around, _ := s.dec.StackIndex(min(depth, 1))
		isTop, inWrapper := depth == 0, depth == 1 && around == '{'
		switch kind := s.dec.PeekKind(); {
		case kind == ']', kind == '}', isTop && kind == '[', isTop && kind == '{' && s.wraps:
			_, err = s.dec.ReadToken()
		case inWrapper && kind == '"':
			var name jsontext.Token
			if name, err = s.dec.ReadToken(); err != nil {
				break
			}
			if slices.Contains(wrappers, name.String()) && s.dec.PeekKind() == '[' {
				_, err = s.dec.ReadToken()
			} else {
				err = s.dec.SkipValue()
			}
		default:
			line = s.feed.line
			if raw, err = s.dec.ReadValue(); err == nil {
				return raw, line, nil
			}
		}
		if err != nil {
			return nil, s.feed.line, cmp.Or(s.feed.err, err)
		}
	}
	return nil, s.feed.line, s.feed.err
}

// errTooLong ends a file in which something has no end.
var errTooLong = bufio.ErrTooLong

// feed gives a decoder the stream line by line, so that its place in the file is known, and no more of one value than
// the limit.
type feed struct {
	in   *bufio.Reader
	most int
	left int  // bytes of this value
	line int  // of the bytes that were given last, from 1
	ends bool // they were the end of that line
	err  error
}

func (f *file) feed() feed { return feed{in: f.in, most: f.most.text, left: f.most.text, ends: true} }

func (r *feed) Read(p []byte) (int, error) {
	if _, err := r.in.Peek(1); err != nil {
		if err != io.EOF {
			r.err = err
		}
		return 0, err
	}
	if r.left <= 0 {
		r.err = errTooLong
		return 0, r.err
	}
	if r.ends {
		r.line++
	}
	chunk, _ := r.in.Peek(min(r.in.Buffered(), len(p), r.left))
	end := bytes.IndexByte(chunk, '\n') + 1
	if r.ends = end > 0; r.ends {
		chunk = chunk[:end]
	}
	r.left -= len(chunk)
	return r.in.Read(p[:len(chunk)])
}

// wrappers are the keys under which exports put a list of conversations.
var wrappers = []string{"tickets", "conversations", "dialogues", "dialogs", "data", "items", "results"}

// isWrapper reports whether a stream begins with an object that holds a list of conversations. A list of messages is
// itself a conversation.
func isWrapper(head []byte) bool {
	dec := jsontext.NewDecoder(bytes.NewBuffer(head), lenient)
	for key := range memberNames(dec) {
		if !slices.Contains(wrappers, key) || dec.PeekKind() != '[' {
			dec.SkipValue()
			continue
		}
		dec.ReadToken()
		if dec.PeekKind() != '{' {
			return false
		}
		for key := range memberNames(dec) { // of the first element
			if key == "from" || key == "role" {
				return false
			}
			dec.SkipValue()
		}
		return true
	}
	return false
}

// memberNames yields the names of the members of the next object. The consumer reads or skips the value of each.
func memberNames(dec *jsontext.Decoder) iter.Seq[string] {
	return func(yield func(string) bool) {
		if dec.PeekKind() != '{' {
			return
		}
		dec.ReadToken()
		for dec.PeekKind() == '"' {
			if name, err := dec.ReadToken(); err != nil || !yield(name.String()) {
				return
			}
		}
	}
}
