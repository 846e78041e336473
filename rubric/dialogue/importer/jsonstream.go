package importer

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"assize/rubric/dialogue"
)

// isJSON reports whether a stream begins like JSON, possibly after a time.
func isJSON(text string) bool {
	first, _, _ := strings.Cut(text, "\n")
	return strings.HasPrefix(string(withoutStamp([]byte(first))), "{") ||
		cutStamp(text) == 0 && expr("array").MatchString(text)
}

// goesOn reports whether an error affects only one value, after which others can be read.
func (s *splitter) goesOn(err error) bool {
	_, isLong := err.(*outline)
	return (s.byLine || isLong) && err != io.EOF && s.feed.err == nil && s.lines.err == nil
}

// splitter splits a stream of JSON into values and holds only one at a time: one value after another,
// or the elements of an array, which may be in a wrapper such as {"tickets":[…]}.
type splitter struct {
	lines  lines    // of JSON lines
	byLine bool     // one value per line, so that a broken one does not affect the next
	wraps  bool     // the objects of the stream are wrappers
	whole  bool     // a list is a value, since its elements are messages
	byName bool     // the objects of the stream hold dialogues by their ids
	wrap   []string // the names that lead to the list in a wrapper, if known
	feed   feed
	dec    *jsontext.Decoder
	file   *file
	again  []value // to be returned again
}

type value struct {
	raw  jsontext.Value
	line int
	err  error
}

// newSplitter looks at the head of the stream to distinguish JSON lines from other JSON.
func newSplitter(f *file, wrap []string) *splitter {
	s := &splitter{file: f, lines: newLines(f), feed: newFeed(f), wrap: wrap, wraps: len(wrap) > 0}
	s.dec = jsontext.NewDecoder(&s.feed, lenient)
	head, _ := f.in.Peek(headSize)
	first, rest, ends := bytes.Cut(bytes.TrimLeft(head, " \t\r\n"), []byte("\n"))
	next, _, _ := bytes.Cut(bytes.TrimLeft(rest, " \t\r\n"), []byte("\n"))
	first = withoutStamp(first)
	isValid := func(line []byte) bool { return jsontext.Value(withoutStamp(line)).IsValid(lenient) }
	isRooted := isRooted(f, jsontext.NewDecoder(bytes.NewBuffer(head), lenient))
	switch {
	case s.wraps:
	case !isRooted && holdsByName(jsontext.NewDecoder(bytes.NewBuffer(head), lenient)):
		s.byName = true
	case !isRooted && isWrapper(jsontext.NewDecoder(bytes.NewBuffer(head), lenient)):
		s.wraps = true
	case len(f.opt.Columns) == 0 &&
		holdsMessages(jsontext.NewDecoder(bytes.NewBuffer(head), lenient)):
		s.whole = true
	// After a list, only another list means one list per line.
	case bytes.HasPrefix(first, []byte("[")):
		s.byLine = bytes.HasPrefix(next, []byte("[")) && isValid(first)
	case !ends || isValid(first):
		s.byLine = true
	default: // the first line may be the broken one
		s.byLine = isValid(next) && !bytes.ContainsAny(first[max(0, len(first)-1):], "[{,:")
	}
	return s
}

// next returns the next value and the line on which it begins, or an error and its line; the error
// is io.EOF after the last value. The value is valid JSON, and valid until the next call.
func (s *splitter) next() (raw jsontext.Value, line int, err error) {
	if len(s.again) > 0 {
		v := s.again[0]
		s.again = s.again[1:]
		return v.raw, v.line, v.err
	}
	return s.read()
}

func (s *splitter) read() (raw jsontext.Value, line int, err error) {
	for s.byLine && s.lines.next() {
		if s.lines.long != nil {
			return nil, s.lines.number, s.lines.long
		}
		if raw = withoutStamp(s.lines.text); len(raw) > 0 {
			return raw, s.lines.number, json.Unmarshal(raw, new(jsontext.Value), lenient)
		}
	}
	if s.byLine {
		return nil, s.lines.number, cmp.Or(s.lines.err, io.EOF)
	}
	for s.feed.err == nil {
		s.feed.left = s.feed.most
		depth := s.dec.StackDepth()
		around, _ := s.dec.StackIndex(depth)
		outer, _ := s.dec.StackIndex(min(depth, 1))
		isTop, inWrapper := depth == 0, depth > 0 && around == '{' && outer == '{'
		switch kind := s.dec.PeekKind(); {
		case kind == ']', kind == '}', isTop && kind == '[' && !s.whole,
			isTop && kind == '{' && (s.wraps || s.byName):
			_, err = s.dec.ReadToken()
		case inWrapper && kind == '"':
			var name jsontext.Token
			if name, err = s.dec.ReadToken(); err != nil {
				break
			}
			key := name.String()
			if line = s.feed.line; s.byName && depth == 1 {
				if raw, err = s.value(); err == nil || s.goesOn(err) {
					return withName(raw, key), line, err
				}
				break
			}
			if s.leadsOn(foldColumn(key), depth) {
				_, err = s.dec.ReadToken()
			} else if raw, err = s.value(); raw.Kind() == '[' {
				for e := range elements(raw) { // it may hold conversations of a known format
					if l, _ := layoutOf(e); e.Kind() == '{' && l != nil {
						s.file.omissions.first("list", quote(key))
					}
					break
				}
			}
			if _, isLong := err.(*outline); isLong {
				err = nil
			}
		default:
			line = s.feed.line
			if raw, err = s.value(); err == nil || s.goesOn(err) {
				return raw, line, err
			}
		}
		if err != nil {
			return nil, s.feed.line, cmp.Or(s.feed.err, err)
		}
	}
	return nil, s.feed.line, s.feed.err
}

// value reads the next value. A value that is too long is skipped, and the error is its outline.
func (s *splitter) value() (raw jsontext.Value, err error) {
	if raw, err = s.dec.ReadValue(); s.feed.err != errTooLong {
		return raw, err
	}
	around, ends := "", 0 // JSON up to where the value is, and the number of its tokens
	for i := range s.dec.StackDepth() {
		if kind, _ := s.dec.StackIndex(i + 1); kind == '{' {
			around, ends = around+`{"":`, ends+1
		} else {
			around += "["
		}
		ends++
	}
	if around != "" {
		around, ends = around+`""`, ends+1
	}
	o := &outline{most: s.feed.most}
	chunk := bytes.TrimLeft(s.dec.UnreadBuffer(), " \t\r\n,:")
	buffer := make([]byte, headSize)
	for n := 0; ; {
		if n, s.feed.err = o.end(chunk), nil; n >= 0 {
			s.dec = jsontext.NewDecoder(io.MultiReader(strings.NewReader(around),
				bytes.NewReader(bytes.Clone(chunk[n:])), &s.feed), lenient)
			break
		}
		s.feed.left = s.feed.most
		if n, err = s.feed.Read(buffer); err != nil { // it has no end
			s.feed.err = cmp.Or(s.feed.err, errTooLong)
			return nil, s.feed.err
		}
		chunk = buffer[:n]
	}
	for range ends {
		if _, err = s.dec.ReadToken(); err != nil {
			return nil, err
		}
	}
	return nil, o
}

// outline is what is kept of a value that is too long for a dialogue: its members that are short
// texts or numbers, among which may be its id.
type outline struct {
	kept                []byte
	size, most          int // bytes of the value, and of a dialogue
	depth, begin        int // begin is where the text that is being read begins in kept
	inText, isBackslash bool
}

// end reads more bytes, and returns how many of them belong to the value if it ends there; else -1.
func (o *outline) end(text []byte) int {
	const maxText, maxKept = 200, 64 << 10
	for i, c := range text {
		o.size++
		isIn := o.depth < 2
		switch {
		case o.isBackslash:
			o.isBackslash = false
		case o.inText:
			o.isBackslash, o.inText = c == '\\', c != '"'
		case c == '"':
			o.inText, o.begin = true, len(o.kept)
		case c == '{' || c == '[':
			o.depth++
		case c == '}' || c == ']':
			o.depth--
			isIn = o.depth < 2
		}
		if isIn && len(o.kept) < maxKept {
			o.kept = append(o.kept, c)
		}
		if o.inText && len(o.kept)-o.begin > maxText && isIn {
			o.kept = o.kept[:o.begin+1]
		}
		if o.depth == 0 && !o.inText {
			return i + 1
		}
	}
	return -1
}

// Error implements error.
func (o *outline) Error() string { return o.of("") }

// of is like Error, for a dialogue whose id is known.
func (o *outline) of(id string) string {
	who := "it"
	if id != "" {
		who = quote(id)
	}
	return fmt.Sprintf("%s has %.1f MiB, more than the limit of %d MiB for one dialogue", who,
		float64(o.size)/(1<<20), o.most>>20)
}

// withoutStamp returns a line without white space around it and without a time before its object.
func withoutStamp(line []byte) []byte {
	line = bytes.TrimSpace(line)
	if i := bytes.IndexByte(line, '{'); i > 0 && i < maxStamp && isDigit(line[0]) {
		if m, ok := ParseTime(string(line[:i])); ok && m.HasDate && m.HasTime {
			return line[i:]
		}
	}
	return line
}

// leadsOn reports whether the next member of a wrapper is the list of conversations or has it.
func (s *splitter) leadsOn(name string, depth int) bool {
	kind := s.dec.PeekKind()
	if s.wrap == nil {
		return anyIn([]string{name}, "wrapper") && (kind == '[' || kind == '{')
	}
	isLast := depth == len(s.wrap)
	return depth <= len(s.wrap) && name == s.wrap[depth-1] &&
		(isLast && kind == '[' || !isLast && kind == '{')
}

// isRooted reports whether the next object itself has the list in which --columns has the text.
func isRooted(f *file, dec *jsontext.Decoder) bool {
	list, _, isList := strings.Cut(f.opt.Columns[uses[textColumn]], "[")
	list, _, _ = strings.Cut(list, ".")
	for key := range memberNames(dec) {
		if isList && foldColumn(key) == foldColumn(list) {
			return true
		}
		dec.SkipValue()
	}
	return false
}

// isWrapper reports whether the next object holds a list of conversations, and not of messages.
func isWrapper(dec *jsontext.Decoder) bool {
	for key := range memberNames(dec) {
		key = foldColumn(key)
		switch kind := dec.PeekKind(); {
		case !anyIn([]string{key}, "wrapper") || kind != '[' && kind != '{':
			dec.SkipValue()
			continue
		case kind == '{':
			if isWrapper(dec) {
				return true
			}
			dec.ReadToken()
			continue
		}
		dec.ReadToken()
		if dec.PeekKind() != '{' {
			return false
		}
		for name := range memberNames(dec) { // of the first element
			if name == "from" || name == "role" || isMessage(key, foldColumn(name)) {
				return false
			}
			dec.SkipValue()
		}
		return true
	}
	return false
}

// nameMember is the member that holds the id of a dialogue if a file stores dialogues by name.
const nameMember = "dialogue_id"

// withName returns an object with its name in the file added, and any other value unchanged.
func withName(raw jsontext.Value, name string) jsontext.Value {
	if raw.Kind() != '{' {
		return raw
	}
	out, _ := jsontext.AppendQuote([]byte(`{"`+nameMember+`":`), dialogue.Clean(name))
	if inside := bytes.TrimSpace(raw[1:]); inside[0] != '}' {
		out = append(out, ',')
	}
	return append(out, raw[1:]...)
}

// holdsByName reports whether the next object holds dialogues by their ids: its first member is an
// object with the message list of a format that is stored like this.
func holdsByName(dec *jsontext.Decoder) bool {
	for range memberNames(dec) {
		for name := range memberNames(dec) {
			if anyIn([]string{foldColumn(name)}, "by-name") && dec.PeekKind() == '[' {
				return true
			}
			if dec.SkipValue() != nil {
				return false
			}
		}
		return false
	}
	return false
}

// holdsMessages reports whether the stream is a list of messages of a model and nothing else: they
// have no members that distinguish several conversations.
func holdsMessages(dec *jsontext.Decoder) bool {
	if dec.PeekKind() != '[' {
		return false
	}
	dec.ReadToken()
	has := map[string]bool{}
	for name := range memberNames(dec) {
		name = foldColumn(name)
		if !anyIn([]string{name}, "model-message") || dec.SkipValue() != nil {
			return false
		}
		has[name] = true
	}
	return has["role"] && (has["content"] || has["parts"]) &&
		(!has["id"] || has["type"] || has["parts"])
}

// isMessage reports whether the messages in a list of that name have such a member in some format.
func isMessage(list, name string) bool {
	for _, l := range layouts() {
		for _, set := range l.Signs {
			for _, sign := range set {
				if st := sign[0].steps; len(st) > 1 && st[0].name == list && st[0].isList &&
					st[1].name == name {
					return true
				}
			}
		}
	}
	return false
}
