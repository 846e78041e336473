package check

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
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

	kinds []kind
	whole bool   // of numbers, only whole ones
	want  string // what a value may be, as findings say it
}

// readSchema reads a schema.
func readSchema(data []byte) (*schema, error) {
	s := new(schema)
	if err := json.Unmarshal(data, s); err != nil {
		return nil, err
	}
	return s, s.resolve(s.Defs)
}

// resolve puts definitions in the place of references, and prepares the comparison.
func (s *schema) resolve(defs map[string]*schema) error {
	if name, ok := strings.CutPrefix(s.Ref, "#/$defs/"); ok && defs[name] != nil {
		*s = *defs[name]
	}
	names, ok := s.Type.([]any)
	if !ok {
		names = []any{s.Type}
	}
	s.whole, s.kinds = s.Type == "integer", nil
	for _, name := range names {
		k := kind(number)
		if i := slices.Index([]any{"null", "boolean", "number", "string", "array", "object"}, name); i >= 0 {
			k = kind(i)
		} else if !s.whole {
			return fmt.Errorf("unknown type %v", name)
		}
		s.kinds = append(s.kinds, k)
	}
	s.want = s.kinds[0].String()
	switch last := len(s.Enum) - 1; {
	case last > 0:
		list := strings.Trim(fmt.Sprint(s.Enum[:last]), "[]")
		s.want = strings.ReplaceAll(list, " ", ", ") + fmt.Sprint(" or ", s.Enum[last])
	case s.whole:
		s.want = "a whole number"
	case len(s.kinds) > 1:
		s.want += " or " + s.kinds[1].String()
	}
	for _, sub := range s.Properties {
		if err := sub.resolve(defs); err != nil {
			return err
		}
	}
	if s.Items != nil {
		return s.Items.resolve(defs)
	}
	return nil
}

// allows reports whether a value is of a type, and one of the values, that a schema wants.
func (s *schema) allows(n *node) bool {
	if i, whole := n.integer(); s.whole {
		return whole && (s.Enum == nil || slices.Contains(s.Enum, any(float64(i))))
	}
	return slices.Contains(s.kinds, n.kind) && (s.Enum == nil || slices.Contains(s.Enum, any(n.text)))
}

// structure compares a value with a schema and reports every place that differs.
func (x *exam) structure(n *node, s *schema, path string) {
	if !s.allows(n) {
		f := Finding{ID: "structure", Severity: Error, Path: path, Message: "this is " + n.kind.String(), Want: s.want}
		switch {
		case s.Enum != nil && s.whole && n.kind == number:
			f.ID, f.Message = "score-off-scale", "the score is not on the scale"
		case slices.Contains(s.kinds, n.kind):
			f.Message = "this is none of the values that it may have"
		}
		x.addNode(n, f)
		return
	}
	if n.kind == array {
		if len(n.items) > mostItems {
			x.flag(n, Error, "structure", path, "", "the list has more than 200 entries; the rest is not checked")
		}
		for i, it := range n.list() {
			x.structure(it, s.Items, item(path, i))
		}
		return
	}
	for _, key := range s.Required {
		f := Finding{ID: "structure", Severity: Error, Path: pointer(path, key), Message: "the key " + key + " is missing"}
		switch agree := n.get("agree"); {
		case n.get(key) != nil:
			continue
		case key == "suggested_score" && agree.is(boolean) && agree.text == "false":
			continue // a disagreement without a score, which agreement reports
		case key == "suggested_score":
			f.Want = "null"
		case slices.Contains(criteria, key):
			f.ID, f.Message = "criterion-missing", key+" is not scored"
		}
		x.add(n.start, f)
	}
	for i, m := range n.items {
		at, sub := pointer(path, m.key), s.Properties[m.key]
		id, message := "", ""
		same := func(other *node) bool { return other.key == m.key }
		switch doubled := slices.ContainsFunc(n.items[max(0, i-mostItems):i], same); {
		case doubled && slices.Contains(criteria, m.key):
			id, message = "criterion-doubled", m.key+" occurs more than once: some readers take the first, some the last"
		case doubled:
			id, message = "key-doubled", "the key occurs more than once: some readers take the first, some the last"
		case sub == nil && i < mostItems && !(n == x.root && x.isRecord): // a run adds to the document
			id, message = "structure", "the key "+strconv.Quote(shorten(60, m.key))+" does not belong here"
		}
		if id != "" {
			x.add(m.keyStart, Finding{ID: id, Severity: Error, Path: at, Message: message})
		}
		if sub != nil && m == n.get(m.key) {
			x.structure(m, sub, at)
		}
	}
}
