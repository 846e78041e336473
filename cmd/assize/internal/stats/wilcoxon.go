package stats

import (
	"cmp"
	"math"
	"slices"
)

// exactTo is the number of differences up to which every sign that they could have had is counted.
const exactTo = 50

// Wilcoxon is the signed-rank test of paired differences (Wilcoxon 1945): statistic is the smaller sum of the ranks of
// one sign, p the chance that signs thrown by a coin make it as small (two-sided). Zeros are left out, as Wilcoxon did,
// and equal sizes share their mean rank.
//
// For up to 50 differences p is exact, given the ranks; for more it is the normal approximation, corrected for ties
// and for continuity. Both are NaN where every difference is zero.
func Wilcoxon(differences []float64) (statistic, p float64) {
	list := slices.DeleteFunc(slices.Clone(differences), func(d float64) bool { return d == 0 })
	if len(list) == 0 {
		return math.NaN(), math.NaN()
	}
	slices.SortFunc(list, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) })
	var ranks []float64 // from 1
	var plus, minus float64
	for from, to := 0, 0; from < len(list); from = to {
		for to < len(list) && math.Abs(list[to]) == math.Abs(list[from]) {
			to++
		}
		rank := float64(from+1+to) / 2
		for _, d := range list[from:to] {
			ranks = append(ranks, rank)
			if d > 0 {
				plus += rank
			} else {
				minus += rank
			}
		}
	}
	statistic = min(plus, minus)
	if len(ranks) <= exactTo {
		return statistic, exactSigned(ranks, statistic)
	}
	return statistic, normalSigned(ranks, statistic)
}

// exactSigned counts the signs under which the ranks of one sign add up to no more than statistic. Doubled, ranks are
// whole; the number of signs is a float64 without rounding, there being fewer than 2⁵³.
func exactSigned(ranks []float64, statistic float64) float64 {
	limit := int(2 * statistic)
	ways := make([]float64, limit+1)
	ways[0] = 1
	for _, r := range ranks {
		rank := int(2 * r)
		for sum := limit; sum >= rank; sum-- {
			ways[sum] += ways[sum-rank]
		}
	}
	var within float64
	for _, w := range ways {
		within += w
	}
	return min(1, math.Ldexp(within, 1-len(ranks)))
}

// normalSigned is the same by the normal approximation. The variance of the sum is a quarter of the squared ranks,
// which holds with and without ties.
func normalSigned(ranks []float64, statistic float64) float64 {
	n := float64(len(ranks))
	var squares float64
	for _, r := range ranks {
		squares += float64(r * r)
	}
	below := max(0, n*(n+1)/4-statistic-0.5)
	return math.Erfc(below / math.Sqrt(squares/4) / math.Sqrt2)
}
