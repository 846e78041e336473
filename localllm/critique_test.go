package localllm_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/localllm"
	"assize/localllm/fakeollama"
	"assize/rubric"
)

// The Critic objects to a score that is two or more levels from the model's, and suggests a change
// by one level.
func TestCritique(t *testing.T) {
	for _, tt := range []struct {
		name     string
		given    rubric.Score
		goodness float64
		of       rubric.Set
		want     map[rubric.Criterion]rubric.Score
	}{
		{"one level is no objection", 80, .5, rubric.AllCriteria, nil},
		{"two levels are", 80, .3, rubric.SetOf(rubric.Accuracy),
			map[rubric.Criterion]rubric.Score{rubric.Accuracy: 60}},
		{"four levels too, by one", 100, .1, rubric.SetOf(rubric.Empathy),
			map[rubric.Criterion]rubric.Score{rubric.Empathy: 80}},
		{"upwards", 40, .9, rubric.SetOf(rubric.Fluency),
			map[rubric.Criterion]rubric.Score{rubric.Fluency: 60}},
		{"not of what it is no Critic of", 80, .1, 0, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := serve(t)
			h := open(t, options(s)).Session(0, tt.of)
			s.Answer(func(r fakeollama.Request) string {
				if r.IsClosed() {
					return good(r, tt.goodness)
				}
				return "7"
			})
			var card rubric.Scorecard
			for k := range card {
				card[k].Score = tt.given
			}
			critique, err := h.Critique(t.Context(), booking(), card)
			require.NoError(t, err)
			got := map[rubric.Criterion]rubric.Score{}
			for k, o := range critique {
				if o.Suggested != 0 {
					got[rubric.Criterion(k)] = o.Suggested
					assert.Equal(t, "model", o.By)
					assert.Equal(t, 7, o.Quotes[0].Turn)
				}
			}
			if tt.want == nil {
				tt.want = map[rubric.Criterion]rubric.Score{}
			}
			assert.Equal(t, tt.want, got)
			questions := len(localllm.DefaultPrompts().Questions())
			assert.Len(t, h.Account().Calls, questions+len(tt.want),
				"a turn is asked for where there is an objection")
		})
	}
}

// A model that has not read the whole dialogue does not object.
func TestCritiqueOfAnAttack(t *testing.T) {
	s := serve(t)
	s.Answer(rate(20))
	c := booking()
	c.Signals = append(c.Signals, rubric.Signal{ID: "safety-injection", Turn: 6})
	var card rubric.Scorecard
	for k := range card {
		card[k].Score = 100
	}
	critique, err := open(t, options(s)).Session(0, rubric.AllCriteria).
		Critique(t.Context(), c, card)
	require.NoError(t, err)
	assert.Zero(t, critique)
}
