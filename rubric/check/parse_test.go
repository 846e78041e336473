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
	const src = " {\"a\" : [1, -2.5e+3, true,false , null],\n\"b\\u00e9\\n\":{\"\":\"\\ud83d\\ude00\\/x\"}, \"a\":\"twice\"} "
	n, err := parse(src)
	require.Nil(t, err)
	require.Equal(t, object, n.kind)
	assert.Equal(t, strings.TrimSpace(src), src[n.start:n.end])
	require.Len(t, n.members, 3)
	list := n.members[0].value
	require.Len(t, list.items, 5)
	var shown []string
	for _, it := range list.items {
		shown = append(shown, src[it.start:it.end])
	}
	assert.Equal(t, []string{"1", "-2.5e+3", "true", "false", "null"}, shown)
	assert.Equal(t, "bé\n", n.members[1].key)
	assert.Equal(t, "😀/x", n.members[1].value.get("").text)
	assert.Equal(t, "twice", n.get("a").text, "the last of two counts")
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
		n, err := parse(tt.text)
		require.Nil(t, err, tt.text)
		whole, ok := n.integer()
		assert.Equal(t, tt.ok, ok, tt.text)
		assert.Equal(t, tt.whole, whole, tt.text)
	}
}

func TestMistakes(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{``, "0: there is nothing"},
		{`  `, "2: there is nothing"},
		{`{`, "1: the text ends inside the object <0"},
		{`[1`, "2: the text ends inside the list <0"},
		{`{"a`, "3: the text ends inside the string <1"},
		{`{"a\`, `3: no such escape in a string: "\\"`},
		{`{"a":`, "5: the text ends where a value should be"},
		{`{"a":1,`, "7: the text ends where a key should be"},
		{`{"a":1,}`, "6: a comma behind the last entry of the object"},
		{`[1, ]`, "2: a comma behind the last entry of the list"},
		{`[,1]`, "1: a comma where a value should be"},
		{`[1,,2]`, "3: a comma where a value should be"},
		{`[1 2]`, `3: no comma and no closing bracket behind an entry of the list: "2]"`},
		{`["a" "b"]`, "5: no comma between two entries of the list"},
		{`{"a":1 "b":2}`, "7: no comma between two entries of the object"},
		{`{"a" 1}`, `5: no colon behind the key "a"`},
		{`{"a"}`, `4: no colon behind the key "a"`},
		{`["a":1]`, "4: a key inside a list"},
		{`{"a":1]`, "6: a closing ] inside the object"},
		{`[1}`, "2: a closing } inside the list"},
		{`{a:1}`, `1: a key without quote marks: "a"`},
		{`{'a':1}`, "1: a key in single quotes; want double ones"},
		{`{"a":'b'}`, "5: a value in single quotes; want double ones"},
		{`{“a”:1}`, "1: a key in typographic quotes; want straight double ones"},
		{`{"a":“b”}`, "5: a value in typographic quotes; want straight double ones"},
		{`{"a":NaN}`, "5: no JSON number: NaN; want digits or null"},
		{`{"a":Infinity}`, "5: no JSON number: Infinity; want digits or null"},
		{`{"a":-Infinity}`, `5: no JSON number: "-Infinity"`},
		{`{"a":None}`, "5: no JSON value: None; want null"},
		{`{"a":undefined}`, "5: no JSON value: undefined; want null"},
		{`{"a":True}`, "5: no JSON value: True; want true"},
		{`{"a":nulls}`, `5: no JSON value: "nulls}"`},
		{`{"a":+5}`, `5: no JSON number: "+5"`},
		{`{"a":.5}`, `5: no JSON number: ".5"`},
		{`{"a":05}`, `5: no JSON number: "05"`},
		{`{"a":5.}`, `5: a number without digits behind the point: "5."`},
		{`{"a":5e}`, `5: a number without an exponent: "5e"`},
		{`{"a":-}`, `5: no JSON number: "-"`},
		{`{"a":80%}`, `7: no comma and no closing bracket behind an entry of the object: "%}"`},
		{`// evaluation`, `0: a comment: "// evaluation"; JSON has none`},
		{`{"a":1 /* b */}`, `7: a comment: "/* b */}"; JSON has none`},
		{`{"a":1, # b` + "\n}", `8: a comment: "# b"; JSON has none`},
		{`{"a": <score>}`, `6: a place that was not filled in: "<score>}"`},
		{`{"a": ...}`, "6: three points where a value should be: something was left out"},
		{`{"a": 1, ...}`, "9: three points where a key should be: something was left out"},
		{`[1 ...]`, "3: three points inside the list: something was left out"},
		{"{\"a\":\"b\nc\"}", "7: a line break inside the string <5; want \\n, or the quote mark that is missing"},
		{"{\"a\":\"b\tc\"}", `7: a control character inside a string, "\t"; want an escape`},
		{`{"a":"\x41"}`, `6: no such escape in a string: "\\x41\"}"`},
		{`{"a":"\u12"}`, `6: no such escape in a string: "\\u12\"}"`},
		{"{\"a\":\"\xff\"}", `6: a byte that is no UTF-8, "\xff"; save the file as UTF-8`},
		{"\ufeff{}", "0: a byte-order mark inside the text"},
		{`{} {}`, `3: text behind the end of the JSON: "{}"`},
		{`{}}`, `2: text behind the end of the JSON: "}"`},
		{strings.Repeat("[", 200), "100: brackets nested more than 100 deep; an evaluation has five levels"},
		{"[" + strings.Repeat("1,", mostNodes) + "1]", "2097151: more than 1,048,576 values in one document; an evaluation has about a hundred"},
	} {
		n, err := parse(tt.text)
		require.Nil(t, n)
		require.NotNil(t, err, tt.text)
		got := itoa(err.at) + ": " + err.msg
		if err.from >= 0 {
			got += " <" + itoa(err.from)
		}
		if err.hint != "" {
			got += "; " + err.hint
		}
		assert.Equal(t, tt.want, got, "%.80s", tt.text)
	}
}

func itoa(n int) string { return item("", n)[1:] }

// TestAt holds that a place in the characters of a string is found again in its text.
func TestAt(t *testing.T) {
	const src = `["a\n\u00e9é\ud83d\ude00\ud800z"]`
	root, err := parse(src)
	require.Nil(t, err)
	n := root.items[0]
	for i, want := range map[string]string{"a": "a", "\n": `\n`, "é": `\u`, "😀": `\ud83d`, "\ufffd": `\ud800`, "z": "z"} {
		at := n.at(src, strings.Index(n.text, i))
		assert.True(t, strings.HasPrefix(src[at:], want), "%q at %q", i, src[at:])
	}
	assert.Equal(t, `"]`, src[n.at(src, len(n.text)):])
}

// FuzzParse holds that what is JSON to encoding/json is to the parser, and nothing else is; and that a node is where
// it says.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.5,-3e4,true,false,null,"\u00e9\ud83d\ude00\n"]}`, `{"a":1,}`, `[]`, `"x`, `{"a":{"a":{}}}`, "0", "-", "1.", "[1]x", "\"\\ud800\"", "nul", "{\"\":\x01}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, err := parse(s)
		if valid := json.Valid([]byte(s)); valid != (err == nil) {
			deep := err != nil && strings.Contains(err.msg, "deep")
			require.True(t, deep || !utf8.ValidString(s), "valid %v, but %v", valid, err)
		}
		if err != nil {
			require.True(t, err.at >= 0 && err.at <= len(s) && err.from < max(len(s), 1))
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
			for _, m := range n.members {
				walk(m.value)
			}
			for _, it := range n.items {
				walk(it)
			}
		}
		walk(n)
	})
}
