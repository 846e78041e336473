package check

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// String returns the name of a verdict for failure messages.
func (v verdict) String() string {
	return [...]string{"said", "saidByOther", "saidElsewhere", "altered", "unsaid", "elided"}[v]
}

// table returns a dialogue about a table with difficult cases for quotes.
func table() *Transcript {
	return NewTranscript(dialogue.Dialogue{ID: 1, Turns: []dialogue.Turn{
		// 1
		{Role: dialogue.User,
			Text: "Hello! I would like a table for four at the Golden Lantern, please."},
		// 2
		{Role: dialogue.System, Text: "Certainly. I’ve booked a table for five… anything else?"},
		// 3
		{Role: dialogue.User,
			Text: "No, I said four. I do not like being misheard, and I can't wait."},
		// 4
		{Role: dialogue.System,
			Text: "Well... my apologies, it is four now. I said \"nine\" by mistake."},
		// 5
		{Role: dialogue.Other, Text: "lookup ok: table 12 is free"},
		// 6
		{Role: dialogue.System,
			Text: "Your table is at 7:30, no. 12 &amp; near the <b>window</b> [smoking area]."},
		// 7
		{Role: dialogue.System, Text: "The deposit is 5'10\" no wait, it's $45.50."},
		// 8
		{Role: dialogue.User, Text: "It's just lovely."},
		// 9
		{Role: dialogue.User,
			Text: "So quiet. The view is the best thing that I have seen in the whole of this old town."},
		// 10
		{Role: dialogue.User, Text: "Thank you, goodbye"},
		// 11
		{Role: dialogue.System, Text: ""},
		// 12
		{Role: dialogue.System, Text: "Goodbye, and thank you!"},
	}})
}

func TestLocate(t *testing.T) {
	for _, tt := range []struct {
		reason, sentence string
		want             verdict
		turns            []int
	}{
		{"a whole turn", `USER: "It's just lovely."`, said, []int{8}},
		{"a piece", `USER: "table for four"`, said, []int{1}},
		{"every turn that has it", `"thank you" (and more)`, said, []int{10, 12}},
		{"every turn of the speaker that has it", `USER: "I"`, said, []int{1, 3, 9}},
		{"case", `USER: "NO, i said FOUR"`, said, []int{3}},
		{"other marks and dashes", `SYSTEM: 'I've booked a table'`, said, []int{2}},
		{"inner marks of another kind", `SYSTEM: "I said 'nine' by mistake"`, said, []int{4}},
		{"inner marks not escaped", `SYSTEM: "I said "nine" by mistake".`, said, []int{4}},
		{"an inch mark", `SYSTEM: "5'10" no wait"`, said, []int{7}},
		{"an inch mark without a speaker", `It says "deposit is 5'10" no wait" twice.`, said,
			[]int{7}},
		{"an entity and a tag", `SYSTEM: "12 & near the window"`, said, []int{6}},
		{"brackets of the turn", `SYSTEM: "near the window [smoking area]"`, said, []int{6}},
		{"dots of the turn", `SYSTEM: "Well... my apologies"`, said, []int{4}},
		{"an ellipsis at the end", `USER: "I would like a table…"`, said, []int{1}},
		{"dots at the end", `USER: 'I would like...'`, said, []int{1}},
		{"the sentence's full stop", `USER: "I would like a table."`, said, []int{1}},
		{"the sentence's comma", `The user says "I would like a table," and waits.`, said,
			[]int{1}},
		{"the turn that is named", `turn 3, USER: "I"`, said, []int{3}},
		{"possessive in single marks",
			`The user likes 'the best thing' of all the guests' choices.`, said, []int{9}},
		{"one word in inverted commas", `The "deposit" is high.`, said, []int{7}},
		{"a label inside the marks", `"USER: No, I said four."`, said, []int{3}},

		{"the other speaker's words", `SYSTEM: "No, I said four."`, saidByOther, []int{3}},
		{"the other speaker's, the turn is right", `SYSTEM: "So quiet" (turn 9)`, saidByOther,
			[]int{9}},
		{"another turn", `turn 1, USER: "No, I said four."`, saidElsewhere, []int{3}},
		{"no such turn", `turn 99, USER: "No, I said four."`, saidElsewhere, []int{3}},

		{"an ellipsis inside", `USER: "I would like … at the Golden Lantern"`, elided, []int{1}},
		{"dots inside", `USER: "I would like ... please"`, elided, []int{1}},
		{"dots in brackets", `USER: "I would like [...] please"`, elided, []int{1}},
		{"an ellipsis in brackets", `USER: "I would like (…) please."`, elided, []int{1}},
		{"an ellipsis first", `USER: "…at the Golden Lantern, please."`, elided, []int{1}},
		{"words in brackets",
			`USER: "I do not like being misheard [by the bot], and I can't wait."`, elided,
			[]int{3}},
		{"words in brackets for others", `USER: "The view [from here] is the best"`, elided,
			[]int{9}},
		{"sic", `USER: "I can't wait [sic]"`, elided, []int{3}},
		{"not in order", `USER: "the Golden Lantern … I would like"`, unsaid, nil},
		{"an ellipsis, in another turn than the one named", `turn 9, USER: "I would like … please"`,
			saidElsewhere, []int{1}},
		{"an ellipsis, of the other speaker", `SYSTEM: "I would like … please"`, saidByOther,
			[]int{1}},

		{"a dropped not", `USER: "I do like being misheard"`, altered, []int{3}},
		{"another number", `USER: "I would like a table for five"`, altered, []int{1}},
		{"one word of three", `USER: "I said five"`, altered, []int{3}},
		{"other marks only", `USER: "No I said four"`, altered, []int{3}},
		{"a part of a number", `SYSTEM: "Your table is at 7"`, altered, []int{6}},
		{"can is not can't", `USER: "I can wait"`, altered, []int{3}},
		{"a word of two", `USER: "said five"`, unsaid, nil},
		{"nothing like it", `USER: "I want my money back right now"`, unsaid, nil},
		{"one word", `USER: "refund"`, unsaid, nil},
		{"common words from all over", `USER: "and the table is a thing for me to like"`, unsaid,
			nil},
		{"a tool's output", `"table 12 is free" (as it says)`, unsaid, nil},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			require.NotEmpty(t, tt.reason)
			qs := quotations(tt.sentence, table())
			require.NotEmpty(t, qs, tt.sentence)
			p := qs[0].place
			assert.Equal(t, tt.want, p.verdict, "%s: %+v", tt.sentence, p)
			assert.Equal(t, tt.turns, p.turns, tt.sentence)
			assert.Equal(t, p.verdict == altered && !p.marksOnly, p.difference != "", "%+v", p)
		})
	}
}

func TestNearest(t *testing.T) {
	for _, tt := range []struct{ reason, sentence, nearest, difference string }{
		{"left out", `USER: "I do like being misheard"`,
			`USER: "I do not like being misheard, and I can't wait."`,
			"I do [-not-] like being misheard"},
		{"put in", `USER: "I do not really like being misheard"`,
			`USER: "I do not like being misheard, and I can't wait."`,
			"I do not {+really+} like being misheard"},
		{"another word", `USER: "a table for five at the Golden Lantern"`,
			`USER: "I would like a table for four at the Golden Lantern, please."`,
			"a table for [-four-] {+five+} at the Golden Lantern"},
		{"at both ends", `USER: "oh, No, I said four, man"`, `USER: "No, I said four."`,
			"{+oh+} No I said four {+man+}"},
		{"case and quotes are as they were said", `SYSTEM: "i've booked the table for FIVE"`,
			`SYSTEM: "I’ve booked a table for five…"`, "I’ve booked [-a-] {+the+} table for five"},
		{"from another sentence", `USER: "It's so quiet"`, `USER: "So quiet."`,
			"{+It's+} So quiet"},
		{"spaces left out", `USER: "I wouldlike a table"`,
			`USER: "I would like a table for four at the Golden Lantern, please."`,
			"I [-would like-] {+wouldlike+} a table"},
		{"nothing near", `USER: "I want my money back right now"`, "", ""},
		{"the other speaker's", `SYSTEM: "I do not like being misheard"`,
			`USER: "I do not like being misheard, and I can't wait."`, ""},
		{"a long turn", `SYSTEM: "The view is the best thing"`,
			`USER: "The view is the best thing that I have seen in the whole of this old town."`,
			""},
		{"a tool's", `"table 12 is free"`, "", ""},
	} {
		p := quotations(tt.sentence, table())[0].place
		assert.Equal(t, tt.nearest, p.nearest, tt.reason)
		assert.Equal(t, tt.difference, p.difference, tt.reason)
	}
}

func TestMarksOnly(t *testing.T) {
	for sentence, want := range map[string]bool{
		`USER: "No I said four"`:                true,
		`USER: "No, I said: four."`:             true,
		`USER: "aNo, I said four."`:             false,
		`USER: "No, said four"`:                 false,
		`USER: "No, I said five"`:               false,
		`USER: "No I said four. I do not like"`: true,
	} {
		p := quotations(sentence, table())[0].place
		assert.Equal(t, altered, p.verdict, sentence)
		assert.Equal(t, want, p.marksOnly, sentence)
	}
}

// Of equal turns, nearest prefers the named one, then one of the named speaker, then the earliest.
func TestNearestTies(t *testing.T) {
	text := "We have a red car and a blue boat."
	tr := NewTranscript(dialogue.Dialogue{Turns: []dialogue.Turn{
		{Role: dialogue.System, Text: text}, {Role: dialogue.User, Text: text},
		{Role: dialogue.User, Text: text}, {Role: dialogue.System, Text: text},
	}})
	for sentence, want := range map[string]int{
		`"We have a red car and a green boat."`:               1,
		`USER: "We have a red car and a green boat."`:         2,
		`turn 3, USER: "We have a red car and a green boat."`: 3,
		`turn 4: "We have a red car and a green boat."`:       4,
	} {
		assert.Equal(t, []int{want}, quotations(sentence, tr)[0].place.turns, sentence)
	}
}

// Looking for a quote that nobody said takes time that does not grow with the product of the
// lengths.
func TestLocateIsBounded(t *testing.T) {
	// 1.2 MB
	long := strings.Repeat("we have a red car and a blue boat but no green train at all. ", 20_000)
	tr := NewTranscript(dialogue.Dialogue{Turns: []dialogue.Turn{{Role: dialogue.User, Text: long},
		{Role: dialogue.User, Text: strings.Repeat("x", 1<<20)}}})
	p := lookUp(tr, quotation{words: strings.Repeat("you have a red car and a blue boat! ", 20_000),
		speaker: dialogue.User})
	assert.Equal(t, altered, p.verdict)
	assert.LessOrEqual(t, len(p.difference), 640)
	p = lookUp(tr, quotation{words: strings.Repeat("y", 1<<20), speaker: dialogue.User})
	assert.Equal(t, unsaid, p.verdict)
	assert.False(t, p.verdict.isSaid())
}

func TestLocateWithoutTurns(t *testing.T) {
	p := lookUp(NewTranscript(dialogue.Dialogue{}), quotation{words: "yes"})
	assert.Equal(t, unsaid, p.verdict)
	_, ok := rubric.FoldQuote("?!")
	assert.False(t, ok)
	assert.Equal(t, unsaid, lookUp(table(), quotation{words: "?!"}).verdict, "it says too little")
}
