package stats

import (
	"cmp"
	"math"
	"slices"
)

// Pairs are a judge's values beside people's: x the judge's, y people's. A pair that counts twice, as the times of a
// figure may say, weighs exactly as if it had been given twice to [NewPairs].
type Pairs struct {
	xs, ys []int32 // each pair's place among the different values, by x and then by y
	given  []int32 // where among the pairs given this one was

	counts       []int // scratch: how often each pair counts
	ofX, ofY     []int // and each different value
	worstOfX     []int // of ofX, how many are among the worst
	rankX, rankY []float64
}

// NewPairs prepares pairs for measuring. Both sides are equally long and without NaN.
func NewPairs(x, y []float64) *Pairs {
	n := len(x)
	p := &Pairs{given: make([]int32, n), counts: make([]int, n)}
	for i := range p.given {
		p.given[i] = int32(i)
	}
	slices.SortStableFunc(p.given, func(a, b int32) int { return cmp.Or(cmp.Compare(x[a], x[b]), cmp.Compare(y[a], y[b])) })
	sortedX, sortedY := make([]float64, n), make([]float64, n)
	for i, g := range p.given {
		sortedX[i], sortedY[i] = x[g], y[g]
	}
	var valuesX, valuesY []float64
	p.xs, valuesX = codes(sortedX)
	p.ys, valuesY = codes(sortedY)
	nx, ny := len(valuesX), len(valuesY)
	p.ofX, p.worstOfX, p.ofY = make([]int, nx), make([]int, nx), make([]int, ny)
	p.rankX, p.rankY = make([]float64, nx), make([]float64, ny)
	return p
}

// count fills in how often each pair and each different value count, and gives the sum.
func (p *Pairs) count(times []int) (n int) {
	clear(p.ofX)
	clear(p.ofY)
	for i, g := range p.given {
		t := 1
		if times != nil {
			t = times[g]
		}
		p.counts[i] = t
		p.ofX[p.xs[i]] += t
		p.ofY[p.ys[i]] += t
		n += t
	}
	return n
}

// Spearman is the rank correlation of x and y, from -1 to 1, with ties: the product-moment correlation of their mean
// ranks (Spearman 1904). It is NaN for fewer than two pairs and where one side does not vary.
func (p *Pairs) Spearman(times []int) float64 {
	n := p.count(times)
	if !several(p.ofX) || !several(p.ofY) {
		return math.NaN()
	}
	xx, yy := centredRanks(p.rankX, p.ofX, n), centredRanks(p.rankY, p.ofY, n)
	var xy float64
	for i, c := range p.counts {
		xy += float64(float64(c) * float64(p.rankX[p.xs[i]]*p.rankY[p.ys[i]]))
	}
	return max(-1, min(1, xy/float64(math.Sqrt(xx)*math.Sqrt(yy)))) // rounding may leave the bounds by the last bit
}

// Spearman is [Pairs.Spearman] of x and y, each pair counted once. It panics if the lengths differ.
func Spearman(x, y []float64) float64 { return NewPairs(x, y).Spearman(nil) }

// AUC is the chance that one of the worst dialogues has the lower x than one of the rest, equal values counting half
// (Mann and Whitney 1947): 0.5 is chance. worst says which are, in the order of the pairs. It is NaN where none or
// all are.
func (p *Pairs) AUC(worst []bool, times []int) float64 {
	n := p.count(times)
	worsts := p.countWorst(worst)
	var won, others int64 // won counts halves
	for v := len(p.ofX) - 1; v >= 0; v-- {
		bad := int64(p.worstOfX[v])
		good := int64(p.ofX[v]) - bad
		won += bad * (2*others + good)
		others += good
	}
	return float64(won) / float64(2*float64(float64(worsts)*float64(n-worsts)))
}

// AUC is the chance that a case which is meant to be found has the higher value than one which is not: [Pairs.AUC]
// turned round.
func AUC(values []float64, found []bool) float64 {
	negative := make([]float64, len(values))
	for i, v := range values {
		negative[i] = -v
	}
	return NewPairs(negative, negative).AUC(found, nil)
}

// PrecisionAt is the part of the worst, from 0 to 1, among the share of the dialogues that x ranks lowest: share n,
// rounded, and at least one. Where equal values straddle that cut, it is what a fair draw among them gives on
// average, so that it depends on no order. It is NaN for no pairs, for a share outside ]0, 1], and where none or all
// are among the worst, since then every judge has the same.
func (p *Pairs) PrecisionAt(share float64, worst []bool, times []int) float64 {
	n := p.count(times)
	worsts := p.countWorst(worst)
	if worsts == 0 || worsts == n || !(share > 0 && share <= 1) {
		return math.NaN()
	}
	cut := max(1, int(math.Round(share*float64(n))))
	var hits float64
	for v, taken := 0, 0; taken < cut; v++ {
		if p.ofX[v] > 0 {
			take := min(p.ofX[v], cut-taken)
			hits += float64(take) * float64(p.worstOfX[v]) / float64(p.ofX[v])
			taken += take
		}
	}
	return hits / float64(cut)
}

// countWorst adds up how often each different x counts as one of the worst, and returns the sum.
func (p *Pairs) countWorst(worst []bool) int {
	clear(p.worstOfX)
	total := 0
	for i, x := range p.xs {
		if worst[p.given[i]] {
			p.worstOfX[x] += p.counts[i]
			total += p.counts[i]
		}
	}
	return total
}
