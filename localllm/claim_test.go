package localllm

import (
	"flag"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric"
	"assize/rubric/dialogue"
)

var update = flag.Bool("update", false, "rewrite the golden parts of testdata")

func TestReason(t *testing.T) {
	for _, tt := range []struct{ said, want, reason string }{
		{"The user thanks the agent.", "The user thanks the agent", "the full stop belongs to the sentence around it"},
		{`USER: "It was perfect". SYSTEM: "I know"`, "USER, It was perfect, SYSTEM, I know", "no pretended quotation"},
		{"Sure! It’s “great” (100)", "Sure, It's great 100", "brackets and quotation marks go, an apostrophe stays"},
		{"score 4.5, at 3-4 p.m.; see: <b>here</b>", "score 4.5, at 3-4 p.m, see, b here /b", "numbers stay whole"},
		{"a\x1b[2J\u202eb\nc", "a 2J b c", "nothing acts on a terminal"},
		{"'quoted' `words` and 'rock 'n' roll'", "quoted words and rock n roll", "single quotation marks are such too"},
		{"gave <ann_b.lee@example.org>.", "gave ann_b.lee@example.org", "an address can still be told, and masked"},
		{"... !!! ???", "", "no words, no reason"},
		{"", "", "no reason"},
	} {
		assert.Equal(t, tt.want, reason(tt.said), tt.reason)
	}
	long := reason(strings.Repeat("many words ", 40))
	assert.LessOrEqual(t, utf8.RuneCountInString(long), reasonRunes)
	assert.True(t, strings.HasSuffix(long, "words…") || strings.HasSuffix(long, "many…"), long)
	assert.Equal(t, reasonRunes, utf8.RuneCountInString(reason(strings.Repeat("ö", 500))))
}

func FuzzReason(f *testing.F) {
	f.Add(`USER: "fine". He said: (no)`)
	f.Fuzz(func(t *testing.T, s string) {
		got := reason(s)
		require.True(t, utf8.ValidString(got))
		require.LessOrEqual(t, utf8.RuneCountInString(got), reasonRunes)
		require.False(t, strings.ContainsAny(got, "\"“”„«»‹›`()[]{}<>:;!?\n\x1b\u202e"), "%q", got)
		require.NotContains(t, got, ". ", "one sentence")
	})
}

// A rating's sentence is made of the level's words, of what a detector saw at the turn, and of the turn's words.
func TestRating(t *testing.T) {
	m := &Model{rubric: rubric.Default(), o: Options{Titles: map[string]string{"reaction-rejects": "the USER says no"}}}
	m.rubric.Levels[rubric.Fluency][4] = `It "flows". And more.`
	m.rubric.Levels[rubric.Empathy][4] = ""
	c := rubric.Case{
		Dialogue: dialogue.Dialogue{Turns: []dialogue.Turn{{Role: dialogue.User, Text: "Thanks. No, I said four! Really."}, {Role: dialogue.System, Text: "Certainly, sir"}}},
		Signals: []rubric.Signal{
			{ID: "reaction-rejects", Criteria: rubric.SetOf(rubric.Accuracy), Turn: 1, Points: -100, Start: 8, End: 23},
			{ID: "courtesy-polite", Criteria: rubric.SetOf(rubric.Accuracy), Turn: 1, Points: 50},
		},
	}
	for _, tt := range []struct {
		k           rubric.Criterion
		score       rubric.Score
		turns       []int
		why         string
		want, cause string
	}{
		{rubric.Accuracy, 40, []int{1}, "", `The SYSTEM states the opposite of what the USER said; the USER says no: USER: "No, I said four!"`, "the signal points down, as the score does"},
		{rubric.Accuracy, 100, []int{1}, "", `Whatever the SYSTEM says agrees with the dialogue; it contradicts nobody; a signal is there (courtesy-polite): USER: "Thanks. No, I said four! Really."`, "of two signals, the one that points up"},
		{rubric.Understanding, 40, []int{2, 1}, "", `Badly misread: SYSTEM: "Certainly, sir"; USER: "Thanks. No, I said four! Really."`, "no signal speaks to it"},
		{rubric.Fluency, 100, []int{2}, `it says: "fine".`, `It 'flows'; the model says (it says, fine): SYSTEM: "Certainly, sir".`, "the model's words are marked and bounded"},
		{rubric.Empathy, 100, []int{2}, "", `The rubric's level 100 fits: SYSTEM: "Certainly, sir".`, "a level without words"},
	} {
		got := m.rating(c, tt.k, rating{tt.score, tt.turns, tt.why})
		assert.Equal(t, tt.score, got.Score)
		assert.Equal(t, strings.TrimSuffix(tt.want, "."), strings.TrimSuffix(got.Sentence(c.Dialogue), "."), tt.cause)
	}
}
