package agreement

import (
	"cmp"
	"math"
	"slices"
)

// Ranks gives the rank of each value, from 1; equal values share the mean of their ranks.
func Ranks(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	ranks := make([]float64, len(values))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && values[order[to]] == values[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			ranks[i] = float64(from+to+1) / 2
		}
		from = to
	}
	return ranks
}

// Pearson is the product-moment correlation of x and y, from -1 to 1. It is NaN for fewer than two pairs,
// where one side does not vary, and where a value is NaN.
func Pearson(x, y []float64) float64 {
	if len(x) != len(y) || constant(x) || constant(y) {
		return math.NaN()
	}
	mx, my := mean(x), mean(y)
	var xy, xx, yy float64
	for i := range x {
		dx, dy := x[i]-mx, y[i]-my
		xy += float64(dx * dy)
		xx += float64(dx * dx)
		yy += float64(dy * dy)
	}
	return ratio(xy, xx, yy)
}

// incomplete reports whether a value is NaN, which no rank can be given to.
func incomplete(values []float64) bool { return slices.ContainsFunc(values, math.IsNaN) }

// constant reports whether no two values differ. It asks the values, since the spread of equal ones need not come out
// as exactly zero.
func constant(values []float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return v != values[0] })
}

// Spearman is the rank correlation of x and y with ties: the Pearson correlation of their mean ranks. It is NaN where
// Pearson is.
func Spearman(x, y []float64) float64 {
	if len(x) != len(y) || incomplete(x) || incomplete(y) {
		return math.NaN()
	}
	return Pearson(Ranks(x), Ranks(y))
}

// AUC is the chance that a case which is meant to be found has the higher value than one which is not, equal
// values counting half (Mann and Whitney). It is NaN where there is none of either, and where a value is.
func AUC(values []float64, found []bool) float64 {
	if len(values) != len(found) || incomplete(values) {
		return math.NaN()
	}
	var sum, hits float64
	for i, r := range Ranks(values) {
		if found[i] {
			sum += r
			hits++
		}
	}
	misses := float64(len(values)) - hits
	return (sum - hits*(hits+1)/2) / float64(hits*misses)
}

// Quantile is the q-quantile, from 0 to 1, of values: linear between the two nearest (Hyndman and Fan 1996, type 7,
// which R, NumPy and spreadsheets have). It is NaN for no values, and where one is.
func Quantile(values []float64, q float64) float64 {
	if len(values) == 0 || incomplete(values) {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	at := q * float64(len(sorted)-1)
	low := int(at)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + float64((at-float64(low))*(sorted[high]-sorted[low]))
}

// Mean is the mean of the values, each counted as often as times says, and once for nil. It is NaN for none.
func Mean(values []float64, times []int) float64 {
	if times == nil {
		return mean(values)
	}
	var sum float64
	n := 0
	for i, v := range values {
		sum += float64(float64(times[i]) * v)
		n += times[i]
	}
	return over(sum, n)
}

func mean(x []float64) float64 {
	var sum float64
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}
