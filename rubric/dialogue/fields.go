package dialogue

import (
	"cmp"
	"maps"
	"slices"
	"strings"
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
	maxFields     = 32
	MaxFieldName  = 64  // bytes
	maxFieldValue = 256 // bytes
)

// NewMeta sorts fields and enforces the limits. Fields without a name or a value are dropped; of
// fields with the same name, the first counts.
func NewMeta(fields []Field) (m Meta) {
	for _, f := range fields {
		f = Field{Short(f.Name, MaxFieldName), Short(f.Value, maxFieldValue)}
		if f.Name == "" || f.Value == "" ||
			slices.ContainsFunc(m, func(g Field) bool { return f.Name == g.Name }) {
			continue
		}
		if m = append(m, f); len(m) == maxFields {
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

// Short returns a text without the white space around it, cut to at most limit bytes. It is a
// copy, so that a short value does not keep the long row it was cut from in memory.
func Short(s string, limit int) string {
	s = strings.TrimSpace(Clean(s))
	if len(s) > limit {
		for !utf8.RuneStart(s[limit]) {
			limit--
		}
		s = strings.TrimSpace(s[:limit])
	}
	return strings.Clone(s)
}

// Clean makes s valid as the text of a turn: it replaces invalid UTF-8 by U+FFFD and removes NUL.
func Clean(s string) string {
	if utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 {
		return s
	}
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "")
}
