package rubric_test

import (
	"fmt"

	"assize/rubric"
)

// If two Critics would lower a score, the smaller change wins; if they disagree on the direction,
// the score stays.
func ExampleMerge() {
	var card rubric.Scorecard
	var rules, model rubric.Critique
	card[rubric.Accuracy].Score, card[rubric.Empathy].Score = 100, 80
	rules[rubric.Accuracy] = rubric.Objection{Suggested: 60,
		Claim: "the USER must correct a number", By: "rules"}
	model[rubric.Accuracy] = rubric.Objection{Suggested: 80, Claim: "a small slip in a number",
		By: "model"}
	rules[rubric.Empathy] = rubric.Objection{Suggested: 60, Claim: "the tone is neutral",
		By: "rules"}
	model[rubric.Empathy] = rubric.Objection{Suggested: 100,
		Claim: "the SYSTEM shares the USER's feelings", By: "model"}

	merged := rubric.Merge(rules, model, card)
	fmt.Println(merged[rubric.Accuracy].Suggested, merged[rubric.Accuracy].Claim, "–",
		merged[rubric.Accuracy].By)
	fmt.Println(merged[rubric.Empathy].Against(80))
	// Output:
	// 80 a small slip in a number – rules and model
	// false
}
