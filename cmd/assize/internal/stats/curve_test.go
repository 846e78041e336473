package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// From scikit-learn 1.9.1: what IsotonicRegression predicts at each x.
func TestIsotonic(t *testing.T) {
	x := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 3, 3}
	y := []float64{1, 3, 2, 2, 5, 4, 6, 8, 7, 7, 4, 1}
	high := 22.0 / 3
	assert.InDeltaSlice(t, []float64{1, 2.4, 2.4, 2.4, 4.5, 4.5, 6, high, high, high, 2.4, 2.4}, Isotonic(x, y), 1e-12)
}

func TestIsotonicOfLittle(t *testing.T) {
	tests := []struct {
		reason string
		x, y   []float64
		want   []float64
	}{
		{"no points", nil, nil, []float64{}},
		{"one point", []float64{2}, []float64{3}, []float64{3}},
		{"points with one x are one", []float64{2, 2}, []float64{3, 5}, []float64{4, 4}},
		{"so they are before a lower one", []float64{2, 2, 3}, []float64{3, 5, 1}, []float64{3, 3, 3}},
		{"falling points are flat", []float64{1, 2, 3}, []float64{3, 2, 1}, []float64{2, 2, 2}},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, Isotonic(tt.x, tt.y), tt.reason)
	}
}

// The least squares have a closed form: the fit at a point is the largest, over all starts up to it, of the smallest
// mean, over all ends from it, of the points between (Barlow and others 1972).
func TestIsotonicIsTheLargestOfTheSmallestMeans(t *testing.T) {
	chance := rand.New(rand.NewPCG(11, 12))
	for range 200 {
		var x, y []float64
		for i := range 1 + chance.IntN(12) {
			x, y = append(x, float64(i)), append(y, float64(chance.IntN(7)))
		}
		fitted := Isotonic(x, y)
		assert.True(t, slices.IsSorted(fitted))
		for i := range x {
			largest := math.Inf(-1)
			for a := range i + 1 {
				smallest := math.Inf(1)
				for b := i; b < len(x); b++ {
					var sum, weight float64
					for j := a; j <= b; j++ {
						sum, weight = sum+y[j], weight+1
					}
					smallest = min(smallest, sum/weight)
				}
				largest = max(largest, smallest)
			}
			same(t, largest, fitted[i], "the fit at a point")
		}
	}
}

func TestIsotonicKnowsNoOrder(t *testing.T) {
	x, y := []float64{3, 1, 2, 2, 3, 1}, []float64{.1, .7, .2, .3, .9, .4}
	fitted := Isotonic(x, y)
	slices.Reverse(x)
	slices.Reverse(y)
	slices.Reverse(fitted)
	assert.Equal(t, fitted, Isotonic(x, y), "to the last bit")
}

func FuzzIsotonic(f *testing.F) {
	f.Add([]byte{1, 2, 3, 1, 4, 2, 9, 0, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		var x, y []float64
		var sum, fitted float64
		for ; len(data) >= 2; data = data[2:] {
			x, y = append(x, float64(int8(data[0]))), append(y, float64(data[1])/7)
		}
		curve := Isotonic(x, y)
		for i := range x {
			sum += y[i]
			fitted += curve[i]
			for k := range x {
				assert.False(t, x[i] <= x[k] && curve[i] > curve[k], "it falls from %v to %v", x[i], x[k])
			}
		}
		assert.InDelta(t, sum, fitted, 1e-6*float64(1+len(x)), "the fit keeps the mean")
	})
}

func TestSlope(t *testing.T) {
	assert.InDelta(t, 0.5640668523676879, Slope(judges, people), 1e-12) // SciPy 1.17.1, linregress
	assert.Equal(t, -2.0, Slope([]float64{1, 3}, []float64{5, 1}))
	for _, points := range [][2][]float64{{nil, nil}, {{1}, {2}}, {{.1, .1, .1}, {1, 2, 3}}} {
		assert.True(t, math.IsNaN(Slope(points[0], points[1])), "%v: no line", points)
	}
}
