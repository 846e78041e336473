package agreement

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestRanksShareTies(t *testing.T) {
	assert.Equal(t, []float64{2.5, 1, 2.5, 4}, Ranks([]float64{7, 3, 7, 9}))
	assert.Empty(t, Ranks(nil))
}

func TestSpearman(t *testing.T) {
	tests := []struct {
		reason string
		x, y   []float64
		want   float64
	}{
		// Ranks 1..5 against 2,1,4,3,5: the squared differences sum to 4, and 1 - 6*4/(5*24) = 0.8.
		{"without ties the textbook formula holds", []float64{1, 2, 3, 4, 5}, []float64{20, 10, 40, 30, 50}, 0.8},
		// Ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: xy = 4.5, xx = 4.5, yy = 5, so 4.5/sqrt(22.5) = 0.948683.
		{"ties take the mean rank", []float64{1, 2, 2, 3}, []float64{1, 2, 3, 4}, 4.5 / math.Sqrt(22.5)},
		{"opposite orders give -1", []float64{1, 2, 3}, []float64{3, 2, 1}, -1},
	}
	for _, tt := range tests {
		assert.InDelta(t, tt.want, Spearman(tt.x, tt.y), 1e-12, tt.reason)
	}
	for _, tt := range []struct{ x, y []float64 }{{nil, nil}, {[]float64{1}, []float64{2}}, {[]float64{1, 1}, []float64{1, 2}}, {[]float64{1, 2}, []float64{1}}, {[]float64{1, none, 3}, []float64{1, 2, 3}}} {
		assert.True(t, math.IsNaN(Spearman(tt.x, tt.y)), "%v against %v cannot be measured", tt.x, tt.y)
		assert.True(t, math.IsNaN(Pearson(tt.x, tt.y)), "%v against %v cannot be measured", tt.x, tt.y)
	}
}

func TestPearsonOfValuesWhoseMeanRounds(t *testing.T) {
	// Three times 0.1, added up and divided by three, is not 0.1.
	assert.True(t, math.IsNaN(Pearson([]float64{.1, .1, .1}, []float64{1, 2, 3})))
}

func TestAUC(t *testing.T) {
	// Of the 2*3 pairs, 4 are in order, one is tied and one is not: (4 + 0.5) / 6.
	assert.InDelta(t, 4.5/6, AUC([]float64{5, 3, 4, 3, 1}, []bool{true, true, false, false, false}), 1e-12)
	assert.InDelta(t, 1, AUC([]float64{1, 2}, []bool{false, true}), 1e-12)
	assert.True(t, math.IsNaN(AUC([]float64{1, 2}, []bool{true, true})))
	assert.True(t, math.IsNaN(AUC([]float64{1}, nil)))
	assert.True(t, math.IsNaN(AUC([]float64{1, none}, []bool{true, false})))
}

func TestQuantile(t *testing.T) {
	assert.InDelta(t, 1.6, Quantile([]float64{4, 1, 2, 3}, 0.2), 1e-12) // 0.6 of the way from 1 to 2
	assert.Equal(t, 7.0, Quantile([]float64{7}, 0.2))
	assert.True(t, math.IsNaN(Quantile(nil, 0.5)))
	assert.True(t, math.IsNaN(Quantile([]float64{1, none}, 0.5)))
}
