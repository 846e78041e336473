package compare_test

import (
	"fmt"
	"strings"

	"assize/cmd/assize/internal/compare"
	"assize/cmd/assize/internal/record"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// Two rubrics judge the same dialogues.
func ExampleNew() {
	strict := rubric.Default()
	strict.Mapping = rubric.Nearest
	before, after := compare.NewRun("down.jsonl"), compare.NewRun("nearest.jsonl")
	for n := range 20 {
		d := dialogue.Dialogue{ID: n + 1, Turns: []dialogue.Turn{
			{Role: dialogue.User, Text: "Is it open?" + strings.Repeat(" Please!", n)},
			{Role: dialogue.System, Text: "Yes, until six."},
		}}
		before.Add(judged(rubric.Default(), d))
		after.Add(judged(strict, d))
	}
	c := compare.New(before, after, compare.Options{Draws: 1000, Seed: 1})
	for _, s := range append(c.Sentences(), c.Warnings...) {
		fmt.Println(s)
	}
	f := c.All.Figures[compare.Overall]
	fmt.Println(compare.Overall, compare.Fixed(f.A, 2), "→", compare.Fixed(f.B, 2))
	// Output:
	// No change on the weighted average: it is the same in all 20 dialogues.
	// No criterion changed; what did: OverallExperience.
	// The rubrics map averages differently, so the OverallExperience and what is below 60 cannot be compared.
	// OverallExperience 80.00 → 100.00
}

// judged is a dialogue that nobody finds fault with but for its empathy, as a line of a run.
func judged(r rubric.Rubric, d dialogue.Dialogue) (record.Line, *record.Record) {
	var card rubric.Scorecard
	for c := range card {
		card[c] = rubric.Rating{Score: 100, Claim: "the SYSTEM answers", Quotes: []rubric.Quote{{Turn: 2, Text: "Yes, until six."}}}
	}
	card[rubric.Empathy].Score = 80
	rec := record.New(dialogue.Sample{Dialogue: d})
	rec.Evaluation, _ = r.Settle(rubric.Case{Dialogue: d}, card, rubric.Critique{})
	basis := record.DefaultBasis()
	basis.Rubric = r
	return record.Line{Number: d.ID + 1, Header: &record.Header{Basis: basis}}, rec
}
