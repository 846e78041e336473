package heuristics

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"assize/rubric"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTokenise(t *testing.T) {
	tests := []struct {
		text string
		want string // the tokens as written in the text, separated by |
	}{
		{"", ""},
		{"?!", ""},
		{"Don't do it.", "Don't|do|it"},
		{"I DON’T", "I|DON’T"},
		{"rock 'n' roll", "rock|n|roll"},
		{"at 9:30, for 18.50!", "at|9:30|for|18.50"},
		{"ends in 9.", "ends|in|9"},
		{"a.b", "a|b"},
		{"on-site/and_so", "on|site|and|so"},
		{"Café São João", "Café|São|João"},
		{"你好，4471", "你好|4471"},
		{"good👍tea", "good|tea"},
		{"e.g. 3:x", "e|g|3|x"},
	}
	v := vocabulary{}
	for _, tt := range tests {
		turn := turnText{text: tt.text}
		var got []string
		for _, tok := range v.tokenise(&turn, nil) {
			got = append(got, tt.text[tok.start:tok.end])
		}
		assert.Equal(t, tt.want, strings.Join(got, "|"), tt.text)
		assert.Equal(t, len(got), turn.words)
	}
}

func TestTokensKnowWhereTheyStand(t *testing.T) {
	v := vocabulary{}
	v.enter("no", negator)
	turn := turnText{text: "Yes, Anna. Is 4 ok? No, great!"}
	tokens := v.tokenise(&turn, nil)
	require.Len(t, tokens, 7)
	want := []struct {
		flags
		from, to uint32
	}{
		{opensSentence | opensClause | capital, 0, 1},
		{opensClause | capital, 0, 1},
		{opensSentence | opensClause | capital, 2, 4},
		{number | coded, 2, 4},
		{questioned, 2, 4},
		{opensSentence | opensClause | capital | negator | disputed, 5, 6},
		{opensClause | disputed, 5, 6},
	}
	for i, tok := range tokens {
		assert.Equal(t, want[i].flags, tok.flags, "token %d", i)
		assert.Equal(t, want[i].from, tok.from, "token %d", i)
		assert.Equal(t, want[i].to, tok.to, "token %d", i)
	}
	assert.Equal(t, len("Yes, Anna. Is 4 ok?"), turn.asks)
	assert.Equal(t, len(turn.text), turn.exclaims)
}

// A full stop after a title or within an address ends no sentence.
func TestFullStopsInside(t *testing.T) {
	for text, want := range map[string]int{
		"Hello Mr. Hale.": 1, "Write to e.hale@example.com today.": 1, "See https://a.example/b for it.": 1,
		"ask anna@example.com. Thanks.": 2, "Thanks.please wait": 2, "Mr": 1,
	} {
		turn, sentences := turnText{text: text}, 0
		for _, tok := range (vocabulary{}).tokenise(&turn, nil) {
			if tok.is(opensSentence) {
				sentences++
			}
		}
		assert.Equal(t, want, sentences, text)
	}
}

func TestContractionsWithoutApostrophe(t *testing.T) {
	v := newAgents(t).lex.vocabulary
	for short, full := range map[string]string{"Dont": "don't", "im": "I’m", "THATS": "that's", "youre": "you`re"} {
		a, b := turnText{text: short}, turnText{text: full}
		assert.Equal(t, v.tokenise(&a, nil)[0].word, v.tokenise(&b, nil)[0].word, "%s and %s", short, full)
	}
	for _, other := range []string{"wont", "were", "its", "ill"} {
		turn := turnText{text: other}
		assert.False(t, v.tokenise(&turn, nil)[0].is(contraction), other)
	}
}

func TestStemsAreAlike(t *testing.T) {
	for _, group := range []string{"booking booked books book", "quickly quick", "cards card"} {
		words := strings.Fields(group)
		for _, w := range words {
			assert.Equal(t, stemHash([]byte(words[0])), stemHash([]byte(w)), "%s and %s", words[0], w)
		}
	}
	assert.NotEqual(t, stemHash([]byte("this")), stemHash([]byte("thing")))
}

// For any text, tokens are inside it and in order, start and end between its characters, and are
// not empty.
func FuzzTokenise(f *testing.F) {
	for _, s := range []string{"", "Don't!", "9:30 a.m.", "I’m ’s '", "ȺȺ's", "\xff\xfe's", "é̂x", "a`b", "1.2.3:4", "’’’", "．５"} {
		f.Add(s)
	}
	v := vocabulary{}
	f.Fuzz(func(t *testing.T, text string) {
		turn := turnText{text: text}
		at := 0
		for _, tok := range v.tokenise(&turn, nil) {
			start, end := int(tok.start), int(tok.end)
			require.True(t, at <= start && start < end && end <= len(text),
				"[%d:%d] of %q behind %d", start, end, text, at)
			if utf8.ValidString(text) {
				require.True(t, utf8.ValidString(text[start:end]), "%q is cut inside a character",
					text[start:end])
			}
			at = end
		}
		require.LessOrEqual(t, max(turn.asks, turn.exclaims), len(text))
	})
}

// For any text, prose gets nothing on which it panics or takes quadratic time.
func FuzzReadable(f *testing.F) {
	for _, s := range []string{"", "ȺȺȺȺ's", "İİİ's", strings.Repeat("!", 300),
		strings.Repeat("a", 500), "a\nb\x00c", "Stop.Go", "(((((", "\xff\xff\xff's"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		clean := readable(text)
		require.True(t, utf8.ValidString(clean))
		require.NotContains(t, clean, "\n")
		require.LessOrEqual(t, len(clean), 2*(longestJudged+longestChunk))
		for chunk := range strings.FieldsSeq(clean) {
			require.LessOrEqual(t, len(chunk), longestChunk+utf8.UTFMax)
		}
	})
}

func FuzzObserve(f *testing.F) {
	f.Add("USER: hello", "SYSTEM: The is for of table your a booked to the at has.")
	f.Add("SYSTEM: the the the the", "USER: No. \x1b[2J <|im_start|>")
	f.Add("USER: ’", "SYSTEM: ,")
	a := newAgents(f)
	f.Fuzz(func(t *testing.T, first, second string) {
		d := talk(first, second, second)
		signals, err := a.Observe(d)
		if err != nil {
			require.Empty(t, signals)
			return
		}
		for _, s := range signals {
			turn, ok := d.Turn(s.Turn)
			require.True(t, ok)
			require.True(t, 0 <= s.Start && s.Start <= s.End && s.End <= len(turn.Text),
				"%s: [%d:%d] of %q", s.ID, s.Start, s.End, turn.Text)
		}
	})
}

// A word of judgement that is denied counts three fifths of it the other way round: "not bad" is
// less good than "good".
func TestDeniedWordsCountLess(t *testing.T) {
	a := newAgents(t)
	points := func(answer string) rubric.Hundredths {
		signals, err := a.Observe(talk("USER: I need a room.", "SYSTEM: The Harbour Inn has one.",
			"USER: "+answer))
		require.NoError(t, err)
		for _, s := range signals {
			if s.ID == "reaction-valence" || s.ID == "reaction-displeased" {
				return s.Points
			}
		}
		return 0
	}
	for word, denied := range map[string]string{
		"That is interesting.": "That is not interesting.",
		"The room is bad.":     "The room is not bad.",
	} {
		require.NotZero(t, points(word), word)
		assert.Equal(t, -points(word)*3/5, points(denied), denied)
	}
}

// Four weeks are a month, and a term said in the other way contradicts nothing.
func TestFourWeeksAreAMonth(t *testing.T) {
	a := newAgents(t)
	contradicts := func(term, again string) bool {
		signals, err := a.Observe(talk("USER: Can I send the chair back?",
			"SYSTEM: Yes. Our returns window is "+term+".", "USER: How do I get the label?",
			"SYSTEM: The page offers no label, since our returns window is "+again+"."))
		require.NoError(t, err)
		return slices.ContainsFunc(signals, func(s rubric.Signal) bool {
			return strings.HasPrefix(s.ID, "contradiction-") && s.Points < 0
		})
	}
	for _, term := range []string{"4 weeks", "28 days", "a month", "30 days"} {
		assert.False(t, contradicts("four weeks", term), term)
	}
	assert.True(t, contradicts("two weeks", "30 days"))
	assert.True(t, contradicts("four weeks", "14 days"))
}
