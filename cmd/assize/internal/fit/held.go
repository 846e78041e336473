package fit

import (
	"math"

	"assize/cmd/assize/internal/agreement"
	"assize/heuristics"
)

// held is what the points of each fold get from what was learnt on the other folds, in the order of the points.
type held struct {
	points   []point
	at       []float64             // the input of the profile that was learnt
	after    []heuristics.Estimate // by that profile
	constant []float64             // the mean rating of the other folds
	folds    int
}

// holdOut learns on all folds but one, for each, and applies what was learnt to that one.
func holdOut(l learner, points []point) held {
	n := len(points)
	h := held{points: points, at: make([]float64, n), after: make([]heuristics.Estimate, n), constant: make([]float64, n)}
	l.traffic = nil
	var folds []int
	folds, h.folds = deal(points, outerFolds, l.seed)
	for f := range h.folds {
		train, _ := without(points, folds, f)
		p := l.learn(train).profile
		_, rating := columns(train)
		mean := agreement.Mean(rating, nil)
		for i, pt := range points {
			if folds[i] != f {
				continue
			}
			if l.weights {
				pt.at = p.Value(pt.evaluation)
			}
			h.at[i], h.after[i], h.constant[i] = pt.at.Float(), pt.estimate(p), mean
		}
	}
	return h
}

// Error is how far estimates are off people's ratings, in points of 100: a rating times 20.
type Error struct{ MAE, RMSE float64 }

// errorOf measures estimates on the scale from 1 to 5.
func errorOf(estimates, ratings []float64) Error {
	p := agreement.NewPairs(estimates, ratings)
	return Error{20 * p.MAE(nil), 20 * p.RMSE(nil)}
}

// satisfactions gives what was held out as numbers from 1 to 5.
func (h *held) satisfactions() []float64 {
	var list []float64
	for _, e := range h.after {
		list = append(list, onFive(e.Satisfaction))
	}
	return list
}

// kappa is the agreement of the levels with people's (quadratic weights).
func (h *held) kappa() float64 {
	var ours, theirs []int
	for i, e := range h.after {
		ours, theirs = append(ours, e.Level-1), append(theirs, levelOf(h.points[i].rating)-1)
	}
	return agreement.NewLevels(ours, theirs, numLevels).Kappa(nil)
}

// Flagged is what flagging comes to on dialogues that the cut was not learnt from.
type Flagged struct {
	Share      float64 // of the dialogues that is flagged
	Mean, Rest float64 // the mean ratings of those flagged and of the rest; NaN for none
}

func (h *held) flagged() Flagged {
	var yes, no []float64
	for i, e := range h.after {
		if e.Flagged {
			yes = append(yes, h.points[i].rating)
		} else {
			no = append(no, h.points[i].rating)
		}
	}
	return Flagged{float64(len(yes)) / float64(len(h.after)), agreement.Mean(yes, nil), agreement.Mean(no, nil)}
}

// Gain is a difference with its 95 % interval.
type Gain struct {
	Value float64
	agreement.Interval
}

// Certain reports whether the interval lies above 0.
func (g Gain) Certain() bool { return g.Low > 0 }

// gains are by how much the mean absolute error falls against each of some other estimates, in points of 100.
func (h *held) gains(seed uint64, against ...[]float64) []Gain {
	better := make([][]float64, len(against))
	ours := h.satisfactions()
	for k, theirs := range against {
		for i, pt := range h.points {
			better[k] = append(better[k], 20*(math.Abs(theirs[i]-pt.rating)-math.Abs(ours[i]-pt.rating)))
		}
	}
	means := func(times []int) []float64 {
		var list []float64
		for _, b := range better {
			list = append(list, agreement.Mean(b, times))
		}
		return list
	}
	values := means(nil)
	var found []Gain
	for k, in := range agreement.Bootstrap(len(h.points), Draws, seed, means) {
		found = append(found, Gain{values[k], in})
	}
	return found
}

// Draws is how many resamples an interval rests on.
const Draws = 1000

// satisfactions gives what a profile that maps the input of the points makes of them, from 1 to 5.
func satisfactions(p heuristics.Profile, points []point) []float64 {
	var list []float64
	for _, h := range estimates(p, points) {
		list = append(list, onFive(h))
	}
	return list
}
