package results

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"
)

// What is read of dialogues with both sides, with tools, and with columns for agents and queues.
func TestIntakeOfBothSides(t *testing.T) {
	in := Intake{File: "calls.txt", Show: func(s string) string { return s },
		Notes: []string{"calls.txt: times with the day first"}}
	both := dialogue.Sample{
		Dialogue: dialogue.Dialogue{Turns: []dialogue.Turn{{Role: dialogue.User},
			{Role: dialogue.System}, {Role: dialogue.Other}, {Role: dialogue.Other}}},
		Source: dialogue.Source{Format: importer.Chat, Speakers: []dialogue.Speaker{
			{Name: "Ann", Role: dialogue.System, Turns: 1},
			{Name: "Log", Role: dialogue.Other, Turns: 1}},
			Meta: dialogue.Meta{{Name: "agent_name", Value: "Ann"}, {Name: "Queue", Value: "x"}}},
		Truth: dialogue.Truth{Overall: []float64{4}},
	}
	in.Add(both)
	both.Dialogue.Turns = both.Dialogue.Turns[:1]
	both.Source.Speakers, both.Truth = nil, dialogue.Truth{}
	in.Add(both)
	var b bytes.Buffer
	require.NoError(t, in.Write(&b))
	assert.Equal(t, `calls.txt
  format     chat
  read as    times with the day first
  SYSTEM     "Ann" 1 turn
  OTHER      "Log" 1 turn, 1 turn without a speaker
  metadata   "Queue" 1 value, "agent_name" 1 value (agent)
  dialogues  2 with 5 turns, 1 rated by people, 1 with one side only
`, b.String())
}
