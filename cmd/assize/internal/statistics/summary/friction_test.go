package summary

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// evaluation returns an evaluation with signals. roles names the turns: S, U, O, or - for a turn
// that was left out.
func evaluation(roles string, signals ...rubric.Signal) *rubric.Evaluation {
	e := &rubric.Evaluation{Signals: signals}
	for _, r := range roles {
		role := map[rune]dialogue.Role{'S': dialogue.System, 'U': dialogue.User}[r]
		text := "some words"
		if r == '-' {
			text = ""
		}
		e.Dialogue.Turns = append(e.Dialogue.Turns, dialogue.Turn{Role: role, Text: text})
	}
	return e
}

// task is a signal for TaskSuccess.
func task(turn int, points rubric.Hundredths) rubric.Signal {
	return rubric.Signal{Turn: turn, Points: points,
		Criteria: rubric.SetOf(rubric.TaskSuccess, rubric.Helpfulness)}
}

func TestFriction(t *testing.T) {
	empathy := rubric.Signal{Turn: 2, Points: 100, Criteria: rubric.SetOf(rubric.Empathy)}
	tests := []struct {
		reason  string
		roles   string
		signals []rubric.Signal
		want    []rubric.Hundredths
	}{
		{"a reaction is about the SYSTEM's turn before", "USUSU", []rubric.Signal{task(3, -250), task(5,
			75)}, []rubric.Hundredths{0, -250, 0, 75, 0}},
		{"a turn has its own signals, too", "USU", []rubric.Signal{task(2, -75), task(3, -100)},
			[]rubric.Hundredths{0, -175, 0}},
		{"what comes before the SYSTEM's first words is about nothing", "UUS", []rubric.Signal{task(1,
			-75), task(2, -300)}, []rubric.Hundredths{0, 0, 0}},
		{"two turns of the USER are about the same", "USUU", []rubric.Signal{task(3, -100), task(4,
			-100)}, []rubric.Hundredths{0, -200, 0, 0}},
		{"of two turns of the SYSTEM, the USER answers the last", "SSU", []rubric.Signal{task(3, 100)},
			[]rubric.Hundredths{0, 100, 0}},
		{"a tool between them is passed over", "SOU", []rubric.Signal{task(3, 100)},
			[]rubric.Hundredths{100, 0, 0}},
		{"other criteria do not count", "USU", []rubric.Signal{empathy}, []rubric.Hundredths{0, 0, 0}},
		{"bounded below", "SU", []rubric.Signal{task(2, -300), task(2, -300)}, []rubric.Hundredths{-400,
			0}},
		{"bounded above", "SU", []rubric.Signal{task(1, 300), task(2, 300)}, []rubric.Hundredths{400, 0}},
		{"no turns", "", nil, []rubric.Hundredths{}},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, Friction(evaluation(tt.roles, tt.signals...)), tt.reason)
	}
}

func TestSparkline(t *testing.T) {
	e := evaluation("SUSUSUSUSUSUSU", task(2, -300), task(4, -150), task(6, -50), task(8, 49),
		task(10, 50), task(12, 150), task(14, 300))
	points := Friction(e)
	assert.Equal(t, "▁▂▃▄▅▆▇", Sparkline(e, points, 80))
	assert.Equal(t, "▁▃▅", Sparkline(e, points, 3), "a cell shows the lowest of its turns")
	assert.Equal(t, "▁", Sparkline(e, points, 1))

	edges := evaluation("SUSUSUSU", task(2, -299), task(4, -149), task(6, -49), task(8, 149))
	assert.Equal(t, "▂▃▄▅", Sparkline(edges, Friction(edges), 80))
	none := evaluation("U")
	assert.Empty(t, Sparkline(none, Friction(none), 80))
	long := evaluation(strings.Repeat("SU", 500), task(700, -300))
	assert.Equal(t, 1, strings.Count(Sparkline(long, Friction(long), 60), "▁"))
}
