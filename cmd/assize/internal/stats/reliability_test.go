package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Krippendorff 2011, section C: four observers, twelve units, values missing. One column per
// observer.
var krippendorff = [][]float64{
	{1, 1, none, 1}, {2, 2, 3, 2}, {3, 3, 3, 3}, {3, 3, 3, 3}, {2, 2, 2, 2}, {1, 2, 3, 4},
	{4, 4, 4, 4}, {1, 1, 2, 1}, {2, 2, 2, 2}, {none, 5, 5, 5}, {none, none, 1, 1}, {none, 3, none,
		none},
}

func TestAlpha(t *testing.T) {
	tests := []struct {
		reason string
		units  [][]float64
		metric Metric
		want   float64
		within float64
	}{
		// Two values have a single distance, so interval alpha equals nominal alpha, which
		// Krippendorff states here.
		{"Krippendorff 2011, A: two observers, binary", [][]float64{{0, 1}, {1, 1}, {0, 1}, {0, 0}, {0,
			0}, {0, 1}, {0, 0}, {0, 0}, {1, 0}, {0, 0}}, IntervalScale, .095, .0005},
		{"Krippendorff 2011, C: values missing", krippendorff, Ordinal, .815, .0005},
		{"Krippendorff 2011, C: values missing", krippendorff, IntervalScale, .849, .0005},
	}
	for _, tt := range tests {
		assert.InDelta(t, tt.want, NewReliability(tt.units).Alpha(tt.metric, nil), tt.within,
			"%s, metric %d", tt.reason, tt.metric)
	}
}

// Shrout and Fleiss 1979, table 2: six targets, four judges each.
var shroutFleiss = [][]float64{{9, 2, 5, 8}, {6, 1, 3, 2}, {8, 4, 6, 8}, {7, 1, 2, 6},
	{10, 5, 6, 9}, {6, 2, 4, 7}}

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

// Twelve dialogues with various numbers of raters, and the number of times that a resample drew
// each.
var (
	uneven = [][]float64{{3, 3, 2}, {4, 3, 4, 4}, {2.5, 3, none, 3}, {1, 2}, {5, 4, 4, 3, 5},
		{3}, {none, 2}, {3, 3.5, 3}, {2, 2, 4, 3}, {4, none, 5}, {}, {3, 3, 3, 1}}
	unevenDrawn = []int{1, 2, 0, 1, 1, 3, 2, 0, 1, 1, 4, 2}
)

// Alpha is from the Python package krippendorff 0.9.0. ICC is from the mean squares of statsmodels
// 0.15.0 (anova_lm of a one-way model).
func TestUnevenRaters(t *testing.T) {
	r := NewReliability(uneven)
	tests := []struct {
		figure      string
		of          func(times []int) float64
		once, drawn float64
	}{
		{"ordinal alpha", func(times []int) float64 {
			return r.Alpha(Ordinal, times)
		}, 0.5336031899468343, 0.5320233649154467},
		{"interval alpha", func(times []int) float64 {
			return r.Alpha(IntervalScale, times)
		}, 0.5061594202898552, 0.4701977401129943},
		{"ICC(1)", func(times []int) float64 { single, _ := r.ICC(times); return single },
			0.4991805107018514, 0.43494551356364464},
		{"ICC(k)", func(times []int) float64 { _, mean := r.ICC(times); return mean }, 0.740050609615827,
			0.6652790989268547},
	}
	for _, tt := range tests {
		assert.InDelta(t, tt.once, tt.of(nil), 1e-12, tt.figure)
		assert.InDelta(t, tt.drawn, tt.of(unevenDrawn), 1e-12, "%s of a resample", tt.figure)
	}
}

func TestNoReliability(t *testing.T) {
	tests := []struct {
		reason              string
		units               [][]float64
		times               []int
		alpha, single, mean bool // which figures are defined
	}{
		{"no units", nil, nil, false, false, false},
		{"no ratings", [][]float64{{}, {none}, nil}, nil, false, false, false},
		{"one rating each", [][]float64{{1}, {2}, {3}}, nil, false, false, false},
		{"one unit", [][]float64{{1, 2, 3}}, nil, false, false, false},
		{"one unit of two was drawn", [][]float64{{1, 2}, {2, 4}}, []int{1, 0}, false, false, false},
		{"all ratings equal, with a mean that rounds", [][]float64{{.1, .1, .1}, {.1, .1, .1}, {.1, .1}},
			nil, false, false, false},
		{"the units' means are equal", [][]float64{{1, 2}, {2, 1}}, nil, true, true, false},
		{"the units' means are equal, and round", [][]float64{{.1, .2, .7}, {.7, .1, .2}, {.2, .7, .1}},
			nil, true, true, false},
		{"a rater who does not vary", [][]float64{{1, 2}, {1, 3}}, nil, true, true, true},
		{"an infinite rating", [][]float64{{1, math.Inf(1)}, {1, 3}}, nil, false, false, false},
	}
	for _, tt := range tests {
		r := NewReliability(tt.units)
		single, mean := r.ICC(tt.times)
		assert.Equal(t, tt.alpha, !math.IsNaN(r.Alpha(IntervalScale, tt.times)), "%s: alpha",
			tt.reason)
		assert.Equal(t, tt.single, !math.IsNaN(single), "%s: ICC(1) %v", tt.reason, single)
		assert.Equal(t, tt.mean, !math.IsNaN(mean), "%s: ICC(k) %v", tt.reason, mean)
	}
}

func TestTimesRepeatUnits(t *testing.T) {
	chance := rand.New(rand.NewPCG(7, 8))
	for range 300 {
		units, times := someUnits(chance)
		r, repeated := NewReliability(units), NewReliability(repeat(units, times))
		for _, m := range []Metric{Ordinal, IntervalScale} {
			same(t, repeated.Alpha(m, nil), r.Alpha(m, times), fmt.Sprint("metric ", m))
			identical(t, r.Alpha(m, ones(len(units))), r.Alpha(m, nil))
			same(t, alphaByPairs(repeat(units, times), m), r.Alpha(m, times),
				fmt.Sprint("by the definition, metric ", m))
		}
		single, mean := repeated.ICC(nil)
		s, k := r.ICC(times)
		same(t, single, s, "ICC(1)")
		same(t, mean, k, "ICC(k)")
	}
}

// alphaByPairs computes alpha by its definition: all ordered pairs within units, and all ordered
// pairs of ratings.
func alphaByPairs(units [][]float64, m Metric) float64 {
	var all, observed, expected float64
	var ratings []float64
	pairable := 0
	for _, u := range units {
		if u = slices.DeleteFunc(slices.Clone(u), math.IsNaN); len(u) > 1 {
			ratings = append(ratings, u...)
			pairable++
		}
	}
	distance := func(a, b float64) float64 {
		if m == IntervalScale {
			return (a - b) * (a - b)
		}
		var between float64 // ratings from a to b, with those at the ends counted half
		for _, v := range ratings {
			if v > min(a, b) && v < max(a, b) {
				between++
			} else if v == a || v == b {
				between += 0.5
			}
		}
		if a == b {
			return 0
		}
		return between * between
	}
	for _, u := range units {
		u = slices.DeleteFunc(slices.Clone(u), math.IsNaN)
		for i, a := range u {
			for j, b := range u {
				if i != j {
					observed += distance(a, b) / float64(len(u)-1)
				}
			}
		}
	}
	for _, a := range ratings {
		for _, b := range ratings {
			expected += distance(a, b)
		}
	}
	all = float64(len(ratings))
	if pairable < 2 || expected < 1e-12 {
		return math.NaN()
	}
	return 1 - (all-1)*observed/expected
}

func someUnits(chance *rand.Rand) (units [][]float64, times []int) {
	for range chance.IntN(9) {
		var unit []float64
		for range chance.IntN(5) {
			if chance.IntN(6) == 0 {
				unit = append(unit, none)
			} else {
				unit = append(unit, 1+float64(chance.IntN(9))/2)
			}
		}
		units, times = append(units, unit), append(times, chance.IntN(4))
	}
	return units, times
}

func FuzzReliability(f *testing.F) {
	f.Add([]byte{1, 2, 3, 0, 4, 4, 0, 2, 255})
	f.Add([]byte{7, 7, 0, 7, 7, 0, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		units := [][]float64{nil}
		for _, b := range data[:min(len(data), 80)] {
			switch last := len(units) - 1; b {
			case 0:
				units = append(units, nil)
			case 255:
				units[last] = append(units[last], none)
			default:
				units[last] = append(units[last], float64(b%11)/10)
			}
		}
		r := NewReliability(units)
		for _, m := range []Metric{Ordinal, IntervalScale} {
			same(t, alphaByPairs(units, m), r.Alpha(m, nil), fmt.Sprint("metric ", m))
		}
		single, mean := r.ICC(nil)
		assert.False(t, single > 1+1e-12 || mean > 1+1e-12 || math.IsInf(mean, 0) ||
			math.IsInf(single, 0), "ICC %v, %v", single, mean)
	})
}
