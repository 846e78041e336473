package summary_test

import (
	"context"
	"fmt"

	"assize/cmd/assize/internal/statistics/summary"
	"assize/heuristics"
	"assize/rubric"
	"assize/rubric/dialogue"
)

func ExampleSparkline() {
	agents := heuristics.New()
	r := rubric.Default()
	panel := rubric.Panel{Rubric: r, Observe: agents.Observe, Evaluator: agents.Evaluator(r),
		Critic: agents.Critic(r)}
	e, err := panel.Judge(context.Background(), dialogue.Dialogue{ID: 1, Turns: []dialogue.Turn{
		{Role: dialogue.User, Text: "Is my parcel on its way?"},
		{Role: dialogue.System, Text: "Do you want to send a parcel?"},
		{Role: dialogue.User, Text: "No, I am waiting for one."},
		{Role: dialogue.System, Text: "It will be with you tomorrow before ten."},
		{Role: dialogue.User, Text: "Perfect, thank you so much for checking!"},
	}})
	if err != nil {
		panic(err)
	}
	points := summary.Friction(e)
	fmt.Println(points, summary.Sparkline(e, points, 80))
	// Output: [0.00 -1.00 0.00 4.00 0.00] ▃▇
}
