package stats

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// Line is the line through x and y with the least squares. Both are NaN for fewer than two points and where x does not
// vary.
func Line(x, y []float64) (intercept, slope float64) {
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
		return math.NaN(), math.NaN()
	}
	slope = xy / xx
	return my - float64(slope*mx), slope
}

// block is a run of points that share one fitted value.
type block struct{ low, high, value, weight float64 }

// Isotonic fits the rising curve with the least squares to the points (pool adjacent violators; Barlow and others
// 1972). xs and ys are its knots, both ascending: the first and the last x of each run that shares a value; between
// knots the curve is straight, beyond them flat, as [Interpolate] has it. Points with the same x count as one, at their
// mean. It returns no knots where there are no points.
func Isotonic(x, y []float64) (xs, ys []float64) {
	points := make([]block, len(x))
	for i := range x {
		points[i] = block{x[i], x[i], y[i], 1}
	}
	slices.SortFunc(points, func(a, b block) int { return cmp.Or(cmp.Compare(a.low, b.low), cmp.Compare(a.value, b.value)) })
	merged := points[:0]
	for _, p := range points {
		if last := len(merged) - 1; last >= 0 && merged[last].low == p.low {
			merged[last] = merged[last].and(p)
		} else {
			merged = append(merged, p)
		}
	}
	var fitted []block
	for _, b := range merged {
		for len(fitted) > 0 && fitted[len(fitted)-1].value >= b.value {
			b = fitted[len(fitted)-1].and(b)
			fitted = fitted[:len(fitted)-1]
		}
		fitted = append(fitted, b)
	}
	for _, b := range fitted {
		xs, ys = append(xs, b.low), append(ys, b.value)
		if b.high > b.low {
			xs, ys = append(xs, b.high), append(ys, b.value)
		}
	}
	return xs, ys
}

// and joins a block with the one after it.
func (b block) and(next block) block {
	weight := b.weight + next.weight
	sum := float64(b.value*b.weight) + float64(next.value*next.weight)
	return block{b.low, next.high, sum / weight, weight}
}

// Interpolate reads a curve of ascending knots at x: straight between two, flat before the first and after the last.
// It is NaN where there are no knots, and for a NaN.
func Interpolate(xs, ys []float64, x float64) float64 {
	if len(xs) == 0 || math.IsNaN(x) {
		return math.NaN()
	}
	at := sort.SearchFloat64s(xs, x)
	switch {
	case at == len(xs):
		return ys[at-1]
	case at == 0 || xs[at] == x:
		return ys[at]
	}
	part := (x - xs[at-1]) / (xs[at] - xs[at-1])
	return ys[at-1] + float64(part*(ys[at]-ys[at-1]))
}
