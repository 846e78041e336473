package evidence

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// lost returns a dialogue of three turns per side. In turn 3 the USER complains about what the
// SYSTEM said in turn 2.
func lost() rubric.Case {
	c := rubric.Case{Signals: []rubric.Signal{
		{ID: "reaction-rejects", Criteria: rubric.SetOf(rubric.TaskSuccess), Turn: 3, About: 2,
			Points: -250},
		{ID: "courtesy-polite", Criteria: rubric.SetOf(rubric.TaskSuccess, rubric.Empathy), Turn: 4,
			Points: 100},
	}}
	for i := range 6 {
		role := dialogue.User
		if i%2 == 1 {
			role = dialogue.System
		}
		c.Dialogue.Turns = append(c.Dialogue.Turns, dialogue.Turn{Role: role, Text: "words"})
	}
	return c
}

func card(score rubric.Score, turns ...int) (card rubric.Scorecard) {
	for k := range card {
		card[k].Score = score
		for _, n := range turns {
			card[k].Quotes = append(card[k].Quotes, rubric.Quote{Turn: n})
		}
	}
	return card
}

func TestRelevance(t *testing.T) {
	for _, tt := range []struct {
		reason          string
		card            rubric.Scorecard
		cited, relevant int
	}{
		{"the turn where it went wrong", card(20, 3), 1, 1},
		{"the turn that this was about", card(20, 2), 1, 1},
		{"a turn where nothing went wrong", card(60, 6), 1, 0},
		{"praise tells nothing of faults", card(20, 4), 1, 0},
		{"both count", card(40, 3, 5), 2, 1},
		{"evidence for a high score is of something else", card(80, 3), 0, 0},
		{"nothing is cited", card(20), 0, 0},
	} {
		var r Relevance
		r.Add(lost(), tt.card) // only TaskSuccess has a fault
		assert.Equal(t, tt.cited, r.Cited, tt.reason)
		assert.Equal(t, tt.relevant, r.Relevant, tt.reason)
	}
}

func TestBaseIsThatOfTheTurnsThatCanBeCited(t *testing.T) {
	var r Relevance
	r.Add(lost(), card(20, 3, 6))
	assert.InDelta(t, 2.0/6, r.Base(), 1e-12, "turns 2 and 3 of six")
	assert.InDelta(t, .5, r.Share(), 1e-12)
	assert.True(t, math.IsNaN(r.AboveChance()), "two turns are too few to tell")
	for range 3 {
		r.Add(lost(), card(20, 3, 6))
	}
	assert.InDelta(t, (.5-2.0/6)/(1-2.0/6), r.AboveChance(), 1e-12)
}

func TestNothingIsToldWhereEveryTurnIsAFault(t *testing.T) {
	c := lost()
	for n := 1; n <= 6; n++ {
		c.Signals = append(c.Signals, rubric.Signal{Criteria: rubric.SetOf(rubric.TaskSuccess),
			Turn: n, Points: -1})
	}
	var r Relevance
	r.Add(c, card(20, 3))
	assert.Zero(t, r)
}
