package agreement

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Shrout and Fleiss 1979, table 2: six targets, four judges each.
var shroutFleiss = [][]float64{{9, 2, 5, 8}, {6, 1, 3, 2}, {8, 4, 6, 8}, {7, 1, 2, 6}, {10, 5, 6, 9}, {6, 2, 4, 7}}

func TestICC(t *testing.T) {
	single, mean := NewReliability(shroutFleiss).ICC(nil)
	assert.InDelta(t, .17, single, .005, "Shrout and Fleiss 1979, table 4, ICC(1,1)")
	assert.InDelta(t, .44, mean, .005, "Shrout and Fleiss 1979, table 4, ICC(1,4)")
	// By hand from their table 3: between targets 11.24, within 6.26.
	assert.InDelta(t, (11.24-6.26)/(11.24+3*6.26), single, .001)
	assert.InDelta(t, (11.24-6.26)/11.24, mean, .001)
	assert.InDelta(t, math.Sqrt(mean), Ceiling(mean), 1e-12)
}

func TestICCMayBeNegative(t *testing.T) {
	// The units differ less than their raters: four between them, eight within.
	single, mean := NewReliability([][]float64{{1, 5}, {3, 7}}).ICC(nil)
	assert.InDelta(t, (4.0-8)/(4+8), single, 1e-12)
	assert.InDelta(t, (4.0-8)/4, mean, 1e-12)
}

func TestCeiling(t *testing.T) {
	same(t, 0.7, Ceiling(0.49), "the root")
	for _, icc := range []float64{0, -0.2, math.NaN()} {
		assert.True(t, math.IsNaN(Ceiling(icc)), "ICC(k) %v has no ceiling", icc)
	}
}
