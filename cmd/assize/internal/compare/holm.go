package compare

import (
	"math"
	"slices"

	"assize/rubric"
)

// correct fills in the corrected chances of the criteria. Six are tested at once, and of six tests of nothing one is
// below .05 a quarter of the time.
func correct(p *Part) {
	criteria := p.Figures[firstCriterion:]
	for _, test := range []func(*Figure) *Test{
		func(f *Figure) *Test { return &f.Sign },
		func(f *Figure) *Test { return &f.Wilcoxon },
	} {
		var ps [rubric.NumCriteria]float64
		for i := range criteria {
			ps[i] = test(&criteria[i]).P
		}
		for i, p := range holm(ps[:]) {
			test(&criteria[i]).Holm = p
		}
	}
}

// holm corrects chances for their number (Holm 1979): the smallest is multiplied by how many there are, the next by
// one less, and none comes out below one that was smaller. A NaN is of no test and does not count.
func holm(ps []float64) []float64 {
	corrected := slices.Clone(ps)
	var order []int
	for i, p := range ps {
		if !math.IsNaN(p) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case ps[i] < ps[j]:
			return -1
		case ps[i] > ps[j]:
			return 1
		}
		return 0
	})
	least := 0.0
	for done, i := range order {
		least = min(1, max(least, float64(ps[i]*float64(len(order)-done))))
		corrected[i] = least
	}
	return corrected
}
