package dialogue

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Field is what a source says of a dialogue besides its words: a column of a table, or a member of an object, such
// as the agent, the queue or the channel.
type Field struct{ Name, Value string }

// Meta are the fields of a dialogue in the order of their names, each name once. No agent sees them, and nothing is
// judged by them.
type Meta []Field

// What a dialogue's metadata may hold. The rest is left out: of fields those that come last in the source, of a
// name or a value its end, from a whole character on.
const (
	MaxFields     = 32
	MaxFieldName  = 64  // bytes
	MaxFieldValue = 256 // bytes
)

// mostGathered is how many fields are kept before it is settled which of them count; no export has as many.
const mostGathered = 1000

// NewMeta sorts fields and keeps them within the bounds. Fields without a name or a value are left out; of those with
// the same name the first counts.
func NewMeta(fields []Field) Meta {
	var m Meta
	for _, f := range fields {
		f = Field{within(f.Name, MaxFieldName), within(f.Value, MaxFieldValue)}
		if f.Name == "" || f.Value == "" || slices.ContainsFunc(m, func(g Field) bool { return f.Name == g.Name }) {
			continue
		}
		if m = append(m, f); len(m) == MaxFields {
			break
		}
	}
	slices.SortFunc(m, func(a, b Field) int { return cmp.Compare(a.Name, b.Name) })
	return m
}

// MarshalJSONTo writes the fields as the members of an object.
func (m Meta) MarshalJSONTo(enc *jsontext.Encoder) error {
	members := make(map[string]string, len(m))
	for _, f := range m {
		members[f.Name] = f.Value
	}
	return json.MarshalEncode(enc, members)
}

// UnmarshalJSONFrom reads the members of an object, as [NewMeta] takes fields.
func (m *Meta) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	var members map[string]string
	err := json.UnmarshalDecode(dec, &members)
	var fields []Field
	for _, name := range slices.Sorted(maps.Keys(members)) {
		fields = append(fields, Field{name, members[name]})
	}
	*m = NewMeta(fields)
	return err
}

// within gives the text without the white space around it, and at most so many bytes of it. It is a copy, so that a
// short value does not keep the long row in memory that it was cut from.
func within(s string, most int) string {
	s = strings.TrimSpace(clean(s))
	if len(s) > most {
		for !utf8.RuneStart(s[most]) {
			most--
		}
		s = strings.TrimSpace(s[:most])
	}
	return strings.Clone(s)
}

// Value gives the value of a field, and whether there is one. A name that does not match as it is written may match
// in another case.
func (m Meta) Value(name string) (string, bool) {
	i := slices.IndexFunc(m, func(f Field) bool { return f.Name == name })
	if i < 0 {
		i = slices.IndexFunc(m, func(f Field) bool { return strings.EqualFold(f.Name, name) })
	}
	if i < 0 {
		return "", false
	}
	return m[i].Value, true
}

// differs is the value of a field in which rows differ. NewMeta leaves it out, since no text has a NUL.
const differs = "\x00"

// agree adds a row to the metadata of a dialogue that is written row by row: the fields in which all rows agree that
// have a value.
func agree(fields, row []Field) []Field {
	for i, f := range row {
		f.Value = strings.TrimSpace(f.Value)
		if i >= len(fields) || fields[i].Name != f.Name { // most rows have the same fields in the same order
			i = slices.IndexFunc(fields, func(g Field) bool { return g.Name == f.Name })
		}
		switch {
		case i < 0 && len(fields) < mostGathered:
			fields = append(fields, f)
		case i < 0 || f.Value == "":
		case fields[i].Value == "":
			fields[i].Value = f.Value
		case fields[i].Value != f.Value:
			fields[i].Value = differs
		}
	}
	return fields
}

// humps finds the places between the words of a name like customerCSATScore.
var humps = lazy(`(\p{Ll})(\p{Lu})|(\p{Lu})(\p{Lu}\p{Ll})`)

// setAside reports whether a field is not metadata, by the words of its name and by the whole of it. What people said
// about the dialogue is its Truth, which is taken from nothing but the ratings that the format has a place for, and
// what was said in it are its turns.
func setAside(name string) bool {
	parts := append(nameWords(name), foldColumn(name))
	for i, part := range parts {
		if kind := kinds()["aside"][part]; kind == "judgement" || kind == "text" && i >= len(parts)-2 {
			return true
		}
	}
	return false
}

// foldColumn gives the form in which the names of columns are compared: letters and digits in lower case.
func foldColumn(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name[:min(len(name), maxName)])
}
