package stats

import "math"

// Pairs are a judge's values beside people's: x the judge's, y people's. A pair that counts twice, as the times of a
// figure may say, weighs exactly as if it had been given twice to [NewPairs].
type Pairs struct {
	x, y         []int32   // each pair's place among the different values
	ofX, ofY     []int     // scratch: how often each different value counts
	worstOfX     []int     // of ofX, how many are among the worst
	rankX, rankY []float64 // scratch
}

// NewPairs prepares pairs for measuring. Both sides are equally long and without NaN.
func NewPairs(x, y []float64) *Pairs {
	var p Pairs
	var valuesX, valuesY []float64
	p.x, valuesX = codes(x)
	p.y, valuesY = codes(y)
	p.ofX, p.worstOfX, p.rankX = make([]int, len(valuesX)), make([]int, len(valuesX)), make([]float64, len(valuesX))
	p.ofY, p.rankY = make([]int, len(valuesY)), make([]float64, len(valuesY))
	return &p
}

// count fills in how often each different value counts, and how often as one of the worst; worst may be nil. It gives the
// sums.
func (p *Pairs) count(times []int, worst []bool) (n, worsts int) {
	clear(p.ofX)
	clear(p.ofY)
	clear(p.worstOfX)
	for i, x := range p.x {
		t := often(times, i)
		n += t
		p.ofX[x] += t
		p.ofY[p.y[i]] += t
		if worst != nil && worst[i] {
			worsts += t
			p.worstOfX[x] += t
		}
	}
	return n, worsts
}

// Spearman is the rank correlation of x and y, from -1 to 1, with ties: the product-moment correlation of their mean
// ranks (Spearman 1904). It is NaN for fewer than two pairs and where one side does not vary.
func (p *Pairs) Spearman(times []int) float64 {
	n, _ := p.count(times, nil)
	if !several(p.ofX) || !several(p.ofY) {
		return math.NaN()
	}
	xx, yy := centredRanks(p.rankX, p.ofX, n), centredRanks(p.rankY, p.ofY, n)
	var xy float64
	for i, x := range p.x {
		xy += float64(float64(often(times, i)) * float64(p.rankX[x]*p.rankY[p.y[i]]))
	}
	return max(-1, min(1, xy/float64(math.Sqrt(xx)*math.Sqrt(yy)))) // rounding may leave the bounds by the last bit
}

// Spearman is [Pairs.Spearman] of x and y, each pair counted once. It panics if the lengths differ.
func Spearman(x, y []float64) float64 { return NewPairs(x, y).Spearman(nil) }

// AUC is the chance that one of the worst dialogues has the lower x than one of the rest, equal values counting half
// (Mann and Whitney 1947): 0.5 is chance. worst says which are, in the order of the pairs. It is NaN where none or
// all are.
func (p *Pairs) AUC(worst []bool, times []int) float64 {
	n, worsts := p.count(times, worst)
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
	n, worsts := p.count(times, worst)
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
