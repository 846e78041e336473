package measure

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// These are the statistics by which the rules are measured, computed by hand.
func TestStatistics(t *testing.T) {
	assert.Equal(t, []float64{1, 2.5, 2.5, 4}, ranks([]float64{1, 3, 3, 9}))
	assert.InDelta(t, .5, spearman([]float64{1, 2, 3}, []float64{1, 3, 2}), 1e-9)
	assert.InDelta(t, .75, auc([]float64{2, 3}, []float64{1, 2.5}), 1e-9)
	assert.InDelta(t, .5, auc([]float64{2}, []float64{2}), 1e-9, "equal values count half")
	assert.InDelta(t, 1.8, Quantile([]float64{1, 2, 3, 4, 5}, .2), 1e-9)
	assert.InDelta(t, .5, precision([]float64{1, 5}, []float64{1, 2}, .25), 1e-9,
		"a fair draw among the two lowest")
	assert.InDelta(t, .5, precision([]float64{1, 5}, []float64{2, 3}, .5), 1e-9)
}
