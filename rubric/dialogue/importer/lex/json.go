package lex

import (
	"bytes"
	"errors"
	"html"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	markup "golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"assize/rubric/dialogue"
)

// Paths lists the places where a JSON value may be found, separated by bars; the first that has a
// value counts. A path is a sequence of names separated by dots, compared without regard to case,
// dashes and underscores. After a name, [] selects every element of its list, [0] the first, and
// [key=a,b] the elements in which key has one of these values, and [key=a&other=b] those that meet
// both conditions. At the end, =a,b requires one of these values, where a* matches any value that
// begins with a, and nothing an empty one; =!a,b or !=a,b requires any other value. :html means
// that the text is HTML, :json that any value is text, and :whole that all parts are text, joined
// without spaces. "=words" stands for the words themselves. A string that holds JSON is parsed if
// the path continues into it. The name * matches every member, and :last selects what follows the
// last slash of a text.
type Paths []Path

// Path is one of [Paths].
type Path struct {
	Text   string // as written
	Steps  []step
	Kind   string   // html, json, last, whole, empty, or all for the paths in --columns
	Values []string // the values that are accepted; any if empty
	Words  string   // of "=words"
}

// anyName is the name of a step that matches every member.
const anyName = "*"

type step struct {
	Name   string // folded, or anyName; empty for a list in a list
	IsList bool
	number string // selects the element of this number
	where  Paths  // selects the elements that meet all of these conditions
}

// EqualTo writes conditions "x!=y" as "x=!y".
func EqualTo(s string) string { return strings.ReplaceAll(s, "!=", "=!") }

// UnmarshalText parses paths.
func (ps *Paths) UnmarshalText(text []byte) error {
	*ps = nil
	for s := range strings.SplitSeq(string(text), "|") {
		p := Path{Text: strings.TrimSpace(s)}
		form := Expr("place-form").FindStringSubmatch(EqualTo(p.Text))
		switch {
		case strings.HasPrefix(p.Text, "="):
			p.Words = p.Text[1:]
		case form == nil:
			return errors.New(Quote(p.Text) + " names no place in JSON")
		default:
			if p.Kind = form[2]; form[3] != "" || strings.HasSuffix(p.Text, "=") {
				p.Values = strings.Split(form[3], ",")
			}
			for _, m := range Expr("step-form").FindAllStringSubmatch(form[1], -1) {
				s := step{Name: FoldColumn(m[1]), IsList: m[2] != ""}
				if m[1] == anyName {
					s.Name = anyName
				}
				for part := range strings.SplitSeq(m[3], "&") {
					var where Paths
					if s.number = part; strings.Contains(part, "=") {
						s.number = ""
						where.UnmarshalText([]byte(part))
					} else if strings.Trim(part, "0123456789") != "" {
						return errors.New(Quote(m[2]) + " is neither a number nor a condition")
					}
					s.where = append(s.where, where...)
				}
				p.Steps = append(p.Steps, s)
			}
		}
		*ps = append(*ps, p)
	}
	return nil
}

// String returns the paths as written; if there are many, only the first.
func (ps Paths) String() string {
	const most = 4
	var all []string
	for _, p := range ps {
		if p.Text != "" { // no place of a card
			all = append(all, p.Text)
		}
	}
	if len(all) > most {
		all = append(all[:most], "…")
	}
	return strings.Join(all, " or ")
}

// In yields the values at a path in an object, without nulls.
func (p Path) In(o Object) iter.Seq[jsontext.Value] {
	return func(yield func(jsontext.Value) bool) {
		if len(p.Steps) > 0 {
			walk(o.Get(p.Steps[0].Name), p.Steps, func(v jsontext.Value) bool {
				return p.Values != nil && !IsOneOf(p.Values, PlainText(v)) || yield(v)
			})
		}
	}
}

// IsOneOf reports whether a value is one of those of a path, which may exclude them.
func IsOneOf(values []string, s string) bool {
	_, isNot := strings.CutPrefix(values[0], "!")
	for _, v := range values {
		begin, isBegin := strings.CutSuffix(strings.TrimPrefix(v, "!"), "*")
		if begin == s || isBegin && strings.HasPrefix(s, begin) {
			return !isNot
		}
	}
	return isNot
}

// walk follows steps from the value that the first of them names.
func walk(v jsontext.Value, steps []step, yield func(jsontext.Value) bool) bool {
	s := steps[0]
	on := func(v jsontext.Value) bool {
		switch {
		case v == nil:
			return true
		case len(steps) == 1:
			return yield(v)
		case steps[1].Name == "":
			return walk(v, steps[1:], yield)
		case steps[1].Name == anyName:
			isLast := func(m Member) bool { return !walk(m.Value, steps[1:], yield) }
			return !slices.ContainsFunc(Members(Unpacked(v)), isLast)
		}
		return walk(Members(Unpacked(v)).Get(steps[1].Name), steps[1:], yield)
	}
	if !s.IsList {
		return on(v)
	}
	n := 0
	for e := range Elements(Unpacked(v)) {
		isIn := s.number == "" || s.number == strconv.Itoa(n)
		if len(s.where) > 0 {
			o := Members(e)
			isIn = !slices.ContainsFunc(s.where, func(p Path) bool { return !p.IsMet(o) })
		}
		if n++; isIn && !on(e) {
			return false
		}
	}
	return true
}

// IsMet reports whether an object has a value at a path. If the path accepts an empty value, the
// object need not have any.
func (p Path) IsMet(o Object) bool {
	for range p.In(o) {
		return true
	}
	return p.Values != nil && IsOneOf(p.Values, "") && (Paths{{Steps: p.Steps}}).First(o) == nil
}

// First returns the first value found, or nil.
func (ps Paths) First(o Object) jsontext.Value {
	for _, p := range ps {
		for v := range p.In(o) {
			return v
		}
	}
	return nil
}

// Words returns the first text that is not empty; several values at one path become one line each.
// It reports whether any value exists, and whether one of them is not text.
func (ps Paths) Words(o Object) (text string, is, bad bool) {
	for _, p := range ps {
		if p.Words != "" {
			return p.Words, true, false
		}
		var all []string
		for v := range p.In(o) {
			s, ok := WordsIn(v)
			switch is = is || s != "" || p.Kind != "html"; {
			case v.Kind() == '[' && (p.Kind == "whole" || p.Kind == "all"):
				s = allText(v, p.Kind == "whole")
			case p.Kind == "all":
				s = WithoutTags(s)
			case p.Kind == "json" && !ok:
				s = string(v)
			case p.Kind == "html":
				s = HTMLText(s)
			case p.Kind == "last":
				s = s[strings.LastIndexByte(s, '/')+1:]
			}
			if p.Kind != "html" && p.Kind != "json" { // whose entities are decoded or words
				s = WithoutEntities(s)
			}
			bad = bad || !ok && p.Kind != "json"
			if s != "" {
				all = append(all, s)
			}
		}
		if bad || len(all) > 0 {
			return strings.Join(all, "\n"), true, bad
		}
	}
	return "", is, false
}

// Text is like Words, for a text alone.
func (ps Paths) Text(o Object) string {
	s, _, _ := ps.Words(o)
	return s
}

// WithoutEntities returns the text with HTML entities such as &#39; decoded. JSON is unchanged.
func WithoutEntities(text string) string {
	if !strings.Contains(text, "&") || IsData(text) {
		return text
	}
	return Expr("entity").ReplaceAllStringFunc(text, html.UnescapeString)
}

// Lenient accepts invalid UTF-8 and duplicate names, of which the last counts, as in exports.
var Lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// Object is the members of a JSON object, whose names match in any case, without dashes and _.
type Object []Member

// Member is a member of an object.
type Member struct {
	Name, Folded string
	Value        jsontext.Value // not yet parsed, so that a long list costs little memory
}

// NewMember returns a member, with its name also in the form that is compared.
func NewMember(name string, value jsontext.Value) Member {
	return Member{name, FoldColumn(name), value}
}

// Members returns the members of an object. A string in place of an object is its name.
func Members(raw jsontext.Value) Object { return MembersWithin(raw, MaxGathered) }

// MembersWithin returns up to most members of an object.
func MembersWithin(raw jsontext.Value, most int) (o Object) {
	if raw.Kind() == '"' {
		return Object{NewMember("name", raw)}
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(raw), Lenient)
	for name := range MemberNames(dec) {
		value, err := dec.ReadValue()
		if err != nil || len(o) == most {
			break
		}
		end := int(dec.InputOffset())
		o = append(o, NewMember(name, raw[end-len(value):end]))
	}
	return o
}

// Get returns the value of the first name that is present and not null, or nil.
func (o Object) Get(folded ...string) jsontext.Value {
	for _, name := range folded {
		for _, m := range slices.Backward(o) {
			if m.Folded == name && m.Value.Kind() != 'n' {
				return m.Value
			}
		}
	}
	return nil
}

// Text returns the first text that is not empty under these names, or "".
func (o Object) Text(folded ...string) string {
	for _, name := range folded {
		if s := PlainText(o.Get(name)); s != "" {
			return s
		}
	}
	return ""
}

// Fields appends the members that are no objects or lists to list, except those in used.
func (o Object) Fields(list []dialogue.Field, used []string) []dialogue.Field {
	for _, m := range o {
		if !slices.Contains(used, m.Folded) {
			list = append(list, dialogue.Field{Name: m.Name, Value: PlainText(m.Value)})
		}
	}
	return list
}

// PlainText returns the text of a string, a number, true or false, and "" for any other value.
func PlainText(v jsontext.Value) string {
	switch v.Kind() {
	case '"':
		// The error is about invalid UTF-8, which becomes U+FFFD.
		s, _ := jsontext.AppendUnquote(nil, v)
		return string(s)
	case '0', 't', 'f':
		return string(v)
	}
	return ""
}

// QuoteJSON returns a text as a JSON string, which has no line breaks.
func QuoteJSON(s string) jsontext.Value {
	quoted, _ := jsontext.AppendQuote(nil, s) // the error is about bytes that become U+FFFD
	return quoted
}

// Elements yields the elements of an array, or of the first one in an object, as next to a page.
func Elements(list jsontext.Value) iter.Seq[jsontext.Value] {
	return func(yield func(jsontext.Value) bool) {
		dec := jsontext.NewDecoder(bytes.NewBuffer(list), Lenient)
		for range MemberNames(dec) {
			if dec.PeekKind() == '[' {
				break
			}
			dec.SkipValue()
		}
		if dec.PeekKind() != '[' {
			return
		}
		dec.ReadToken()
		for dec.PeekKind() != ']' {
			if v, err := dec.ReadValue(); err != nil || !yield(v) {
				return
			}
		}
	}
}

// IsList reports whether a value is a list, or an object that contains one.
func IsList(v jsontext.Value) bool {
	isArray := func(m Member) bool { return m.Value.Kind() == '[' }
	return v.Kind() == '[' || v.Kind() == '{' && slices.ContainsFunc(Members(v), isArray)
}

// Flat returns the elements of a list and, in place of nested lists, their elements.
func Flat(list jsontext.Value) (all []jsontext.Value) {
	for e := range Elements(list) {
		if e.Kind() == '[' {
			all = slices.AppendSeq(all, Elements(e))
		} else {
			all = append(all, e)
		}
	}
	return all
}

// MemberNames yields the names of an object's members, whose values must be read or skipped.
func MemberNames(dec *jsontext.Decoder) iter.Seq[string] {
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

// Unpacked returns the JSON that a string holds; it returns any other value unchanged.
func Unpacked(v jsontext.Value) jsontext.Value {
	if v.Kind() == '"' {
		s := strings.TrimSpace(PlainText(v))
		if inside := jsontext.Value(s); s != "" && (s[0] == '{' || s[0] == '[') &&
			inside.IsValid(Lenient) {
			return inside
		}
	}
	return v
}

// WordsIn returns the text of a value: a string, a number, true or false, or a list of parts, of
// which only text counts. It reports whether the value has text wherever it should.
func WordsIn(v jsontext.Value) (text string, ok bool) {
	switch v.Kind() {
	case '[':
		var all []string
		for e := range Elements(v) {
			if e.Kind() != '{' && e.Kind() != '"' {
				continue
			}
			s, ok := WordsIn(e)
			if !ok && Members(e).Get("type") != nil {
				return "", false
			}
			if s != "" {
				all = append(all, s)
			}
		}
		return strings.Join(all, "\n"), true
	case '{':
		o := Members(v)
		kind, said := o.Text("type"), o.Get("text", "refusal", "content")
		isText := In(kind, "text-kind")
		switch {
		case o.Get("role") != nil: // a message
			return "", false
		case isUnsaid(o):
			return "", true
		}
		if kind == "" || isText {
			text = PlainText(said)
		}
		return text, text != "" || kind != "" && !isText || said.Kind() == '"'
	}
	return PlainText(v), true
}

// isUnsaid reports whether a part of a message is a thought of the model, or its prompt.
func isUnsaid(o Object) bool {
	return o.Text("thought") == "true" || In(o.Text("partkind", "kind", "type"), "unsaid-kind")
}

// allText returns the text of a list of parts that --columns names, both strings and objects such
// as inline links, joined without a separator. Images, files and the model's thoughts have no text.
func allText(list jsontext.Value, isWhole bool) string {
	var all []string
	hasWords, hasParts, hasStyles := false, false, isWhole
	for e := range Elements(list) {
		o := Members(e)
		kind, s := o.Text("type"), o.Text("text", "content", "value", "refusal")
		if e.Kind() == '"' {
			s, hasWords = PlainText(e), true
		}
		hasParts = hasParts || e.Kind() == '{'
		if s == "" || In(kind, "other-kind") || isUnsaid(o) {
			continue
		}
		hasStyles = hasStyles || kind != "" && !In(kind, "text-kind")
		all = append(all, s)
	}
	if hasStyles || hasWords && hasParts {
		return strings.Join(all, "")
	}
	return strings.Join(all, "\n")
}

// Deepest is the number of levels that are searched, because each level is parsed again.
const Deepest = 8

// Leaves yields the plain values below a value with their paths: of the members of objects, and of
// the first elements of lists. It reports whether yield returned true for all.
func Leaves(v jsontext.Value, at string, yield func(at string, v jsontext.Value) bool) bool {
	const maxElements = 20
	n := 0
	switch v.Kind() {
	case '{':
		for _, m := range Members(v) {
			inner := strings.TrimPrefix(at+"."+dialogue.Clean(m.Name), ".")
			isSame := inner == at && m.Value.Kind() == '{' // below a name that is empty
			if strings.Count(at, ".") < Deepest && !isSame && !Leaves(m.Value, inner, yield) {
				return false
			}
		}
	case '[':
		for e := range Elements(v) {
			if n++; n > maxElements || strings.Count(at, "[]") == Deepest {
				break
			} else if !Leaves(e, at+"[]", yield) {
				return false
			}
		}
	default:
		return yield(at, v)
	}
	return true
}

// KeysIn lists the paths below a value.
func KeysIn(v jsontext.Value, at string) (list []string) {
	const most = 200
	list = []string{}
	Leaves(v, at, func(at string, _ jsontext.Value) bool {
		if !slices.Contains(list, at) {
			list = append(list, at)
		}
		return len(list) < most
	})
	return list
}

// IsData reports whether a text is JSON rather than words: an object, or a list that contains one.
func IsData(text string) bool {
	text = strings.TrimSpace(text)
	if text == "" || text[0] != '{' && text[0] != '[' {
		return false
	}
	v := jsontext.Value(text)
	if !v.IsValid(Lenient) {
		return false
	}
	if v.Kind() == '{' {
		return len(MembersWithin(v, 1)) > 0
	}
	for e := range Elements(v) {
		if e.Kind() == '{' {
			return true
		}
	}
	return false
}

// HasWords reports whether a string in a value has several words.
func HasWords(v jsontext.Value) bool {
	dec := jsontext.NewDecoder(bytes.NewBuffer(v), Lenient)
	for {
		t, err := dec.ReadToken()
		if err != nil {
			return false
		}
		if t.Kind() == '"' && strings.ContainsFunc(strings.TrimSpace(t.String()), unicode.IsSpace) {
			return true
		}
	}
}

// MaxGathered is the maximum number of fields before it is known which count.
const MaxGathered = 1000

// WithoutTags returns the text of a message, which may be HTML.
func WithoutTags(s string) string {
	if strings.HasPrefix(s, "<") && Match("block-tag", s) {
		return HTMLText(s)
	}
	return s
}

// HTMLText returns the text of an HTML document as a reader sees it: without tags, with entities
// decoded, and with a line break where a paragraph, a list item or a <br> begins a line.
func HTMLText(s string) string { return HTMLLines(s, "", "") }

// HTMLLines is like HTMLText but puts entry before list items and quote before quoted lines.
func HTMLLines(s, entry, quote string) string {
	if !strings.ContainsAny(s, "<&") {
		return strings.TrimSpace(s)
	}
	var text strings.Builder
	var lines []string
	quotes := 0 // open blockquotes
	end := func() {
		mark := strings.Repeat(quote, min(quotes, 1))
		for line := range strings.Lines(text.String()) {
			if words := strings.Join(strings.Fields(line), " "); words != "" {
				lines = append(lines, mark+words)
			}
		}
		text.Reset()
	}
	z := markup.NewTokenizer(strings.NewReader(s))
	hidden := false // in a script or a style, whose text is a single token
	// Anything that is not HTML is text, so an error means the end of the input.
	for kind := z.Next(); kind != markup.ErrorToken; kind = z.Next() {
		if kind == markup.TextToken && !hidden {
			text.WriteString(strings.ReplaceAll(string(z.Text()), "\n", " "))
		}
		name, _ := z.TagName()
		tag := atom.Lookup(name)
		hidden = false
		switch tag {
		case atom.Script, atom.Style:
			hidden = kind == markup.StartTagToken
		case atom.Br, atom.P, atom.Div, atom.Li, atom.Ul, atom.Ol, atom.Tr, atom.Table,
			atom.Blockquote, atom.Pre, atom.Hr,
			atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
			text.WriteByte('\n')
		}
		switch {
		case tag == atom.Li && kind == markup.StartTagToken:
			text.WriteString(entry)
		case tag == atom.Blockquote && kind == markup.StartTagToken:
			end()
			quotes++
		case tag == atom.Blockquote && kind == markup.EndTagToken:
			end()
			quotes = max(quotes-1, 0)
		}
	}
	end()
	return strings.Join(lines, "\n")
}
