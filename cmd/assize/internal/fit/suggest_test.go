package fit

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/ratings"
	"assize/heuristics"
	"assize/rubric"
)

// spoken makes dialogues in which users praise, love and reject; true points say by how much people mind each.
func spoken(n int, praises, loves, rejects, noise float64) []ratings.Rated {
	chance := rand.New(rand.NewPCG(9, 9))
	var rated []ratings.Rated
	for i := range n {
		var signals []rubric.Signal
		y := 3.0
		for _, s := range []struct {
			id    string
			given rubric.Hundredths
			true  float64
		}{{"reaction-praises", 125, praises}, {"reaction-loves", 125, loves}, {"reaction-rejects", -250, rejects}} {
			if chance.IntN(2) == 0 {
				signals = append(signals, rubric.Signal{ID: s.id, Turn: 2, Points: s.given})
				y += 0.3 * s.true
			}
		}
		rated = append(rated, rate(fmt.Sprint("dialogue ", i), signals, min(max(y+noise*chance.NormFloat64(), 1), 5)))
	}
	return rated
}

func detectors(t *testing.T) []heuristics.Detector {
	agents, err := heuristics.New()
	require.NoError(t, err)
	return agents.Detectors()
}

func TestSuggest(t *testing.T) {
	rated := spoken(300, 1.25, 0, -2.5, 0.3)
	s, err := Suggest(rated, detectors(t), 1)
	require.NoError(t, err)
	assert.True(t, s.Gain.Certain())
	assert.InDelta(t, s.After.Value-s.Before.Value, s.Gain.Value, 1e-12)
	assert.Contains(t, s.Verdict(), "The gain is beyond noise.")
	var loves *Change
	for i := range s.Changes {
		c := &s.Changes[i]
		assert.Zero(t, c.To%pointStep, "%s: points are round", c.ID)
		assert.False(t, c.From > 0 && c.To < 0 || c.From < 0 && c.To > 0, "%s: no sign changes", c.ID)
		if c.ID == "reaction-loves" {
			loves = c
		}
	}
	require.NotNil(t, loves, "people do not mind it")
	assert.Equal(t, rubric.Hundredths(125), loves.From)
	assert.Less(t, loves.To, rubric.Hundredths(60))
	assert.InDelta(t, 150, loves.Dialogues, 25)

	shuffled := slices.Clone(rated)
	rand.New(rand.NewPCG(2, 0)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	again, err := Suggest(shuffled, detectors(t), 1)
	require.NoError(t, err)
	assert.Equal(t, s, again, "the order does not matter")
}

func TestPointsThatAreRightStay(t *testing.T) {
	s, err := Suggest(spoken(300, 1.25, 1.25, -2.5, 0.5), detectors(t), 1)
	require.NoError(t, err)
	assert.Empty(t, s.Changes)
	assert.Contains(t, s.Verdict(), "No other points are suggested")
	s.Changes = []Change{{}}
	assert.Contains(t, s.Verdict(), "keep the points as they are")
	_, err = Suggest(spoken(99, 1.25, 0, -2.5, 0.3), detectors(t), 1)
	assert.ErrorContains(t, err, "99 different dialogues are rated as a whole; want 100 or more")
}

// A valence of several words weighs more than its detector, and is scaled with it.
func TestOtherPointsAreRead(t *testing.T) {
	base := heuristics.DefaultProfile()
	signals := []rubric.Signal{{ID: "reaction-praises", Turn: 2, Points: 125}, {ID: "reaction-valence", Turn: 2, Points: 70}}
	points, err := gather(append(along(10, 3, 0, 1), rate("two", signals, 3)), base)
	require.NoError(t, err)
	m := newMover(points, detectors(t), base)
	i := slices.IndexFunc(points, func(pt point) bool { return len(pt.evaluation.Signals) == 2 })
	to := make([]rubric.Hundredths, len(m.detectors))
	for c, d := range m.detectors {
		to[c] = d.Points
	}
	assert.Equal(t, heuristics.Millionths(1_950_000), m.value(i, to), "as they are")
	to[m.column["reaction-praises"]], to[m.column["reaction-valence"]] = 50, 70
	assert.Equal(t, heuristics.Millionths(1_900_000), m.value(i, to), "0.50 and twice 0.70")
	assert.InDelta(t, 1.25, m.z[i][m.column["reaction-praises"]], 1e-12)
	assert.InDelta(t, 0.70, m.z[i][m.column["reaction-valence"]], 1e-12)
}

func TestMoveTo(t *testing.T) {
	assert.Equal(t, rubric.Hundredths(-250), moveTo(-250, 1))
	assert.Equal(t, rubric.Hundredths(-200), moveTo(-250, 0.80), "a step is five hundredths")
	assert.Equal(t, rubric.Hundredths(-205), moveTo(-250, 0.81), "202.5 is nearer to none: away from zero")
	assert.Equal(t, rubric.Hundredths(-400), moveTo(-250, 3), "no turn may weigh more")
	assert.Equal(t, rubric.Hundredths(0), moveTo(125, 0))
}
