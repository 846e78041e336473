package agreement

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Krippendorff 2011, section C: four observers, twelve units, values missing. One column an observer.
var krippendorff = [][]float64{
	{1, 1, none, 1}, {2, 2, 3, 2}, {3, 3, 3, 3}, {3, 3, 3, 3}, {2, 2, 2, 2}, {1, 2, 3, 4},
	{4, 4, 4, 4}, {1, 1, 2, 1}, {2, 2, 2, 2}, {none, 5, 5, 5}, {none, none, 1, 1}, {none, 3, none, none},
}

func TestAlpha(t *testing.T) {
	tests := []struct {
		reason string
		units  [][]float64
		metric Metric
		want   float64
		within float64
	}{
		{"Krippendorff 2011, A: two observers, binary", [][]float64{{0, 1}, {1, 1}, {0, 1}, {0, 0}, {0, 0}, {0, 1}, {0, 0}, {0, 0}, {1, 0}, {0, 0}}, Nominal, .095, .0005},
		{"Krippendorff 2011, B: two observers, five names", [][]float64{{1, 2}, {1, 1}, {2, 2}, {2, 2}, {4, 2}, {3, 3}, {3, 3}, {3, 3}, {5, 5}, {4, 4}, {4, 4}, {1, 4}}, Nominal, .692, .0005},
		{"Krippendorff 2011, C: values missing", krippendorff, Nominal, .743, .0005},
		{"Krippendorff 2011, C: values missing", krippendorff, Ordinal, .815, .0005},
		{"Krippendorff 2011, C: values missing", krippendorff, IntervalScale, .849, .0005},
	}
	for _, tt := range tests {
		assert.InDelta(t, tt.want, NewReliability(tt.units).Alpha(tt.metric, nil), tt.within, "%s, %s", tt.reason, tt.metric)
	}
}
