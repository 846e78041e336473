package stats

import (
	"cmp"
	"math"
	"slices"
)

// Slope is the slope of the line through x and y with the least squares, NaN for fewer than two points and where x does
// not vary.
func Slope(x, y []float64) float64 {
	mx, my := Mean(x, nil), Mean(y, nil)
	var xy, xx float64
	varies := false // the spread of equal values need not come out as exactly zero
	for i := range x {
		dx := x[i] - mx
		xy += float64(dx * (y[i] - my))
		xx += float64(dx * dx)
		varies = varies || x[i] != x[0]
	}
	if !varies {
		return math.NaN()
	}
	return xy / xx
}

// Isotonic fits the curve with the least squares that never falls (pool adjacent violators; Barlow and others 1972), and
// gives its value at each x. Points with the same x count as one, at their mean.
func Isotonic(x, y []float64) []float64 {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(x[a], x[b]), cmp.Compare(y[b], y[a])) })
	type pool struct {
		n   int
		sum float64
		to  float64 // the highest x
	}
	var pools []pool // consecutive points that share a value
	for _, i := range order {
		next := pool{1, y[i], x[i]}
		for len(pools) > 0 {
			last := pools[len(pools)-1]
			if last.to != x[i] && last.sum*float64(next.n) < next.sum*float64(last.n) {
				break
			}
			next.n, next.sum = next.n+last.n, next.sum+last.sum
			pools = pools[:len(pools)-1]
		}
		pools = append(pools, next)
	}
	fitted := make([]float64, len(x))
	for _, p := range pools {
		for _, i := range order[:p.n] {
			fitted[i] = p.sum / float64(p.n)
		}
		order = order[p.n:]
	}
	return fitted
}
