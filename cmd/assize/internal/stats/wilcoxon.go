package stats

import "math"

// exactTo is the number of differences up to which every sign that they could have had is counted.
const exactTo = 50

// Wilcoxon is the signed-rank test of paired differences (Wilcoxon 1945): statistic is the smaller sum of the ranks of
// one sign, p the chance that signs thrown by a coin make it as small (two-sided). Zeros are left out, as Wilcoxon did,
// and equal sizes share their mean rank.
//
// For up to 50 differences p is exact, given the ranks; for more it is the normal approximation, corrected for ties
// and for continuity. Both are NaN where every difference is zero.
func Wilcoxon(differences []float64) (statistic, p float64) {
	var sizes []float64
	var up []bool
	for _, d := range differences {
		if d != 0 {
			sizes, up = append(sizes, math.Abs(d)), append(up, d > 0)
		}
	}
	if len(sizes) == 0 {
		return math.NaN(), math.NaN()
	}
	places, different := codes(sizes)
	counts, centred := make([]int, len(different)), make([]float64, len(different))
	for _, v := range places {
		counts[v]++
	}
	centredRanks(centred, counts, len(sizes))
	ranks := make([]float64, len(sizes)) // from 1
	var plus, minus float64
	for i, v := range places {
		ranks[i] = (centred[v] + float64(len(sizes)+1)) / 2
		if up[i] {
			plus += ranks[i]
		} else {
			minus += ranks[i]
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
