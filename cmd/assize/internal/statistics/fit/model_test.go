package fit

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/run"
	"assize/heuristics/satisfaction"
	"assize/rubric"
)

// someModel is the model that judged.
var someModel = satisfaction.Model{Digest: strings.Repeat("ab", 32), Name: "some:1b"}

// judgedBy adds the scores of a model as the Evaluator to a dialogue.
func judgedBy(t *testing.T, r sample, card [rubric.NumCriteria]rubric.Score) {
	t.Helper()
	e := r.Record.Evaluation
	var own [rubric.NumCriteria]rubric.Score
	for c, rating := range e.Final {
		own[c] = rating.Score
	}
	check, err := e.Rubric.CrossCheck(card, own)
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
func estimated(r *run.Record, p satisfaction.Profile) satisfaction.Estimate {
	rated := *r
	rated.Rate(p)
	return rated.Estimate
}

func TestAModelThatKnowsSomethingGetsWeight(t *testing.T) {
	rated := judged(t, 150, 0.02)
	res := learn(t, rated, Options{Model: someModel, Flag: tenth})
	learnt := res.Profile.Model
	require.NotNil(t, learnt)
	assert.Equal(t, someModel.Digest, learnt.Digest)
	require.Len(t, learnt.Scores, rubric.NumCriteria)
	var sum float64
	for _, s := range learnt.Scores {
		sum += s.Weight.Float()
		assert.InDelta(t, 60, float64(s.Usual)/100, 5)
	}
	assert.InDelta(t, 0.02, sum, 0.004)
	assert.True(t, res.Gain.Certain())
	assert.Contains(t, strings.Join(res.Decisions, "\n"),
		"The profile adds weights of the answers of some:1b to the rules' estimate.")

	without := learn(t, rated, Options{Flag: tenth})
	assert.Nil(t, without.Profile.Model, "a run that names no model has none in its profile")
	assert.Less(t, res.Error.Profile.MAE.Value, without.Error.Profile.MAE.Value,
		"the errors are those of the profile with the model")
	assert.InDelta(t, 15, res.Flagged.Dialogues, 1)

	shuffled := slices.Clone(rated)
	rand.New(rand.NewPCG(2, 0)).Shuffle(len(shuffled),
		func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	again := learn(t, shuffled, Options{Model: someModel, Flag: tenth})
	assert.Equal(t, string(res.Profile.File()), string(again.Profile.File()),
		"the order does not matter")
}

// A single score of the model may contain information that the rules lack, and this score gets the
// weight.
func TestTheScoreThatKnowsGetsTheWeight(t *testing.T) {
	rated := judged(t, 300, 0)
	for _, r := range rated {
		empathy := float64(r.Record.Evaluation.Evaluator[rubric.Empathy].Score)
		r.Overall[0] = min(max(r.Overall[0]+0.015*(empathy-60), 1), 5)
	}
	res := learn(t, rated, Options{Model: someModel})
	scores := res.Profile.Model.Scores
	assert.InDelta(t, 0.015, scores["Empathy"].Weight.Float(), 0.003)
	for name, s := range scores {
		if name != "Empathy" {
			assert.InDelta(t, 0, s.Weight.Float(), 0.003, name)
		}
	}
	unkind := func(r sample) bool {
		return r.Record.Evaluation.Evaluator[rubric.Empathy].Score == 20
	}
	low := *rated[slices.IndexFunc(rated, unkind)].Record
	low.Evaluation.Evaluator[rubric.Empathy].Quotes = []rubric.Quote{{Turn: 2, Text: "Next."}}
	low.Rate(res.Profile)
	require.NotEmpty(t, low.Reasons)
	assert.Equal(t, "Empathy 20 of 100 by some:1b", low.Reasons[0].What, "what lowered it most")
	assert.Equal(t, "Next.", low.Reasons[0].Quote)
	assert.InDelta(t, -60, float64(low.Reasons[0].Points), 15)
}

// Answers that do not differ get no weight, and noise hardly any.
func TestAModelThatAddsNothing(t *testing.T) {
	constant := along(120, 3.15, 0.3, 0.3)
	for _, r := range constant {
		judgedBy(t, r, [rubric.NumCriteria]rubric.Score{80, 80, 60, 80, 100, 80})
	}
	res := learn(t, constant, Options{Model: someModel, Flag: tenth})
	assert.Empty(t, res.Profile.Model.Scores)
	assert.Equal(t, someModel.Digest, res.Profile.Model.Digest)
	assert.Contains(t, strings.Join(res.Decisions, "\n"), "The answers of some:1b get no weight.")

	noise := judged(t, 150, 0)
	res = learn(t, noise, Options{Model: someModel})
	without := learn(t, noise, Options{})
	assert.InDelta(t, without.Spearman.Value, res.Spearman.Value, 0.02)
	assert.InDelta(t, without.Error.Profile.MAE.Value, res.Error.Profile.MAE.Value, 0.2)
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
	assert.Len(t, res.Profile.Model.Scores, rubric.NumCriteria)
	for i := range rated {
		if i%3 == 0 {
			require.Equal(t, estimated(rated[i].Record, res.Profile.WithoutModel()),
				estimated(rated[i].Record, res.Profile))
		}
	}
	for i := range rated {
		rated[i].Record.CrossCheck = nil
	}
	assert.Nil(t, learn(t, rated, Options{Model: someModel}).Profile.Model)
}
