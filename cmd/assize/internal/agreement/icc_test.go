package agreement

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Shrout and Fleiss 1979, table 2: six targets, four judges each.
var shroutFleiss = [][]float64{{9, 2, 5, 8}, {6, 1, 3, 2}, {8, 4, 6, 8}, {7, 1, 2, 6}, {10, 5, 6, 9}, {6, 2, 4, 7}}

func TestICC(t *testing.T) {
	single, mean := NewReliability(shroutFleiss).ICC(nil)
	assert.InDelta(t, .17, single, .005, "Shrout and Fleiss 1979, table 4, ICC(1,1)")
	assert.InDelta(t, .44, mean, .005, "Shrout and Fleiss 1979, table 4, ICC(1,4)")
}
