package experiment

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/reading/source"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/statistics/agree"
	"assize/heuristics"
	"assize/localllm"
	"assize/rubric"
	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"
)

// judged returns a record of dialogue n with the same score for every criterion.
func judged(t testing.TB, n int, score rubric.Score) *run.Record {
	d := dialogue.Dialogue{ID: n,
		Turns: []dialogue.Turn{{Role: dialogue.User, Text: fmt.Sprintf("Is number %d open?", n)},
			{Role: dialogue.System, Text: "Until six."}}}
	var card rubric.Scorecard
	for i := range card {
		card[i] = rubric.Rating{Score: score, Claim: "the SYSTEM answers",
			Quotes: []rubric.Quote{{Turn: 2, Text: "Until six."}}}
	}
	e, err := rubric.Default().Settle(rubric.Case{Dialogue: d}, card, rubric.Critique{})
	require.NoError(t, err)
	r := run.New(dialogue.Sample{Dialogue: d,
		Source: dialogue.Source{File: "calls.txt", Format: importer.Plain}})
	r.Evaluation, r.Estimate = e,
		heuristics.Estimate{Satisfaction: rubric.Hundredths(100 + 4*int(score))}
	return r
}

var model = Config{Model: "tiny", Panel: "full", Prompts: Default, Repeat: 1}

func TestFlips(t *testing.T) {
	r := newResult(model)
	r.finish()
	assert.True(t, math.IsNaN(r.Flips.Value), "nothing was compared")
	runs := [][]rubric.Score{{80, 80, 60}, {80, 60, 60}, {80, 60, 0}} // by repeat; 0 is unscored
	for _, scores := range runs {
		for n, score := range scores {
			rec := judged(t, n, max(score, 20))
			if score == 0 {
				rec.Evaluation, rec.Reason = nil, "the model did not judge it"
			}
			r.add(n, rec)
		}
	}
	// Three pairs of repeats of the first two dialogues and one of the third, with six scores each:
	// 42. The second dialogue differs in two pairs: 12.
	r.finish()
	assert.InDelta(t, 12./42, r.Flips.Value, 1e-12)
	assert.Equal(t, 9, r.Dialogues)
	assert.Equal(t, 1, r.Unscored)
}

func TestTheSameDialogueTwiceInARunIsNoRepeat(t *testing.T) {
	r := newResult(model)
	r.add(0, judged(t, 1, 80))
	r.add(1, judged(t, 1, 20))
	assert.Zero(t, r.compared)
}

func TestWhatADialogueTakes(t *testing.T) {
	r := newResult(model)
	for _, calls := range [][]localllm.Call{
		{{Purpose: localllm.ForCriterion, PromptTokens: 900, Generated: 60}, {Purpose: localllm.ForTurn, PromptTokens: 1000, Generated: 5}},
		{{Purpose: localllm.ForCriterion, PromptTokens: 900, Generated: 50, Failure: localllm.CutAnswer}, {Purpose: localllm.ForCriterion, PromptTokens: 920, Generated: 10}},
	} {
		rec := judged(t, 1, 80)
		rec.Model = &localllm.Account{Calls: calls}
		rec.CrossCheck = &rubric.CrossCheck{Disagreement: 125}
		r.add(len(r.scores), rec)
	}
	r.add(2, judged(t, 2, 80)) // the rules alone
	r.finish()
	assert.InDelta(t, (1965+1880)/2.0, r.Tokens.Value, 1e-9)
	assert.InDelta(t, 1.25, r.Disagreement.Value, 1e-9)
	assert.True(t, math.IsNaN(r.Seconds.Value), "nothing was timed")
}

// Where the rules replaced the model, their evidence is not attributed to the model.
func TestEvidenceIsTheEvaluators(t *testing.T) {
	r := newResult(model)
	rec := judged(t, 1, 20)
	rec.Evaluation.Signals = []rubric.Signal{{ID: "x", Criteria: rubric.SetOf(rubric.TaskSuccess),
		Turn: 2, Points: -100}}
	r.add(0, rec)
	assert.Equal(t, 1, r.cited.Cited)
	rec.Fallback = []run.Agent{run.Evaluator}
	r.add(1, rec)
	r.finish()
	assert.Equal(t, 1, r.Cited)
	assert.Equal(t, 1, r.ByRules)
	assert.True(t, math.IsNaN(r.Evidence.Value) && math.IsNaN(r.ByChance.Value),
		"one turn is too little to tell")
}

func TestAgree(t *testing.T) {
	tb, r := &Table{}, newResult(model)
	for n := range 40 {
		row := judged(t, n, rubric.Scale[n%5]).Row(n)
		row.Ratings = []float64{float64(1 + n%5)}
		r.rows = append(r.rows, row)
	}
	err := tb.agree(t.Context(), r, nil,
		agree.Options{Scale: ratings.DefaultScale, Worst: .2, Draws: 100, Seed: 1})
	require.NoError(t, err)
	assert.InDelta(t, 1, r.Agreement.Average.Value, 1e-12)
	assert.True(t, tb.rated)
}

func TestStatus(t *testing.T) {
	e := &Experiment{Folder: t.TempDir()}
	c := &Run{Config: Config{File: "tiny.full.default.1.jsonl"}}
	m, err := e.status(c)
	require.NoError(t, err)
	assert.Zero(t, m, "nothing is there")

	rec := &run.Record{
		Model: &localllm.Account{
			Timings: localllm.Timings{Calls: []localllm.CallTime{{Total: time.Second},
				{Total: 2 * time.Second}}, Primed: time.Second}}}
	m.time(rec)
	m.time(&run.Record{})
	rec.Model.Timings.Calls[1].Cached = true
	m.time(rec)
	assert.Equal(t, status{Timed: 1, Seconds: 4}, m, "neither the rules nor a cache are timed")
	m.time(&run.Record{Model: &localllm.Account{}})
	assert.Equal(t, status{Timed: 2, Seconds: 4}, m,
		"a dialogue about which there was nothing to ask takes no time")

	c.Score = func(_ context.Context, path string, _ iter.Seq[source.Item], accept func(*run.Record) error) error {
		return errors.Join(accept(&run.Record{Model: &localllm.Account{}}),
			os.WriteFile(path, []byte("12345"), 0o666))
	}
	require.NoError(t, e.judge(t.Context(), c, status{}))
	again, err := e.status(c)
	require.NoError(t, err)
	assert.True(t, again.complete)
	assert.Equal(t, 1, again.Timed)
	c.Decisive = []any{"other"}
	again, err = e.status(c)
	require.NoError(t, err)
	assert.False(t, again.complete, "by other settings")
	c.Decisive = nil
	require.NoError(t, os.WriteFile(e.path(c), []byte("1234"), 0o666))
	again, err = e.status(c)
	require.NoError(t, err)
	assert.False(t, again.complete, "the run has changed")

	require.NoError(t, os.WriteFile(e.statusFile(c), []byte(`{"timed":"x"}`), 0o666))
	_, err = e.status(c)
	assert.ErrorContains(t, err,
		"tiny.full.default.1.mark.json: not as assize experiment writes it; remove it, and only the times are lost")
}
