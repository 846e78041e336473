package accord

import (
	"math"
	"slices"

	"assize/cmd/assize/internal/agreement"
	"assize/cmd/assize/internal/ratings"
)

// seat is a place among the raters: what whoever sits there said, and what the judge says in that place, both beside
// the mean of the others.
type seat struct {
	*subset
	annotator reading
	judges    []*agreement.Pairs
	values    []float64
}

// seats measures one annotator against the others, and every measure in an annotator's seat.
func (t *target) seats() *gauge {
	chairs := t.chairs()
	statistics := len(common) + 2*len(t.against)
	sums, weights := make([]float64, statistics), make([]float64, statistics)
	g := newGauge(t.name, OneAnnotator, t.shared(2), func(times []int, into []float64) {
		clear(sums)
		clear(weights)
		times = t.group.of(times)
		for i := range chairs {
			weight := chairs[i].take(times)
			for k, v := range chairs[i].values {
				if !math.IsNaN(v) {
					sums[k] += float64(weight * v)
					weights[k] += weight
				}
			}
		}
		for k := range into {
			into[k] = sums[k] / weights[k]
		}
	}, common...)
	for i := range t.against {
		g.keys = append(g.keys, Key{t.name, t.against[i].name, InSeat}, Key{t.name, t.against[i].name, Lead})
		g.why = append(g.why, "", "")
	}
	g.few(sharedDialogues)
	g.because(uniform(t.given), "all ratings are the same", Spearman, Kendall, Pearson, Kappa, UAR, InSeat, Lead)
	worst := slices.ContainsFunc(chairs, func(c *seat) bool { return slices.Contains(c.annotator.worst, true) })
	g.because(!worst, t.noWorst(), AUC, Precision)
	return g
}

// shared counts the dialogues with at least so many ratings.
func (t *target) shared(least int) int {
	n := 0
	for _, given := range t.given {
		if ratingsIn(given) >= least {
			n++
		}
	}
	return n
}

func ratingsIn(given []float64) int {
	n := 0
	for _, v := range given {
		if !math.IsNaN(v) {
			n++
		}
	}
	return n
}

// chairs makes the seats. One with a single dialogue can have no correlation and is left out.
func (t *target) chairs() []*seat {
	var units [][]int
	for u, given := range t.given {
		if ratingsIn(given) < 2 {
			continue
		}
		for at, v := range given {
			for at >= len(units) {
				units = append(units, nil)
			}
			if !math.IsNaN(v) {
				units[at] = append(units[at], u)
			}
		}
	}
	var list []*seat
	for at, of := range units {
		if len(of) > 1 {
			list = append(list, t.chair(at, of))
		}
	}
	return list
}

// chair makes the seat at a place, with the dialogues that were rated there and by others.
func (t *target) chair(at int, units []int) *seat {
	own, others := make([]float64, len(units)), make([]float64, len(units))
	mine, theirs := make([]int, len(units)), make([]int, len(units))
	for i, u := range units {
		rest := make([]float64, 0, len(t.given[u]))
		rest = append(append(rest, t.given[u][:at]...), t.given[u][at+1:]...)
		mean := ratings.Mean(rest)
		own[i], others[i] = 20*t.given[u][at], 20*mean
		mine[i], theirs[i] = nearest(t.given[u][at]), nearest(mean)
	}
	c := &seat{subset: newSubset(units), values: make([]float64, len(common)+2*len(t.against))}
	c.annotator = newReading(own, others, mine, theirs, below(others, t.opt.Worst), t.opt)
	for i := range t.against {
		points := make([]float64, len(units))
		for k, u := range units {
			points[k] = t.against[i].points[u]
		}
		c.judges = append(c.judges, agreement.NewPairs(points, others))
	}
	return c
}

// take takes the figures of the seat and says how many dialogues they are of.
func (c *seat) take(times []int) float64 {
	times = c.of(times)
	c.annotator.take(times, c.values)
	for i, p := range c.judges {
		rho := p.Spearman(times)
		c.values[len(common)+2*i] = rho
		c.values[len(common)+2*i+1] = rho - c.values[0]
	}
	if times == nil {
		return float64(len(c.units))
	}
	n := 0
	for _, t := range times {
		n += t
	}
	return float64(n)
}
