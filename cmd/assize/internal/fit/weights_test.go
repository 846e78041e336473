package fit

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/ratings"
	"assize/heuristics"
	"assize/rubric"
)

// weighed makes dialogues whose ratings follow their scores by certain weights, and not the reactions.
func weighed(n int, weights [rubric.NumCriteria]int) []ratings.Rated {
	chance := rand.New(rand.NewPCG(5, 5))
	var rated []ratings.Rated
	for i := range n {
		var sum float64
		r := at(fmt.Sprint("dialogue ", i), chance.NormFloat64())
		e := r.Record.Evaluation
		for c, w := range weights {
			e.Final[c].Score = rubric.Scale[chance.IntN(5)]
			sum += float64(w*int(e.Final[c].Score)) / 100
		}
		e.Average, _ = e.Rubric.Average(scoresOf(e))
		r.Overall = []float64{min(max(sum/20+0.2*chance.NormFloat64(), 1), 5)}
		rated = append(rated, r)
	}
	return rated
}

func TestWeightsAreLearnt(t *testing.T) {
	res := learn(t, weighed(320, [rubric.NumCriteria]int{10, 10, 10, 10, 10, 50}), Options{Weights: true})
	require.NotNil(t, res.Weights)
	assert.True(t, res.Weights.Kept)
	assert.Greater(t, res.Weights.OverAverage.Low, 0.1)
	assert.Greater(t, res.Weights.Learnt[rubric.Fluency], 35)
	assert.Less(t, res.Weights.Learnt[rubric.TaskSuccess], 20)
	assert.Equal(t, heuristics.Scores, res.Profile.Input)
	sum := 0
	for c, w := range res.Weights.Learnt {
		assert.Equal(t, w, res.Profile.Weights[rubric.Criterion(c).String()])
		sum += w
	}
	assert.Equal(t, 100, sum)
	assert.Contains(t, res.Decisions[2], "The input of the map is the scores, weighted by TaskSuccess ")
	assert.Contains(t, res.Decisions[0], "a point of the weighted score")
	assert.InDelta(t, res.Weights.Spearman.Value, res.Spearman.Value, 1e-12, "the rank correlation is that of the learnt weights on folds")
}

func TestWeightsStay(t *testing.T) {
	specified := rubric.Default().Weights
	for _, tt := range []struct {
		reason string
		rated  []ratings.Rated
		want   string
	}{
		{"the specified ones are right", weighed(320, specified), "The weights stay as specified. The ratings would have them TaskSuccess "},
		{"too few dialogues", weighed(299, [rubric.NumCriteria]int{10, 10, 10, 10, 10, 50}), "The weights stay as specified: others are learnt from 300 rated dialogues on, and there are 299."},
		{"the reactions do better", along(320, 3, 0.5, 0.2), "The weights stay as specified. "},
	} {
		res := learn(t, tt.rated, Options{Weights: true})
		assert.Equal(t, heuristics.Reactions, res.Profile.Input, tt.reason)
		assert.Contains(t, strings.Join(res.Decisions, " "), tt.want, tt.reason)
	}
	odd := weighed(320, specified)
	odd[100].Record.Evaluation.Rubric.Weights = [rubric.NumCriteria]int{100}
	_, err := Learn(odd, nil, Options{Weights: true})
	assert.ErrorContains(t, err, "weigh the criteria in different ways")
	_, err = Learn(odd, nil, Options{})
	assert.NoError(t, err, "who does not ask for weights may mix rubrics")
}
