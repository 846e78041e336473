package fit

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/heuristics"
)

func TestStraight(t *testing.T) {
	sides := []float64{-1, -1, -1, -1, -1, 1, 1, 1, 1, 1}
	for _, tt := range []struct {
		reason    string
		x, y      []float64
		line      heuristics.Line
		learnt    bool
		low, high float64
	}{
		// The means are 3 at -1 and 4 at 1, so the slope is 1/2. The squared residuals sum to 4, s²
		// = 4/8, ∑(x-x̄)² = 10, so the standard error is √(0.5/10) = 0.2236, and t with 8 degrees
		// of freedom is 2.306: 0.5 ± 0.5156.
		{"an interval that holds 0 leaves the slope as it is known, and moves the intercept alone",
			sides, []float64{2, 3, 3, 3, 4, 3, 4, 4, 4, 5},
			heuristics.Line{Intercept: 3_500_000, Slope: 300_000}, false, -0.0156, 1.0156},
		// A quarter of the residuals: s² = 1/8, standard error √(0.125/10) = 0.1118, 0.5 ± 0.2578.
		{"an interval above 0 gives the slope", sides, []float64{2.5, 3, 3, 3, 3.5, 3.5, 4, 4, 4, 4.5}, heuristics.Line{Intercept: 3_500_000, Slope: 500_000}, true, 0.2422, 0.7578},
		{"the line goes through the means, 3 at an input of 1.5", []float64{0, 0, 0, 0, 0, 3, 3, 3, 3, 3}, []float64{2, 2, 2, 2, 2, 4, 4, 4, 4, 4},
			heuristics.Line{Intercept: 2_000_000, Slope: 666_667}, true, 2.0 / 3, 2.0 / 3},
		{"ratings that fall surely do not turn the map round", sides, []float64{4, 4, 4, 4, 4, 2, 2, 2, 2, 2}, heuristics.Line{Intercept: 3_000_000, Slope: 300_000}, false, -1, -1},
		{"the same input throughout says nothing", make([]float64, 10), []float64{2, 4, 2, 4, 2, 4, 2, 4, 2, 4}, heuristics.Line{Intercept: 3_000_000, Slope: 300_000}, false, math.NaN(), math.NaN()},
		{"one rating throughout says nothing but itself", sides, []float64{4, 4, 4, 4, 4, 4, 4, 4, 4, 4}, heuristics.Line{Intercept: 4_000_000, Slope: 300_000}, false, 0, 0},
		{"nothing is steeper than the whole scale within a point", []float64{0, 0, 0, 0, 0, .01, .01, .01, .01, .01}, []float64{1, 1, 1, 1, 1, 5, 5, 5, 5, 5},
			heuristics.Line{Intercept: 2_980_000, Slope: 4_000_000}, true, 400, 400},
	} {
		line, s := straight(pointsAt(tt.x, tt.y), 300_000)
		assert.Equal(t, tt.line, *line, tt.reason)
		assert.Equal(t, tt.learnt, s.learnt, tt.reason)
		assert.InDelta(t, tt.low, s.low, 2e-4, tt.reason)
		assert.InDelta(t, tt.high, s.high, 2e-4, tt.reason)
	}
}
