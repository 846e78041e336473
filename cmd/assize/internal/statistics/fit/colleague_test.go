package fit

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The raters agree except on the middle two of four dialogues, so a colleague's rank correlation is
// .8. The estimates are in the first rater's order, so their correlation is 1 in the second rater's
// seat and .8 in the first's.
func TestColleague(t *testing.T) {
	points := pointsAt([]float64{1, 2, 3, 4, 5}, []float64{1, 2, 3, 4, 5})
	for i, given := range [][]float64{{1, 1}, {2, 3}, {3, 2}, {4, 4}, {5, math.NaN()}} {
		points[i].ratings = given
	}
	c := newColleague(points, []float64{10, 20, 30, 40, -1}, 1)
	require.NotNil(t, c)
	assert.InDelta(t, 0.9, float64(c.Profile.Value), 1e-9)
	assert.InDelta(t, 0.8, float64(c.Rater.Value), 1e-9)
	assert.InDelta(t, 0.1, float64(c.Lead.Value), 1e-9)

	for i := range points {
		points[i].ratings = points[i].ratings[:1]
	}
	assert.Nil(t, newColleague(points, []float64{1, 2, 3, 4, 5}, 1), "no dialogue has two ratings")
}

func TestHeadline(t *testing.T) {
	res := result()
	res.Growth, res.ranking = &Growth{}, res.Spearman
	for _, tt := range []struct {
		used       string
		gain, lead Gain
		want       string
	}{
		{"detectors", gain(0.1, 0.05, 0.2), gain(0.03, 0.01, 0.05),
			"Your ratings rank new dialogues better than a colleague would (0.56; a colleague 0.53; the rules alone 0.41)."},
		{"detectors", gain(0.1, 0.05, 0.2), gain(-0.1, -0.2, -0.01),
			"Your ratings rank new dialogues less well than a colleague would (0.56; a colleague 0.53; the rules alone 0.41)."},
		{"detectors", gain(0.01, -0.05, 0.2), gain(0.03, -0.01, 0.07),
			"The rules already rank new dialogues as well as a colleague would (0.56; a colleague 0.53; the difference, -0.01 to +0.07, " +
				"may be chance). Your ratings add nothing proven yet."},
		{"map", gain(-0.1, -0.2, -0.01), gain(0.03, 0.01, 0.05),
			"The rules already rank new dialogues better than a colleague would (0.56; a colleague 0.53). Nothing learnt from your " +
				"ratings changes that order."},
	} {
		res.Compared, res.Used = []Compared{{Kind: "map", Spearman: .4},
			{"detectors", .5, &tt.gain}}, tt.used
		res.Proven = tt.gain.Certain()
		res.Colleague = &Colleague{gain(0.56, .5, .6), gain(0.41, .3, .5), gain(0.53, 0, 0),
			tt.lead}
		assert.Equal(t, tt.want, res.headline())
	}
	res.Colleague.Profile = gain(0.004, -0.1, 0.1)
	assert.Equal(t,
		"These ratings cannot show that new dialogues are ranked better than by chance (0.00, 95 % interval -0.10 to 0.10).", res.headline())
	res.Colleague.Profile = gain(-0.4, -0.5, -0.3)
	assert.Equal(t,
		"These ratings cannot show that new dialogues are ranked better than by chance (-0.40, 95 % interval -0.50 to -0.30).", res.headline())
	res.Colleague, res.Used, res.Growth = nil, "map", nil
	assert.Contains(t, res.headline(),
		"The rules already rank new dialogues with a correlation of 0.42. Nothing learnt from your ratings changes that order. "+
			"Whether a colleague would do as well cannot be told")
	res.ranking.Value = math.NaN()
	assert.Equal(t, "How well new dialogues are ranked cannot be told.", res.headline())
}

// Spearman-Brown: for single ratings with reliability .5, two have 2/3 and three have 3/4.
func TestLimit(t *testing.T) {
	l := newLimit(0.5, 2./3, 2)
	assert.InDelta(t, math.Sqrt(0.5), float64(l.One), 1e-12)
	assert.InDelta(t, math.Sqrt(2./3), float64(l.Now), 1e-12)
	assert.InDelta(t, math.Sqrt(0.75), float64(l.More), 1e-12)
	assert.True(t, math.IsNaN(float64(newLimit(-0.1, -0.3, 2).Now)))
}
