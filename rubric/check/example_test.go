package check_test

import (
	"fmt"
	"strings"

	"assize/rubric"
	"assize/rubric/check"
)

// answer is a model's answer to a request for an evaluation.
const answer = "Sure! Here it is:\n\n```json\n" + `{
  "TaskSuccess": {"score": 100, "justification": "The table is booked: SYSTEM: \"It is booked.\""},
  "Helpfulness": {"score": 100, "justification": "It offers more: SYSTEM: \"Anything else?\""},
  "Accuracy": {"score": 100, "justification": "Nothing is contradicted: SYSTEM: \"It is booked.\""},
  "Understanding": {"score": 100, "justification": "It is quick to see: SYSTEM: \"For four?\""},
  "Empathy": {"score": 80, "justification": "It is polite: SYSTEM: \"Gladly.\""},
  "Fluency": {"score": 100, "justification": "It reads well: SYSTEM: \"Gladly.\""},
  "OverallExperience": {"score": 100, "justification": "Weighted average, rounded down."}
}
` + "```\n"

func ExampleChecker_Check() {
	checker := &check.Checker{Rubric: rubric.Default()}
	for doc, err := range check.Documents(strings.NewReader(answer), "answer.txt") {
		if err != nil {
			fmt.Println(err)
			return
		}
		report := checker.Check(doc, nil)
		for _, f := range report.Findings {
			fmt.Printf("%s:%d:%d: %s: %s (%s)\n", doc.File, f.Line, f.Column, f.Severity, f.Message,
				f.ID)
		}
	}
	// Output:
	// answer.txt:4:1: note: there is text around the JSON (text-around)
	// answer.txt:11:34: error: the weighted average 98.00 becomes the level 80 (mapping: down), not 100 (overall-wrong)
}

func ExampleReport_Fix() {
	checker := &check.Checker{Rubric: rubric.Default()}
	for doc, err := range check.Documents(strings.NewReader(answer), "answer.txt") {
		if err != nil {
			fmt.Println(err)
			return
		}
		report := checker.Check(doc, nil)
		for _, e := range report.Edits {
			fmt.Printf("%s: %s becomes %s\n", e.Path, e.Was, e.Text)
		}
		fixed := string(report.Fix())
		fmt.Println(fixed[strings.Index(fixed, `"OverallExperience"`):])
	}
	// Output:
	// /OverallExperience/score: 100 becomes 80
	// "OverallExperience": {"score": 80, "justification": "Weighted average, rounded down."}
	// }
}

func ExampleKinds() {
	for _, k := range check.Kinds() {
		if k.ID == "overall-wrong" {
			fmt.Printf("%s: %s\n", k.Severity, k.Title)
		}
	}
	// Output: error: The OverallExperience is not what the scores map to.
}
