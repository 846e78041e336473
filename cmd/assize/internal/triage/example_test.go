package triage_test

import (
	"fmt"

	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/triage"
	"assize/heuristics"
	"assize/rubric"
)

// Only the worst are kept, however many come.
func ExampleNewWorst() {
	w := triage.NewWorst(2, triage.BySatisfaction)
	for at, satisfaction := range []rubric.Hundredths{312, 245, 388, 270, 401} {
		w.Add(triage.Ranked{Row: run.Row{Estimate: heuristics.Estimate{Satisfaction: satisfaction}, Place: at}, Record: &run.Record{}})
	}
	for _, row := range w.List() {
		fmt.Println(row.Satisfaction)
	}
	// Output:
	// 2.45
	// 2.70
}

// A budget of four: the two worst, and the two that are nearest to the third, the last one that is shown.
func ExampleChoose() {
	var rows []run.Row
	for at, satisfaction := range []rubric.Hundredths{312, 245, 388, 270, 281, 284} {
		rows = append(rows, run.Row{Estimate: heuristics.Estimate{Satisfaction: satisfaction}, Place: at})
	}
	for _, pick := range triage.Choose(rows, 4, 3, nil) {
		fmt.Println(pick.Rank, pick.Why())
	}
	// Output:
	// 1 worst
	// 2 worst
	// 3 unsure: at the cut of 2.81
	// 4 unsure: 0.03 above the cut of 2.81
}
