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

// Field is metadata of a dialogue: a column of a table, or a member of an object, such as the
// agent, the queue or the channel.
type Field struct{ Name, Value string }

// Meta holds the fields of a dialogue, sorted by name; names are unique. No agent sees them, and
// they play no part in judging.
type Meta []Field

// Limits of a dialogue's metadata. The excess is dropped: the last fields of the source, and the
// end of a name or a value, at a character boundary.
const (
	MaxFields     = 32
	MaxFieldName  = 64  // bytes
	MaxFieldValue = 256 // bytes
)

// maxGathered is the maximum number of fields collected before it is known which of them count. No
// known export has that many.
const maxGathered = 1000

// NewMeta sorts fields and enforces the limits. Fields without a name or a value are dropped; of
// fields with the same name, the first counts.
func NewMeta(fields []Field) Meta {
	var m Meta
	for _, f := range fields {
		f = Field{within(f.Name, MaxFieldName), within(f.Value, MaxFieldValue)}
		if f.Name == "" || f.Value == "" ||
			slices.ContainsFunc(m, func(g Field) bool { return f.Name == g.Name }) {
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

// UnmarshalJSONFrom reads the members of an object and applies [NewMeta] to them.
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

// within returns the text without the white space around it, cut to at most most bytes. It is a
// copy, so that a short value does not keep the long row it was cut from in memory.
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

// Value returns the value of a field, and reports whether the field exists. An exact match of the
// name takes precedence over one in another case.
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

// differs is the value of a field in which rows differ. NewMeta drops it, since no text contains a
// NUL.
const differs = "\x00"

// agree merges a row into the metadata of a dialogue that has several rows. It marks a field as
// differing if two rows have different values; rows without a value do not count.
func agree(fields, row []Field) []Field {
	for i, f := range row {
		f.Value = strings.TrimSpace(f.Value)
		// Most rows have the same fields in the same order.
		if i >= len(fields) || fields[i].Name != f.Name {
			i = slices.IndexFunc(fields, func(g Field) bool { return g.Name == f.Name })
		}
		switch {
		case i < 0 && len(fields) < maxGathered:
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

// humps matches the boundaries between the words of a name like customerCSATScore.
var humps = lazy(`(\p{Ll})(\p{Lu})|(\p{Lu})(\p{Lu}\p{Ll})`)

// setAside reports whether a field is not metadata, judging by the words of its name and by the
// whole name. Ratings of the dialogue belong to its Truth, which is read only from the ratings that
// the format defines, and its texts belong to its turns.
func setAside(name string) bool {
	parts := append(nameWords(name), foldColumn(name))
	for i, part := range parts {
		if kind := kinds()["aside"][part]; kind == "judgement" ||
			kind == "text" && i >= len(parts)-2 {
			return true
		}
	}
	return false
}

// foldColumn returns the form in which the names of columns are compared: letters and digits in
// lower case.
func foldColumn(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name[:min(len(name), maxName)])
}
