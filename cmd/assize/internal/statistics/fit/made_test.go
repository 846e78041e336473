package fit

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
)

// rate returns a rated dialogue with one USER turn and the given signals, whose points add up to
// the reaction score.
func rate(name string, signals []rubric.Signal, overall ...float64) sample {
	d := dialogue.Dialogue{Turns: []dialogue.Turn{{Role: dialogue.System, Text: "How is it?"},
		{Role: dialogue.User, Text: name}}}
	e := &rubric.Evaluation{Dialogue: d, Rubric: rubric.Default(), Signals: signals}
	for c := range e.Final {
		e.Final[c].Score = 60
	}
	e.Average = 6000
	return sample{
		Record: &run.Record{Dialogue: d, Evaluation: e,
			Source: run.Source{File: "made.txt", Digest: d.Digest()}},
		Overall: overall,
	}
}

// at returns a rated dialogue with a reaction score, in points.
func at(name string, points float64, overall ...float64) sample {
	h := rubric.Hundredths(math.Round(100 * points))
	return rate(name, []rubric.Signal{{ID: "reaction-praises", Turn: 2, Points: h}}, overall...)
}

// along returns n rated dialogues along a line, with some noise.
func along(n int, intercept, slope, noise float64) []sample {
	chance := rand.New(rand.NewPCG(7, 7))
	var rated []sample
	for i := range n {
		x := math.Round(100*(chance.Float64()*4-2)) / 100
		y := intercept + slope*x + noise*chance.NormFloat64()
		rated = append(rated, at(fmt.Sprint("dialogue ", i), x, min(max(y, 1), 5)))
	}
	return rated
}

// sample is a record with its mean rating.
type sample struct {
	Record  *run.Record
	Overall []float64
}

// inputs returns the arguments of Learn for rated and unrated dialogues.
func inputs(
	rated []sample, unrated ...*run.Record,
) (all []Dialogue, said []ratings.Rated, err error) {
	base := satisfaction.DefaultProfile()
	for _, r := range append(records(rated), unrated...) {
		d := NewDialogue(r, len(all), base)
		all = append(all, d)
	}
	for i := range rated {
		said = append(said, ratings.Rated{Row: &all[i].Row, Overall: rated[i].Overall})
	}
	return all, said, nil
}

func learnFrom(rated []sample, o Options, unrated ...*run.Record) (*Result, error) {
	all, said, err := inputs(rated, unrated...)
	if err != nil {
		return nil, err
	}
	o.Scale = ratings.DefaultScale
	return Learn(all, said, o)
}

// gathered returns the points of rated dialogues.
func gathered(t *testing.T, rated []sample) []point {
	t.Helper()
	all, said, err := inputs(rated)
	require.NoError(t, err)
	points, err := gather(all, said, ratings.DefaultScale)
	require.NoError(t, err)
	return points
}

func records(rated []sample) []*run.Record {
	var list []*run.Record
	for i := range rated {
		list = append(list, rated[i].Record)
	}
	return list
}
