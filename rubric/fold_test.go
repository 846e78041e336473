package rubric

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric/dialogue"
)

// holds looks up a quote whose turn is unknown.
func holds(text, words string) bool {
	q, ok := FoldQuote(words)
	return ok && Fold(text).Contains(q)
}

// FuzzFolded checks that a folded text gives the same result for every quote as [Quote.Verify].
func FuzzFolded(f *testing.F) {
	for _, s := range []string{
		"No, I said four people.", "I don’t know… <b>four</b>&nbsp;people", "4 .50 , 7:30",
		"a--b -- c — d", "Well... no", "cafe\u0301 ﬁ ´x ‐",
		"<a href=\"x y\">z</a> <3 <NAME>", "abc\u202edef\u200bg\u00adh", "4 .,5 '' 'n' rock'n",
		"5'10\" tall", "", "...", "?!",
	} {
		f.Add(s, "four people")
		f.Add(s, s)
		f.Add(s+" and so on", s)
	}
	f.Fuzz(func(t *testing.T, text, words string) {
		d := dialogue.Dialogue{Turns: []dialogue.Turn{{Role: dialogue.User, Text: text}}}
		require.Equal(t, Quote{1, words}.Verify(d), holds(text, words), "%q in %q", words, text)
	})
}

func TestFoldedHolds(t *testing.T) {
	f := Fold("Yes, yes, yes: it's fine.")
	yes, ok := FoldQuote("YES")
	require.True(t, ok)
	its, _ := FoldQuote("it's fine…")
	assert.True(t, f.Contains())
	assert.True(t, f.Contains(yes, yes, yes, its), "each place is found once, in order")
	assert.False(t, f.Contains(yes, yes, yes, yes))
	colon, _ := FoldQuote(": it's")
	assert.True(t, f.Contains(yes, yes, yes, colon), "a piece may begin where one ends")
	assert.False(t, f.Contains(its, yes), "nothing is found before what is in front of it")
}

func BenchmarkFold(b *testing.B) {
	text := strings.Repeat("Actually, I'd rather have something in the centre of town. ", 20)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Fold(text)
	}
}
