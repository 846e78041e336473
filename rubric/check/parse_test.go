package check

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	const src = " {\"audit\" : [1, -2.5e+3, true,false , null],\n\"b\\u00e9\\n\":\"\\ud83d\\ude00\\/x\", \"added\":{\"a\":1}, \"audit\":\"twice\"} "
	n, _, err := parse([]byte(src), src)
	require.NoError(t, err)
	require.Equal(t, object, n.kind)
	assert.Equal(t, strings.TrimSpace(src), src[n.start:n.end])
	require.Len(t, n.items, 4)
	var shown []string
	for _, it := range n.items[0].items {
		shown = append(shown, src[it.start:it.end])
	}
	assert.Equal(t, []string{"1", "-2.5e+3", "true", "false", "null"}, shown)
	assert.Equal(t, "bé\n", n.items[1].key)
	assert.Equal(t, `"b\u00e9\n"`, src[n.items[1].keyStart:n.items[1].keyStart+len(`"b\u00e9\n"`)])
	assert.Equal(t, "😀/x", n.items[1].text)
	assert.Equal(t, `{"a":1}`, src[n.items[2].start:n.items[2].end], "what a run adds keeps its place and is not read")
	assert.Empty(t, n.items[2].items)
	assert.Equal(t, "twice", n.get("audit").text, "the last of two counts")
	assert.Nil(t, n.get("c").get("d"), "of nothing there is nothing")
}

func TestNumbers(t *testing.T) {
	for _, tt := range []struct {
		text  string
		whole int
		ok    bool
	}{
		{"80", 80, true}, {"80.0", 80, true}, {"8e1", 80, true}, {"800E-1", 80, true}, {"-0", 0, true}, {"80.5", 0, false},
		{"1e400", 0, false}, {"-1e400", 0, false}, {"1e-400", 0, true}, {"123456789012345678901234567890", 0, false},
	} {
		n, _, err := parse([]byte(tt.text), tt.text)
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
		_, at, err := parse([]byte(tt.text), tt.text)
		require.Error(t, err, "%.80s", tt.text)
		assert.Contains(t, err.Error(), tt.want)
		assert.Equal(t, tt.at, at, "%.80s", tt.text)
	}
}

// TestAt holds that a place in the characters of a string is found again in its text.
func TestAt(t *testing.T) {
	const src = `["a\n\u00e9é\ud83d\ude00z"]`
	root, _, err := parse([]byte(src), src)
	require.NoError(t, err)
	n := root.items[0]
	for i, want := range map[string]string{"a": "a", "\n": `\n`, "é": `\u`, "😀": `\ud83d`, "z": "z"} {
		at := n.at(src, strings.Index(n.text, i))
		assert.True(t, strings.HasPrefix(src[at:], want), "%q at %q", i, src[at:])
	}
	assert.Equal(t, `"]`, src[n.at(src, len(n.text)):])
}

// FuzzParse holds that what is JSON to encoding/json is to the parser, and nothing else is; and that a node is where
// it says.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.5,-3e4,true,false,null,"\u00e9\ud83d\ude00\n"]}`, `{"a":1,}`, `[]`, `"x`, `{"a":{"a":{}}}`, "0", "-", "1.", "[1]x", "nul", "{\"\":\x01}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, at, err := parse([]byte(s), s)
		if valid := json.Valid([]byte(s)); valid != (err == nil) {
			require.True(t, !utf8.ValidString(s) || strings.Contains(err.Error(), "deep") || strings.Contains(err.Error(), "surrogate"), "valid %v, but %v", valid, err)
		}
		if err != nil {
			require.True(t, at >= 0 && at <= len(s))
			return
		}
		var walk func(n *node)
		walk = func(n *node) {
			require.True(t, n.start < n.end && n.end <= len(s))
			require.True(t, json.Valid([]byte(s[n.start:n.end])))
			if n.kind == text {
				var want string
				require.NoError(t, json.Unmarshal([]byte(s[n.start:n.end]), &want))
				require.Equal(t, want, n.text)
			}
			for _, it := range n.items {
				walk(it)
			}
		}
		walk(n)
	})
}
