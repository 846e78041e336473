package experiment

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/accord"
	"assize/cmd/assize/internal/ratings"
	"assize/cmd/assize/internal/record"
	"assize/heuristics"
	"assize/localllm"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// judged is a record of dialogue n in which every criterion has the same score.
func judged(t testing.TB, n int, score rubric.Score) *record.Record {
	d := dialogue.Dialogue{ID: n, Turns: []dialogue.Turn{{Role: dialogue.User, Text: fmt.Sprintf("Is number %d open?", n)}, {Role: dialogue.System, Text: "Until six."}}}
	var card rubric.Scorecard
	for i := range card {
		card[i] = rubric.Rating{Score: score, Claim: "the SYSTEM answers", Quotes: []rubric.Quote{{Turn: 2, Text: "Until six."}}}
	}
	e, err := rubric.Default().Settle(rubric.Case{Dialogue: d}, card, rubric.Critique{})
	require.NoError(t, err)
	r := record.New(dialogue.Sample{Dialogue: d, Source: dialogue.Source{File: "calls.txt", Format: dialogue.Plain}})
	r.Evaluation, r.Estimate = e, heuristics.Estimate{Satisfaction: rubric.Hundredths(100 + 4*int(score))}
	return r
}

var model = Cell{Model: "tiny", Panel: Panel{Name: "full"}, Prompts: Default, Repeat: 1}

func header() *record.Header {
	return &record.Header{Program: "v1", Lexicon: "a", Basis: record.DefaultBasis(), Model: &localllm.Identity{Digest: "d"}}
}

func TestFlips(t *testing.T) {
	r := NewRow(model)
	assert.True(t, math.IsNaN(r.Flips()), "nothing was compared")
	runs := [][]rubric.Score{{80, 80, 60}, {80, 60, 60}, {80, 60, 0}} // by repeat; 0 is unscored
	for i, run := range runs {
		r.Begin(fmt.Sprintf("%d.jsonl", i), header())
		for n, score := range run {
			rec := judged(t, n, max(score, 20))
			if score == 0 {
				rec.Evaluation, rec.Reason = nil, "the model did not judge it"
			}
			r.Add(rec)
		}
	}
	// Three pairs of repeats of the first two dialogues, one of the third, six scores each: 42. The second dialogue
	// differs in two pairs: 12.
	assert.Equal(t, 42, r.Compared)
	assert.Equal(t, 12, r.Flipped)
	assert.Equal(t, 9, r.Judged)
	assert.Equal(t, 1, r.Unscored)
}

func TestTheSameDialogueTwiceInARunIsNoRepeat(t *testing.T) {
	r := NewRow(model)
	r.Begin("1.jsonl", header())
	r.Add(judged(t, 1, 80))
	r.Add(judged(t, 1, 20))
	assert.Zero(t, r.Compared)
}

func TestWhatADialogueTakes(t *testing.T) {
	r := NewRow(model)
	for _, calls := range [][]localllm.Call{
		{{Purpose: localllm.ForCard, PromptTokens: 900, Generated: 60}, {Purpose: localllm.ForObjection, PromptTokens: 1000, Generated: 5}},
		{{Purpose: localllm.ForCard, PromptTokens: 900, Generated: 50, Failure: localllm.CutAnswer}, {Purpose: localllm.ForCriterion, PromptTokens: 920, Generated: 10}},
	} {
		rec := judged(t, 1, 80)
		rec.Model = &localllm.Account{Calls: calls}
		rec.CrossCheck = &rubric.CrossCheck{Disagreement: 125}
		r.Add(rec)
	}
	r.Add(judged(t, 2, 80)) // the rules alone
	assert.InDelta(t, 60, r.GeneratedEach(), 1e-9, "by the Evaluator, also where it had to be asked again")
	assert.InDelta(t, (1965+1880)/2.0, r.TokensEach(), 1e-9)
	assert.InDelta(t, 1.25, r.Disagreement(), 1e-9)
	assert.True(t, math.IsNaN(r.SecondsEach()), "nothing was timed")
}

// Where the rules took the model's place, their evidence is not the model's.
func TestEvidenceIsTheEvaluators(t *testing.T) {
	r := NewRow(model)
	rec := judged(t, 1, 20)
	rec.Evaluation.Signals = []rubric.Signal{{ID: "x", Criteria: rubric.SetOf(rubric.TaskSuccess), Turn: 2, Points: -100}}
	r.Add(rec)
	assert.Equal(t, 1, r.Evidence.Cited)
	rec.Fallback = []record.Agent{record.Evaluator}
	r.Add(rec)
	assert.Equal(t, 1, r.Evidence.Cited)
	assert.Equal(t, 1, r.ByRules)
	share, chance := r.Relevance()
	assert.True(t, math.IsNaN(share) && math.IsNaN(chance), "one turn is too little to tell")
}

func TestNotes(t *testing.T) {
	other := func(change func(*record.Header)) *record.Header {
		h := header()
		change(h)
		return h
	}
	for _, tt := range []struct {
		reason string
		change func(*Table)
		want   []string
	}{
		{"all in order", func(*Table) {}, nil},
		{"not complete", func(tb *Table) { tb.Rows[0].Missing = 1 }, []string{"tiny full default: nothing is measured; not complete: 1 run."}},
		{"no rules", func(tb *Table) { tb.Rated = true }, []string{"There is no cell of the rules to hold the models against; rules among models adds it."}},
		{"the rules helped", func(tb *Table) { tb.Rows[0].ByRules, tb.Rows[0].Judged = 2, 9 }, []string{"tiny full default: the rules took the model's place in 2 of 9 dialogues."}},
		{"other options", func(tb *Table) {
			tb.Rows[0].Made[1] = other(func(h *record.Header) { h.Configuration.Critic = "rules" })
		}, []string{"tiny full default: the repeats were not made alike, so flips may stem from that; assize compare tells how they differ."}},
		{"another lexicon", func(tb *Table) {
			tb.Rows = append(tb.Rows, &Row{Cell: Cell{Model: Rules}, Made: []*record.Header{other(func(h *record.Header) { h.Lexicon, h.Model = "b", nil })}})
		}, []string{"The runs were made by 2 lexicons, so they differ in more than the table shows."}},
		{"another model of the name", func(tb *Table) {
			tb.Rows = append(tb.Rows, &Row{Cell: model, Made: []*record.Header{other(func(h *record.Header) { h.Model = &localllm.Identity{Digest: "e"} })}})
		}, []string{"2 different models are called tiny: it was pulled or made again between the runs."}},
	} {
		tb := &Table{Rows: []*Row{{Cell: model, Files: []string{"1", "2"}, Made: []*record.Header{header(), header()}}}}
		tt.change(tb)
		tb.Close()
		assert.Equal(t, tt.want, tb.Notes, tt.reason)
	}
}

func TestAgree(t *testing.T) {
	var rules, other []ratings.Rated
	for n := range 40 {
		people := []float64{float64(1 + n%5)}
		rules = append(rules, ratings.Rated{Record: judged(t, n, rubric.Scale[(n+n/8)%5]), Overall: people})
		other = append(other, ratings.Rated{Record: judged(t, n, rubric.Scale[n%5]), Overall: people})
	}
	opt := accord.Options{Scale: ratings.DefaultScale, Worst: .2, Draws: 100, Seed: 1, Jobs: 1}
	tb := &Table{}
	early, baseline, late := NewRow(model), NewRow(Cell{Model: Rules, Repeat: 1}), NewRow(model)
	tb.Agree(context.Background(), early, other, opt)
	assert.True(t, math.IsNaN(early.Average.OverRules.Value), "the rules are not measured yet")
	tb.Agree(context.Background(), baseline, rules, opt)
	tb.Agree(context.Background(), late, other, opt)
	assert.InDelta(t, 1, late.Average.Value, 1e-12)
	assert.InDelta(t, 1-baseline.Average.Value, late.Average.OverRules.Value, 1e-12)
	assert.Positive(t, late.Average.OverRules.Low)
	assert.Equal(t, 40, late.Average.OverRules.N)
}

func TestLabels(t *testing.T) {
	rows := func(cells ...Cell) *Table {
		tb := &Table{}
		for _, c := range cells {
			tb.Rows = append(tb.Rows, NewRow(c))
		}
		return tb
	}
	pinned := Cell{Model: "tiny@sha256:0123456789abcdef", Panel: Panel{Name: "full"}, Prompts: "p/short"}
	assert.Equal(t, []string{"rules", "tiny"}, rows(Cell{Model: Rules}, model).Labels())
	assert.Equal(t, []string{"tiny default", "tiny@0123456789ab p/short"}, rows(model, pinned).Labels())
}

func TestMark(t *testing.T) {
	run := filepath.Join(t.TempDir(), "tiny.full.default.1.jsonl")
	m, err := ReadMark(run)
	require.NoError(t, err)
	assert.Zero(t, m)
	assert.False(t, m.Done(run, ""), "nothing is there")

	require.NoError(t, os.WriteFile(run, []byte("12345"), 0o666))
	rec := &record.Record{Model: &localllm.Account{Timings: localllm.Timings{Calls: []localllm.CallTime{{Total: time.Second}, {Total: 2 * time.Second}}, Primed: time.Second}}}
	m.Time(rec)
	m.Time(&record.Record{})
	rec.Model.Timings.Calls[1].Cached = true
	m.Time(rec)
	assert.Equal(t, Mark{Timed: 1, Seconds: 4}, m, "neither the rules nor a cache are timed")
	m.Time(&record.Record{Model: &localllm.Account{}})
	assert.Equal(t, Mark{Timed: 2, Seconds: 4}, m, "a dialogue about which there was nothing to ask takes no time")
	m.Settings, m.Complete = "s", 5
	require.NoError(t, m.Write(run))
	again, err := ReadMark(run)
	require.NoError(t, err)
	assert.Equal(t, m, again)
	assert.True(t, again.Done(run, "s"))
	assert.False(t, again.Done(run, "t"), "by other settings")
	require.NoError(t, os.WriteFile(run, []byte("1234"), 0o666))
	assert.False(t, again.Done(run, "s"), "the run has changed")

	require.NoError(t, os.WriteFile(MarkOf(run), []byte(`{"timed":-1}`), 0o666))
	_, err = ReadMark(run)
	assert.ErrorContains(t, err, "tiny.full.default.1.mark.json: not as assize experiment writes it; remove it, and only the times are lost")
}
