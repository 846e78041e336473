package agreement

import "math"

// Levels are two classifications of the same cases into ordered levels from 0 to k-1: the judge's and people's,
// which count as the truth.
type Levels struct {
	x, y []int
	k    int
	all  []int // ones

	right, ofY []int // how often each true level was met, and how often it occurs
}

// NewLevels makes two classifications ready to be measured: x is the judge's, y the truth. It panics if the lengths
// differ and if a level lies outside 0 … k-1.
func NewLevels(x, y []int, k int) *Levels {
	if len(x) != len(y) {
		panic("agreement: levels need as many cases of one side as of the other")
	}
	l := &Levels{x: x, y: y, k: k, all: make([]int, len(x)), right: make([]int, k), ofY: make([]int, k)}
	for i := range x {
		if x[i] < 0 || x[i] >= k || y[i] < 0 || y[i] >= k {
			panic("agreement: a level lies outside the scale")
		}
		l.all[i] = 1
	}
	return l
}

// Kappa is Cohen's weighted kappa with quadratic weights, up to 1: a disagreement counts by the square of the levels
// between (Cohen 1968). 0 is chance, which is also what a judge gets who always gives the same level. It is NaN for
// no cases and where both sides give one and the same level throughout.
func (l *Levels) Kappa(times []int) float64 {
	var n, apart, x, y, xx, yy int64
	for i, t := range l.times(times) {
		c, a, b := int64(t), int64(l.x[i]), int64(l.y[i])
		n += c
		apart += c * (a - b) * (a - b)
		x += c * a
		y += c * b
		xx += c * a * a
		yy += c * b * b
	}
	// The squares add up over the table that chance would give to (n∑x² + n∑y² - 2∑x∑y) / n.
	chance := n*(xx+yy) - 2*x*y
	if chance == 0 {
		return math.NaN()
	}
	return 1 - float64(n)*float64(apart)/float64(chance)
}

// UAR is the unweighted average recall, from 0 to 1: of the cases of each true level the part that the judge put
// there, averaged over the levels that occur, the rare counting as much as the common. It is NaN where the truth has
// fewer than two levels, since then a judge who knows nothing can be perfect.
func (l *Levels) UAR(times []int) float64 {
	clear(l.right)
	clear(l.ofY)
	for i, t := range l.times(times) {
		l.ofY[l.y[i]] += t
		if l.x[i] == l.y[i] {
			l.right[l.y[i]] += t
		}
	}
	var sum float64
	occur := 0
	for level, n := range l.ofY {
		if n > 0 {
			sum += float64(l.right[level]) / float64(n)
			occur++
		}
	}
	if occur < 2 {
		return math.NaN()
	}
	return sum / float64(occur)
}

// Confusion counts the cases: a row for each true level, a column for each of the judge's.
func (l *Levels) Confusion() [][]int {
	table := make([][]int, l.k)
	for level := range table {
		table[level] = make([]int, l.k)
	}
	for i := range l.x {
		table[l.y[i]][l.x[i]]++
	}
	return table
}

func (l *Levels) times(times []int) []int {
	if times == nil {
		return l.all
	}
	return times[:len(l.x)]
}
