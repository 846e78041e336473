package fit

import (
	"math"
	"slices"

	"assize/heuristics/satisfaction"
	"assize/rubric"
)

// cuts returns the lowest satisfactions of levels 2 to 5, chosen so that each level is as frequent
// as among people's ratings, or as close to that as ties allow. If nobody used a level at one end
// of the scale, its cut is placed at that end: no satisfaction is below 1.00, and only 5.00 reaches
// a cut there.
func cuts(satisfactions []rubric.Hundredths, wanted [numLevels]int) (found []rubric.Hundredths) {
	sorted := slices.Sorted(slices.Values(satisfactions))
	below := 0
	for _, n := range wanted[:numLevels-1] {
		below += n
		switch at := nearest(sorted, below); at {
		case 0:
			found = append(found, 100)
		case len(sorted):
			found = append(found, 500)
		default:
			found = append(found, (sorted[at-1]+sorted[at]+1)/2)
		}
	}
	return found
}

// nearest returns the n nearest to wanted at which sorted can be split, so that no value among the
// first n equals a later one. Of two equally near numbers it returns the higher.
func nearest(sorted []rubric.Hundredths, wanted int) int {
	off := func(n int) int { return max(n-wanted, wanted-n) }
	best := 0
	for n := 1; n <= len(sorted); n++ {
		if (n == len(sorted) || sorted[n-1] != sorted[n]) && off(n) <= off(best) {
			best = n
		}
	}
	return best
}

// triage returns the cut at or below which the requested share of the satisfactions lies, or the
// nearest share that ties allow. It returns nil if that nearest share is 0.
func triage(satisfactions []rubric.Hundredths, rate satisfaction.Millionths) *satisfaction.Triage {
	sorted := slices.Sorted(slices.Values(satisfactions))
	n := nearest(sorted, max(1, int(math.Round(float64(rate.Float()*float64(len(sorted)))))))
	if n == 0 {
		return nil
	}
	return &satisfaction.Triage{Rate: rate, Cut: sorted[n-1]}
}
