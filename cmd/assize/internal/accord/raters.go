package accord

import (
	"fmt"
	"math"

	"assize/cmd/assize/internal/agreement"
)

// reliability measures how well the raters agree among themselves.
func (t *target) reliability() *gauge {
	r := agreement.NewReliability(t.given)
	counts := make([]float64, len(t.given))
	for i, given := range t.given {
		counts[i] = float64(ratingsIn(given))
	}
	g := newGauge(t.name, Raters, t.shared(2), func(times []int, into []float64) {
		times = t.group.of(times)
		alphas(r, times, into)
		into[3], into[4] = r.ICC(times)
		into[5] = agreement.Ceiling(into[4])
		into[6] = agreement.Mean(counts, times)
	}, AlphaNominal, AlphaOrdinal, AlphaInterval, ICC1, ICCk, Ceiling, RatingsEach)
	g.because(len(t.given) < Fewest, fmt.Sprintf("there are fewer than %d %s", Fewest, ratedDialogues), RatingsEach)
	g.few(sharedDialogues, AlphaNominal, AlphaOrdinal, AlphaInterval, ICC1, ICCk, Ceiling)
	g.because(uniform(t.given), "all ratings are the same", AlphaNominal, AlphaOrdinal, AlphaInterval, ICC1, ICCk, Ceiling)
	_, k := r.ICC(nil)
	g.because(math.IsNaN(agreement.Ceiling(k)), "ICC(k) is not above zero: the raters differ more than the dialogues do", Ceiling)
	return g
}

// uniform reports whether all ratings are the same.
func uniform(units [][]float64) bool {
	first := math.NaN()
	for _, unit := range units {
		for _, v := range unit {
			if math.IsNaN(first) {
				first = v
			}
			if v != first && !math.IsNaN(v) {
				return false
			}
		}
	}
	return true
}

// constantRMSE is the root of the mean squared error of saying of every dialogue the mean of the others.
func constantRMSE(people []float64, times []int) float64 {
	mean := agreement.Mean(people, times)
	var squares float64
	n := 0
	for i, v := range people {
		t := 1
		if times != nil {
			t = times[i]
		}
		d := v - mean
		squares += float64(float64(t) * float64(d*d))
		n += t
	}
	// Without itself a value is n/(n-1) times as far from the mean.
	return math.Sqrt(squares/float64(n)) * float64(n) / float64(n-1)
}
