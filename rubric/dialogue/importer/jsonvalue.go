package importer

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

	"assize/rubric/dialogue"
)

// This file reads JSON values, and the paths by which layouts and users name places in them.

// paths lists the places where a JSON value may be found, separated by bars; the first that has a
// value counts. A path is a sequence of names separated by dots, compared without regard to case,
// dashes and underscores. After a name, [] selects every element of its list, [0] the first, and
// [key=a,b] the elements in which key has one of these values. At the end, =a,b requires one of
// these values, where a* matches any value that begins with a, and nothing an empty one; =!a,b or
// !=a,b requires any other value. :html means that the text is HTML, :json that any value is text,
// and :whole that all parts are text, joined without spaces. "=words" stands for the words
// themselves. A string that holds JSON is parsed if the path continues into it. The name * matches
// every member, and :last selects what follows the last slash of a text.
type paths []path

type path struct {
	text   string // as written
	steps  []step
	kind   string   // html, json, last, whole, empty, or all for the paths in --columns
	values []string // the values that are accepted; any if empty
	words  string   // of "=words"
}

// anyName is the name of a step that matches every member.
const anyName = "*"

type step struct {
	name   string // folded, or anyName; empty for a list in a list
	isList bool
	key    string   // select only the elements in which this member
	values []string // has one of these values or, if there are none, the element of this number
}

// equalTo writes conditions "x!=y" as "x=!y".
func equalTo(s string) string { return strings.ReplaceAll(s, "!=", "=!") }

// UnmarshalText parses paths.
func (ps *paths) UnmarshalText(text []byte) error {
	*ps = nil
	for s := range strings.SplitSeq(string(text), "|") {
		p := path{text: strings.TrimSpace(s)}
		form := expr("place-form").FindStringSubmatch(equalTo(p.text))
		switch {
		case strings.HasPrefix(p.text, "="):
			p.words = p.text[1:]
		case form == nil:
			return errors.New(quote(p.text) + " names no place in JSON")
		default:
			if p.kind = form[2]; form[3] != "" || strings.HasSuffix(p.text, "=") {
				p.values = strings.Split(form[3], ",")
			}
			for _, m := range expr("step-form").FindAllStringSubmatch(form[1], -1) {
				key, values, hasValues := strings.Cut(m[3], "=")
				s := step{name: foldColumn(m[1]), isList: m[2] != "", key: foldColumn(key)}
				if m[1] == anyName {
					s.name = anyName
				}
				if hasValues {
					s.values = strings.Split(values, ",")
				} else if strings.Trim(key, "0123456789") != "" {
					return errors.New(quote(m[2]) + " is neither a number nor a condition")
				}
				p.steps = append(p.steps, s)
			}
		}
		*ps = append(*ps, p)
	}
	return nil
}

// String returns the paths as written; if there are many, only the first.
func (ps paths) String() string {
	const most = 4
	var all []string
	for _, p := range ps {
		if p.text != "" { // no place of a card
			all = append(all, p.text)
		}
	}
	if len(all) > most {
		all = append(all[:most], "…")
	}
	return strings.Join(all, " or ")
}

// in yields the values at a path in an object, without nulls.
func (p path) in(o object) iter.Seq[jsontext.Value] {
	return func(yield func(jsontext.Value) bool) {
		if len(p.steps) > 0 {
			walk(o.get(p.steps[0].name), p.steps, func(v jsontext.Value) bool {
				return p.values != nil && !isOneOf(p.values, plainText(v)) || yield(v)
			})
		}
	}
}

// isOneOf reports whether a value is one of those of a path, which may exclude them.
func isOneOf(values []string, s string) bool {
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
		case steps[1].name == "":
			return walk(v, steps[1:], yield)
		case steps[1].name == anyName:
			isLast := func(m member) bool { return !walk(m.value, steps[1:], yield) }
			return !slices.ContainsFunc(members(unpacked(v)), isLast)
		}
		return walk(members(unpacked(v)).get(steps[1].name), steps[1:], yield)
	}
	if !s.isList {
		return on(v)
	}
	n := 0
	for e := range elements(unpacked(v)) {
		isIn := s.key == "" || s.values == nil && s.key == strconv.Itoa(n) ||
			s.values != nil && isOneOf(s.values, members(e).text(s.key))
		if n++; isIn && !on(e) {
			return false
		}
	}
	return true
}

// first returns the first value found, or nil.
func (ps paths) first(o object) jsontext.Value {
	for _, p := range ps {
		for v := range p.in(o) {
			return v
		}
	}
	return nil
}

// words returns the first text that is not empty; several values at one path become one line each.
// It reports whether any value exists, and whether one of them is not text.
func (ps paths) words(o object) (text string, is, bad bool) {
	for _, p := range ps {
		if p.words != "" {
			return p.words, true, false
		}
		var all []string
		for v := range p.in(o) {
			s, ok := wordsIn(v)
			switch is = is || s != "" || p.kind != "html"; {
			case v.Kind() == '[' && (p.kind == "whole" || p.kind == "all"):
				s = allText(v, p.kind == "whole")
			case p.kind == "all":
				s = withoutTags(s)
			case p.kind == "json" && !ok:
				s = string(v)
			case p.kind == "html":
				s = htmlText(s)
			case p.kind == "last":
				s = s[strings.LastIndexByte(s, '/')+1:]
			}
			if p.kind != "html" && p.kind != "json" { // whose entities are decoded or words
				s = withoutEntities(s)
			}
			bad = bad || !ok && p.kind != "json"
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

func (ps paths) text(o object) string {
	s, _, _ := ps.words(o)
	return s
}

// withoutEntities returns the text with HTML entities such as &#39; decoded. JSON is unchanged.
func withoutEntities(text string) string {
	if !strings.Contains(text, "&") || isData(text) {
		return text
	}
	return expr("entity").ReplaceAllStringFunc(text, html.UnescapeString)
}

// lenient accepts invalid UTF-8 and duplicate names, of which the last counts, as in exports.
var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// object is the members of a JSON object, whose names match in any case, without dashes and _.
type object []member

type member struct {
	name, folded string
	value        jsontext.Value // not yet parsed, so that a long list costs little memory
}

// members returns the members of an object. A string in place of an object is its name.
func members(raw jsontext.Value) object { return membersWithin(raw, maxGathered) }

func membersWithin(raw jsontext.Value, most int) (o object) {
	if raw.Kind() == '"' {
		return object{{"name", "name", raw}}
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(raw), lenient)
	for name := range memberNames(dec) {
		value, err := dec.ReadValue()
		if err != nil || len(o) == most {
			break
		}
		end := int(dec.InputOffset())
		o = append(o, member{name, foldColumn(name), raw[end-len(value) : end]})
	}
	return o
}

// get returns the value of the first name that is present and not null, or nil.
func (o object) get(folded ...string) jsontext.Value {
	for _, name := range folded {
		for _, m := range slices.Backward(o) {
			if m.folded == name && m.value.Kind() != 'n' {
				return m.value
			}
		}
	}
	return nil
}

func (o object) text(folded ...string) string {
	for _, name := range folded {
		if s := plainText(o.get(name)); s != "" {
			return s
		}
	}
	return ""
}

// fields appends the members that are no objects or lists to list, except those in used.
func (o object) fields(list []dialogue.Field, used []string) []dialogue.Field {
	for _, m := range o {
		if !slices.Contains(used, m.folded) {
			list = append(list, dialogue.Field{Name: m.name, Value: plainText(m.value)})
		}
	}
	return list
}

// plainText returns the text of a string, a number, true or false, and "" for any other value.
func plainText(v jsontext.Value) string {
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

// quoteJSON returns a text as a JSON string, which has no line breaks.
func quoteJSON(s string) string {
	quoted, _ := jsontext.AppendQuote(nil, s) // the error is about bytes that become U+FFFD
	return string(quoted)
}

// elements yields the elements of an array, or of the first one in an object, as next to a page.
func elements(list jsontext.Value) iter.Seq[jsontext.Value] {
	return func(yield func(jsontext.Value) bool) {
		dec := jsontext.NewDecoder(bytes.NewBuffer(list), lenient)
		for range memberNames(dec) {
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

// isList reports whether a value is a list, or an object that contains one.
func isList(v jsontext.Value) bool {
	isArray := func(m member) bool { return m.value.Kind() == '[' }
	return v.Kind() == '[' || v.Kind() == '{' && slices.ContainsFunc(members(v), isArray)
}

// flat returns the elements of a list and, in place of nested lists, their elements.
func flat(list jsontext.Value) (all []jsontext.Value) {
	for e := range elements(list) {
		if e.Kind() == '[' {
			all = slices.AppendSeq(all, elements(e))
		} else {
			all = append(all, e)
		}
	}
	return all
}

// memberNames yields the names of an object's members, whose values must be read or skipped.
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

// unpacked returns the JSON that a string holds; it returns any other value unchanged.
func unpacked(v jsontext.Value) jsontext.Value {
	if v.Kind() == '"' {
		s := strings.TrimSpace(plainText(v))
		if inside := jsontext.Value(s); s != "" && (s[0] == '{' || s[0] == '[') &&
			inside.IsValid(lenient) {
			return inside
		}
	}
	return v
}

// wordsIn returns the text of a value: a string, a number, true or false, or a list of parts, of
// which only text counts. It reports whether the value has text wherever it should.
func wordsIn(v jsontext.Value) (text string, ok bool) {
	switch v.Kind() {
	case '[':
		var all []string
		for e := range elements(v) {
			if e.Kind() != '{' && e.Kind() != '"' {
				continue
			}
			s, ok := wordsIn(e)
			if !ok && members(e).get("type") != nil {
				return "", false
			}
			if s != "" {
				all = append(all, s)
			}
		}
		return strings.Join(all, "\n"), true
	case '{':
		o := members(v)
		kind, said := o.text("type"), o.get("text", "refusal", "content")
		isText := anyIn([]string{kind}, "text-kind")
		if o.get("role") != nil { // a message
			return "", false
		}
		if kind == "" || isText {
			text = plainText(said)
		}
		return text, text != "" || kind != "" && !isText || said.Kind() == '"'
	}
	return plainText(v), true
}

// allText returns the text of a list of parts that --columns names, both strings and objects such
// as inline links, joined without a separator. Images, files and the model's thoughts have no text.
func allText(list jsontext.Value, isWhole bool) string {
	var all []string
	hasWords, hasParts, hasStyles := false, false, isWhole
	for e := range elements(list) {
		o := members(e)
		kind, s := o.text("type"), o.text("text", "content", "value", "refusal")
		if e.Kind() == '"' {
			s, hasWords = plainText(e), true
		}
		hasParts = hasParts || e.Kind() == '{'
		if s == "" || anyIn([]string{kind}, "other-kind") {
			continue
		}
		hasStyles = hasStyles || kind != "" && !anyIn([]string{kind}, "text-kind")
		all = append(all, s)
	}
	if hasStyles || hasWords && hasParts {
		return strings.Join(all, "")
	}
	return strings.Join(all, "\n")
}

// deepest is the number of levels that are searched, because each level is parsed again.
const deepest = 8

// leaves yields the plain values below a value with their paths: of the members of objects, and of
// the first elements of lists. It reports whether yield returned true for all.
func leaves(v jsontext.Value, at string, yield func(at string, v jsontext.Value) bool) bool {
	const maxElements = 20
	n := 0
	switch v.Kind() {
	case '{':
		for _, m := range members(v) {
			inner := strings.TrimPrefix(at+"."+dialogue.Clean(m.name), ".")
			isSame := inner == at && m.value.Kind() == '{' // below a name that is empty
			if strings.Count(at, ".") < deepest && !isSame && !leaves(m.value, inner, yield) {
				return false
			}
		}
	case '[':
		for e := range elements(v) {
			if n++; n > maxElements || strings.Count(at, "[]") == deepest {
				break
			} else if !leaves(e, at+"[]", yield) {
				return false
			}
		}
	default:
		return yield(at, v)
	}
	return true
}

// keysIn lists the paths below a value.
func keysIn(v jsontext.Value, at string) (list []string) {
	const most = 200
	list = []string{}
	leaves(v, at, func(at string, _ jsontext.Value) bool {
		if !slices.Contains(list, at) {
			list = append(list, at)
		}
		return len(list) < most
	})
	return list
}

// isData reports whether a text is JSON rather than words: an object, or a list that contains one.
func isData(text string) bool {
	text = strings.TrimSpace(text)
	if text == "" || text[0] != '{' && text[0] != '[' {
		return false
	}
	v := jsontext.Value(text)
	if !v.IsValid(lenient) {
		return false
	}
	if v.Kind() == '{' {
		return len(membersWithin(v, 1)) > 0
	}
	for e := range elements(v) {
		if e.Kind() == '{' {
			return true
		}
	}
	return false
}

// hasWords reports whether a string in a value has several words.
func hasWords(v jsontext.Value) bool {
	dec := jsontext.NewDecoder(bytes.NewBuffer(v), lenient)
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

// maxGathered is the maximum number of fields before it is known which count.
const maxGathered = 1000
