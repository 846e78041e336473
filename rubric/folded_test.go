package rubric

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric/dialogue"
)

// holds looks a quote up as whoever does not know its turn does.
func holds(text, words string) bool {
	q, ok := FoldQuote(words)
	if !ok {
		return false
	}
	_, _, ok = Fold(text).Find(q, 0)
	return ok
}

// FuzzFolded holds the law that a text folded once says of every quote what [Quote.Verify] says, and that
// two texts one behind the other hold what either holds.
func FuzzFolded(f *testing.F) {
	for _, s := range []string{
		"No, I said four people.", "I don’t know… <b>four</b>&nbsp;people", "4 .50 , 7:30", "a--b -- c — d", "Well... no", "cafe\u0301 ﬁ ´x ‐",
		"<a href=\"x y\">z</a> <3 <NAME>", "abc\u202edef\u200bg\u00adh", "4 .,5 '' 'n' rock'n", "5'10\" tall", "", "...", "?!",
	} {
		f.Add(s, "four people")
		f.Add(s, s)
		f.Add(s+" and so on", s)
	}
	f.Fuzz(func(t *testing.T, text, words string) {
		d := dialogue.Dialogue{Turns: []dialogue.Turn{{Role: dialogue.User, Text: text}}}
		require.Equal(t, Quote{1, words}.Verify(d), holds(text, words), "%q in %q", words, text)
		require.Equal(t, fold(text), foldPlain(text))
		require.Equal(t, fold(text), Fold(text).String())
		require.Equal(t, bound(fold(text)), boundPlain(fold(text)))
		q, ok := FoldQuote(words)
		if !ok {
			return
		}
		folded := Fold(text)
		start, end, ok := folded.Find(q, 0)
		front, behind := JoinFolded(Fold("one two"), folded), JoinFolded(folded, Fold("one two"))
		at, _, found := front.Find(q, Fold("one two").Len()+1)
		require.Equal(t, ok, found, "%q in %q behind another text", words, text)
		if ok {
			require.Equal(t, start+Fold("one two").Len()+1, at)
			require.Equal(t, q.marked, folded.marked[start:end+1])
			_, _, found = behind.Find(q, 0)
			require.True(t, found, "%q in %q before another text", words, text)
		}
	})
}

func TestFoldedFind(t *testing.T) {
	f := Fold("Yes, yes, yes: it's fine.")
	yes, ok := FoldQuote("YES")
	require.True(t, ok)
	count, from := 0, 0
	for {
		_, end, ok := f.Find(yes, from)
		if !ok {
			break
		}
		count, from = count+1, end
	}
	assert.Equal(t, 3, count, "each place is found once, in order")

	its, _ := FoldQuote("it's fine…")
	_, end, ok := f.Find(its, from)
	assert.True(t, ok, "what follows is found from the end on")
	_, _, ok = f.Find(its, end)
	assert.False(t, ok, "nothing is found twice")
	_, _, ok = f.Find(its, f.Len()+1)
	assert.False(t, ok, "beyond the end")
}

func TestJoinFolded(t *testing.T) {
	f := JoinFolded(Fold("I like it."), Fold("So funny."))
	for words, want := range map[string]bool{"it. so": true, "like it. So funny.": true, "it so": false, "it. s": false} {
		q, _ := FoldQuote(words)
		_, _, ok := f.Find(q, 0)
		assert.Equal(t, want, ok, words)
	}
}

func BenchmarkFold(b *testing.B) {
	text := strings.Repeat("Actually, I'd rather have something in the centre of town. ", 20)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Fold(text)
	}
}
