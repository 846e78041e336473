package triage_test

import (
	"fmt"

	"assize/cmd/assize/internal/record"
	"assize/cmd/assize/internal/triage"
	"assize/rubric"
)

// Only the worst are kept, however many come.
func ExampleWorst() {
	w := triage.NewWorst(2, triage.BySatisfaction)
	for at, satisfaction := range []rubric.Hundredths{312, 245, 388, 270, 401} {
		w.Add(triage.Row{Place: triage.Place{Satisfaction: satisfaction, At: at}, Record: &record.Record{}})
	}
	for _, row := range w.List() {
		fmt.Println(row.Place.Satisfaction)
	}
	// Output:
	// 2.45
	// 2.70
}

// A budget of four: the two worst, and the two that are nearest to the third, the last one that is shown.
func ExampleChoose() {
	var places []triage.Place
	for at, satisfaction := range []rubric.Hundredths{312, 245, 388, 270, 281, 284} {
		places = append(places, triage.Place{Satisfaction: satisfaction, At: at})
	}
	for _, pick := range triage.Choose(places, 4, 3, nil) {
		fmt.Println(pick.Rank, pick.Why())
	}
	// Output:
	// 1 worst
	// 2 worst
	// 3 unsure: at the cut of 2.81
	// 4 unsure: 0.03 above the cut of 2.81
}
