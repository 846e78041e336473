package fit

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/heuristics"
	"assize/rubric/dialogue"
)

// 0.8 - 2/√n, at 100, 400 and 1600: .6, .7 and .75; at 2500 it is .76.
func TestForecast(t *testing.T) {
	sizes := []float64{100, 400, 1600}
	assert.InDelta(t, 0.76, forecast(sizes, []float64{0.6, 0.7, 0.75}, 2500, math.NaN()), 1e-9)
	assert.InDelta(t, 0.755, forecast(sizes, []float64{0.6, 0.7, 0.75}, 2500, 0.755), 0,
		"noise sets a limit")
	assert.InDelta(t, 0.5, forecast(sizes, []float64{0.6, 0.5, 0.4}, 2500, math.NaN()), 1e-9,
		"more ratings do no harm")
}

// Estimates equal to the ratings have rank correlation 1, those in the opposite order -1.
func TestGrowth(t *testing.T) {
	rating, opposite := []float64{1, 2, 3, 4, 5}, []float64{5, 4, 3, 2, 1}
	g := newGrowth(ofWords, []float64{1, 2, 4},
		[][][]float64{{opposite}, {opposite, rating}, {rating}}, rating, math.NaN(), 1)
	require.Len(t, g.Steps, 3)
	for i, want := range []float64{-1, 0, 1} {
		assert.InDelta(t, want, float64(g.Steps[i].Spearman.Value), 1e-9)
	}
	assert.Equal(t, 205, g.Forecast.Dialogues)
	assert.InDelta(t, 1, float64(g.Forecast.Spearman.Value), 0)
	assert.Contains(t, g.told(),
		"Weights of detectors and words reach a correlation of -1.00 with 1, 0.00 with 2, 1.00 with 4 rated dialogues. With 200 more rated like these: about 1.00")
}

// A rare word with a large weight matters less than a frequent one. Words shared with a stronger
// feature are left out.
func TestStrongest(t *testing.T) {
	f := func(g heuristics.Group, name string, have int, weight float64) weighed {
		return weighed{&feature{group: g, name: name, have: make([]int32, have)}, weight}
	}
	got := strongest([]weighed{f(0, "thanks, last", 50, 0.2), f(0, "thanks", 60, 0.1),
		f(1, "gem", 1, 0.3), f(6, "refund", 40, -0.2), f(5, "the refund", 30, -0.15)}, 100,
		map[string]string{"thanks": "the USER thanks"})
	assert.Equal(t, []Weight{
		{"'refund' by the SYSTEM, opening", -0.2, 40},
		{"USER's last turn: the USER thanks (thanks)", 0.2, 50},
		{"'gem' by the USER", 0.3, 1},
	}, got)
}

// Of a dialogue's source, only the day is kept.
func TestDay(t *testing.T) {
	for value, want := range map[string]string{"2024-03-12T23:15:00Z": "2024-03-12",
		"31/03/2024": "2024-03-31", "10:15": "", "soon": ""} {
		pt := pointsAt([]float64{1}, []float64{1})[0]
		pt.Meta = dialogue.NewMeta([]dialogue.Field{{Name: "agent", Value: "2020-01-01"},
			{Name: "Created at", Value: value}})
		assert.Equal(t, want, pt.Date("us"), value)
	}
}
