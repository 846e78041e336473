package stats

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestHolm(t *testing.T) {
	assert.Empty(t, Holm(nil))
	// Holm's own order: .01 × 4, .02 × 3, .03 × 2 and .04, none below the one before.
	assert.InDeltaSlice(t, []float64{.06, .04, .06, .06}, Holm([]float64{.03, .01, .04, .02}),
		1e-12)
	assert.Equal(t, []float64{1, 1}, Holm([]float64{.9, .8}), "no probability is above 1")
}

func TestChance(t *testing.T) {
	assert.InDelta(t, .05, Chance(2.262, 1, 9), 1e-4, "the 97.5 % quantile with 9 degrees of freedom")
	assert.InDelta(t, .05, Chance(-2.262, 1, 9), 1e-4)
	assert.Equal(t, 1.0, Chance(0, 0, 9))
	assert.Equal(t, 0.0, Chance(-20, 0, 9), "the same difference everywhere")
}
