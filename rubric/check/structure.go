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
	Type       typeNames          `json:"type"`
	Enum       []any              `json:"enum"`
	Required   []string           `json:"required"`
	Properties map[string]*schema `json:"properties"`
	Items      *schema            `json:"items"`
	Defs       map[string]*schema `json:"$defs"`
}

// typeNames are the types that a schema allows.
type typeNames []string

// UnmarshalJSON reads a list of names, or one name.
func (t *typeNames) UnmarshalJSON(b []byte) error {
	if b[0] != '[' {
		b = slices.Concat([]byte("["), b, []byte("]"))
	}
	return json.Unmarshal(b, (*[]string)(t))
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

// types are the types of values in JSON Schema, of which integer is another.
var types = map[jsontext.Kind]string{
	'n': "null", 't': "boolean", 'f': "boolean", '0': "number", '"': "string", '[': "array", '{': "object"}

// typeWords are the types in the words of messages.
var typeWords = map[string]string{"null": "null", "boolean": "true or false", "number": "a number",
	"integer": "a whole number", "string": "a string", "array": "a list", "object": "an object"}

// allows reports whether a value is of a type, and whether it is one of the values, that a schema wants.
func (s *schema) allows(n *node) (isType, ok bool) {
	whole, isWhole := n.integer()
	isInteger := n.kind == '0' && slices.Contains(s.Type, "integer")
	isType = isInteger || slices.Contains(s.Type, types[n.kind])
	ok = s.Enum == nil || slices.Contains(s.Enum, any(n.text)) || isWhole && slices.Contains(s.Enum, any(float64(whole)))
	return isType, ok && isType && (isWhole || !isInteger)
}

func (s *schema) want() string {
	var list []string
	for _, name := range s.Type {
		list = append(list, typeWords[name])
	}
	if s.Enum != nil {
		list = strings.Fields(strings.Trim(fmt.Sprint(s.Enum), "[]"))
	}
	last := len(list) - 1
	return strings.TrimPrefix(strings.Join(list[:last], ", ")+" or "+list[last], " or ")
}

// structure compares a value with a schema and reports every place that differs.
func (x *exam) structure(n *node, s *schema) {
	if isType, ok := s.allows(n); !ok {
		f := Finding{ID: "structure", Severity: Error, Message: "this is " + typeWords[types[n.kind]], Want: s.want()}
		switch {
		case s.Enum != nil && n.kind == '0' && isType:
			f.ID, f.Message = "score-off-scale", "the score is not on the scale"
		case isType && s.Enum != nil:
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
