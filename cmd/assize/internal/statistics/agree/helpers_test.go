package agree

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/records/run"
	"assize/heuristics/satisfaction"
	"assize/rubric"
	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"
)

var nan = math.NaN()

// said returns a record with the same score for every criterion and the given satisfaction.
func said(t testing.TB, file string, id int, score rubric.Score,
	estimate rubric.Hundredths) *run.Record {
	d := dialogue.Dialogue{ID: id, Turns: []dialogue.Turn{
		{Role: dialogue.User, Text: fmt.Sprintf("Is number %d of %s open?", id, file)},
		{Role: dialogue.System, Text: "Until six."},
	}}
	var card rubric.Scorecard
	for i := range card {
		card[i] = rubric.Rating{Score: score, Claim: "the SYSTEM answers",
			Quotes: []rubric.Quote{{Turn: 2, Text: "Until six."}}}
	}
	e, err := rubric.Default().Settle(rubric.Case{Dialogue: d}, card, rubric.Critique{})
	require.NoError(t, err)
	r := run.New(dialogue.Sample{Dialogue: d,
		Source: dialogue.Source{File: file, Format: importer.Plain}})
	r.Evaluation, r.Estimate = e, satisfaction.Estimate{Satisfaction: estimate}
	return r
}

func rowOf(r *run.Record, place int) *run.Row {
	row := r.Row(place)
	return &row
}

// crowd returns n rated dialogues: people's ratings scatter around a truth, which the judge sees
// with its own error.
func crowd(t testing.TB, file string, n, raters int, noise float64) []ratings.Rated {
	chance := rand.New(rand.NewPCG(uint64(n), uint64(raters)))
	var list []ratings.Rated
	for i := range n {
		truth := 1 + 4*chance.Float64()
		seen := min(max(truth+noise*chance.NormFloat64(), 1), 5)
		r := ratings.Rated{
			Row: rowOf(said(t, file, i+1, rubric.Scale[levelOf(seen)],
				rubric.Hundredths(math.Round(100*seen))), i)}
		for range raters {
			r.Overall = append(r.Overall, min(max(math.Round(truth+chance.NormFloat64()), 1), 5))
		}
		list = append(list, r)
	}
	return list
}

func options() Options {
	return Options{Scale: ratings.DefaultScale, Worst: .2, Draws: 100, Seed: 1}
}

func overallKey(measure string, s Statistic) Key { return Key{OverallRating, measure, s} }
