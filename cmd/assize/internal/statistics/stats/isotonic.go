package stats

import "slices"

// Step is a step of a step function: it begins at a place, and its height is the mean of the N
// values that were pooled in it.
type Step struct {
	From   int
	Sum, N float64
}

// Mean returns the height of the step.
func (s Step) Mean() float64 { return s.Sum / s.N }

// Isotonic returns the rising step function that is closest to the values y at the places x, by
// least squares (pool adjacent violators). x and y have the same length.
func Isotonic(x []int, y []float64) (steps []Step) {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return x[i] - x[j] })
	for start := 0; start < len(order); {
		s := Step{From: x[order[start]]}
		for ; start < len(order) && x[order[start]] == s.From; start++ {
			s.Sum, s.N = s.Sum+y[order[start]], s.N+1
		}
		for len(steps) > 0 && steps[len(steps)-1].Sum*s.N >= s.Sum*steps[len(steps)-1].N {
			last := steps[len(steps)-1]
			s, steps = Step{last.From, last.Sum + s.Sum, last.N + s.N}, steps[:len(steps)-1]
		}
		steps = append(steps, s)
	}
	return steps
}
