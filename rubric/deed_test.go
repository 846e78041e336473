package rubric

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/rubric/dialogue"
)

// Each deed is listed with the call that shows what became of it.
func TestDeeds(t *testing.T) {
	d := dialogue.Dialogue{Turns: []dialogue.Turn{
		{Role: dialogue.User, Text: "Please refund order 7."},
		{Role: dialogue.Other, Text: `refund({"order":7})`},
		{Role: dialogue.Other, Text: `{"order":7,"error":"too late"}`},
		{Role: dialogue.System, Text: "I have refunded it and sent a mail."},
		{Role: dialogue.Other, Text: `notify({"order":8})`},
		{Role: dialogue.Other, Text: `{"mailed":true}`},
	}}
	calls := d.Tools()
	at := func(id string, start, end, about int) Signal {
		return Signal{ID: id, Turn: 4, Start: start, End: end, About: about}
	}
	c := Case{Dialogue: d, Signals: []Signal{
		at("claim-contradicted", 0, 18, 3), at("claim-differs", 23, 34, 6),
		at("claim-proven", 23, 34, 6), at("claim-proven", 23, 34, 0), at("claim-unproven", 0, 18, 0),
		at("claim-open", 0, 18, 3), at("claim-promised", 0, 18, 0), at("outcome-failed", 0, 18, 3),
		at("claim-proven", 23, 36, 6), {ID: "claim-proven", Turn: 7},
	}}
	list := c.Deeds()
	var got []string
	for i := range list {
		got = append(got, list[i].Text+" "+list[i].Shown(calls))
	}
	assert.Equal(t, []string{
		"I have refunded it ✗ contradicted by turn 3, refund: the call failed",
		`sent a mail ✗ contradicted by turn 6, notify: the call was notify({"order":8}) with the result ` +
			`{"mailed":true}`,
		"sent a mail ✓ proven by turn 6, notify",
		"sent a mail ✓ proven",
		"I have refunded it ? unproven: no call did it",
		"I have refunded it ? unproven: turn 3, refund, does not show that it was done",
		"I have refunded it … promised",
	}, got)
	n := CountDeeds(append(list, Deed{State: "odd"}))
	assert.Equal(t, [4]int{2, 2, 1, 2}, [4]int{n.Of(DeedContradicted), n.Of(DeedUnproven),
		n.Of(DeedPromised), n.Of(DeedProven)})
	assert.Equal(t, list, (&Evaluation{Dialogue: d, Signals: c.Signals}).Deeds())

	assert.Equal(t, `{"order":7,"error":"too late"}`, ProofOf(3, d.Turns[2].Text, calls).Text)
	assert.Equal(t, `refund({"order":7})`, ProofOf(2, d.Turns[1].Text, calls).Text)
	long := "The log of the call. " + strings.Repeat("It goes on. ", 20) + "It could not be refunded."
	calls = []dialogue.ToolUse{{Call: 1, Name: "refund", Arguments: "7", Result: 2, Answer: long}}
	assert.Equal(t, "It could not be refunded.", ProofOf(2, long, calls).Text)
	assert.Equal(t, 300, len(cut(strings.Repeat("a", 301))))
	assert.Equal(t, 299, len(cut(strings.Repeat("a", 299)+"é")))
}

// What cost most is the criterion of the most weighted points.
func TestCostliest(t *testing.T) {
	for _, tt := range []struct {
		reason string
		scores [NumCriteria]Score
		want   Criterion
		ok     bool
	}{
		{"40 percent of 20 are 8", [6]Score{80, 100, 100, 100, 40, 100}, TaskSuccess, true},
		{"10 percent of 80 are 8, and the lower score comes first",
			[6]Score{80, 100, 100, 100, 18, 100}, Empathy, true},
		{"15 percent of 60 are 9", [6]Score{80, 100, 40, 100, 18, 100}, Accuracy, true},
		{"of equals the first", [6]Score{100, 60, 60, 100, 100, 100}, Helpfulness, true},
		{"only the last", [6]Score{100, 100, 100, 100, 100, 80}, Fluency, true},
		{"nothing failed", [6]Score{100, 100, 100, 100, 100, 100}, 0, false},
	} {
		e := Evaluation{Rubric: protocol()}
		for i, s := range tt.scores {
			e.Final[i].Score = s
		}
		got, ok := e.Costliest()
		assert.Equal(t, tt.ok, ok, tt.reason)
		assert.Equal(t, tt.want, got, tt.reason)
	}
}

// A claim that nothing was found says so at its beginning.
func TestUnfounded(t *testing.T) {
	for claim, want := range map[string][2]bool{"Not shown: x": {true, true},
		"not confirmed": {true, true}, "no rule found anything": {false, true},
		"No rule found ": {false, false}, "it is not shown": {false, false}, "": {false, false}} {
		r := Rating{Claim: claim}
		assert.Equal(t, want, [2]bool{r.Unshown(), r.Unfounded()}, claim)
	}
}
