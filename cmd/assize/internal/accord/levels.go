package accord

import (
	"cmp"
	"math"
	"slices"

	"assize/cmd/assize/internal/ratings"
)

// numLevels is how many levels there are, 1 to 5. In slices they count from 0.
const numLevels = 5

// nearest is the level of a rating from 1 to 5, from 0; halves go up.
func nearest(rating float64) int { return min(max(int(math.Floor(rating+.5))-1, 0), numLevels-1) }

// alike gives values levels so that each is as frequent as among people: the lowest values get the lowest. Equal values
// get the same level, that of the middle one of them.
func alike(values []float64, people []int) []int {
	var upTo [numLevels]int // how many dialogues people gave this level or a lower one
	for _, l := range people {
		for k := l; k < numLevels; k++ {
			upTo[k]++
		}
	}
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	levels := make([]int, len(values))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && values[order[to]] == values[order[from]] {
			to++
		}
		level := 0
		for 2*upTo[level] <= from+to-1 {
			level++
		}
		for _, i := range order[from:to] {
			levels[i] = level
		}
		from = to
	}
	return levels
}

// choice is the rating nearest to a value from 1 to 5 that people could give on their scale, back on the scale from 1
// to 5. Halves go up.
func choice(value float64, s ratings.Scale) float64 {
	own := s.Low + float64((value-1)*(s.High-s.Low))/4
	own = math.Floor(own + .5)
	return s.OnFive(min(max(own, min(s.Low, s.High)), max(s.Low, s.High)))
}
