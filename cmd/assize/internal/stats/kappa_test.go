package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestKappa(t *testing.T) {
	tests := []struct {
		reason string
		table  [][]int // rows are one rater's levels, columns the other's
		want   float64
	}{
		// The table is in Fleiss, Cohen and Everitt 1969. With quadratic weights, statsmodels
		// 0.15.0 (cohens_kappa, wt="fc") and scikit-learn 1.9.1 (cohen_kappa_score) return 0.4545…,
		// which is 5/11.
		{"200 patients, two psychiatrists", [][]int{{88, 14, 18}, {10, 40, 10}, {2, 6, 12}}, 5.0 / 11},
		// Agresti 1990, table 2.10. The R package vcd prints 0.3320 for its "Fleiss-Cohen" weights,
		// and statsmodels the other digits.
		{"91 couples, husband and wife", [][]int{{7, 7, 2, 3}, {2, 8, 3, 7}, {1, 5, 4, 9}, {2, 8, 9, 14}},
			0.3320455862468612},
		{"opposite ends throughout", [][]int{{0, 0, 1}, {0, 0, 0}, {1, 0, 0}}, -1},
		{"one level from a constant judge is no better than chance", [][]int{{0, 3, 0}, {0, 5, 0}, {0, 2,
			0}}, 0},
		{"both sides always the same level", [][]int{{0, 0}, {0, 9}}, none},
		{"no cases", [][]int{{0, 0}, {0, 0}}, none},
	}
	for _, tt := range tests {
		y, x := cases(tt.table)
		same(t, tt.want, Kappa(x, y, nil), tt.reason)
		same(t, tt.want, Kappa(y, x, nil), tt.reason+": the sides are alike")
	}
}

// From scikit-learn 1.9.1: cohen_kappa_score with quadratic weights, with cases repeated as often
// as they count.
func TestLevelsOfAResample(t *testing.T) {
	x := []int{0, 1, 2, 2, 3, 4, 2, 2, 1, 3, 2, 2, 3, 2, 1, 2, 4, 3}
	y := []int{0, 2, 2, 2, 3, 3, 2, 1, 1, 3, 3, 2, 2, 2, 2, 2, 3, 3}
	times := []int{1, 0, 2, 1, 0, 3, 1, 1, 0, 0, 4, 1, 0, 1, 1, 0, 2, 1}
	assert.InDelta(t, 0.7692307692307693, Kappa(x, y, nil), 1e-12)
	assert.InDelta(t, 0.686656671664168, Kappa(x, y, times), 1e-12)
}

func TestTimesRepeatLevels(t *testing.T) {
	chance := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		n, k := chance.IntN(20), 1+chance.IntN(5)
		x, y, times := make([]int, n), make([]int, n), make([]int, n)
		for i := range n {
			x[i], y[i], times[i] = chance.IntN(k), chance.IntN(k), chance.IntN(4)
		}
		counted := Kappa(x, y, times)
		reason := fmt.Sprint(x, y, times)
		identical(t, Kappa(repeat(x, times), repeat(y, times), nil), counted)
		identical(t, Kappa(x, y, ones(n)), Kappa(x, y, nil))
		same(t, concordanceCoefficient(repeat(x, times), repeat(y, times)), counted, reason)
	}
}

// concordanceCoefficient is Lin's 1989, which quadratic kappa equals:
// twice the covariance over the variances and the squared difference of the means.
func concordanceCoefficient(x, y []int) float64 {
	var mx, my, xy, spread float64
	n := float64(len(x))
	for i := range x {
		mx, my = mx+float64(x[i])/n, my+float64(y[i])/n
	}
	for i := range x {
		dx, dy := float64(x[i])-mx, float64(y[i])-my
		xy, spread = xy+dx*dy/n, spread+(dx*dx+dy*dy)/n
	}
	spread += (mx - my) * (mx - my)
	if n == 0 || spread < 1e-12 {
		return math.NaN()
	}
	return 2 * xy / spread
}

// cases expands a table into a row level and a column level per case.
func cases(table [][]int) (rows, columns []int) {
	for r, row := range table {
		for c, n := range row {
			for range n {
				rows, columns = append(rows, r), append(columns, c)
			}
		}
	}
	return rows, columns
}
