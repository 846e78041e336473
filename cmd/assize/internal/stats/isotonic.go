package stats

import "slices"

// Step is a step of a step function: it begins at a place, with the mean of N values as its height.
type Step struct {
	From   int
	Sum, N float64
}

// Isotonic returns the rising step function that is closest by least squares to the values at their
// places (pool adjacent violators); point returns the place and the value of an element.
func Isotonic[T any](list []T, point func(T) (at int, value float64)) (steps []Step) {
	var places []Step
	for _, of := range list {
		at, value := point(of)
		places = append(places, Step{at, value, 1})
	}
	slices.SortStableFunc(places, func(a, b Step) int { return a.From - b.From })
	for i, s := range places {
		if i+1 < len(places) && places[i+1].From == s.From {
			places[i+1].Sum, places[i+1].N = s.Sum+places[i+1].Sum, s.N+1
			continue
		}
		for len(steps) > 0 && steps[len(steps)-1].Sum*s.N >= s.Sum*steps[len(steps)-1].N {
			last := steps[len(steps)-1]
			s, steps = Step{last.From, last.Sum + s.Sum, last.N + s.N}, steps[:len(steps)-1]
		}
		steps = append(steps, s)
	}
	return steps
}
