package dialogue

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNewMetaIsBounded(t *testing.T) {
	var many []Field
	for i := range 100 {
		many = append(many, Field{fmt.Sprintf("n%02d", 99-i), "v"})
	}
	m := NewMeta(many)
	require.Len(t, m, maxFields)
	assert.Equal(t, Field{"n68", "v"}, m[0], "those that come first in the source are kept")
	long := NewMeta(
		[]Field{{"a" + strings.Repeat("é", 50), strings.Repeat("語", 100) + " x"},
			{" b ", " \x00\xff "}, {"c", " "}, {"", "d"}, {"b", "again"}})
	require.Len(t, long, 2)
	assert.Equal(t, "a"+strings.Repeat("é", 31), long[0].Name, "63 bytes: half a sign is none")
	assert.Equal(t, strings.Repeat("語", 85), long[0].Value)
	assert.Equal(t, Field{"b", "\uFFFD"}, long[1])
	assert.Equal(t, long, NewMeta(long), "what is within the bounds stays as it is")
}

func TestMetaValue(t *testing.T) {
	m := NewMeta([]Field{{"Agent", "Ann"}, {"agent", "Bo"}, {"Queue", "q"}})
	for name, want := range map[string]string{"Agent": "Ann", "agent": "Bo", "AGENT": "Ann",
		"queue": "q", "chan": ""} {
		got, ok := m.Value(name)
		assert.Equal(t, want, got, name)
		assert.Equal(t, want != "", ok, name)
	}
}

// checkMeta checks what holds for every dialogue's metadata.
func checkMeta(t *testing.T, m Meta) {
	if len(m) > maxFields {
		t.Fatalf("%d fields", len(m))
	}
	for i, f := range m {
		if len(f.Name) > MaxFieldName || len(f.Value) > maxFieldValue || f.Name == "" ||
			f.Value == "" {
			t.Fatalf("%q", f)
		}
		if !utf8.ValidString(f.Name+f.Value) || strings.ContainsRune(f.Name+f.Value, 0) {
			t.Fatalf("%q", f)
		}
		if i > 0 && m[i-1].Name >= f.Name {
			t.Fatalf("%q after %q", f, m[i-1])
		}
	}
}

// FuzzNewMeta makes fields from the lines of a text: a name, a tab and a value.
func FuzzNewMeta(f *testing.F) {
	f.Add("agent\tAnn\nqueue\t" + strings.Repeat("é", 200))
	f.Add(strings.Repeat("a\xff", 40) + "\tx\n\t\n")
	f.Fuzz(func(t *testing.T, text string) {
		var fields []Field
		for line := range strings.Lines(text) {
			name, value, _ := strings.Cut(line, "\t")
			fields = append(fields, Field{name, value})
		}
		m := NewMeta(fields)
		checkMeta(t, m)
		if again := NewMeta(m); !assert.ObjectsAreEqual(m, again) {
			t.Fatalf("%q and then %q", m, again)
		}
	})
}
