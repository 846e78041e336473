// Package table describes the rows of tables and JSON objects by their columns, so that every
// format of a row is made of the same values.
package table

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Column is a value of a row under a name.
type Column[Row any] struct {
	Name  string
	Value func(Row) any // returns nil or "" if the row has no value
}

// Columns are the columns of a table or the members of a JSON object, in order.
type Columns[Row any] []Column[Row]

// Of returns the columns of an inner row as columns of the rows that contain it.
func Of[Row, Inner any](columns Columns[Inner], inner func(Row) Inner) Columns[Row] {
	list := make(Columns[Row], len(columns))
	for i, c := range columns {
		list[i] = Column[Row]{c.Name, func(row Row) any { return c.Value(inner(row)) }}
	}
	return list
}

// Pick returns the columns with the given names, in the order of the names. A name such as "average
// as mean" renames a column. Of columns with the same name, the first is returned. Pick panics if
// no column has a name.
func (c Columns[Row]) Pick(names ...string) Columns[Row] {
	list := make(Columns[Row], len(names))
	for i, text := range names {
		name, as, renamed := strings.Cut(text, " as ")
		at := slices.IndexFunc(c, func(c Column[Row]) bool { return c.Name == name })
		if at < 0 {
			panic(fmt.Sprintf("no column is called %q", name))
		}
		if list[i] = c[at]; renamed {
			list[i].Name = as
		}
	}
	return list
}

// Names returns the heading of a table.
func (c Columns[Row]) Names() []string {
	list := make([]string, len(c))
	for i := range c {
		list[i] = c[i].Name
	}
	return list
}

// Values returns the cells of a row in a table. A missing value is an empty cell.
func (c Columns[Row]) Values(row Row) []any {
	list := make([]any, len(c))
	for i := range c {
		if list[i] = c[i].Value(row); list[i] == nil {
			list[i] = ""
		}
	}
	return list
}

// Object returns a row as a JSON object. Missing values have no member.
func (c Columns[Row]) Object(row Row) (o Object) {
	for i := range c {
		if v := c[i].Value(row); v != nil && v != "" {
			o = append(o, Member{c[i].Name, v})
		}
	}
	return o
}

// Member is a member of a JSON object.
type Member struct {
	Name  string
	Value any
}

// Object is a JSON object whose members have an order.
type Object []Member

// MarshalJSON implements [json.Marshaler].
func (o Object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	for i, m := range o {
		name, err := json.Marshal(m.Name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.Value)
		if err != nil {
			return nil, err
		}
		b.WriteByte("{,"[min(i, 1)])
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	if len(o) == 0 {
		b.WriteByte('{')
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
