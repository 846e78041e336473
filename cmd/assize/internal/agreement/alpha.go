package agreement

import (
	"fmt"
	"math"
)

// Metric says what the distance between two ratings is.
type Metric uint8

const (
	Nominal       Metric = iota // equal or not
	Ordinal                     // how many ratings lie between, as Krippendorff counts them
	IntervalScale               // the square of the difference
)

func (m Metric) String() string {
	switch m {
	case Nominal:
		return "nominal"
	case Ordinal:
		return "ordinal"
	case IntervalScale:
		return "interval"
	}
	return fmt.Sprintf("Metric(%d)", uint8(m))
}

// Alpha is Krippendorff's alpha, up to 1: one less the disagreement within units over that of ratings paired by
// chance; 0 is chance (Krippendorff 2011, Computing Krippendorff's Alpha-Reliability). Units with fewer than two
// ratings say nothing and are left out, whatever their number of raters the others count. It is NaN for fewer than
// two units and where all their ratings are equal.
func (r *Reliability) Alpha(m Metric, times []int) float64 {
	counting := r.times(times)
	units, n := r.countPairable(counting)
	if units < 2 || !several(r.counts) {
		return math.NaN()
	}
	var within, chance float64
	switch m {
	case Nominal:
		for u, t := range counting {
			within += float64(float64(t) * r.units[u].nominal)
		}
		chance = mismatches(r.counts, n)
	case Ordinal:
		// Krippendorff's ordinal distance is the square of the difference between the two values' mean ranks.
		rankAll(r.ranks, r.counts, n)
		within = r.apartInRank(counting)
		chance = r.spread(r.ranks, n)
	case IntervalScale:
		for u, t := range counting {
			within += float64(float64(t) * r.units[u].interval)
		}
		chance = r.spread(r.values, n)
	default:
		return math.NaN()
	}
	return 1 - float64(float64(n-1)*within)/chance
}

// countPairable counts each value in the units with more than one rating; it returns how many units and ratings
// that makes.
func (r *Reliability) countPairable(times []int) (units, ratings int) {
	clear(r.counts)
	for u, t := range times {
		own := r.coded[r.from[u]:r.from[u+1]]
		if len(own) < 2 || t == 0 {
			continue
		}
		units += t
		ratings += t * len(own)
		for _, v := range own {
			r.counts[v] += t
		}
	}
	return units, ratings
}

// mismatches is the number of ordered pairs of different ratings among all n.
func mismatches(counts []int, n int) float64 {
	pairs := float64(float64(n) * float64(n))
	for _, c := range counts {
		pairs -= float64(float64(c) * float64(c))
	}
	return pairs
}

// spread is the sum of the squared differences over all ordered pairs of the n ratings.
func (r *Reliability) spread(values []float64, n int) float64 {
	var sum, squares float64
	for v, c := range r.counts {
		sum += float64(float64(c) * values[v])
	}
	middle := sum / float64(n)
	for v, c := range r.counts {
		d := values[v] - middle
		squares += float64(float64(c) * float64(d*d))
	}
	return float64(2 * float64(float64(n)*squares))
}

// apartInRank is the sum of the squared differences in rank over the ordered pairs within units, a rating's share.
func (r *Reliability) apartInRank(times []int) float64 {
	var within float64
	for u, t := range times {
		own := r.coded[r.from[u]:r.from[u+1]]
		if len(own) < 2 || t == 0 {
			continue
		}
		var sum, squares float64
		for _, v := range own {
			sum += r.ranks[v]
			squares += float64(r.ranks[v] * r.ranks[v])
		}
		k := float64(len(own))
		within += float64(2*float64(t)*(float64(k*squares)-float64(sum*sum))) / (k - 1)
	}
	return within
}
