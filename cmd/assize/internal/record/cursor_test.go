package record

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCursorReadsStringsAsJSONDoes(t *testing.T) {
	for _, text := range []string{
		`""`, `"plain"`, `"\"\\\/\b\f\n\r\t"`, `"a\\"`, `"\\\\\""`, `"\u0041\u00e9\u20AC"`, `"é€😀"`,
		`"\ud83d\ude00"`, `"\ud83d"`, `"\ud83d!"`, `"\ud83d\u0041"`, `"\ude00\ud83d"`,
	} {
		var want string
		require.NoError(t, json.Unmarshal([]byte(text), &want), text)
		c := &cursor{text: []byte(text)}
		assert.Equal(t, want, c.string(), text)
		assert.Nil(t, c.err, text)
		assert.Equal(t, len(text), c.at, text)
	}
	for _, text := range []string{``, `"`, `"\"`, `"\x"`, `"\u12"`, `"\u12g4"`, `"\u+123"`, `7`, `{"a":1}`} {
		c := &cursor{text: []byte(text + `,`)}
		assert.Empty(t, c.string(), text)
		assert.NotNil(t, c.err, text)
	}
}

func TestCursorNamesThePlace(t *testing.T) {
	for _, tt := range []struct{ reason, text, pointer, msg string }{
		{"a number where a string should be", `{"a/b~":[{},{"c":5}]}`, "/a~1b~0/1/c", "is not a string; want one"},
		{"a string where a list should be", `{"a/b~":"x"}`, "/a~1b~0", "is not a list; want one"},
		{"the end", `{"a/b~":[{},{"c":`, "/a~1b~0/1/c", "breaks off here; want a whole line"},
		{"the end of a list", `{"a/b~":[{}`, "/a~1b~0", "breaks off here; want a whole line"},
		{"no colon", `{"a/b~" [] }`, "", "is not written as JSON; want members, each a name and a value"},
	} {
		c := &cursor{text: []byte(tt.text)}
		c.object(func([]byte) {
			c.array(func(int) {
				c.object(func([]byte) { c.string() })
			})
		})
		require.NotNil(t, c.err, tt.reason)
		assert.Equal(t, FieldError{tt.pointer, tt.msg}, *c.err, tt.reason)
	}
}

// Whatever is valid JSON, skipping it ends where it ends; and whatever the text, nothing runs on for ever or panics.
func FuzzCursor(f *testing.F) {
	for _, text := range []string{`{"a":[1,2,{"b":"]}"}],"c":null}`, `"a\\\""`, `-1.5e3`, `[[[[]]]]`, `{"a":`, `tru`, `]`, ` {} `, `"\u`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		c := &cursor{text: text}
		c.skip()
		if json.Valid(text) {
			c.peek() // white space may follow
			assert.Nil(t, c.err)
			assert.Equal(t, len(text), c.at)
		}
		var want string
		if json.Unmarshal(text, &want) == nil && text[0] == '"' && !bytes.Contains([]byte(want), []byte("\ufffd")) {
			c = &cursor{text: text}
			assert.Equal(t, want, c.string(), "but for bytes that are no UTF-8, which encoding/json replaces")
		}
		(&cursor{text: text}).object(func([]byte) {})
		_, _ = readWire(text)
	})
}
