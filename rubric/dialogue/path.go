package dialogue

import (
	"errors"
	"iter"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// paths are the places where a value of JSON may have something, between bars; the first that has it counts. A place is
// names between dots, compared without regard to case, dashes and underscores. After a name, [] is every element of its
// list, and [key=a,b] those with one of these values. At the end, =a,b wants one of these values, where a* is all that
// begins with a; :html tells that the text is HTML, :json that any value is text, and :whole that all parts are, without
// spaces between. "=words" alone are the words themselves. A string that holds JSON is taken apart where the names go on.
type paths []path

type path struct {
	text   string // as it is written
	steps  []step
	kind   string   // html, json, whole or empty
	values []string // of which the value must be one; any where there are none
	words  string   // of "=words"
}

type step struct {
	name   string // folded; empty for a list in a list
	isList bool
	key    string   // of the elements, only those in which it
	values []string // has one of these
}

// UnmarshalText reads places as they are written.
func (ps *paths) UnmarshalText(text []byte) error {
	*ps = nil
	for s := range strings.SplitSeq(string(text), "|") {
		p := path{text: strings.TrimSpace(s)}
		if words, ok := strings.CutPrefix(p.text, "="); ok {
			p.words = words
			*ps = append(*ps, p)
			continue
		}
		rest := p.text
		if at := strings.LastIndex(rest, "="); at > strings.LastIndex(rest, "]") {
			rest, p.values = rest[:at], strings.Split(rest[at+1:], ",")
		}
		if before, kind, ok := strings.Cut(rest, ":"); ok {
			rest, p.kind = before, kind
		}
		for rest != "" {
			var st step
			end := strings.IndexAny(rest, ".[")
			if end < 0 {
				end = len(rest)
			}
			st.name = foldColumn(rest[:end])
			if rest = rest[end:]; strings.HasPrefix(rest, "[") {
				inside, after, ok := strings.Cut(rest[1:], "]")
				if !ok {
					return errors.New("no ] after [ in " + quote(p.text))
				}
				key, values, _ := strings.Cut(inside, "=")
				st.isList, st.key, st.values, rest = true, foldColumn(key), strings.Split(values, ","), after
			}
			rest = strings.TrimPrefix(rest, ".")
			p.steps = append(p.steps, st)
		}
		if len(p.steps) == 0 || !slices.Contains([]string{"", "html", "json", "whole"}, p.kind) {
			return errors.New(quote(p.text) + " names no place in JSON; want names such as messages[].author.name")
		}
		*ps = append(*ps, p)
	}
	return nil
}

// UnmarshalText reads several of them, with spaces between.
func (s *signs) UnmarshalText(text []byte) error {
	for _, place := range strings.Fields(string(text)) {
		var ps paths
		if err := ps.UnmarshalText([]byte(place)); err != nil {
			return err
		}
		*s = append(*s, ps)
	}
	return nil
}

// String names the places, the first of many.
func (ps paths) String() string {
	const most = 4
	var all []string
	for _, p := range ps[:min(len(ps), most)] {
		all = append(all, p.text)
	}
	if len(ps) > most {
		all = append(all, "…")
	}
	return strings.Join(all, " or ")
}

// in yields the values of a place in an object, without nulls.
func (p path) in(o object) iter.Seq[jsontext.Value] {
	return func(yield func(jsontext.Value) bool) {
		if len(p.steps) > 0 {
			walk(o.get(p.steps[0].name), p.steps, func(v jsontext.Value) bool {
				return p.values != nil && !isOneOf(p.values, plainText(v)) || yield(v)
			})
		}
	}
}

func isOneOf(values []string, s string) bool {
	return slices.ContainsFunc(values, func(v string) bool {
		begin, isBegin := strings.CutSuffix(v, "*")
		return v == s || isBegin && strings.HasPrefix(s, begin)
	})
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
		}
		return walk(members(unpacked(v)).get(steps[1].name), steps[1:], yield)
	}
	if !s.isList {
		return on(v)
	}
	for e := range elements(unpacked(v)) {
		if (s.key == "" || isOneOf(s.values, members(e).text(s.key))) && !on(e) {
			return false
		}
	}
	return true
}

// unpacked gives the JSON that a string holds.
func unpacked(v jsontext.Value) jsontext.Value {
	if v.Kind() == '"' {
		s := strings.TrimSpace(plainText(v))
		if inside := jsontext.Value(s); s != "" && (s[0] == '{' || s[0] == '[') && inside.IsValid(lenient) {
			return inside
		}
	}
	return v
}

// first gives the first value that there is; nil where there is none.
func (ps paths) first(o object) jsontext.Value {
	for _, p := range ps {
		for v := range p.in(o) {
			return v
		}
	}
	return nil
}

// words gives the first text that is not empty, of several values of a place one per line; whether there is any value,
// and whether one of them is no text.
func (ps paths) words(o object) (text string, is, bad bool) {
	for _, p := range ps {
		if p.words != "" {
			return p.words, true, false
		}
		var all []string
		for v := range p.in(o) {
			s, ok := wordsIn(v)
			switch is = true; {
			case p.kind == "whole" && v.Kind() == '[':
				s = ""
				for e := range elements(v) {
					s += members(e).text("name", "text") // a string is its name
				}
			case p.kind == "json" && !ok:
				s = string(v)
			case p.kind == "html":
				s = htmlText(s)
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

// wordsIn gives the text of a value: a string, a number, true or false, or a list of parts, of which those count that
// are text; images, audio and files are passed over. It reports whether there is a text where one must be.
func wordsIn(v jsontext.Value) (text string, ok bool) {
	switch v.Kind() {
	case '[':
		var all []string
		for e := range elements(v) {
			s, ok := wordsIn(e)
			if e.Kind() == '{' && !ok && members(e).get("type") != nil {
				return "", false
			}
			if s != "" && (e.Kind() == '{' || e.Kind() == '"') {
				all = append(all, s)
			}
		}
		return strings.Join(all, "\n"), true
	case '{':
		o := members(v)
		kind, said := o.text("type"), o.get("text", "refusal", "content")
		isText := slices.Contains([]string{"text", "input_text", "output_text", "refusal"}, kind)
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

// keysIn lists the places of a value below one: those of the members of objects, and of the objects in lists.
func keysIn(v jsontext.Value, at string) (list []string) {
	const deepest, mostElements, most = 8, 20, 200
	list = []string{}
	add := func(keys ...string) {
		for _, k := range keys {
			if len(list) < most && !slices.Contains(list, k) {
				list = append(list, k)
			}
		}
	}
	switch n := 0; {
	case v.Kind() == '{' && strings.Count(at, ".") < deepest:
		for _, m := range members(v) {
			add(keysIn(m.value, strings.TrimPrefix(at+"."+clean(m.name), "."))...)
		}
	case v.Kind() == '[' && strings.Count(at, "[]") < deepest:
		for e := range elements(v) {
			if n++; n <= mostElements {
				add(keysIn(e, at+"[]")...)
			}
		}
	case v.Kind() != '{' && v.Kind() != '[':
		add(at)
	}
	return list
}
