package rubric

import (
	"math/rand/v2"
	"strconv"

	"assize/rubric/dialogue"
)

// protocol returns the specification's rubric, without demands.
func protocol() Rubric { return Rubric{Weights: [NumCriteria]int{40, 15, 15, 10, 10, 10}} }

// booking returns a short dialogue in which the SYSTEM misreads a number.
func booking() dialogue.Dialogue {
	return dialogue.Dialogue{ID: 7, Turns: []dialogue.Turn{
		{Role: dialogue.User, Text: "A table for four at the Golden Lantern, please."},
		{Role: dialogue.System, Text: "Certainly! I have booked a table for five."},
		{Role: dialogue.User, Text: "No, I said four."},
		{Role: dialogue.System, Text: "My apologies, it is four now. Is there anything else?"},
		{Role: dialogue.Other, Text: "lookup ok"},
		{Role: dialogue.User, Text: "That's all, thank you."},
	}}
}

// trial returns a random case: a dialogue, signals, and agents with true and false quotes; in every
// third one all quotes are true and signals are frequent, so that R5 applies.
func trial(rnd *rand.Rand) (Rubric, Case, Scorecard, Critique) {
	sound := rnd.IntN(3) == 0
	r := protocol()
	ids := []string{"d0", "d1", "d2", "d3"}
	for i := range r.Demands {
		for l := range r.Demands[i] {
			for range rnd.IntN(3) {
				r.Demands[i][l] = append(r.Demands[i][l], ids[rnd.IntN(len(ids))])
			}
		}
	}
	for i := range r.Caps {
		r.Caps[i] = map[string]Score{ids[rnd.IntN(len(ids))]: Scale[rnd.IntN(len(Scale))]}
	}
	var d dialogue.Dialogue
	for n := range 1 + rnd.IntN(6) {
		text := "turn " + strconv.Itoa(n) + " has words. And more of them!"
		if rnd.IntN(5) == 0 {
			text = []string{"", "?!", "👍"}[rnd.IntN(3)]
		}
		d.Turns = append(d.Turns, dialogue.Turn{Role: dialogue.Role(rnd.IntN(3)), Text: text})
	}
	quotes := func() (qs []Quote) {
		for range rnd.IntN(3) {
			n := rnd.IntN(len(d.Turns) + 2)
			t, _ := d.Turn(n)
			q := Excerpt(n, t.Text, 0, 0)
			if !sound && rnd.IntN(3) == 0 {
				q.Text = "nobody said that"
			}
			qs = append(qs, q)
		}
		return qs
	}
	c := Case{Dialogue: d}
	if sound {
		for n := range d.Turns {
			c.Signals = append(c.Signals, Signal{ID: "d0", Criteria: 63, Turn: n + 1, Points: 100},
				Signal{ID: "d1", Criteria: 63, Turn: n + 1, Points: -100})
		}
	}
	for range rnd.IntN(12) {
		c.Signals = append(c.Signals, Signal{ID: ids[rnd.IntN(len(ids))],
			Criteria: Set(rnd.IntN(64)), Turn: 1 + rnd.IntN(len(d.Turns)),
			Points: Hundredths(rnd.IntN(5) - 2)})
	}
	var card Scorecard
	var critique Critique
	for i := range card {
		card[i] = Rating{Score: Scale[rnd.IntN(5)], Claim: "claim " + strconv.Itoa(i),
			Quotes: quotes()}
		switch n := rnd.IntN(8); {
		case n < 2:
		case n == 2 && !sound:
			critique[i] = Objection{Suggested: Score(1 + rnd.IntN(255)), Claim: "odd",
				Quotes: quotes()}
		default:
			critique[i] = Objection{Suggested: card[i].Score.Step(rnd.IntN(5) - 2),
				Kind: ObjectionKind(rnd.IntN(2)), Claim: "objection " + strconv.Itoa(i), Quotes: quotes(),
				By: "rules"}
		}
	}
	return r, c, card, critique
}
