package importer

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"assize/rubric/dialogue"
)

// Some exports name a member by its full path: "llm.input_messages.0.message.role". A format whose
// layout says so is read as if its objects and lists were nested, both from JSON and from a table
// with such columns.

// maxPlaces is the maximum number of names in a path, and the maximum depth to which values are
// expanded. Anything beyond it is left unexpanded.
const maxPlaces = 32

// tree is a node of the tree that dotted names describe.
type tree struct {
	names []string // of the members, in the order of the source
	by    map[string]*tree
	value jsontext.Value // of a leaf
}

// at returns the member of that name, creating it if necessary.
func (t *tree) at(name string) *tree {
	if t.by == nil {
		t.by = map[string]*tree{}
	}
	if t.by[name] == nil {
		t.by[name] = &tree{}
		t.names = append(t.names, name)
	}
	return t.by[name]
}

// to returns the node at a path.
func (t *tree) to(dotted string) *tree {
	names := strings.Split(dotted, ".")
	if len(names) > maxPlaces {
		names = []string{dotted}
	}
	for _, name := range names {
		t = t.at(name)
	}
	return t
}

// add adds a value at the given depth. The members of an object are merged with existing ones.
func (t *tree) add(v jsontext.Value, depth int) {
	switch {
	case depth < maxPlaces && v.Kind() == '{':
		for _, m := range membersWithin(v, math.MaxInt) {
			t.to(m.name).add(m.value, depth+1)
		}
	case depth < maxPlaces && isAttributes(v):
		for e := range elements(v) {
			m := members(e)
			t.to(m.text("key")).add(attribute(m.get("value")), depth+1)
		}
	case depth < maxPlaces && isNamedByPlaces(v):
		i := 0
		for e := range elements(unpacked(v)) {
			t.at(strconv.Itoa(i)).add(e, depth+1)
			i++
		}
	case t.value == nil || t.value.Kind() == 'n':
		t.value = v
	}
}

// isAttributes reports whether a value is a list of keys and values, as OpenTelemetry writes
// attributes.
func isAttributes(v jsontext.Value) bool {
	if v.Kind() != '[' {
		return false
	}
	for e := range elements(v) {
		m := members(e)
		return m.text("key") != "" && m.get("value").Kind() == '{'
	}
	return false
}

// attribute returns the content of an attribute's value, such as "a" for {"stringValue":"a"}.
func attribute(v jsontext.Value) jsontext.Value {
	for _, m := range members(v) {
		return m.value
	}
	return v
}

// isNamedByPlaces reports whether a value is a list of objects, or a string that holds a list of
// messages.
func isNamedByPlaces(v jsontext.Value) bool {
	list := unpacked(v)
	if list.Kind() != '[' {
		return false
	}
	for e := range elements(list) {
		isMessage := func(m member) bool {
			return m.name == "message" || strings.HasPrefix(m.name, "message.")
		}
		return e.Kind() == '{' && (v.Kind() == '[' || slices.ContainsFunc(members(e), isMessage))
	}
	return false
}

// appendTo appends the tree as JSON. Members whose names are all numbers become the elements of a
// list, in numerical order.
func (t *tree) appendTo(out []byte) []byte {
	if len(t.names) == 0 {
		if t.value == nil {
			return append(out, "{}"...)
		}
		return append(out, t.value...)
	}
	number := func(name string) int {
		n, err := strconv.ParseUint(name, 10, 31)
		if err != nil {
			return -1
		}
		return int(n)
	}
	ends := "{}"
	if !slices.ContainsFunc(t.names, func(name string) bool { return number(name) < 0 }) {
		ends = "[]"
		slices.SortStableFunc(t.names,
			func(a, b string) int { return cmp.Compare(number(a), number(b)) })
	}
	out = append(out, ends[0])
	for i, name := range t.names {
		if i > 0 {
			out = append(out, ',')
		}
		if ends == "{}" {
			// The error is about invalid UTF-8, which becomes U+FFFD.
			out, _ = jsontext.AppendQuote(out, name)
			out = append(out, ':')
		}
		out = t.by[name].appendTo(out)
	}
	return append(out, ends[1])
}

// nested returns a value with its dotted names expanded.
func nested(raw jsontext.Value) jsontext.Value {
	var t tree
	t.add(raw, 0)
	return t.appendTo(nil)
}

// dottedLayout returns the layout of a value with dotted names, or nil if it has no such format.
func dottedLayout(raw jsontext.Value) *layout {
	if l, _ := layoutOf(nested(raw)); l != nil && l.Dotted {
		return l
	}
	return nil
}

// valueOf returns the object that a row of a table describes. Empty cells are omitted.
func valueOf(names, cells []string) jsontext.Value {
	out := []byte{'{'}
	for i, name := range names[:min(len(names), len(cells))] {
		if cell := strings.TrimSpace(cells[i]); cell != "" {
			if len(out) > 1 {
				out = append(out, ',')
			}
			out, _ = jsontext.AppendQuote(out, dialogue.Clean(name))
			out, _ = jsontext.AppendQuote(append(out, ':'), dialogue.Clean(cell))
		}
	}
	return append(out, '}')
}
