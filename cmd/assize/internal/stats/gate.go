package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"
)

// Verdict is the result of a gate that allows for chance.
type Verdict int

// The verdicts.
const (
	Passed Verdict = iota
	Failed
	Undecided // the figure may be on either side of the limit
)

// MeanReaches returns Failed if a mean with the given standard error and degrees of freedom reaches
// a limit, and Passed if it does not. Either verdict is wrong with a probability of at most
// 1 - confidence (Student). If the verdict is Undecided, about times as many observations with the
// same mean would decide; times is infinite at the limit.
func MeanReaches(mean, se, df, limit, confidence float64) (v Verdict, times float64) {
	t := StudentT(df, confidence)
	switch {
	case mean-t*se >= limit:
		return Failed, 1
	case mean+t*se < limit:
		return Passed, 1
	}
	times = t * se / (mean - limit)
	return Undecided, times * times
}

// ShareExceeds is like [MeanReaches] for a share: it returns Failed if the share of which k of n
// observations are a sample exceeds a limit between 0 and 1. It is exact (binomial).
func ShareExceeds(k, n int, limit, confidence float64) (v Verdict, times float64) {
	at := distuv.Binomial{N: float64(n), P: limit}
	switch {
	case at.Survival(float64(k-1)) <= 1-confidence: // at least k
		return Failed, 1
	case at.CDF(float64(k)) <= 1-confidence:
		return Passed, 1
	}
	z := StudentT(math.Inf(1), confidence)
	times = z * math.Sqrt(limit*(1-limit)/float64(n)) / (float64(k)/float64(n) - limit)
	return Undecided, times * times
}

// Chance returns the probability with which a mean is as far from 0 by chance (Student, two-sided).
func Chance(mean, se, df float64) float64 {
	switch {
	case mean == 0:
		return 1
	case se == 0:
		return 0
	}
	return 2 * distuv.StudentsT{Sigma: 1, Nu: df}.CDF(-math.Abs(mean/se))
}

// Holm returns probabilities of chance corrected for being tested together: one of at most 5 % is
// among them in at most 5 % of cases in which nothing differs (Holm 1979).
func Holm(p []float64) []float64 {
	order, corrected, highest := make([]int, len(p)), make([]float64, len(p)), 0.0
	floats.ArgsortStable(slices.Clone(p), order)
	for rank, i := range order {
		highest = max(highest, min(1, p[i]*float64(len(p)-rank)))
		corrected[i] = highest
	}
	return corrected
}
