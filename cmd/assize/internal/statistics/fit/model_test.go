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

	"assize/cmd/assize/internal/records/run"
	"assize/heuristics"
	"assize/rubric"
)

// someModel is the model that judged.
var someModel = heuristics.Model{Digest: strings.Repeat("ab", 32), Name: "some:1b"}

// judgedBy adds the scores of a model as the Evaluator to a dialogue.
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

// judged returns n dialogues whose ratings depend on the reactions and, with weight worth, on a
// model's scores.
func judged(t *testing.T, n int, worth float64) []sample {
	chance := rand.New(rand.NewPCG(6, 6))
	rated := along(n, 3.15, 0.3, 0.3)
	for _, r := range rated {
		var card [rubric.NumCriteria]rubric.Score
		for c := range card {
			card[c] = rubric.Scale[chance.IntN(5)]
		}
		judgedBy(t, r, card)
		r.Overall[0] = min(
			max(r.Overall[0]+worth*(float64(r.Record.Evaluation.EvaluatorAverage)/100-60), 1), 5)
	}
	return rated
}

// estimated returns a profile's estimate for a record, which is not modified.
func estimated(r *run.Record, p heuristics.Profile) heuristics.Estimate {
	rated := *r
	rated.Rate(p)
	return rated.Estimate
}

func TestAModelThatKnowsSomethingGetsWeight(t *testing.T) {
	rated := judged(t, 150, 0.02)
	res := learn(t, rated, Options{Model: someModel, Flag: tenth})
	m := res.Model
	require.NotNil(t, m)
	assert.True(t, m.Used)
	assert.Equal(t, 150, m.Dialogues)
	assert.True(t, m.Gain.Certain())
	assert.Equal(t, "model", res.Used)
	assert.True(t, res.Proven)
	learnt := res.Profile.Model
	assert.Equal(t, someModel.Digest, learnt.Digest)
	require.Len(t, learnt.Scores, rubric.NumCriteria)
	var sum float64
	for _, s := range learnt.Scores {
		sum += s.Weight.Float()
		assert.InDelta(t, 60, float64(s.Usual)/100, 5)
	}
	assert.InDelta(t, 0.02, sum, 0.004)
	told := fmt.Sprintf("The answers of some:1b are weighed, for the 150 dialogues that it judged: on folds they add %+.3f to the rank correlation", m.Gain.Value)
	assert.Contains(t, strings.Join(res.Decisions, "\n"), told)
	assert.Contains(t, strings.Join(res.Profile.Learned.Notes, "\n"), told)

	without := learn(t, rated, Options{Flag: tenth})
	assert.Nil(t, without.Model)
	assert.Nil(t, without.Profile.Model, "a run of nobody knows who is told of no model")
	assert.Less(t, res.Error.Profile.MAE, without.Error.Profile.MAE,
		"the errors are those of what was learnt")
	assert.InDelta(t, 15, res.Flagged.Dialogues, 1)

	shuffled := slices.Clone(rated)
	rand.New(rand.NewPCG(2, 0)).Shuffle(len(shuffled),
		func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	again := learn(t, shuffled, Options{Model: someModel, Flag: tenth})
	assert.Equal(t, string(res.Profile.File()), string(again.Profile.File()),
		"the order does not matter")
	assert.Equal(t, m, again.Model)
}

// A single score of the model may contain information that the rules lack, and this score gets the
// weight.
func TestTheScoreThatKnowsGetsTheWeight(t *testing.T) {
	rated := judged(t, 300, 0)
	for _, r := range rated {
		r.Overall[0] = min(
			max(
				r.Overall[0]+0.015*(float64(r.Record.Evaluation.Evaluator[rubric.Empathy].Score)-60), 1), 5)
	}
	res := learn(t, rated, Options{Model: someModel})
	scores := res.Profile.Model.Scores
	assert.InDelta(t, 0.015, scores["Empathy"].Weight.Float(), 0.003)
	for name, s := range scores {
		if name != "Empathy" {
			assert.InDelta(t, 0, s.Weight.Float(), 0.003, name)
		}
	}
	low := *rated[slices.IndexFunc(rated, func(r sample) bool { return r.Record.Evaluation.Evaluator[rubric.Empathy].Score == 20 })].Record
	low.Evaluation.Evaluator[rubric.Empathy].Quotes = []rubric.Quote{{Turn: 2, Text: "Next."}}
	low.Rate(res.Profile)
	require.NotEmpty(t, low.Reasons)
	assert.Equal(t, "Empathy 20 of 100 by some:1b", low.Reasons[0].What, "what lowered it most")
	assert.Equal(t, "Next.", low.Reasons[0].Quote)
	assert.InDelta(t, -60, float64(low.Reasons[0].Points), 15)
}

func TestAModelThatAddsNothingGetsNoWeight(t *testing.T) {
	constant := along(120, 3.15, 0.3, 0.3)
	for _, r := range constant {
		judgedBy(t, r, [rubric.NumCriteria]rubric.Score{80, 80, 60, 80, 100, 80})
	}
	parrot := along(120, 3.15, 0.3, 0.3) // repeats what the reactions say
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
		{"noise", judged(t, 150, 0), "which is not proven to be a gain"},
		{"one card for all", constant, "that takes 30 different rated dialogues, among which its answers differ"},
		{"what is known already", parrot, "which is not proven to be a gain"},
		{"too few", judged(t, 29, 0.02), "that takes 30 different rated dialogues"},
	} {
		res := learn(t, tt.rated, Options{Model: someModel, Flag: tenth})
		require.NotNil(t, res.Model, tt.reason)
		assert.False(t, res.Model.Used, tt.reason)
		assert.Nil(t, res.Profile.Model.Scores, tt.reason)
		assert.Equal(t, someModel.Digest, res.Profile.Model.Digest, tt.reason)
		assert.Contains(t, strings.Join(res.Decisions, "\n"),
			"The answers of some:1b get no weight: ", tt.reason)
		assert.Contains(t, strings.Join(res.Decisions, "\n"), tt.want, tt.reason)
		assert.NotContains(t, strings.Join(res.Decisions, "\n"), "NaN", tt.reason)

		without := learn(t, tt.rated, Options{Flag: tenth})
		assert.Equal(t, without.Profile.Line, res.Profile.Line, tt.reason)
		assert.Equal(t, without.Profile.Cuts, res.Profile.Cuts, tt.reason)
		assert.Equal(t, without.Profile.Triage, res.Profile.Triage, tt.reason)
		for _, r := range tt.rated {
			require.Equal(t, estimated(r.Record, without.Profile), estimated(r.Record, res.Profile),
				tt.reason)
		}
	}
}

// Noise gets a weight about as rarely as the interval implies, and the weight is small.
func TestNoiseSeldomGetsWeight(t *testing.T) {
	chance := rand.New(rand.NewPCG(8, 8))
	const trials = 60
	proven, unproven := 0, 0
	for range trials {
		rated := along(80, 3.15, 0.3, 0.4)
		for _, r := range rated {
			var card [rubric.NumCriteria]rubric.Score
			for c := range card {
				card[c] = rubric.Scale[chance.IntN(5)]
			}
			judgedBy(t, r, card)
		}
		points, o := gathered(t, rated), Options{Seed: 1, Model: someModel}
		d, err := newDesign(points, nil, &o)
		require.NoError(t, err)
		trials, err := d.tryAll(&o, 0.3, false)
		require.NoError(t, err)
		by := func(t *trial) [][]float64 { return t.repeated }
		switch c := choose(trials, points, by, draws, 1); {
		case c.proven:
			proven++
		case c.trial != nil:
			unproven++
		}
	}
	t.Logf("of %d: %d proven, %d not", trials, proven, unproven)
	assert.LessOrEqual(t, proven, 4, "of %d; 2.5 %% would be 1.5", trials)
	assert.LessOrEqual(t, unproven, 6)
}

// The model may have judged only some of the dialogues; those that the rules took over count as
// usual.
func TestAModelThatJudgedSome(t *testing.T) {
	rated := judged(t, 150, 0.02)
	for i := range rated {
		if i%3 == 0 {
			rated[i].Record.CrossCheck = nil
		}
	}
	res := learn(t, rated, Options{Model: someModel})
	assert.Equal(t, 100, res.Model.Dialogues)
	assert.True(t, res.Model.Used)
	for i := range rated {
		if i%3 == 0 {
			require.Equal(t, estimated(rated[i].Record, res.Profile.WithoutModel()),
				estimated(rated[i].Record, res.Profile))
		}
	}
	for i := range rated {
		rated[i].Record.CrossCheck = nil
	}
	assert.Nil(t, learn(t, rated, Options{Model: someModel}).Model)
}
