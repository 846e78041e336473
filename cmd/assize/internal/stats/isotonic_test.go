package stats_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/cmd/assize/internal/stats"
)

func TestIsotonic(t *testing.T) {
	point := func(p [2]int) (int, float64) { return p[0], float64(p[1]) }
	for _, tt := range []struct {
		name   string
		points [][2]int
		want   []stats.Step
	}{
		{"none", nil, nil},
		{"rising", [][2]int{{2, 5}, {1, 3}}, []stats.Step{{1, 3, 1}, {2, 5, 1}}},
		{"falling", [][2]int{{1, 5}, {2, 3}}, []stats.Step{{1, 8, 2}}},
		{"level", [][2]int{{1, 3}, {2, 3}}, []stats.Step{{1, 6, 2}}},
		{"one place", [][2]int{{1, 0}, {2, 9}, {2, 1}, {2, 2}}, []stats.Step{{1, 0, 1}, {2, 12, 3}}},
		// the first value at 2 alone would be pooled with 1, and the second would not
		{"one place, apart", [][2]int{{1, 4}, {2, 0}, {2, 9}}, []stats.Step{{1, 4, 1}, {2, 9, 2}}},
		{"a violator far below", [][2]int{{1, 1}, {2, 5}, {3, 6}, {4, 0}},
			[]stats.Step{{1, 1, 1}, {2, 11, 3}}},
	} {
		assert.Equal(t, tt.want, stats.Isotonic(tt.points, point), tt.name)
	}

	r := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		points := make([][2]int, 30)
		for i := range points {
			points[i] = [2]int{r.IntN(20), r.IntN(5)}
		}
		steps, n := stats.Isotonic(points, point), 0.
		for i, s := range steps {
			if n += s.N; i > 0 {
				assert.Greater(t, s.Sum/s.N, steps[i-1].Sum/steps[i-1].N)
				assert.Greater(t, s.From, steps[i-1].From)
			}
		}
		assert.Equal(t, 30., n, "every value is in one step")
	}
}
