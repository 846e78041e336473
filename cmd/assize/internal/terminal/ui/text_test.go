package ui

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
)

func TestVisible(t *testing.T) {
	for _, tt := range []struct{ in, want, reason string }{
		{"plain, naïve, 日本, 👩‍👧", "plain, naïve, 日本, 👩‍👧", "what people write stays"},
		{"a\nb\tc", "a b c", "line breaks and tabs are white space"},
		{"\x1b[2J", "␛[2J", "an escape sequence would clear the screen"},
		{"\a\b\r\x7f", "␇␈␍␡", "so would other controls do harm"},
		{"\u009b31m", `\u009b31m`, "an escape sequence of one rune (C1)"},
		{"abc\u202edcba", `abc\u202edcba`, "an override turns the order of the text"},
		{"\u2066x\u2069\u200f\u061c", `\u2066x\u2069\u200f\u061c`, "isolates and marks do too"},
		{"zero\u200bwidth\ufeff", `zero\u200bwidth\ufeff`, "an invisible sign hides a difference"},
		{"tag\U000e0041", `tag\U000e0041`, "tags smuggle text that nobody sees"},
		{"bad\xff\xfeutf", "bad\ufffd\ufffdutf", "bytes that are not UTF-8"},
		{"line\u2028sep", `line\u2028sep`, "a line break in disguise"},
	} {
		assert.Equal(t, tt.want, Visible(tt.in), tt.reason)
		assert.Equal(t, tt.want, Visible(tt.want), "what is visible stays as it is")
	}
}

func TestWidths(t *testing.T) {
	for s, want := range map[string]int{"": 0, "abc": 3, "日本": 4, "é": 1, "e\u0301": 1, "👍": 2,
		"ﾊﾝ": 2, "…": 1, "█": 1} {
		assert.Equal(t, want, Cells(s), s)
	}
	assert.Equal(t, "日本…", Clip("日本語です", 6), "a wide sign does not fit half")
	assert.Equal(t, "…です", ClipFront("日本語です", 6))
	assert.Equal(t, "as it is", Clip("as it is", 8))
	assert.Equal(t, "日  ", Pad("日", 4))
	assert.Equal(t, []string{"one two", "three"}, wrap("one  two\nthree", 8))
	assert.Equal(t, []string{"abcdef", "gh ij"}, wrap("abcdefgh ij", 6))
	assert.Equal(t, []string{""}, wrap(" ", 6))

	var p Page
	p.Paragraph(Plain, "a long beginning ", "  ", strings.Repeat("words and ", 20))
	for line := range strings.Lines(p.String()) {
		assert.LessOrEqual(t, Cells(strings.TrimSuffix(line, "\n")), Columns,
			"the wider of the two beginnings counts")
	}
}

func TestName(t *testing.T) {
	for criterion, want := range map[string]string{"TaskSuccess": "Task success",
		"TaskSuccess 20": "Task success 20", "Empathy": "Empathy", "": ""} {
		assert.Equal(t, want, Name(criterion))
	}
}

func FuzzWrap(f *testing.F) {
	f.Add("words of one kind and another", uint8(10))
	f.Add("\u07eb \x9b", uint8(96)) // a word without width is a word
	f.Add("日本語の文章 👩‍👧\u202e\xff", uint8(2))
	f.Fuzz(func(t *testing.T, s string, n uint8) {
		columns := max(int(n), 2) // a wide character needs two
		s = Visible(s)
		assert.True(t, utf8.ValidString(s))
		lines := wrap(s, columns)
		for _, line := range lines {
			assert.LessOrEqual(t, Cells(line), columns)
		}
		squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
		assert.Equal(t, squeeze(s), squeeze(strings.Join(lines, "")), "wrapping loses nothing")
		assert.LessOrEqual(t, Cells(Clip(s, columns)), columns)
		assert.LessOrEqual(t, Cells(ClipFront(s, columns)), columns)
	})
}

func TestWords(t *testing.T) {
	assert.Equal(t, "1 dialogue is", Counted(1, "dialogue")+" "+Is(1))
	assert.Equal(t, "0 dialogues are", Counted(0, "dialogue")+" "+Is(0))
	assert.Equal(t, "2 dialogues are", Counted(2, "dialogue")+" "+Is(2))
	for clause, want := range map[string]string{"": "", "a": "A.", "it works": "It works.",
		"It works. ": "It works.", "élan..": "Élan."} {
		assert.Equal(t, want, Sentence(clause))
	}
	for want, got := range map[string]string{"–": Percent(0, 0), "0.0 %": Percent(0, 3),
		"33.3 %": Percent(1, 3), "100.0 %": Percent(1, 1)} {
		assert.Equal(t, want, got)
	}
	assert.Equal(t, []string{"b", "a", "c"}, ByFrequency(map[string]int{"a": 1, "b": 2, "c": 1}))
	for n, want := range map[int]string{1: "a and 3 more", 2: "a, b and 2 more", 3: "a, b, c, d",
		4: "a, b, c, d"} {
		assert.Equal(t, want, First([]string{"a", "b", "c", "d"}, n))
	}
	var s Sentences
	s.If(false, "never")
	s.If(true, "%d of %s", 1, "two")
	s.Add("last")
	assert.Equal(t, Sentences{"1 of two", "last"}, s)
	assert.Equal(t, "The agent told the customer.", PlainRoles("The SYSTEM told the USER."))
}

func TestMore(t *testing.T) {
	for _, tt := range []struct {
		n     int
		times float64
		want  string
	}{{100, 1, "10"}, {100, 1.5, "50"}, {100, 1.91, "100"}, {100, 1.99, "100"}, {100, 2, "100"},
		{100, 2.01, "200"}, {1000, 2.01, "2000"}, {1000, 11, "10000"}, {1000, 1001, "1000000"}} {
		assert.Equal(t, "needs about "+tt.want+" more dialogues", More(tt.n, tt.times))
	}
	assert.Equal(t, "needs more than 1,000,000 more dialogues", More(1000, 1002))
}

func TestWrapAndClipAtTheLimit(t *testing.T) {
	assert.Equal(t, []string{"one two"}, wrap("one two", 7), "it just fits")
	assert.Equal(t, []string{"one", "two"}, wrap("one two", 6))
	assert.Equal(t, []string{"abc", "def", "g"}, wrap("abcdefg", 3))
	assert.Equal(t, []string{"abc", "def"}, wrap("abcdef", 3))
	assert.Equal(t, "abcde", Clip("abcde", 5))
	assert.Equal(t, "abc…", Clip("abcde", 4))
	assert.Equal(t, "abcde", ClipFront("abcde", 5))
	assert.Equal(t, "…cde", ClipFront("abcde", 4))
	assert.Equal(t, "…/c.txt", ClipFront("folder/b/c.txt", 8), "between folders")
	assert.Equal(t, "ab", Pad("ab", 1))
}

func TestArrow(t *testing.T) {
	assert.Equal(t, "80 → 60", Arrow(80, 60))
	assert.Equal(t, "80", Arrow(80, 80))
}

func TestLists(t *testing.T) {
	given := []string{"b", "A", "B", "a"}
	assert.Equal(t, []string{"b", "a", "b", "a"}, Each(given, strings.ToLower))
	assert.Nil(t, Each(nil, strings.ToLower))
	assert.Equal(t, []string{"b", "A"}, Once(given, strings.ToLower))
	assert.Equal(t, []string{"b", "a"}, Distinct([]string{"b", "a", "b", "a"}))
	assert.Equal(t, []string{"b", "B", "a"},
		Without(given, func(s string) bool { return s == "A" }))
	assert.Equal(t, []string{"b", "A", "B", "a"}, given)
}
