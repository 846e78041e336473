package fit_test

import (
	"fmt"

	"assize/cmd/assize/internal/fit"
	"assize/cmd/assize/internal/ratings"
	"assize/cmd/assize/internal/record"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// A team rated fifty dialogues. Where users praised, people gave a point more than where they turned something down.
func ExampleLearn() {
	var rated []ratings.Rated
	for i := range 50 {
		d := dialogue.Dialogue{ID: i, Turns: []dialogue.Turn{
			{Role: dialogue.System, Text: fmt.Sprintf("Is Tuesday at %d fine?", i)},
			{Role: dialogue.User, Text: "…"},
		}}
		signal, rating := rubric.Signal{ID: "reaction-praises", Turn: 2, Points: 100}, 4.0
		if i%2 == 0 {
			signal, rating = rubric.Signal{ID: "reaction-rejects", Turn: 2, Points: -100}, 3.0
		}
		if i%5 == 0 {
			rating -= 0.5 // people differ
		}
		r := record.New(dialogue.Sample{Dialogue: d})
		r.Evaluation = &rubric.Evaluation{Dialogue: d, Signals: []rubric.Signal{signal}}
		rated = append(rated, ratings.Rated{Record: r, Overall: []float64{rating, rating}})
	}
	res, err := fit.Learn(rated, nil, fit.Options{Seed: 1, Scale: ratings.DefaultScale})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("rating = %s + %s × reaction\n", res.Profile.Line.Intercept, res.Profile.Line.Slope)
	fmt.Printf("error: %.1f, with the default profile %.1f, with the mean alone %.1f\n", res.After.MAE, res.Before.MAE, res.Constant.MAE)
	fmt.Println(res.Decisions[0])
	// Output:
	// rating = 3.4 + 0.5 × reaction
	// error: 3.3, with the default profile 6.4, with the mean alone 10.1
	// The slope is learnt: 0.5 a point of reaction, 95 % interval 0.442 to 0.558, which lies above 0.
}
