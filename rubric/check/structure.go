package check

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// schema is what the schemas of the protocols use of JSON Schema (draft 2020-12). All their objects are closed.
// They are applied here and not by a library because every finding needs its place in the text.
type schema struct {
	Ref        string             `json:"$ref"`
	Type       any                `json:"type"` // a name or a list of names
	Enum       []any              `json:"enum"`
	Required   []string           `json:"required"`
	Properties map[string]*schema `json:"properties"`
	Items      *schema            `json:"items"`
	Defs       map[string]*schema `json:"$defs"`
}

// readSchema reads a schema and puts its definitions in the place of references.
func readSchema(data []byte) (*schema, error) {
	root := new(schema)
	if err := json.Unmarshal(data, root); err != nil {
		return nil, err
	}
	var resolve func(s *schema) *schema
	resolve = func(s *schema) *schema {
		if name, ok := strings.CutPrefix(s.Ref, "#/$defs/"); ok && root.Defs[name] != nil {
			s = root.Defs[name]
		}
		for key, sub := range s.Properties {
			s.Properties[key] = resolve(sub)
		}
		if s.Items != nil {
			s.Items = resolve(s.Items)
		}
		return s
	}
	return resolve(root), nil
}

// types are the types of JSON Schema, with the kinds of values that are of the type, and their name in messages.
var types = []struct{ id, kinds, name string }{
	{"null", "n", "null"},
	{"boolean", "tf", "true or false"},
	{"number", "0", "a number"},
	{"integer", "0", "a whole number"},
	{"string", `"`, "a string"},
	{"array", "[", "a list"},
	{"object", "{", "an object"},
}

// nameOf names a kind as messages do.
func nameOf(k jsontext.Kind) string {
	return types[slices.IndexFunc(types, func(t struct{ id, kinds, name string }) bool {
		return strings.IndexByte(t.kinds, byte(k)) >= 0
	})].name
}

// wanted gives the types that a schema allows.
func (s *schema) wanted() (list []int) {
	names, isList := s.Type.([]any)
	if !isList {
		names = []any{s.Type}
	}
	for i, t := range types {
		if slices.Contains(names, any(t.id)) {
			list = append(list, i)
		}
	}
	return list
}

// allows reports whether a value is of a kind, and whether it is one of the values, that a schema wants.
func (s *schema) allows(n *node) (isKind, ok bool) {
	whole, isWhole := n.integer()
	for _, i := range s.wanted() {
		if strings.IndexByte(types[i].kinds, byte(n.kind)) >= 0 {
			isKind, ok = true, types[i].id != "integer" || isWhole
		}
	}
	isListed := s.Enum == nil || slices.Contains(s.Enum, any(n.text)) || isWhole && slices.Contains(s.Enum, any(float64(whole)))
	return isKind, ok && isListed
}

// want says what a value may be.
func (s *schema) want() string {
	var list []string
	for _, i := range s.wanted() {
		list = append(list, types[i].name)
	}
	if s.Enum != nil {
		list = nil
		for _, v := range s.Enum {
			list = append(list, fmt.Sprint(v))
		}
	}
	last := len(list) - 1
	if last == 0 {
		return list[0]
	}
	return strings.Join(list[:last], ", ") + " or " + list[last]
}

// structure compares a value with a schema and reports every place that differs.
func (x *exam) structure(n *node, s *schema) {
	if isKind, ok := s.allows(n); !ok {
		f := Finding{ID: "structure", Severity: Error, Message: "this is " + nameOf(n.kind), Want: s.want()}
		switch {
		case s.Enum != nil && n.kind == '0' && isKind:
			f.ID, f.Message = "score-off-scale", "the score is not on the scale"
		case isKind && s.Enum != nil:
			f.Message = "this is none of the values that it may have"
		}
		x.addNode(n, f)
		return
	}
	if n.kind == '[' {
		if len(n.items) > mostItems {
			x.flag(n, Error, "structure", "", "the list has more than 200 entries; the rest is not checked")
		}
		for _, it := range n.list() {
			x.structure(it, s.Items)
		}
		return
	}
	for _, key := range s.Required {
		f := Finding{ID: "structure", Severity: Error, Path: n.path(key), Message: "the key " + key + " is missing"}
		switch {
		case n.get(key) != nil, key == "suggested_score" && n.get("agree").is('f'): // a disagreement without a score
			continue // is reported with what the critic says
		case key == "suggested_score":
			f.Want = "null"
		case slices.Contains(criteria, key):
			f.ID, f.Message = "criterion-missing", key+" is not scored"
		}
		x.add(n.start, f)
	}
	for i, m := range n.items {
		sub := s.Properties[m.key]
		id, message := "", ""
		same := func(other *node) bool { return other.key == m.key }
		switch isDoubled := slices.ContainsFunc(n.items[max(0, i-mostItems):i], same); {
		case isDoubled && slices.Contains(criteria, m.key):
			id, message = "criterion-doubled", m.key+" occurs more than once: some readers take the first, some the last"
		case isDoubled:
			id, message = "key-doubled", "the key occurs more than once: some readers take the first, some the last"
		case sub == nil && i < mostItems && !(n == x.root && x.isRecord): // a run adds to the document
			id, message = "structure", "the key "+strconv.Quote(shorten(60, m.key))+" does not belong here"
		}
		if id != "" {
			x.add(m.keyStart, Finding{ID: id, Severity: Error, Path: m.path(), Message: message})
		}
		if sub != nil && m == n.get(m.key) {
			x.structure(m, sub)
		}
	}
}
