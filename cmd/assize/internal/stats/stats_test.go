package stats

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSpearman(t *testing.T) {
	tests := []struct {
		reason string
		x, y   []float64
		want   float64
	}{
		// Ranks 1..5 against 2,1,4,3,5: the squared differences sum to 4, and 1 - 6*4/(5*24) = 0.8.
		{"without ties the textbook formula holds", []float64{1, 2, 3, 4, 5}, []float64{20, 10, 40, 30,
			50}, 0.8},
		// Ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: xy = 4.5, xx = 4.5, yy = 5, so 4.5/sqrt(22.5) =
		// 0.948683.
		{"ties take the mean rank", []float64{1, 2, 2, 3}, []float64{1, 2, 3, 4}, 4.5 / math.Sqrt(22.5)},
		{"opposite orders give -1", []float64{1, 2, 3}, []float64{3, 2, 1}, -1},
	}
	for _, tt := range tests {
		assert.InDelta(t, tt.want, Spearman(tt.x, tt.y), 1e-12, tt.reason)
	}
	for _, tt := range []struct{ x, y []float64 }{{nil, nil}, {[]float64{1}, []float64{2}},
		{[]float64{1, 1}, []float64{1, 2}}} {
		assert.True(t, math.IsNaN(Spearman(tt.x, tt.y)), "%v against %v cannot be measured", tt.x,
			tt.y)
	}
}

func TestAUC(t *testing.T) {
	// Of the 2*3 pairs, 4 are in order, one is tied and one is not: (4 + 0.5) / 6.
	of := func(x []float64, worst ...bool) float64 { return NewPairs(x, x).AUC(worst, nil) }
	assert.InDelta(t, 4.5/6, of([]float64{1, 3, 2, 3, 5}, true, true, false, false, false), 1e-12)
	assert.InDelta(t, 1, of([]float64{2, 1}, false, true), 1e-12)
	assert.True(t, math.IsNaN(of([]float64{1, 2}, true, true)))
}

func TestQuantile(t *testing.T) {
	// 0.6 of the way from 1 to 2
	assert.InDelta(t, 1.6, Quantile([]float64{4, 1, 2, 3}, 0.2), 1e-12)
	assert.Equal(t, 7.0, Quantile([]float64{7}, 0.2))
	assert.True(t, math.IsNaN(Quantile(nil, 0.5)))
}

func TestMean(t *testing.T) {
	same(t, 2, Mean([]float64{1, 2, 3}, nil), "once each")
	same(t, 2.5, Mean([]float64{1, 2, 3}, []int{0, 1, 1}), "as often as they count")
	same(t, none, Mean(nil, nil), "none")
	same(t, none, Mean([]float64{1}, []int{0}), "none that counts")
}

func TestFixed(t *testing.T) {
	for want, f := range map[string]Fixed{"1.01": {1.005000001, 2}, "-1.3": {-1.25, 1},
		"0.000": {-0.0004, 3}, "2": {2.4, 0}} {
		written, err := f.MarshalJSON()
		assert.NoError(t, err)
		assert.Equal(t, []string{want, want}, []string{f.String(), string(written)})
	}
	written, err := Fixed{none, 2}.MarshalJSON()
	assert.NoError(t, err)
	assert.Equal(t, []string{"", "null"}, []string{Fixed{none, 2}.String(), string(written)})
}

func TestShort(t *testing.T) {
	for want, v := range map[string]float64{".42": .424, "1.00": 1, "-.05": -.05, ".00": -.001,
		"-1.00": -1, "12.35": 12.345678, "–": math.NaN()} {
		assert.Equal(t, want, Short(v, 2))
	}
	assert.Equal(t, "5.7", Short(5.74, 1))
}

// Templates of pages write figures with encoding/json.
func TestFigureJSON(t *testing.T) {
	known, unknown := Figure{Value: .12345, Low: -1, High: 2, Decimals: 4}, Unknown("too few")
	for want, f := range map[string]Figure{
		`{"value":0.1235,"low":-1.0000,"high":2.0000}`: known,
		`{"value":null,"low":null,"high":null}`:        unknown,
	} {
		got, err := json.Marshal(f)
		assert.NoError(t, err)
		assert.Equal(t, want, string(got))
	}
	assert.Equal(t, []string{".12 (-1.00 to 2.00)", "–"}, []string{known.String(), unknown.String()})
	assert.Equal(t, []string{"0.1235 -1.0000–2.0000", "–"}, []string{known.Range(), unknown.Range()})
	alone := Figure{Value: 3.5, Low: none, High: none, Decimals: 2}
	assert.Equal(t, "3.50", alone.Range(), "no interval")
}
