package stats

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A seed promises the same draws on every platform and in every version. These were computed by a
// few lines of Python from the definition of the generator, PCG-DXSM with 128 bits of state.
func TestBootstrapDraws(t *testing.T) {
	var seen [][]int
	Bootstrap(8, 3, 1, func(times []int) []float64 {
		seen = append(seen, append([]int{}, times...))
		return nil
	})
	assert.Equal(t, [][]int{{1, 1, 1, 1, 1, 1, 1, 1},
		{2, 0, 0, 0, 3, 2, 1, 0}, {1, 3, 1, 1, 0, 0, 0, 2}, {0, 3, 0, 1, 1, 0, 2, 1}}, seen)
}

func TestBootstrapInterval(t *testing.T) {
	// The mean of 400 coin tosses has a standard error of 1/40: the interval is near 0.5 ± 1.96/40.
	coin := make([]float64, 400)
	for i := range coin {
		coin[i] = float64(i % 2)
	}
	mean := func(times []int) []float64 { return []float64{Mean(coin, times), 7} }
	got := Bootstrap(400, 4000, 3, mean)
	assert.InDelta(t, 0.5-1.96/40, got[0].Low, 0.004)
	assert.InDelta(t, 0.5+1.96/40, got[0].High, 0.004)
	assert.Equal(t, Figure{Value: 7, Low: 7, High: 7, Decimals: 4}, got[1], "what does not vary has no width")
	assert.Equal(t, got, Bootstrap(400, 4000, 3, mean), "the same seed, the same interval")
	assert.NotEqual(t, got, Bootstrap(400, 4000, 4, mean))
}

func TestBootstrapIsThePercentileOfTheDraws(t *testing.T) {
	next := -1.0 // for the units as they are
	count := func([]int) []float64 { next++; return []float64{next} }
	// In the draws 1 … 201 the 2.5 % quantile is the sixth value, the 97.5 % quantile the sixth
	// from the end.
	assert.Equal(t, []Figure{{Value: 0, Low: 6, High: 196, Decimals: 4}},
		Bootstrap(5, 201, 1, count))
}

func TestBootstrapUndefined(t *testing.T) {
	every := func(part int) func([]int) []float64 {
		draws := -1 // the first figure is that of the units as they are
		return func([]int) []float64 {
			if draws++; draws > 0 && draws%part == 0 {
				return []float64{none}
			}
			return []float64{1}
		}
	}
	tests := []struct {
		reason   string
		n, draws int
		figures  func([]int) []float64
		measured bool
	}{
		{"five draws of a hundred undefined are passed over", 5, 100, every(20), true},
		{"six are too many", 5, 100, every(16), false},
		{"all undefined", 5, 100, every(1), false},
		{"one unit has no width, only ignorance", 1, 100, every(1000), false},
		{"no units", 0, 100, every(1000), false},
		{"no draws", 5, 0, every(1000), false},
	}
	for _, tt := range tests {
		got := Bootstrap(tt.n, tt.draws, 1, tt.figures)
		if assert.Len(t, got, 1, tt.reason) {
			assert.Equal(t, tt.measured, !math.IsNaN(got[0].Low) && !math.IsNaN(got[0].High),
				tt.reason)
		}
	}
}

func TestBootstrapDrawsGroupsApart(t *testing.T) {
	var alone, first, second [][]int
	Bootstrap(6, 5, 9,
		func(times []int) []float64 {
			alone = append(alone, append([]int{}, times...))
			return nil
		})
	BootstrapWithin([]int{6, 6}, 5, 9, func(times [][]int) []float64 {
		first, second = append(first, append([]int{}, times[0]...)),
			append(second, append([]int{}, times[1]...))
		return nil
	})
	assert.Equal(t, alone, first, "a group draws the same with and without others")
	assert.NotEqual(t, first[1:], second[1:], "groups draw apart")
	for _, times := range append(first, second...) {
		assert.Equal(t, 6, sumOf(times), "every draw is as large as the group")
	}
	assert.True(t,
		math.IsNaN(BootstrapWithin([]int{6, 1}, 5, 9,
			func([][]int) []float64 { return []float64{1} })[0].Low), "a group of one")
	assert.True(t,
		math.IsNaN(BootstrapWithin(nil, 5, 9,
			func([][]int) []float64 { return []float64{1} })[0].Low), "no group")
}

// All units must be equally likely: in 70,000 draws of seven, each is expected 10,000 times with a
// standard deviation of 93.
func TestBootstrapIsFair(t *testing.T) {
	all := make([]int, 7)
	Bootstrap(7, 10_000, 5, func(times []int) []float64 {
		for i, n := range times {
			all[i] += n
		}
		return nil
	})
	for i, n := range all {
		assert.InDelta(t, 10_001, n, 400, "unit %d", i)
	}
}

func sumOf(values []int) int {
	sum := 0
	for _, v := range values {
		sum += v
	}
	return sum
}
