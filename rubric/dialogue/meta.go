package dialogue

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"
)

// Field is what a source says of a dialogue besides its words: a column of a table, or a member of an object, such
// as the agent, the queue or the channel.
type Field struct{ Name, Value string }

// Meta are the fields of a dialogue in the order of their names, each name once. No agent sees them, and nothing is
// judged by them.
type Meta []Field

// What a dialogue's metadata may hold. What is over is left out: of fields those that come last in the source, of a
// name or a value its end, from a whole sign on.
const (
	MaxFields     = 32
	MaxFieldName  = 64 // bytes
	MaxFieldValue = 256
)

// NewMeta puts fields in order, and within the bounds. Fields without a name or a value are left out; of those with
// the same name the first counts.
func NewMeta(fields []Field) Meta {
	var m Meta
	for _, f := range fields {
		f = Field{within(f.Name, MaxFieldName), within(f.Value, MaxFieldValue)}
		if f.Name == "" || f.Value == "" || slices.ContainsFunc(m, f.sameName) {
			continue
		}
		if m = append(m, f); len(m) == MaxFields {
			break
		}
	}
	slices.SortFunc(m, func(a, b Field) int { return cmp.Compare(a.Name, b.Name) })
	return m
}

func (f Field) sameName(g Field) bool { return f.Name == g.Name }

// within gives the text without the white space around it, and at most so many bytes of it. It is a copy, so that a
// short value does not keep the long row in memory that it was cut from.
func within(s string, most int) string {
	s = strings.TrimSpace(clean(s))
	if len(s) > most {
		for most > 0 && !utf8.RuneStart(s[most]) {
			most--
		}
		s = strings.TrimSpace(s[:most])
	}
	return strings.Clone(s)
}

// Value gives the value of a field, and whether there is one. A name that is not there as it is written may be there
// in another case.
func (m Meta) Value(name string) (string, bool) {
	for _, same := range []func(a, b string) bool{func(a, b string) bool { return a == b }, strings.EqualFold} {
		if i := slices.IndexFunc(m, func(f Field) bool { return same(f.Name, name) }); i >= 0 {
			return m[i].Value, true
		}
	}
	return "", false
}

// mostGathered is how many names are kept before it is settled which of them count; no export has as many.
const mostGathered = 1000

// carry keeps the scalar members of an object as metadata, but for those that the reader uses itself. Names of what
// is used are in lower case.
func (d *draft) carry(raw json.RawMessage, used ...string) {
	d.meta = appendFields(d.meta, raw, used...)
}

// carryOne keeps a text as metadata.
func (d *draft) carryOne(name, value string) {
	if len(d.meta) < mostGathered {
		d.meta = append(d.meta, Field{name, value})
	}
}

// appendFields adds the scalar members of an object that are not used to list.
func appendFields(list []Field, raw json.RawMessage, used ...string) []Field {
	for key, v := range members(raw) {
		value := scalar(v)
		if value == "" || len(list) >= mostGathered {
			continue
		}
		if name := jsonString(key); !slices.Contains(used, strings.ToLower(name)) {
			list = append(list, Field{name, value})
		}
	}
	return list
}

// scalar gives a string, a number, true or false as text, and anything else as none.
func scalar(raw json.RawMessage) string {
	if s := string(raw); s == "true" || s == "false" {
		return s
	}
	return jsonText(raw)
}

// gathered is the metadata of a dialogue that is written row by row: what those of its rows agree on that say
// anything.
type gathered struct {
	fields []Field
	mixed  []bool // rows differ
	place  map[string]int
}

// add adds a row. Rows mostly have the same names in the same order.
func (g *gathered) add(row []Field) {
	for i, f := range row {
		if i >= len(g.fields) || g.fields[i].Name != f.Name {
			i = g.find(f.Name)
		}
		f.Value = strings.TrimSpace(f.Value)
		switch {
		case i < 0 || f.Value == "":
		case g.fields[i].Value == "":
			g.fields[i].Value = f.Value
		case g.fields[i].Value != f.Value:
			g.mixed[i] = true
		}
	}
}

// find gives the place of a name, which it makes where there is none; -1 where there are too many.
func (g *gathered) find(name string) int {
	if i, ok := g.place[name]; ok {
		return i
	}
	if len(g.fields) >= mostGathered {
		return -1
	}
	if g.place == nil {
		g.place = make(map[string]int)
	}
	g.place[name] = len(g.fields)
	g.fields, g.mixed = append(g.fields, Field{Name: name}), append(g.mixed, false)
	return len(g.fields) - 1
}

// take gives the fields that count and begins anew.
func (g *gathered) take() []Field {
	var agreed []Field
	for i, f := range g.fields {
		if !g.mixed[i] && f.Value != "" {
			agreed = append(agreed, f)
		}
	}
	clear(g.fields) // let go of the rows
	g.fields, g.mixed = g.fields[:0], g.mixed[:0]
	clear(g.place)
	return agreed
}
