package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// From scikit-learn 1.9.1: IsotonicRegression's thresholds, and what it predicts at 0, 2.5, 5.7 and 11.
func TestIsotonic(t *testing.T) {
	x := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 3, 3}
	y := []float64{1, 3, 2, 2, 5, 4, 6, 8, 7, 7, 4, 1}
	xs, ys := Isotonic(x, y)
	assert.Equal(t, []float64{1, 2, 4, 5, 6, 7, 8, 10}, xs)
	assert.InDeltaSlice(t, []float64{1, 2.4, 2.4, 4.5, 4.5, 6, 22.0 / 3, 22.0 / 3}, ys, 1e-12)

	for at, want := range map[float64]float64{0: 1, 2.5: 2.4, 5.7: 4.5, 11: 22.0 / 3, 6.5: 5.25} {
		assert.InDelta(t, want, Interpolate(xs, ys, at), 1e-12, "at %v", at)
	}
}

func TestIsotonicOfLittle(t *testing.T) {
	tests := []struct {
		reason string
		x, y   []float64
		xs, ys []float64
	}{
		{"no points", nil, nil, nil, nil},
		{"one point", []float64{2}, []float64{3}, []float64{2}, []float64{3}},
		{"points with one x are one", []float64{2, 2}, []float64{3, 5}, []float64{2}, []float64{4}},
		{"falling points are flat", []float64{1, 2, 3}, []float64{3, 2, 1}, []float64{1, 3}, []float64{2, 2}},
	}
	for _, tt := range tests {
		xs, ys := Isotonic(tt.x, tt.y)
		assert.Equal(t, tt.xs, xs, tt.reason)
		assert.Equal(t, tt.ys, ys, tt.reason)
	}
	same(t, none, Interpolate(nil, nil, 1), "no curve")
	same(t, none, Interpolate([]float64{1}, []float64{1}, none), "nowhere")
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
		xs, ys := Isotonic(x, y)
		assert.True(t, slices.IsSorted(xs) && slices.IsSorted(ys))
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
			same(t, largest, Interpolate(xs, ys, x[i]), "the fit at a point")
		}
	}
}

func TestIsotonicKnowsNoOrder(t *testing.T) {
	x, y := []float64{3, 1, 2, 2, 3, 1}, []float64{.1, .7, .2, .3, .9, .4}
	xs, ys := Isotonic(x, y)
	slices.Reverse(x)
	slices.Reverse(y)
	backX, backY := Isotonic(x, y)
	assert.Equal(t, xs, backX)
	assert.Equal(t, ys, backY, "to the last bit")
}

func FuzzIsotonic(f *testing.F) {
	f.Add([]byte{1, 2, 3, 1, 4, 2, 9, 0, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		var x, y []float64
		var sum, fitted float64
		for ; len(data) >= 2; data = data[2:] {
			x, y = append(x, float64(int8(data[0]))), append(y, float64(data[1])/7)
		}
		xs, ys := Isotonic(x, y)
		assert.True(t, slices.IsSorted(xs) && slices.IsSorted(ys) && len(xs) == len(ys))
		assert.Equal(t, xs, slices.Compact(slices.Clone(xs)), "no knot stands twice")
		for i := range x {
			sum += y[i]
			fitted += Interpolate(xs, ys, x[i])
		}
		assert.InDelta(t, sum, fitted, 1e-6*float64(1+len(x)), "the fit keeps the mean")
	})
}

func TestLine(t *testing.T) {
	intercept, slope := Line(judges, people) // SciPy 1.17.1, linregress
	assert.InDelta(t, 1.4076427576601676, intercept, 1e-12)
	assert.InDelta(t, 0.5640668523676879, slope, 1e-12)
	intercept, slope = Line([]float64{1, 3}, []float64{5, 1})
	assert.Equal(t, []float64{7, -2}, []float64{intercept, slope})
	for _, points := range [][2][]float64{{nil, nil}, {{1}, {2}}, {{.1, .1, .1}, {1, 2, 3}}} {
		intercept, slope := Line(points[0], points[1])
		assert.True(t, math.IsNaN(intercept) && math.IsNaN(slope), "%v: no line, got %v, %v", points, intercept, slope)
	}
}
