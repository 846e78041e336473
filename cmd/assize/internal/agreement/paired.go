package agreement

import "math"

// exactTo is the number of differences up to which every sign that they could have had is counted.
const exactTo = 50

// Wilcoxon is the signed-rank test of paired differences (Wilcoxon 1945): statistic is the smaller sum of the ranks of
// one sign, p the chance that signs thrown by a coin make it as small (two-sided). Zeros are left out, as Wilcoxon did,
// and equal sizes share their mean rank.
//
// For up to 50 differences p is exact, given the ranks; for more it is the normal approximation, corrected for ties
// and for continuity. Both are NaN where every difference is zero, and where one is NaN.
func Wilcoxon(differences []float64) (statistic, p float64) {
	var sizes []float64
	var up []bool
	for _, d := range differences {
		if math.IsNaN(d) {
			return math.NaN(), math.NaN()
		}
		if d != 0 {
			sizes, up = append(sizes, math.Abs(d)), append(up, d > 0)
		}
	}
	if len(sizes) == 0 {
		return math.NaN(), math.NaN()
	}
	ranks := Ranks(sizes)
	var plus, minus float64
	for i, r := range ranks {
		if up[i] {
			plus += r
		} else {
			minus += r
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

// SignTest counts the differences above and below zero, zeros left out; p is the chance that a coin makes as uneven a
// count or a more uneven one (two-sided, exact binomial). It is NaN where no difference is left, and where one is NaN.
func SignTest(differences []float64) (positive, negative int, p float64) {
	unknown := false
	for _, d := range differences {
		switch {
		case d > 0:
			positive++
		case d < 0:
			negative++
		case d != 0:
			unknown = true
		}
	}
	n := positive + negative
	if n == 0 || unknown {
		return positive, negative, math.NaN()
	}
	return positive, negative, min(1, 2*tail(min(positive, negative), n))
}

// tail is the chance of at most k heads in n throws of a coin, for k up to n/2. It adds up the terms from the largest
// down, as parts of it.
func tail(k, n int) float64 {
	part, sum := 1.0, 1.0
	for i := k; i > 0; i-- {
		part *= float64(i) / float64(n-i+1)
		sum += part
	}
	all, _ := math.Lgamma(float64(n + 1))
	heads, _ := math.Lgamma(float64(k + 1))
	tails, _ := math.Lgamma(float64(n - k + 1))
	return sum * math.Exp(all-heads-tails-float64(float64(n)*math.Ln2))
}
