package agreement

import (
	"cmp"
	"math"
	"slices"
)

// Pairs are a judge's values beside people's: x the judge's, y people's. Every figure takes times, which says how
// often each pair counts, in the order given to [NewPairs]; nil counts each once. A pair that counts twice weighs
// exactly as if it had been given twice.
//
// A pair with a NaN makes every figure NaN: whoever makes the pairs decides what to leave out, and says so.
type Pairs struct {
	x, y     []float64 // by x, then by y
	xs, ys   []int32   // the place of each value among the different ones, from 0
	given    []int32   // where among the pairs given this one was
	distance []float64 // between x and y
	nx, ny   int       // how many different values there are
	measured bool      // no value is NaN

	counts       []int // how often each pair counts, in the order of x
	ofX, ofY     []int // the same for each different value
	worstOfX     []int // of these, how many are among the worst
	rankX, rankY []float64
	tree         []int64
}

// NewPairs makes pairs ready to be measured. It panics if the lengths differ.
func NewPairs(x, y []float64) *Pairs {
	if len(x) != len(y) {
		panic("agreement: pairs need as many values of one side as of the other")
	}
	n := len(x)
	p := &Pairs{given: make([]int32, n), distance: make([]float64, n), counts: make([]int, n), measured: true}
	for i := range p.given {
		p.given[i] = int32(i)
	}
	slices.SortStableFunc(p.given, func(a, b int32) int { return cmp.Or(cmp.Compare(x[a], x[b]), cmp.Compare(y[a], y[b])) })
	for i, g := range p.given {
		p.x, p.y = append(p.x, x[g]), append(p.y, y[g])
		p.distance[i] = math.Abs(x[g] - y[g])
		p.measured = p.measured && x[g] == x[g] && y[g] == y[g]
	}
	if !p.measured {
		return p
	}
	p.xs, p.nx = codes(p.x)
	p.ys, p.ny = codes(p.y)
	p.ofX, p.worstOfX, p.ofY = make([]int, p.nx), make([]int, p.nx), make([]int, p.ny)
	p.rankX, p.rankY = make([]float64, p.nx), make([]float64, p.ny)
	p.tree = make([]int64, p.ny+1)
	return p
}

// N is the number of pairs.
func (p *Pairs) N() int { return len(p.given) }

// count lays out how often each pair counts and returns how many that makes; none where a value is NaN.
func (p *Pairs) count(times []int) int {
	if !p.measured {
		return 0
	}
	if times == nil {
		for i := range p.counts {
			p.counts[i] = 1
		}
		return len(p.counts)
	}
	times = times[:len(p.given)]
	total := 0
	for i, g := range p.given {
		t := times[g]
		p.counts[i] = t
		total += t
	}
	return total
}

// countVaried is count with the values counted too; none where fewer than two values count on either side, so that
// no correlation can be had.
func (p *Pairs) countVaried(times []int) int {
	n := p.count(times)
	if n == 0 {
		return 0
	}
	p.countValues()
	if !several(p.ofX) || !several(p.ofY) {
		return 0
	}
	return n
}

// countValues adds up how often each different value counts.
func (p *Pairs) countValues() {
	clear(p.ofX)
	clear(p.ofY)
	for i, c := range p.counts {
		p.ofX[p.xs[i]] += c
		p.ofY[p.ys[i]] += c
	}
}

// codes numbers the different values in ascending order, from 0, and says how many there are.
func codes(values []float64) ([]int32, int) {
	different := slices.Compact(slices.Sorted(slices.Values(values)))
	numbered := make([]int32, len(values))
	for i, v := range values {
		at, _ := slices.BinarySearch(different, v)
		numbered[i] = int32(at)
	}
	return numbered, len(different)
}

// several reports whether more than one value counts. It asks the values, since the spread of equal ones need not
// come out as exactly zero.
func several(counts []int) bool {
	seen := false
	for _, c := range counts {
		if c > 0 && seen {
			return true
		}
		seen = seen || c > 0
	}
	return false
}
