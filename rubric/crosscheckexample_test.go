package rubric_test

import (
	"fmt"

	"assize/rubric"
)

// A model that misses faults that the rules see is reported, criterion by criterion.
func ExampleRubric_CrossCheck() {
	model := [rubric.NumCriteria]rubric.Score{80, 80, 100, 80, 80, 80}
	rules := [rubric.NumCriteria]rubric.Score{60, 80, 60, 80, 80, 80}
	check, err := rubric.Default().CrossCheck(model, rules)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, c := range check.Criteria {
		if c.Verdict() != rubric.Agree {
			fmt.Printf("%s: model %d, rules %d, %+d: %s\n", rubric.Criterion(i), c.Model, c.Rules,
				c.Levels(), c.Verdict())
		}
	}
	fmt.Println("disagreement", check.Disagreement)
	// Output:
	// TaskSuccess: model 80, rules 60, +1: doubt
	// Accuracy: model 100, rules 60, +2: contradict
	// disagreement 0.70
}
