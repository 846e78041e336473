package fit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/heuristics"
	"assize/rubric"
)

// someModel is who judged.
var someModel = heuristics.Model{Digest: strings.Repeat("ab", 32), Name: "some:1b"}

// judgedBy enters what a model as the Evaluator says of a dialogue.
func judgedBy(t *testing.T, r sample, card [rubric.NumCriteria]rubric.Score) {
	t.Helper()
	e := r.Record.Evaluation
	check, err := e.Rubric.CrossCheck(card, scoresOf(e))
	require.NoError(t, err)
	r.Record.CrossCheck = &check
	for c, s := range card {
		e.Evaluator[c].Score = s
	}
	e.EvaluatorAverage, err = e.Rubric.Average(card)
	require.NoError(t, err)
}

// judged makes n dialogues whose ratings follow the reactions and, by worth a point, what a model says of them.
func judged(t *testing.T, n int, worth float64) []sample {
	chance := rand.New(rand.NewPCG(6, 6))
	rated := along(n, 3.15, 0.3, 0.3)
	for _, r := range rated {
		var card [rubric.NumCriteria]rubric.Score
		for c := range card {
			card[c] = rubric.Scale[chance.IntN(5)]
		}
		judgedBy(t, r, card)
		r.Overall[0] = min(max(r.Overall[0]+worth*(float64(r.Record.Evaluation.EvaluatorAverage)/100-60), 1), 5)
	}
	return rated
}

func TestAModelThatKnowsSomethingGetsWeight(t *testing.T) {
	rated := judged(t, 150, 0.02)
	res := learn(t, rated, Options{Model: someModel, Flag: tenth})
	m := res.Model
	require.NotNil(t, m)
	assert.True(t, m.Kept)
	assert.Equal(t, 150, m.Dialogues)
	assert.InDelta(t, 0.02, m.Learnt.Float(), 0.004)
	assert.InDelta(t, 60, float64(m.Centre)/100, 3)
	assert.Equal(t, &heuristics.Model{Digest: m.Digest, Name: "some:1b", Weight: m.Learnt, Centre: m.Centre}, res.Profile.Model)
	assert.Greater(t, m.With.Value, m.Rules.Value)
	assert.InDelta(t, float64(m.With.Value-m.Rules.Value), float64(m.Over.Value), 1e-12)
	assert.True(t, m.Over.Certain())
	assert.Equal(t, m.With, res.Spearman, "what is told is the order by what was learnt")
	told := fmt.Sprintf("The model adds %s to the rules' estimate for each point by which its average lies above %s: on folds satisfaction ranks with %.3f with some:1b, and with %.3f by the rules alone (Spearman): ",
		m.Learnt, m.Centre, m.With.Value, m.Rules.Value)
	assert.Contains(t, strings.Join(res.Decisions, "\n"), told)
	assert.Contains(t, strings.Join(res.Profile.Learned.Notes, "\n"), told)

	without := learn(t, rated, Options{Flag: tenth})
	assert.Nil(t, without.Model)
	assert.Nil(t, without.Profile.Model, "a run of nobody knows who is told of no model")
	assert.Equal(t, without.Profile.Line, res.Profile.Line, "the map is that of the rules, for the dialogues that no model judges")
	assert.Less(t, res.Error.Profile.MAE, without.Error.Profile.MAE, "the errors are those of what was learnt")
	assert.InDelta(t, 15, res.Flagged.Dialogues, 1)

	shuffled := slices.Clone(rated)
	rand.New(rand.NewPCG(2, 0)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	again := learn(t, shuffled, Options{Model: someModel, Flag: tenth})
	assert.Equal(t, string(res.Profile.File()), string(again.Profile.File()), "the order does not matter")
	assert.Equal(t, m, again.Model)
}

func TestAModelThatAddsNothingGetsNone(t *testing.T) {
	constant := along(120, 3.15, 0.3, 0.3)
	for _, r := range constant {
		judgedBy(t, r, [rubric.NumCriteria]rubric.Score{80, 80, 60, 80, 100, 80})
	}
	parrot := along(120, 3.15, 0.3, 0.3) // it says again what the reactions say
	for _, r := range parrot {
		at := heuristics.DefaultProfile().Value(r.Record.Evaluation).Float()
		s := rubric.Scale[min(4, max(0, int(math.Round(2+at))))]
		judgedBy(t, r, [rubric.NumCriteria]rubric.Score{s, s, s, s, s, s})
	}
	for _, tt := range []struct {
		reason string
		rated  []sample
		want   string
	}{
		{"noise", judged(t, 150, 0), "The model adds nothing: on folds satisfaction ranks with "},
		{"one card for all", constant, "+0.000, 95 % interval +0.000 to +0.000. It gets no weight."},
		{"what is known already", parrot, "The model adds nothing: "},
		{"the wrong way round", judged(t, 150, -0.02), "The model adds nothing: on folds "},
		{"too few", judged(t, 49, 0.02), "The model adds nothing yet: what some:1b is worth is learnt from 50 rated dialogues on, and it judged 49. It gets no weight."},
	} {
		res := learn(t, tt.rated, Options{Model: someModel, Flag: tenth})
		assert.False(t, res.Model.Kept, tt.reason)
		assert.Zero(t, res.Profile.Model.Weight, tt.reason)
		assert.Equal(t, someModel.Digest, res.Profile.Model.Digest, tt.reason)
		assert.Contains(t, strings.Join(res.Decisions, "\n"), tt.want, tt.reason)
		assert.NotContains(t, strings.Join(res.Decisions, "\n"), "NaN", tt.reason)

		without := learn(t, tt.rated, Options{Flag: tenth})
		assert.Equal(t, without.Profile.Line, res.Profile.Line, tt.reason)
		assert.Equal(t, without.Profile.Cuts, res.Profile.Cuts, tt.reason)
		assert.Equal(t, without.Profile.Triage, res.Profile.Triage, tt.reason)
		assert.Equal(t, without.Error, res.Error, tt.reason)
		assert.Equal(t, without.Spearman, res.Spearman, tt.reason)
		for _, r := range tt.rated {
			require.Equal(t, r.Record.EstimateBy(without.Profile), r.Record.EstimateBy(res.Profile), tt.reason)
		}
	}
}

// A noise gets weight about as seldom as the interval says, and what it gets is small.
func TestNoiseSeldomGetsWeight(t *testing.T) {
	chance := rand.New(rand.NewPCG(8, 8))
	const trials = 60
	kept := 0
	for range trials {
		rated := along(80, 3.15, 0.3, 0.4)
		for _, r := range rated {
			var card [rubric.NumCriteria]rubric.Score
			for c := range card {
				card[c] = rubric.Scale[chance.IntN(5)]
			}
			judgedBy(t, r, card)
		}
		points := gathered(t, rated)
		l := learner{Options: Options{Seed: 1, Model: someModel}, base: heuristics.DefaultProfile()}
		if m := l.tryModel(points); m.Kept {
			kept++
			assert.Less(t, m.Learnt.Float(), 0.01)
		}
	}
	assert.LessOrEqual(t, kept, 4, "of %d; 2.5 %% would be 1.5", trials)
}

// Only part of the dialogues may have been judged by the model: what the rules took over has no weight to get.
func TestAModelThatJudgedSome(t *testing.T) {
	rated := judged(t, 150, 0.02)
	for i := range rated {
		if i%3 == 0 {
			rated[i].Record.CrossCheck = nil
		}
	}
	res := learn(t, rated, Options{Model: someModel})
	assert.Equal(t, 100, res.Model.Dialogues)
	for i := range rated {
		without := res.Profile
		without.Model = nil
		if i%3 == 0 {
			require.Equal(t, rated[i].Record.EstimateBy(without), rated[i].Record.EstimateBy(res.Profile))
		}
	}
	for i := range rated {
		rated[i].Record.CrossCheck = nil
	}
	assert.Nil(t, learn(t, rated, Options{Model: someModel}).Model)
}
