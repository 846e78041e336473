package summary

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics/satisfaction"
	"assize/localllm"
	"assize/rubric"
)

// judged returns a scored dialogue in which the Evaluator proposed one score for all criteria.
func judged(proposed rubric.Score, estimate rubric.Hundredths) *run.Row {
	r := &run.Row{Estimate: satisfaction.Estimate{Satisfaction: estimate}, Overall: proposed,
		Average: rubric.Hundredths(proposed) * 100}
	for i := range r.Final {
		r.Proposed[i], r.Final[i], r.Rulings[i] = proposed, proposed, rubric.Agreed
	}
	return r
}

func TestMeansAreOfScoredDialoguesOnly(t *testing.T) {
	var s Summary
	assert.Zero(t, s.Average(), "no dialogue, no division")
	lowered := judged(80, 245)
	lowered.Final[rubric.Accuracy], lowered.Rulings[rubric.Accuracy] = 40, rubric.Contradicted
	lowered.Average, lowered.Overall = 7400, 60
	s.Add(lowered)
	s.Add(&run.Row{Reason: "b"})
	s.Add(&run.Row{Reason: "a"})
	s.Add(&run.Row{Reason: "b"})
	assert.Equal(t, "74.00", s.Average().String())
	assert.Equal(t, "2.45", s.Satisfaction().String())
	assert.Equal(t, "40.00", s.Criterion(rubric.Accuracy).String())
	assert.Equal(t, []string{"b", "a"}, ui.ByFrequency(s.Reasons))
	assert.Equal(t, []int{1, 3, 1, 0}, []int{s.Scored, s.Unscored, s.Changed,
		s.Below()})
	assert.Equal(t, [5]int{0, 0, 1, 0, 0}, s.Overall)
	assert.Equal(t, []string{"4 dialogues: 1 scored, 3 unscored; the Referee changed scores in 1",
		"unscored 2 × b", "unscored 1 × a"},
		s.Sentences())
	// Means of 2.45 and 2.46 round to the nearest, halves up: 2.455 becomes 2.46.
	again := judged(40, 246)
	s.AddOnce(again)
	s.AddOnce(again)
	assert.Equal(t, "2.46", s.Satisfaction().String())
	assert.Equal(t, 1, s.Below())
	assert.Contains(t, s.Sentences(), "1 repeat not counted: the same words, agent and queue as another dialogue")
}

// Levels 20, 20, 60 and 100: the mean is 200 / 4 = 50; the squared deviations are 900, 900, 100 and
// 2500, with mean 1100.
func TestSpread(t *testing.T) {
	var c Counts
	for _, score := range []rubric.Score{20, 60, 100, 20} {
		c.add(judged(score, 300), 0)
	}
	assert.Equal(t, 4, c.N)
	assert.InDelta(t, 33.16624790, c.Deviation(), 1e-6)
	assert.Zero(t, new(Counts).Deviation())
}

func TestRulings(t *testing.T) {
	var s Summary
	r := judged(60, 300)
	r.Final[0], r.Rulings[0] = 40, rubric.Contradicted
	r.Final[1], r.Rulings[1] = 80, rubric.Contradicted
	r.Rulings[2] = rubric.Ambiguous
	s.Add(r)
	total := &s.All
	assert.Equal(t, []int{6, 3, 1, 1},
		[]int{total.N, total.Objections(), total.Raised, total.Lowered})
	assert.Equal(t, 1, s.Criteria[0].Lowered)
}

func TestModelAndRules(t *testing.T) {
	var s Summary
	assert.Nil(t, s.ModelSentences(), "no model was asked")
	s.Model.Add(&run.Record{}, true)
	assert.Nil(t, s.ModelSentences())
	k, err := rubric.Default().CrossCheck([6]rubric.Score{100, 60, 80, 60, 60, 60},
		[6]rubric.Score{20, 60, 60, 60, 60, 60})
	require.NoError(t, err)
	r := judged(60, 300)
	r.CrossCheck = &k // 40 % of four levels and 15 % of one: 1.75 apart
	s.Add(r)
	s.Add(judged(60, 300))
	assert.Equal(t, 1, s.CrossChecked)
	assert.Equal(t, [3]int{4, 1, 1}, s.All.Verdicts)
	assert.Equal(t, [9]int{3: 1}, s.Apart)
	s.Model.Add(&run.Record{Fallback: []run.Agent{run.Critic},
		Model: &localllm.Account{Flags: []string{localllm.Flat}, Calls: []localllm.Call{
			{PromptTokens: 900, Generated: 90, Failure: "not-json"},
			{PromptTokens: 950, Generated: 20}}}}, true)
	assert.Equal(t, []string{
		"Cross-check: model and rules are 1.75 levels apart on average; of their scores 4 agree, 1 " +
			"doubt, 1 contradict",
		"Model: 2 calls, 1850 tokens read and 110 generated", "Answers that failed: 1 not-json",
		"Flagged dialogues: 1 flat", "The rules replaced the model in 1 dialogue"},
		s.ModelSentences())
}
