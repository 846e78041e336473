package localllm

import (
	"flag"
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/rubric"
	"assize/rubric/dialogue"
)

var update = flag.Bool("update", false, "rewrite the golden parts of testdata")

// A rating's sentence consists of the level's wording, the most telling answer, and the words of
// the turn that shows it.
func TestRating(t *testing.T) {
	m := &Model{rubric: rubric.Default()}
	m.rubric.Levels[rubric.Fluency][4] = `It "flows". And more.`
	m.rubric.Levels[rubric.Empathy][4] = ""
	c := rubric.Case{
		Dialogue: dialogue.Dialogue{Turns: []dialogue.Turn{{Role: dialogue.User,
			Text: "Thanks. No, I said four! Really."},
			{Role: dialogue.System, Text: "Certainly, sir"}}},
		Signals: []rubric.Signal{
			{ID: "reaction-rejects", Criteria: rubric.SetOf(rubric.Understanding), Turn: 1,
				Points: -100, Start: 8, End: 23},
			{ID: "courtesy-polite", Criteria: rubric.SetOf(rubric.Understanding), Turn: 1,
				Points: 50},
		},
	}
	for _, tt := range []struct {
		k             rubric.Criterion
		score         rubric.Score
		turns         []int
		because       string
		want, reasons string
	}{
		{rubric.Understanding, 40, []int{1}, "to 'Clear?' it answers yes with 12 %",
			`Badly misread; to 'Clear?' it answers yes with 12 %: USER: "No, I said four!"`,
			"the turn is quoted where a signal points down, as the score does"},
		{rubric.Understanding, 100, []int{1}, "",
			`The SYSTEM grasps at once what the USER means and answers just that: USER: "Thanks. No, I ` +
				`said four! Really."`, "of two signals, the one that points up"},
		{rubric.Understanding, 40, []int{2, 1}, "",
			`Badly misread: SYSTEM: "Certainly, sir"; USER: "No, I said four!"`, "two turns"},
		{rubric.Understanding, 40, nil, "", `Badly misread: USER: "No, I said four!"`,
			"where no turn was asked for, the one with the strongest signal"},
		{rubric.Fluency, 100, nil, "", `It 'flows': SYSTEM: "Certainly, sir".`,
			"or else the last; a quotation mark of the rubric is none in the sentence"},
		{rubric.Empathy, 100, []int{2}, "",
			`The rubric's level 100 fits: SYSTEM: "Certainly, sir".`, "a level without words"},
	} {
		o := &judgement{transcript: newTranscript(c, 1000)}
		o.scores[tt.k], o.turns[tt.k], o.because[tt.k] = tt.score, tt.turns, tt.because
		got := m.rating(c, tt.k, o)
		assert.Equal(t, tt.score, got.Score)
		assert.Equal(t, tt.want, got.Sentence(c.Dialogue), tt.reasons)
	}
}
