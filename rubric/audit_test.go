package rubric

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric/dialogue"
)

// A run stores the demands of its rubric sorted; a file may list them in another order. The audit
// must be the same.
func TestTheAuditDoesNotDependOnTheOrderOfDemands(t *testing.T) {
	rub := Default()
	rub.Demands[TaskSuccess][4] = []string{"b-second", "a-first", "b-second"}
	c := Case{Dialogue: dialogue.Dialogue{ID: 1,
		Turns: []dialogue.Turn{{Role: dialogue.User, Text: "Is it open?"},
			{Role: dialogue.System, Text: "Yes."}}}}
	var card Scorecard
	for i := range card {
		card[i] = Rating{Score: 100, Claim: "all is well", Quotes: []Quote{{Turn: 2, Text: "Yes."}}}
	}
	var critique Critique
	critique[TaskSuccess] = Objection{Suggested: 80, Kind: MissingEvidence,
		Claim: "nothing shows it", Quotes: []Quote{{Turn: 1, Text: "Is it open?"}}, By: "rules"}
	e, err := rub.Settle(c, card, critique)
	require.NoError(t, err)
	require.Equal(t, notShown, e.Rulings[TaskSuccess].Ground)
	assert.Contains(t, e.Decisions()[0], "100 demands a-first or b-second, which nothing shows")

	kept, err := Parse("kept", rub.AppendJSON(nil))
	require.NoError(t, err)
	again, err := kept.Settle(c, card, critique)
	require.NoError(t, err)
	assert.Equal(t, e.Audit(), again.Audit())
}

func TestRemarksComeLast(t *testing.T) {
	e := Evaluation{Rubric: Default(), Remarks: []string{"The model was not shown turn 2."}}
	e.Rulings[0].ID = Agreed
	d := e.Decisions()
	assert.Equal(t, "The model was not shown turn 2.", d[len(d)-1])
}
