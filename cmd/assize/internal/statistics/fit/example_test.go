package fit_test

import (
	"fmt"

	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/statistics/fit"
	"assize/heuristics/satisfaction"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// A team rated fifty dialogues. Ratings are a point higher where users praised than where they
// rejected something.
func ExampleLearn() {
	var all []fit.Dialogue
	var rated []ratings.Rated
	base := satisfaction.DefaultProfile()
	for i := range 50 {
		said := dialogue.Dialogue{ID: i, Turns: []dialogue.Turn{
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
		r := run.New(dialogue.Sample{Dialogue: said})
		r.Evaluation = &rubric.Evaluation{Dialogue: said, Signals: []rubric.Signal{signal}}
		d := fit.NewDialogue(r, len(all), base)
		all, rated = append(all, d),
			append(rated, ratings.Rated{Row: &d.Row, Overall: []float64{rating, rating}})
	}
	res, err := fit.Learn(all, rated, fit.Options{Seed: 1, Scale: ratings.DefaultScale})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("rating = %.1f + %.1f × reaction\n", res.Profile.Line.Intercept.Float(),
		res.Profile.Line.Slope.Float())
	fmt.Printf("error: %.1f, with the default profile %.1f, with the mean alone %.1f\n",
		res.Error.Profile.MAE.Value, res.Error.Default.MAE.Value, res.Error.Constant.MAE.Value)
	// Output:
	// rating = 3.4 + 0.4 × reaction
	// error: 3.3, with the default profile 6.4, with the mean alone 10.1
}
