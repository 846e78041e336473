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
func ranks(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	of := make([]float64, len(values))
	for from, to := 0, 0; from < len(order); from = to {
		for to < len(order) && values[order[to]] == values[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			of[i] = float64(from+to+1) / 2
		}
	}
	return of
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
	all := slices.Concat(worst, rest)
	cut := max(1, math.Round(share*float64(len(all))))
	hits := 0.0
	for taken := 0.0; taken < cut; {
		lowest, same, bad := slices.Min(all), 0.0, 0.0
		for i, v := range all {
			if v == lowest {
				if same++; i < len(worst) {
					bad++
				}
				all[i] = math.Inf(1)
			}
		}
		take := min(same, cut-taken)
		hits += take * bad / same
		taken += take
	}
	return hits / cut
}
