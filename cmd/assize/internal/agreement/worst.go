package agreement

import "math"

// AUC is the chance that one of the worst dialogues has the lower x than one of the rest, equal values counting half
// (Mann and Whitney 1947): 0.5 is chance. worst says which are, in the order of the pairs. It is NaN where none or
// all are.
func (p *Pairs) AUC(worst []bool, times []int) float64 {
	p.count(times)
	p.countWorst(worst)
	var won, worsts, others int64 // won counts halves
	for v := p.nx - 1; v >= 0; v-- {
		bad := int64(p.worstOfX[v])
		good := int64(p.ofX[v]) - bad
		won += bad * (2*others + good)
		worsts += bad
		others += good
	}
	return float64(won) / float64(2*float64(float64(worsts)*float64(others)))
}

// PrecisionAt is the part of the worst, from 0 to 1, among the share of the dialogues that x puts lowest: share n,
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

// countWorst adds up how often each different x counts, and how often as one of the worst; it returns how many these
// are.
func (p *Pairs) countWorst(worst []bool) int {
	clear(p.ofX)
	clear(p.worstOfX)
	total := 0
	for i, c := range p.counts[:len(p.xs)] {
		v := p.xs[i]
		p.ofX[v] += c
		if worst[p.given[i]] {
			p.worstOfX[v] += c
			total += c
		}
	}
	return total
}
