package jsonfile

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer/formats"
	"assize/rubric/dialogue/importer/lex"
	"assize/rubric/dialogue/importer/stream"
	"assize/rubric/dialogue/importer/table"
	"assize/rubric/dialogue/importer/transcript"
)

// IsJSON reports whether a stream begins like JSON, possibly after a time.
func IsJSON(text string) bool {
	first, _, _ := strings.Cut(text, "\n")
	return strings.HasPrefix(string(withoutStamp([]byte(first))), "{") ||
		transcript.CutStamp(text) == 0 && lex.Match("array", text)
}

// goesOn reports whether an error affects only one value, after which others can be read.
func (s *splitter) goesOn(err error) bool {
	_, isLong := err.(*stream.Outline)
	return (s.byLine || isLong) && err != io.EOF && s.feed.Err == nil && s.lines.Err == nil
}

// splitter splits a stream of JSON into values and holds only one at a time: one value after
// another, or the elements of an array, which may be in a wrapper such as {"tickets":[…]}.
type splitter struct {
	lines  stream.Lines // of JSON lines
	byLine bool         // one value per line, so that a broken one does not affect the next
	wraps  bool         // the objects of the stream are wrappers
	whole  bool         // a list is a value, since its elements are messages
	byName bool         // the objects of the stream hold dialogues by their ids
	wrap   []string     // the names that lead to the list in a wrapper, if known
	feed   *stream.Feed
	dec    *jsontext.Decoder
	file   *stream.File
	again  []value // to be returned again
}

type value struct {
	raw  jsontext.Value
	line int
	err  error
}

// newSplitter looks at the head of the stream to distinguish JSON lines from other JSON.
func newSplitter(f *stream.File, wrap []string) *splitter {
	s := &splitter{file: f, lines: stream.NewLines(f), feed: stream.NewFeed(f), wrap: wrap}
	s.dec = jsontext.NewDecoder(s.feed, lex.Lenient)
	head, _ := f.In.Peek(stream.HeadSize)
	first, rest, ends := bytes.Cut(bytes.TrimLeft(head, " \t\r\n"), []byte("\n"))
	next, _, _ := bytes.Cut(bytes.TrimLeft(rest, " \t\r\n"), []byte("\n"))
	first = withoutStamp(first)
	isValid := func(b []byte) bool { return jsontext.Value(withoutStamp(b)).IsValid(lex.Lenient) }
	list, _, isList := strings.Cut(f.Opt.Columns["text"], "[")
	list, _, _ = strings.Cut(list, ".")
	value := closed(head)
	// The first object itself may have the list in which --columns has the text.
	isRooted := isList && lex.Members(value).Get(lex.FoldColumn(list)) != nil
	switch s.wraps = len(wrap) > 0; {
	case s.wraps:
	case !isRooted && holdsByName(value):
		s.byName = true
	case !isRooted && isWrapper(value):
		s.wraps = true
	case len(f.Opt.Columns) == 0 && holdsMessages(value):
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
	for s.byLine && s.lines.Next() {
		if s.lines.Long != nil {
			return nil, s.lines.Number, s.lines.Long
		}
		if raw = withoutStamp(s.lines.Text); len(raw) > 0 {
			return raw, s.lines.Number, s.valid(raw, s.lines.Number)
		}
	}
	if s.byLine {
		return nil, s.lines.Number, cmp.Or(s.lines.Err, io.EOF)
	}
	for s.feed.Err == nil {
		s.feed.Left = s.feed.Max
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
			if line = s.feed.Line; s.byName && depth == 1 {
				if raw, err = s.value(); err == nil || s.goesOn(err) {
					s.valid(raw, line)
					return withName(raw, key), line, err
				}
				break
			}
			if s.leadsOn(lex.FoldColumn(key), depth) {
				_, err = s.dec.ReadToken()
			} else if raw, err = s.value(); raw.Kind() == '[' {
				for e := range lex.Elements(raw) { // it may hold conversations of a known format
					if l, _ := formats.Of(e); e.Kind() == '{' && l != nil {
						s.file.Omissions.First("list", lex.Quote(key))
					}
					break
				}
			}
			if _, isLong := err.(*stream.Outline); isLong {
				err = nil
			}
		default:
			line = s.feed.Line
			if raw, err = s.value(); err == nil {
				return raw, line, s.valid(raw, line)
			} else if s.goesOn(err) {
				return raw, line, err
			}
		}
		if err != nil {
			return nil, s.feed.Line, cmp.Or(s.feed.Err, err)
		}
	}
	return nil, s.feed.Line, s.feed.Err
}

// valid returns the error of a value. A member that occurs twice in an object is reported.
func (s *splitter) valid(raw jsontext.Value, line int) error {
	once := jsontext.AllowInvalidUTF8(true) // refuses a member that occurs twice
	if raw.IsValid(once) {
		return nil // the common case
	}
	err := json.Unmarshal(raw, new(jsontext.Value), once)
	if syntax := (*jsontext.SyntacticError)(nil); errors.Is(err, jsontext.ErrDuplicateName) &&
		errors.As(err, &syntax) {
		at := fmt.Sprintf("%s on line %d", lex.Quote(syntax.JSONPointer.LastToken()), line)
		if s.file.Omissions.First("twice", at); s.file.Opt.Strict {
			s.file.Note(lex.Text("member-twice", at))
		}
		err = json.Unmarshal(raw, new(jsontext.Value), lex.Lenient)
	}
	return err
}

// value reads the next value. A value that is too long is skipped, and the error is its outline.
func (s *splitter) value() (raw jsontext.Value, err error) {
	if raw, err = s.dec.ReadValue(); s.feed.Err != stream.ErrTooLong {
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
	o := &stream.Outline{Max: s.feed.Max}
	chunk := bytes.TrimLeft(s.dec.UnreadBuffer(), " \t\r\n,:")
	buffer := make([]byte, stream.HeadSize)
	for n := 0; ; {
		if n, s.feed.Err = o.End(chunk), nil; n >= 0 {
			s.dec = jsontext.NewDecoder(io.MultiReader(strings.NewReader(around),
				bytes.NewReader(bytes.Clone(chunk[n:])), s.feed), lex.Lenient)
			break
		}
		s.feed.Left = s.feed.Max
		if n, err = s.feed.Read(buffer); err != nil { // it has no end
			s.feed.Err = cmp.Or(s.feed.Err, stream.ErrTooLong)
			return nil, s.feed.Err
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

// ReadCells yields JSON as the rows of a table, whose columns are the places of plain values: one
// for each object or, if columns name places in a list of it, for each element of that list.
func ReadCells(f *stream.File, columns []string, yield func(table.Cells, error) bool) {
	in, names, rows := newSplitter(f, nil), []string(nil), []map[string]string(nil)
	lines := []int{0} // of the header, and of each row
	for {
		raw, line, err := in.next()
		if err == nil {
			err = json.Unmarshal(raw, new(jsontext.Value)) // refuses a member that occurs twice
		}
		if err == io.EOF {
			break
		} else if err != nil {
			f.Emit(dialogue.Sample{}, fmt.Errorf("%s:%d: %w", f.Name, line, invalid(err)))
			return
		}
		for _, name := range lex.KeysIn(raw, "") {
			if !slices.Contains(names, name) && len(names) < lex.MaxGathered {
				names = append(names, name)
			}
		}
		rows = append(rows, unrolled(raw, "", map[string]string{}, columns)...)
		lines = append(lines, slices.Repeat([]int{line}, 1+len(rows)-len(lines))...)
	}
	f.Position = 1
	for i, line := range lines {
		row := table.Cells{Names: names, Line: line, Row: line}
		if i > 0 {
			row.Cells = table.CellsOf(rows[i-1], names)
		}
		if !yield(row, nil) {
			f.Fail(stream.ErrStopped)
			return
		}
	}
}

// unrolled returns the rows of a value by the names of their columns; around is what all share.
func unrolled(v jsontext.Value, at string, around map[string]string, columns []string) (
	rows []map[string]string) {
	own, lists := maps.Clone(around), map[string]jsontext.Value{}
	var gather func(v jsontext.Value, at string)
	gather = func(v jsontext.Value, at string) {
		isNamed := func(c string) bool { return strings.HasPrefix(c, at+"[]") }
		if v.Kind() == '[' && slices.ContainsFunc(columns, isNamed) {
			lists[at+"[]"] = v
			return
		}
		if own[at] = lex.PlainText(v); v.Kind() == '{' && strings.Count(at, ".") <= lex.Deepest {
			for _, m := range lex.Members(v) {
				if name := strings.TrimPrefix(at+"."+dialogue.Clean(m.Name), "."); name != at {
					gather(m.Value, name)
				}
			}
		}
	}
	gather(v, at)
	for _, name := range slices.Sorted(maps.Keys(lists)) {
		for e := range lex.Elements(lists[name]) {
			rows = append(rows, unrolled(e, name, own, columns)...)
		}
	}
	if len(lists) == 0 {
		rows = append(rows, own)
	}
	return rows
}

// withoutStamp returns a line without white space around it and without a time before its object.
func withoutStamp(line []byte) []byte {
	line = bytes.TrimSpace(line)
	if i := bytes.IndexByte(line, '{'); i > 0 && i < lex.MaxStamp && lex.IsDigit(line[0]) {
		if m, ok := lex.ParseTime(string(line[:i])); ok && m.HasDate && m.HasTime {
			return line[i:]
		}
	}
	return line
}

// leadsOn reports whether the next member of a wrapper is the list of conversations or has it.
func (s *splitter) leadsOn(name string, depth int) bool {
	kind := s.dec.PeekKind()
	if s.wrap == nil {
		return lex.In(name, "wrapper") && (kind == '[' || kind == '{')
	}
	isLast := depth == len(s.wrap)
	return depth <= len(s.wrap) && name == s.wrap[depth-1] &&
		(isLast && kind == '[' || !isLast && kind == '{')
}

// closed returns the first value of a text, with what the end of the text leaves open closed.
func closed(head []byte) jsontext.Value {
	dec := jsontext.NewDecoder(bytes.NewBuffer(head), lex.Lenient)
	for isOpen := true; isOpen; isOpen = dec.StackDepth() > 0 {
		if _, err := dec.ReadToken(); err != nil {
			break
		}
	}
	value := bytes.Clone(head[:dec.InputOffset()])
	for depth := dec.StackDepth(); depth > 0; depth-- {
		kind, n := dec.StackIndex(depth)
		if kind == '{' && n%2 == 1 { // a name without its value
			value = append(value, ":null"...)
		}
		value = append(value, map[jsontext.Kind]byte{'{': '}', '[': ']'}[kind])
	}
	return value
}

// isWrapper reports whether an object holds a list of conversations, and not of messages.
func isWrapper(v jsontext.Value) bool {
	for _, m := range lex.Members(v) {
		isOfMessage := func(of lex.Member) bool {
			return of.Name == "from" || of.Name == "role" || isMessage(m.Folded, of.Folded)
		}
		switch kind := m.Value.Kind(); {
		case !lex.In(m.Folded, "wrapper"):
		case kind == '{' && isWrapper(m.Value):
			return true
		case kind == '[':
			for first := range lex.Elements(m.Value) {
				return first.Kind() == '{' && !slices.ContainsFunc(lex.Members(first), isOfMessage)
			}
			return false
		}
	}
	return false
}

// withName returns an object with its name in the file as an id, and any other value unchanged.
func withName(raw jsontext.Value, name string) jsontext.Value {
	if raw.Kind() != '{' {
		return raw
	}
	out, _ := jsontext.AppendQuote([]byte(`{"dialogue_id":`), dialogue.Clean(name))
	if inside := bytes.TrimSpace(raw[1:]); inside[0] != '}' {
		out = append(out, ',')
	}
	return append(out, raw[1:]...)
}

// holdsByName reports whether an object holds dialogues by their ids: its first member is an object
// with the message list of a format that is stored like this.
func holdsByName(v jsontext.Value) bool {
	for _, m := range lex.MembersWithin(v, 1) {
		return slices.ContainsFunc(lex.Members(m.Value), func(m lex.Member) bool {
			return lex.In(m.Folded, "by-name") && m.Value.Kind() == '['
		})
	}
	return false
}

// holdsMessages reports whether a value is a list of messages of a model and nothing else: they
// have no members that distinguish several conversations.
func holdsMessages(v jsontext.Value) bool {
	has := map[string]bool{}
	for first := range lex.Elements(v) {
		for _, m := range lex.Members(first) {
			if has[m.Folded] = true; !lex.In(m.Folded, "model-message") {
				return false
			}
		}
		break
	}
	return v.Kind() == '[' && has["role"] && (has["content"] || has["parts"]) &&
		(!has["id"] || has["type"] || has["parts"])
}

// isMessage reports whether the messages in a list of that name have such a member in some format.
func isMessage(list, name string) bool {
	for _, l := range formats.All() {
		for _, sign := range slices.Concat(l.Signs...) {
			if st := sign[0].Steps; len(st) > 1 && st[0].Name == list && st[0].IsList &&
				st[1].Name == name {
				return true
			}
		}
	}
	return false
}
