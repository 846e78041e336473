package stats

import "math"

// Levels are two classifications of the same cases into ordered levels from 0 to k-1: the judge's and people's,
// which count as the truth.
type Levels struct {
	x, y []int
	k    int
}

// NewLevels prepares two classifications for measuring: x is the judge's, y the truth; they are equally long.
func NewLevels(x, y []int, k int) *Levels { return &Levels{x, y, k} }

// Kappa is Cohen's weighted kappa with quadratic weights, up to 1: a disagreement counts by the square of the levels
// between (Cohen 1968). 0 is chance, which is also what a judge gets that always gives the same level. It is NaN for
// no cases and where both sides give one and the same level throughout. times says how often each case counts; nil
// counts each once.
func (l *Levels) Kappa(times []int) float64 {
	var n, apart, x, y, xx, yy int64
	for i := range l.x {
		c, a, b := int64(1), int64(l.x[i]), int64(l.y[i])
		if times != nil {
			c = int64(times[i])
		}
		n += c
		apart += c * (a - b) * (a - b)
		x += c * a
		y += c * b
		xx += c * a * a
		yy += c * b * b
	}
	// Over the table that chance would give, the squares add up to (n∑x² + n∑y² - 2∑x∑y) / n.
	chance := n*(xx+yy) - 2*x*y
	if chance == 0 {
		return math.NaN()
	}
	return 1 - float64(n)*float64(apart)/float64(chance)
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
