package fit

import (
	"assize/cmd/assize/internal/agreement"
	"assize/heuristics"
)

// From enough rated dialogues on, a curve may compete with the line. With fewer it errs more than the line in nearly
// every draw (research: from 50 labels by 0.2 points of 100).
const enough = 300

// mostKnots bounds a curve, for people who read the profile; more knots do not lower the error.
const mostKnots = 20

// step is a run of points to which the rising curve gives one value.
type step struct{ n, at, rating float64 } // how many points, and the sums over them

// curve fits the rising curve with the least squares and gives it by knots in the middle of its steps, between
// which it goes up straight: a flat step would make dialogues equal that are not. It has no knots where nothing rises.
func curve(points []point) []heuristics.Knot {
	at, rating := columns(points)
	xs, ys := agreement.Isotonic(at, rating, nil)
	values := map[float64]*step{}
	var steps []*step
	for _, y := range ys {
		if values[y] == nil {
			values[y] = &step{}
			steps = append(steps, values[y])
		}
	}
	for i, x := range at {
		s := values[agreement.Interpolate(xs, ys, x)]
		s.n, s.at, s.rating = s.n+1, s.at+x, s.rating+rating[i]
	}
	for len(steps) > mostKnots {
		steps = joinNearest(steps)
	}
	if len(steps) < 2 {
		return nil
	}
	var knots []heuristics.Knot
	for _, s := range steps {
		knots = append(knots, heuristics.Knot{At: heuristics.MillionthsOf(s.at / s.n), Rating: heuristics.MillionthsOf(s.rating / s.n)})
	}
	return knots
}

// joinNearest makes one of the two neighbours whose union adds least to the squared error (Ward 1963).
func joinNearest(steps []*step) []*step {
	best, least := 0, 0.0
	for i := range steps[1:] {
		a, b := steps[i], steps[i+1]
		apart := b.rating/b.n - a.rating/a.n
		if cost := a.n * b.n / (a.n + b.n) * float64(apart*apart); i == 0 || cost < least {
			best, least = i, cost
		}
	}
	a, b := steps[best], steps[best+1]
	steps[best] = &step{a.n + b.n, a.at + b.at, a.rating + b.rating}
	return append(steps[:best+1], steps[best+2:]...)
}
