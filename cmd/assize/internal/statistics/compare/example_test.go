package compare_test

import (
	"fmt"
	"strings"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/statistics/compare"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// Two rubrics judge the same dialogues.
func ExampleNew() {
	strict := rubric.Default()
	strict.Mapping = rubric.Nearest
	var before, after []run.Row
	for n := range 20 {
		d := dialogue.Dialogue{ID: n + 1, Turns: []dialogue.Turn{
			{Role: dialogue.User, Text: "Is it open?" + strings.Repeat(" Please!", n)},
			{Role: dialogue.System, Text: "Yes, until six."},
		}}
		before, after = append(before, judged(rubric.Default(), d)),
			append(after, judged(strict, d))
	}
	c := compare.New(compare.NewRun("down.jsonl", before, headers(rubric.Default())),
		compare.NewRun("nearest.jsonl", after, headers(strict)),
		compare.Options{Draws: 1000, Seed: 1})
	for _, s := range append(c.Answer, c.Warnings...) {
		fmt.Println(s)
	}
	f := c.All[1]
	fmt.Println(f.Measure, f.A, "→", f.B)
	// Output:
	// No change in the weighted average over 20 dialogues.
	// No single criterion is proven to have moved (at the 5 % level, after Holm's correction for 6 figures tested together).
	// The rubrics map averages differently, so the OverallExperience and what is below 60 cannot be compared.
	// OverallExperience 80.00 → 100.00
}

// judged returns the row of a dialogue without faults except in its empathy.
func judged(r rubric.Rubric, d dialogue.Dialogue) run.Row {
	var card rubric.Scorecard
	for c := range card {
		card[c] = rubric.Rating{Score: 100, Claim: "the SYSTEM answers",
			Quotes: []rubric.Quote{{Turn: 2, Text: "Yes, until six."}}}
	}
	card[rubric.Empathy].Score = 80
	rec := run.New(dialogue.Sample{Dialogue: d})
	rec.Evaluation, _ = r.Settle(rubric.Case{Dialogue: d}, card, rubric.Critique{})
	return rec.Row(d.ID + 1)
}

// headers returns the headers of a run scored with a rubric.
func headers(r rubric.Rubric) []*run.Header {
	h := &run.Header{Basis: run.DefaultBasis()}
	h.Basis.Rubric = r
	return []*run.Header{h}
}
