package talk

import (
	"testing"
	"testing/fstest"

	"assize/heuristics/quantity"
	"assize/heuristics/text"
	"assize/rubric/dialogue"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLexiconRefusesMistakes(t *testing.T) {
	tests := []struct{ reason, text, want string }{
		{"a phrase needs a side", "hello\n", "x-y.txt:1: a phrase before @role"},
		{"only two sides speak", "@role judge\n", `unknown role "judge"`},
		{"a directive is misspelt", "@role user\n@negateable\n",
			"x-y.txt:2: unknown directive @negateable"},
		{"a list is known", "@role user\n@except no-list\n", `unknown list "no-list"`},
		{"own points have two decimals", "@role user\nhello\t1.234\n", `"1.234" is not a number`},
		{"own points are points", "@role user\nhello\tmany\n", `"many" is not a number`},
		{"a group is closed", "@role user\n(a|b c\n", "want each group closed"},
		{"groups do not nest", "@role user\n(a|(b) c\n", "none in another"},
		{"a bar needs a group", "@role user\na|b\n", "and | only inside"},
		{"a phrase has words", "@role user\n(a|)\n", "an empty phrase"},
		{"only ^ is no phrase", "@role user\n^\n", "an empty phrase"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			_, err := Load(fstest.MapFS{"lexicon/x-y.txt": {Data: []byte(tt.text)}},
				&quantity.Words{}, nil, nil)
			require.Error(t, err)
			assert.Contains(t, err.Error(), tt.want)
		})
	}
}

func TestListsOfWordsRefuseMistakes(t *testing.T) {
	tests := []struct{ reason, file, text, want string }{
		{"a value word has a kind", "words-values", "week 1 monday\n",
			`words-values.txt:1: unknown kind of value word "week"`},
		{"digits are no word", "words-values", "- 1 monday\n", `unknown kind of value word "-"`},
		{"a value word has a number", "words-values", "weekday monday mon\n",
			`"monday": invalid syntax`},
		{"a language has a name", "words-foreign", "que los\n", "want the name of a language"},
		{"a script is known to Unicode", "words-foreign", "Elvish: @Tengwar\n",
			`unknown script "Tengwar"`},
	}
	for _, tt := range tests {
		_, err := Load(fstest.MapFS{"lexicon/" + tt.file + ".txt": {Data: []byte(tt.text)}},
			&quantity.Words{}, nil, nil)
		assert.ErrorContains(t, err, tt.want, tt.reason)
	}
}

func TestLexiconReadsAClass(t *testing.T) {
	files := fstest.MapFS{"lexicon/x-y.txt": {Data: []byte(
		"# comment\r\n@role user\n@negatable\n@summed\n\n^(oh|) dear # why\ngood\t0.35\n")}}
	l, err := Load(files, &quantity.Words{}, nil, nil)
	require.NoError(t, err)
	c := l.Lists[l.Classes["x-y"]]
	assert.Equal(t, list{Roles: []dialogue.Role{dialogue.User}, negatable: true, Summed: true,
		Lines: 2}, c)
	assert.NotContains(t, l.Classes, "no-such")
}

// A phrase with a contraction is also found if a chat leaves out the apostrophe, and the other way
// round.
func TestContractions(t *testing.T) {
	l, err := Load(fstest.MapFS{
		"lexicon/words-contractions.txt": {Data: []byte("don't it's\n")},
		"lexicon/a-b.txt":                {Data: []byte("@role user\ni don't know\nits fine\n")},
	}, &quantity.Words{}, nil, nil)
	require.NoError(t, err)
	for said, want := range map[string]int{"I don't know": 1, "I dont know": 1, "I don’t know": 1,
		"I do know": 0, "it's fine": 1, "its fine": 1} {
		turn := &text.Turn{Text: said}
		tokens := l.Vocabulary.Tokenise(turn, nil)
		assert.Len(t, l.automata()[dialogue.User].Scan(tokens, nil), want, said)
		assert.Empty(t, l.automata()[dialogue.System].Scan(tokens, nil), said)
	}
}

func TestParseKind(t *testing.T) {
	for _, k := range []Kind{RequestKind, ServiceKind} {
		got, err := ParseKind(k.String())
		require.NoError(t, err)
		assert.Equal(t, k, got)
	}
	_, err := ParseKind("")
	assert.EqualError(t, err, `unknown kind ""; want one of ["request" "service"]`)
}
