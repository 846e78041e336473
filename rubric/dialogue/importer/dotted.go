package importer

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"assize/rubric/dialogue"
)

// Some exports name a member by its full path: "llm.input_messages.0.message.role". A format whose
// layout says so is read as if its objects and lists were nested, both from JSON and from a table
// with such columns.

// maxPlaces is the maximum number of names in a path, and the maximum depth to which values are
// expanded. Anything beyond it is left unexpanded.
const maxPlaces = 32

// tree is what dotted names describe: the members of an object, or the elements of a list by their
// numbers. Each is a tree or a [jsontext.Value].
type tree map[string]any

// put puts a value at a path. The members of an object are merged with existing ones; of several
// other values, the first counts.
func (t tree) put(names []string, v jsontext.Value, depth int) {
	var list object
	if len(names) == 1 && depth < maxPlaces {
		list = placesIn(v)
	}
	inner, isTree := t[names[0]].(tree)
	before, _ := t[names[0]].(jsontext.Value)
	switch {
	case len(names) == 1 && list == nil:
		if !isTree && (before == nil || before.Kind() == 'n') {
			t[names[0]] = v
		}
		return
	case !isTree:
		inner = tree{}
		t[names[0]] = inner
	}
	if len(names) > 1 {
		inner.put(names[1:], v, depth)
	}
	for _, m := range list {
		names := strings.Split(m.name, ".")
		if len(names) > maxPlaces {
			names = []string{m.name}
		}
		inner.put(names, m.value, depth+1)
	}
}

// placesIn returns the members of an object, of the attributes of OpenTelemetry, which are a list of
// keys and values, and of a list of objects or a string that holds a list of messages, whose names
// are numbers. Other values have none.
func placesIn(v jsontext.Value) (list object) {
	if v.Kind() == '{' {
		return membersWithin(v, math.MaxInt)
	}
	isMessage := func(m member) bool {
		return m.name == "message" || strings.HasPrefix(m.name, "message.")
	}
	isAttributes := false
	for e := range elements(unpacked(v)) {
		m, n := members(e), len(list)
		key, value := m.text("key"), m.get("value")
		isAttributes = isAttributes || n == 0 && v.Kind() == '[' && key != "" && value.Kind() == '{'
		if inside := members(value); isAttributes {
			if len(inside) > 0 {
				value = inside[0].value // such as "a" in {"stringValue":"a"}
			}
			list = append(list, member{name: key, value: value})
			continue
		}
		if n == 0 && (e.Kind() != '{' || v.Kind() != '[' && !slices.ContainsFunc(m, isMessage)) {
			return nil
		}
		list = append(list, member{name: strconv.Itoa(n), value: e})
	}
	return list
}

// withLists returns a tree in which members whose names are all numbers are a list in their order.
func withLists(v any) any {
	t, _ := v.(tree)
	number := func(name string) int {
		n, err := strconv.ParseUint(name, 10, 31)
		if err != nil {
			return -1
		}
		return int(n)
	}
	names := slices.SortedFunc(maps.Keys(t), func(a, b string) int {
		return cmp.Or(cmp.Compare(number(a), number(b)), strings.Compare(a, b))
	})
	var list []any
	for _, name := range names {
		t[name] = withLists(t[name])
		list = append(list, t[name])
	}
	if len(names) > 0 && number(names[0]) >= 0 {
		return list
	}
	return v
}

// nested returns a value with its dotted names expanded.
func nested(raw jsontext.Value) jsontext.Value {
	t := tree{}
	t.put([]string{""}, raw, 0)
	out, err := json.Marshal(withLists(t[""]), lenient, json.Deterministic(true))
	if err != nil {
		return raw
	}
	return out
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
