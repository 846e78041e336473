package fit

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/heuristics"
)

func TestCurve(t *testing.T) {
	for _, tt := range []struct {
		reason string
		x, y   []float64
		want   []heuristics.Knot
	}{
		{"what rises stays as it is", []float64{-1, 0, 2}, []float64{2, 3, 4}, []heuristics.Knot{{At: -1_000_000, Rating: 2_000_000}, {At: 0, Rating: 3_000_000}, {At: 2_000_000, Rating: 4_000_000}}},
		// 4 before 2 is against the order: both become 3, in the middle of 1 and 2.
		{"neighbours in the wrong order share their mean", []float64{0, 1, 2, 3}, []float64{1, 4, 2, 5}, []heuristics.Knot{{At: 0, Rating: 1_000_000}, {At: 1_500_000, Rating: 3_000_000}, {At: 3_000_000, Rating: 5_000_000}}},
		{"equal inputs count as one, at their mean", []float64{0, 1, 1}, []float64{1, 2, 3}, []heuristics.Knot{{At: 0, Rating: 1_000_000}, {At: 1_000_000, Rating: 2_500_000}}},
		{"what falls throughout is no curve", []float64{0, 1, 2}, []float64{5, 3, 1}, nil},
		{"nor is one input", []float64{1, 1, 1}, []float64{5, 3, 1}, nil},
	} {
		assert.Equal(t, tt.want, curve(pointsAt(tt.x, tt.y)), tt.reason)
	}
}

func TestACurveHasFewKnotsAndRises(t *testing.T) {
	chance := rand.New(rand.NewPCG(3, 3))
	for range 20 {
		var x, y []float64
		for range 500 {
			at := chance.NormFloat64()
			x, y = append(x, at), append(y, min(max(3+at+0.2*chance.NormFloat64(), 1), 5))
		}
		knots := curve(pointsAt(x, y))
		require.Len(t, knots, mostKnots)
		for i := range knots[1:] {
			require.Greater(t, knots[i+1].At, knots[i].At)
			require.Greater(t, knots[i+1].Rating, knots[i].Rating)
		}
	}
}

// 1 and 1.1 are nearer than 1.1 and 3; three points weigh more than one, but not by that much.
func TestNearestStepsAreJoined(t *testing.T) {
	steps := joinNearest([]step{{n: 1, at: 0, rating: 1}, {n: 3, at: 3, rating: 3.3}, {n: 1, at: 2, rating: 3}})
	require.Len(t, steps, 2)
	assert.InDelta(t, 4.0, steps[0].n, 0)
	assert.InDelta(t, 4.3, steps[0].rating, 1e-12)
	assert.InDelta(t, 3.0, steps[1].rating, 0)
}
