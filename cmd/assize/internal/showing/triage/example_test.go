package triage_test

import (
	"fmt"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/showing/triage"
	"assize/heuristics/satisfaction"
	"assize/rubric"
)

// Only the worst are kept, regardless of the number of dialogues.
func ExampleNewLeast() {
	w := triage.NewLeast(2, func(a, b run.Row) int { return run.BySatisfaction.Compare(&a, &b) })
	for at, estimate := range []rubric.Hundredths{312, 245, 388, 270, 401} {
		w.Add(run.Row{Estimate: satisfaction.Estimate{Satisfaction: estimate}, Place: at})
	}
	for _, row := range w.List() {
		fmt.Println(row.Satisfaction)
	}
	// Output:
	// 2.45
	// 2.70
}

// A budget of four: the two worst, and the two nearest to the third, which is the last one shown.
func ExampleChoose() {
	var rows []run.Row
	for at, estimate := range []rubric.Hundredths{312, 245, 388, 270, 281, 284} {
		rows = append(rows, run.Row{Estimate: satisfaction.Estimate{Satisfaction: estimate},
			Place: at})
	}
	for _, pick := range triage.Choose(rows, 4, 3, nil) {
		fmt.Println(pick.Satisfaction, pick.Picked)
	}
	// Output:
	// 2.45 worst
	// 2.70 worst
	// 2.81 unsure: at the cut of 2.81
	// 2.84 unsure: 0.03 above the cut of 2.81
}
