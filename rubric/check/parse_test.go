package check

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	const src = " {\"audit\" : [1, -2.5e+3, true,false , " +
		"null],\n\"b\\u00e9\\n\":\"\\ud83d\\ude00\\/x\", \"added\":{\"a\":1}, \"audit\":\"twice\"} "
	n, _, err := parse(src)
	require.NoError(t, err)
	require.Equal(t, jsontext.Kind('{'), n.kind)
	assert.Equal(t, strings.TrimSpace(src), n.raw)
	require.Len(t, n.items, 4)
	var shown []string
	for _, it := range n.items[0].items {
		shown = append(shown, it.raw)
	}
	assert.Equal(t, []string{"1", "-2.5e+3", "true", "false", "null"}, shown)
	assert.Equal(t, "bé\n", n.items[1].key)
	assert.Equal(t, `"b\u00e9\n"`, src[n.items[1].keyStart:n.items[1].keyStart+len(`"b\u00e9\n"`)])
	assert.Equal(t, "😀/x", n.items[1].text)
	assert.Equal(t, `{"a":1}`, n.items[2].raw, "what a run adds keeps its place and is not read")
	assert.Empty(t, n.items[2].items)
	assert.Equal(t, "twice", n.get("audit").text, "the last of two counts")
	assert.Equal(t, "/audit/1", n.items[0].items[1].path())
	assert.Equal(t, "/added/a~1b", n.get("added").path("a/b"))
	assert.Nil(t, n.get("c").get("d"), "of nothing there is nothing")
}

func TestNumbers(t *testing.T) {
	for _, tt := range []struct {
		text  string
		whole int
		ok    bool
	}{
		{"80", 80, true}, {"80.0", 80, true}, {"8e1", 80, true}, {"800E-1", 80, true},
		{"-0", 0, true}, {"80.5", 0, false},
		{"1e400", 0, false}, {"-1e400", 0, false}, {"1e-400", 0, true},
		{"123456789012345678901234567890", 0, false},
	} {
		n, _, err := parse(tt.text)
		require.NoError(t, err, tt.text)
		whole, ok := n.integer()
		assert.Equal(t, tt.ok, ok, tt.text)
		assert.Equal(t, tt.whole, whole, tt.text)
	}
}

func TestSyntaxErrors(t *testing.T) {
	for _, tt := range []struct {
		text string
		at   int
		want string
	}{
		{``, 0, "there is nothing"},
		{`  `, 2, "there is nothing"},
		{`{"a":1`, 6, "the text ends inside the JSON"},
		{`{"a`, 3, "the text ends inside the JSON"},
		{`{"a":1,}`, 6, "invalid character ',' at start of value"},
		{`{"a":05}`, 6, "invalid character '5' after object value (expecting ',' or '}')"},
		{"{\"a\":\"\xff\"}", 6, "invalid UTF-8"},
		{`{} {}`, 3, `text after the end of the JSON: "{}"`},
		{strings.Repeat("[", 200), 101, "brackets more than 100 deep"},
		{"[" + strings.Repeat("1,", 1<<20) + "1]", 1<<21 - 2, "more than 1,048,576 values"},
	} {
		_, at, err := parse(tt.text)
		require.Error(t, err, "%.80s", tt.text)
		assert.Contains(t, err.Error(), tt.want)
		assert.Equal(t, tt.at, at, "%.80s", tt.text)
	}
}

// FuzzParse checks that the parser accepts the same JSON as encoding/json, and that nodes have the
// right positions.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.5,-3e4,true,false,null,"\u00e9\ud83d\ude00\n"]}`,
		`{"a":1,}`, `[]`, `"x`, `{"a":{"a":{}}}`, "0", "-", "1.", "[1]x", "nul", "{\"\":\x01}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, at, err := parse(s)
		if valid := json.Valid([]byte(s)); valid != (err == nil) {
			require.True(t, !utf8.ValidString(s) || strings.Contains(err.Error(), "deep") ||
				strings.Contains(err.Error(), "surrogate"), "valid %v, but %v", valid, err)
		}
		if err != nil {
			require.True(t, at >= 0 && at <= len(s))
			return
		}
		var walk func(n *node)
		walk = func(n *node) {
			require.True(t, n.raw != "" && strings.HasPrefix(s[n.start:], n.raw))
			require.True(t, json.Valid([]byte(n.raw)))
			if n.kind == '"' {
				var want string
				require.NoError(t, json.Unmarshal([]byte(n.raw), &want))
				require.Equal(t, want, n.text)
			}
			for _, it := range n.items {
				walk(it)
			}
		}
		walk(n)
	})
}
