// Package table writes rows of values in different formats, which share names and values.
package table

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"assize/cmd/assize/internal/terminal/ui"
)

// Values are the values of a row by name. A missing value is nil or "".
type Values map[string]any

// Including returns v with the values that f names; those that v lacks are missing.
func (v Values) Including(f Format) Values {
	for _, name := range f {
		value, _ := split(name)
		if _, known := v[value]; !known {
			v[value] = nil
		}
	}
	return v
}

// Format is the columns of a table, or the members of a JSON object, in order: names of values. A
// name such as "average as mean" renames a value.
type Format []string

// Heading returns the names of the columns.
func (f Format) Heading() []string {
	return ui.Each(f, func(name string) string {
		_, as := split(name)
		return as
	})
}

func split(name string) (value, as string) {
	value, as, _ = strings.Cut(name, " as ")
	return value, cmp.Or(as, value)
}

// Cells returns a row of the table. A missing value is an empty cell; an unknown name panics.
func (f Format) Cells(row Values) []any {
	return ui.Each(f.members(row), func(m Member) any { return cmp.Or[any](m.Value, "") })
}

// Object returns a row as a JSON object. Missing values have no member.
func (f Format) Object(row Values) (o Object) {
	for _, m := range f.members(row) {
		if m.Value != nil && m.Value != "" {
			o = append(o, m)
		}
	}
	return o
}

func (f Format) members(row Values) []Member {
	list := make([]Member, len(f))
	for i, name := range f {
		value, as := split(name)
		v, known := row[value]
		if !known {
			panic(fmt.Sprintf("no value is called %q", value))
		}
		list[i] = Member{as, v}
	}
	return list
}

// Member is a member of a JSON object.
type Member struct {
	Name  string
	Value any
}

// Object is a JSON object whose members have an order, a [json.MarshalerTo].
type Object []Member

func (o Object) MarshalJSONTo(enc *jsontext.Encoder) error {
	err := enc.WriteToken(jsontext.BeginObject)
	for _, m := range o {
		err = cmp.Or(err, enc.WriteToken(jsontext.String(m.Name)), json.MarshalEncode(enc, m.Value))
	}
	return cmp.Or(err, enc.WriteToken(jsontext.EndObject))
}

// Only returns value if exists is set; otherwise the value is missing.
func Only(exists bool, value any) any {
	if exists {
		return value
	}
	return nil
}
