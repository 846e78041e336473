package measure

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// column returns the value of f for each element.
func column[E any](list []E, f func(E) float64) (values []float64) {
	for _, e := range list {
		values = append(values, f(e))
	}
	return values
}

// with returns the rank correlation of the panel's figure and people's ratings.
func with(list []*Judged, judge, people func(*Judged) float64) float64 {
	return spearman(column(list, judge), column(list, people))
}

// share returns the share of the dialogues for which is returns true.
func share(list []*Judged, is func(*Judged) bool) float64 {
	n := 0.0
	for _, j := range list {
		if is(j) {
			n++
		}
	}
	return n / float64(len(list))
}

// Quantile interpolates linearly between the two nearest values (Hyndman and Fan 1996, type 7).
func Quantile(values []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	at := q * float64(len(sorted)-1)
	low := int(at)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + (at-float64(low))*(sorted[high]-sorted[low])
}

// ranks returns the rank of each value, starting at 1; ties get the mean of their ranks.
func ranks(values []float64) (list []float64) {
	sorted := slices.Sorted(slices.Values(values))
	for _, v := range values {
		below, _ := slices.BinarySearch(sorted, v)
		upTo, _ := slices.BinarySearch(sorted, math.Nextafter(v, math.Inf(1)))
		list = append(list, float64(below+upTo+1)/2)
	}
	return list
}

// spearman returns the rank correlation, with ties.
func spearman(x, y []float64) float64 { return stat.Correlation(ranks(x), ranks(y), nil) }

// auc returns the probability that a value in high is greater than one in low; ties count half
// (Mann and Whitney 1947).
func auc(high, low []float64) float64 {
	sum, n := 0.0, float64(len(high))
	for _, r := range ranks(slices.Concat(high, low))[:len(high)] {
		sum += r
	}
	return (sum - n*(n+1)/2) / (n * float64(len(low)))
}

// precision returns the proportion of the worst among the lowest values, which are a share of all.
// If equal values straddle the cut, it is the expected proportion for a random choice among them.
func precision(worst, rest []float64, share float64) float64 {
	all := slices.Sorted(slices.Values(slices.Concat(worst, rest)))
	cut := max(1, math.Round(share*float64(len(all))))
	limit := all[int(cut)-1]
	count := func(values []float64, order int) (n float64) { // below the limit: -1; at it: 0
		for _, v := range values {
			if cmp.Compare(v, limit) == order {
				n++
			}
		}
		return n
	}
	drawn := (cut - count(all, -1)) / count(all, 0) // the share of those at the limit
	return (count(worst, -1) + drawn*count(worst, 0)) / cut
}
