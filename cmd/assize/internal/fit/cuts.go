package fit

import (
	"math"
	"slices"

	"assize/heuristics"
	"assize/rubric"
)

// numLevels is how many levels people's scale has.
const numLevels = 5

// levelOf is the level, 1 to 5, of a mean rating: the nearest whole number, halves up, as people round.
func levelOf(rating float64) int { return min(max(int(math.Floor(rating+0.5)), 1), numLevels) }

// levels counts the points of each level of people's.
func levels(points []point) (counts [numLevels]int) {
	for _, pt := range points {
		counts[levelOf(pt.rating)-1]++
	}
	return counts
}

// cuts gives the satisfactions from which levels 2 to 5 begin, so that each is as frequent as among people's ratings,
// or as near to that as equal satisfactions allow. What nobody used at an end of the scale is cut off at that end: no
// satisfaction is below 1.00, and only one of 5.00 reaches a cut there.
func cuts(satisfactions []rubric.Hundredths, wanted [numLevels]int) []rubric.Hundredths {
	sorted := slices.Sorted(slices.Values(satisfactions))
	var found []rubric.Hundredths
	below := 0
	for level := range numLevels - 1 {
		below += wanted[level]
		n := nearest(sorted, below)
		switch n {
		case 0:
			found = append(found, 100)
		case len(sorted):
			found = append(found, 500)
		default:
			found = append(found, (sorted[n-1]+sorted[n]+1)/2)
		}
	}
	return found
}

// nearest gives the number next to wanted, the higher one of two, of sorted values that can be parted from the rest:
// none of those before equals one of those behind.
func nearest(sorted []rubric.Hundredths, wanted int) int {
	best := 0
	for n := 1; n <= len(sorted); n++ {
		if (n == len(sorted) || sorted[n-1] != sorted[n]) && abs(n-wanted) <= abs(best-wanted) {
			best = n
		}
	}
	return best
}

func abs(n int) int { return max(n, -n) }

// triage gives the cut at or below which the wanted share of the satisfactions lies, or the nearest share that equal
// ones allow; nil where that is nearer to none.
func triage(satisfactions []rubric.Hundredths, rate heuristics.Millionths) *heuristics.Triage {
	sorted := slices.Sorted(slices.Values(satisfactions))
	wanted := max(1, int(math.Round(float64(rate.Float()*float64(len(sorted))))))
	n := nearest(sorted, wanted)
	if n == 0 {
		return nil
	}
	return &heuristics.Triage{Rate: rate, Cut: sorted[n-1]}
}
