package fit

import (
	"fmt"
	"math"
	"math/rand/v2"

	"assize/cmd/assize/internal/ratings"
	"assize/cmd/assize/internal/record"
	"assize/heuristics"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// rate makes a rated dialogue of one turn of the USER with the given signals, so that the reaction score is the sum of
// their points.
func rate(name string, signals []rubric.Signal, overall ...float64) ratings.Rated {
	d := dialogue.Dialogue{Turns: []dialogue.Turn{{Role: dialogue.System, Text: "How is it?"}, {Role: dialogue.User, Text: name}}}
	e := &rubric.Evaluation{Dialogue: d, Rubric: rubric.Default(), Signals: signals}
	for c := range e.Final {
		e.Final[c].Score = 60
	}
	e.Average = 6000
	return ratings.Rated{
		Record:  &record.Record{Dialogue: d, Evaluation: e, Source: record.Source{File: "made.txt", Digest: d.Digest()}},
		Overall: overall,
	}
}

// at makes a rated dialogue with a reaction score, in points.
func at(name string, points float64, overall ...float64) ratings.Rated {
	h := rubric.Hundredths(math.Round(100 * points))
	return rate(name, []rubric.Signal{{ID: "reaction-praises", Turn: 2, Points: h}}, overall...)
}

// along makes n rated dialogues along a line, with some noise.
func along(n int, intercept, slope, noise float64) []ratings.Rated {
	chance := rand.New(rand.NewPCG(7, 7))
	var rated []ratings.Rated
	for i := range n {
		x := math.Round(100*(chance.Float64()*4-2)) / 100
		y := intercept + slope*x + noise*chance.NormFloat64()
		rated = append(rated, at(fmt.Sprint("dialogue ", i), x, min(max(y, 1), 5)))
	}
	return rated
}

func records(rated []ratings.Rated) []*record.Record {
	var list []*record.Record
	for i := range rated {
		list = append(list, rated[i].Record)
	}
	return list
}

// pointsAt makes points of inputs and ratings.
func pointsAt(xs, ys []float64) []point {
	var points []point
	for i := range xs {
		points = append(points, point{digest: fmt.Sprint(i), at: heuristics.MillionthsOf(xs[i]), rating: ys[i]})
	}
	return points
}
