package rubric

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric/dialogue"
)

func TestVerify(t *testing.T) {
	for _, tt := range []struct {
		name, turn, quote string
		want              bool
	}{
		{"whole turn", "No, I said four people.", "No, I said four people.", true},
		{"a piece", "No, I said four people.", "four people", true},
		{"case", "No, I said FOUR people.", "four people", true},
		{"one word", "Yeah.", "yeah", true},
		{"one digit", "4", "4", true},
		{"inside a word", "I know.", "no", false},
		{"end of a word", "You know", "now", false},
		{"later and whole", "I know, no", "no", true},
		{"after many inside words", strings.Repeat("know ", 50) + "no", "no", true},
		{"not said", "Yes, please.", "no thanks", false},
		{"out of order", "four people", "people four", false},
		{"can is not in can't", "I can't do that", "I can", false},
		{"n't is no word", "I can't do that", "t do that", false},
		{"can't itself", "I can't do that", "can't", true},
		{"quoted word", "he said 'no' twice", "no", true},
		{"possessive", "the guests' rooms", "guests'", true},
		{"hour", "a table at 7:30", "at 7", false},
		{"price", "it costs 4.50", "costs 4", false},
		{"thousands", "it seats 1,200 people", "200 people", false},
		{"number before a comma", "on the 4, please", "the 4", true},
		{"number at a full stop", "We are 4.", "We are 4", true},
		{"underscore", "see order_id", "order", false},
		{"hyphen parts words", "a check-in desk", "check", true},
		{"curly apostrophe", "I don’t know", "I don't know", true},
		{"curly quotes", "she said “no way”", `said "no way"`, true},
		{"quotes of the other kind", `the "Park Inn" please`, "the 'Park Inn' please", true},
		{"accent for an apostrophe", "I don´t know", "I don't know", true},
		{"dashes", "Monday – Friday", "Monday - Friday", true},
		{"typed dash", "well -- no", "well — no", true},
		{"white space", "four \t\n people", "four people", true},
		{"no-break space", "four\u00a0people", "four people", true},
		{"space before a mark", "have you seen John Wick ?", "seen John Wick?", true},
		{"composed and not", "cafe\u0301 bar", "café bar", true},
		{"cut inside a letter", "cafe\u0301 bar", "cafe", false},
		{"ligature", "the oﬃce", "office", true},
		{"full width", "ＦＯＵＲ people", "four people", true},
		{"sharp s", "Straße", "STRASSE", true},
		{"soft hyphen", "reser\u00advation", "reservation", true},
		{"emoji beside", "great 👍🏽 thanks", "thanks", true},
		{"ellipsis ends it", "I would like to book a table for two", "I would like to book…", true},
		{"three dots end it", "I would like to book a table", "I would like...", true},
		{"ellipsis at the turn's end", "Yes please", "Yes please…", true},
		{"its own dots", "Well... no", "Well...", true},
		{"ellipsis inside a word", "I would like to book", "I would like to bo…", false},
		{"ellipsis cannot begin it", "I would like to book", "…like to book", false},
		{"ellipsis cannot stand inside", "I would like to book", "I would … book", false},
		{"tags", "We are <b>four</b>&nbsp;people", "four people", true},
		{"tag before a mark", "We are <b>four</b>, thanks", "four, thanks", true},
		{"line tag", "Hello<br/>there", "hello there", true},
		{"tag with attributes", `<a href="x y">our  page</a>`, "our page", true},
		{"attributes were not said", `<a href="refund">here</a>`, "refund", false},
		{"verbatim tags", "We are <b>four</b> people", "<b>four</b> people", true},
		{"a name in angle brackets is no tag", "My name is <NAME>", "name is <NAME>", true},
		{"less than", "if a <b then c> d", "if a <b then", false},
		{"a heart", "I <3 it", "I <3 it", true},
		{"entity", "Tom &amp; Jerry", "Tom & Jerry", true},
		{"entities as quotes", "he said &quot;no&quot;", `he said "no"`, true},
		{"bare ampersand", "the B&B inn", "B&B", true},
		{"empty", "Yes", "", false},
		{"space", "Yes  no", "  ", false},
		{"marks only", "What?!", "?!", false},
		{"emoji only", "👍", "👍", false},
		{"ellipsis only", "Well… ", "…", false},
		{"nul", "a\x00b", "a b", true},
		{"invalid", "a\xff b", "b", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := dialogue.Dialogue{Turns: []dialogue.Turn{{Role: dialogue.System, Text: "Hello"},
				{Role: dialogue.User, Text: tt.turn}}}
			assert.Equal(t, tt.want, Quote{Turn: 2, Text: tt.quote}.Verify(d), "%q in %q", tt.quote,
				tt.turn)
		})
	}
}

func TestVerifyNamesItsTurn(t *testing.T) {
	d := dialogue.Dialogue{Turns: []dialogue.Turn{{Role: dialogue.User, Text: "yes"},
		{Role: dialogue.Other, Text: "yes"}, {Role: dialogue.System, Text: ""}}}
	assert.True(t, Quote{1, "yes"}.Verify(d))
	assert.False(t, Quote{2, "yes"}.Verify(d), "nobody is judged for a tool's output")
	for _, turn := range []int{-1, 0, 3, 4} {
		assert.False(t, Quote{turn, "yes"}.Verify(d), "turn %d", turn)
	}
}

func TestExcerpt(t *testing.T) {
	long := "I would like to book a table for four people on Friday evening at the Golden Lantern " +
		"in the old town, near the river if possible, and I need parking for two cars"
	for _, tt := range []struct {
		name, text string
		start, end int
		want       string
	}{
		{"whole sentence", "Hello. I said four people. Thanks.", 9, 13, "I said four people."},
		{"no range", "Hello there. Bye.", 0, 0, "Hello there."},
		{"long in bytes only", strings.Repeat("é ", 60) + "b.", 120, 121,
			strings.Repeat("é ", 59) + "é…"},
		{"range over two sentences", "No. I said four. Bye.", 0, 9, "No. I said four."},
		{"no mark at the end", "yes please", 0, 3, "yes please"},
		{"abbreviation", "At 7 p.m. on Friday. Bye.", 12, 14, "At 7 p.m. on Friday."},
		{"quoted end", `He said "no." Then he left.`, 20, 22, "Then he left."},
		{"too long, from its beginning", long, 2, 7,
			"I would like to book a table for four people on Friday evening at the Golden Lantern in the " +
				"old town, near the river if…"},
		{"too long, from the range's clause", long, 146, 153, "and I need parking for two cars"},
		{"too long, from the range", strings.ReplaceAll(long, ",", ""), 120, 130,
			"possible and I need parking for two cars"},
		{"line break", "Hello\nI said four\nbye", 8, 10, "I said four"},
		{"tab", "one\ttwo", 5, 6, "two"},
		{"direction mark", "abc\u202edef", 4, 7, "def"},
		{"terminal escape", "red \x1b[31mtext", 0, 3, "red"},
		{"tag", "We are <b>four</b>, thanks", 11, 12, "four"},
		{"inside a tag", `see <a href="b c">here</a>`, 13, 14, "here"},
		{"emoji range", "Great 👍", 6, 10, "Great 👍"},
		{"wordless line", "👍\nfine", 0, 4, "fine"},
		{"wordless end", "fine\n👍", 5, 9, "fine"},
		{"no words", "?! 👍", 0, 2, ""},
		{"entity only", "&nbsp; &gt;", 0, 2, ""},
		{"empty", "", 0, 0, ""},
		{"range out of the text", "yes", 90, 99, "yes"},
		{"range backwards", "yes no", 5, -7, "yes no"},
		{"endless word", strings.Repeat("a", 500) + " b", 3, 4, "b"},
		{"only an endless word", strings.Repeat("a", 500), 3, 4, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			q := Excerpt(3, tt.text, tt.start, tt.end)
			assert.Equal(t, Quote{3, tt.want}, q)
			assert.Equal(t, tt.want != "", holds(tt.text, q.Text))
		})
	}
}

// FuzzQuote checks the laws of evidence: nothing panics, the fast path accepts no more than the
// slow one, a quote that passes is a substring after folding, and an excerpt always passes.
func FuzzQuote(f *testing.F) {
	for _, s := range []string{
		"No, I said four people.", "I don’t know… <b>four</b>&nbsp;people", "4 .50 , 7:30",
		"a--b -- c — d", "Well... no", "cafe\u0301 ﬁ ´x ‐", "x &#10;y &amp &notit",
		"<a href=\"x y\">z</a> <3 <NAME>", "ʼ ﾞ ① ﹰ", "abc\u202edef\u200bg\u00adh",
		"Dr. No p.m. (ok.) \"Yes.\" 'no'", "a\xffb\x00c", "4 .,5 '' 'n' rock'n", "= \u0338 x\u0345",
	} {
		f.Add(s, "four people", 3, 9)
		f.Add(s, s, 0, len(s))
	}
	f.Fuzz(func(t *testing.T, text, words string, start, end int) {
		quote, _ := FoldQuote(words)
		if holds(text, words) {
			require.True(t, strings.Contains(fold(text), strings.ReplaceAll(quote.text, "\x00", "")),
				"%q of %q is no substring", words, text)
		}
		if containsVerbatim(text, words) {
			require.True(t, strings.Contains(Fold(text).text, quote.text),
				"%q of %q passes the fast path only", words, text)
		}
		last := 0 // of the excerpt before, which ends sooner
		for q := range Excerpts(1, text) {
			require.True(t, holds(text, q.Text), "excerpt %q of %q is not verified", q.Text, text)
			piece := strings.TrimSuffix(q.Text, "…")
			from := max(0, last-len(piece)+1)
			at := strings.Index(text[min(from, len(text)):], piece)
			require.GreaterOrEqual(t, at, 0, "excerpt %q of %q does not end after byte %d", q.Text,
				text, last)
			last = from + at + len(piece)
		}
		q := Excerpt(1, text, start, end)
		require.LessOrEqual(t, utf8.RuneCountInString(q.Text), excerptRunes)
		require.False(t, strings.ContainsAny(q.Text, "\n\r\t\x1b\u202e\u2028"), "%q", q.Text)
		if q.Text != "" {
			require.True(t, holds(text, q.Text), "excerpt %q of %q is not verified", q.Text, text)
			piece := strings.TrimSuffix(q.Text, "…")
			require.True(t, strings.Contains(text, piece) ||
				strings.Contains(text, q.Text), "excerpt %q of %q is not verbatim", q.Text, text)
			return
		}
		for c := (chunks{text: withoutTags(text)}); c.next(); {
			s := text[c.start:c.end]
			require.False(t, hasWords(fold(s)) && utf8.RuneCountInString(s) < excerptRunes,
				"nothing of %q is quoted though %q could be", text, s)
		}
	})
}

func BenchmarkVerify(b *testing.B) {
	text := "Actually, I'd rather have something in the centre of town. No, I said four people, for " +
		"Friday at 7 pm."
	for _, bb := range []struct{ name, text, quote string }{
		{"plain", text, "No, I said four people, for Friday at 7 pm."},
		{"folded", strings.ReplaceAll(text, "'", "’"), "I'd rather have"},
		{"absent", text, "No, I said five people"},
	} {
		d := dialogue.Dialogue{Turns: []dialogue.Turn{{Role: dialogue.User, Text: bb.text}}}
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Quote{1, bb.quote}.Verify(d)
			}
		})
	}
}

func BenchmarkExcerpt(b *testing.B) {
	text := "Actually, I'd rather have something in the centre of town. No, I said four people, for " +
		"Friday at 7 pm."
	b.ReportAllocs()
	for b.Loop() {
		Excerpt(1, text, 70, 74)
	}
}
