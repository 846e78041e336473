package localllm

import (
	"flag"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/rubric"
	"assize/rubric/dialogue"
)

var update = flag.Bool("update", false, "rewrite the golden parts of testdata")

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
		want, cause string
	}{
		{rubric.Accuracy, 40, []int{1}, `The SYSTEM states the opposite of what the USER said; the USER says no: USER: "No, I said four!"`, "the signal points down, as the score does"},
		{rubric.Accuracy, 100, []int{1}, `Whatever the SYSTEM says agrees with the dialogue; it contradicts nobody; a signal is there (courtesy-polite): USER: "Thanks. No, I said four! Really."`, "of two signals, the one that points up"},
		{rubric.Understanding, 40, []int{2, 1}, `Badly misread: SYSTEM: "Certainly, sir"; USER: "Thanks. No, I said four! Really."`, "no signal speaks to it"},
		{rubric.Fluency, 100, []int{2}, `It 'flows': SYSTEM: "Certainly, sir".`, "a quotation mark of the rubric is none in the sentence"},
		{rubric.Empathy, 100, []int{2}, `The rubric's level 100 fits: SYSTEM: "Certainly, sir".`, "a level without words"},
	} {
		got := m.rating(c, tt.k, rating{tt.score, tt.turns})
		assert.Equal(t, tt.score, got.Score)
		assert.Equal(t, strings.TrimSuffix(tt.want, "."), strings.TrimSuffix(got.Sentence(c.Dialogue), "."), tt.cause)
	}
}
