package localllm_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/heuristics"
	"assize/localllm"
	"assize/rubric"
	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"
)

// realOptions returns the options of a real model on a real server; without one it skips the test.
func realOptions(t *testing.T) localllm.Options {
	t.Helper()
	model := os.Getenv("ASSIZE_TEST_MODEL")
	if model == "" {
		t.Skip("SKIPPED: no real model: set ASSIZE_TEST_MODEL to one that the Ollama server at " +
			"OLLAMA_HOST has")
	}
	// The smallest models begin their answers with Yes or No only after a cue.
	prompts, err := localllm.ReadPrompts(os.DirFS(filepath.Join("testdata", "cue")))
	require.NoError(t, err)
	// the cores are shared with other tests
	return localllm.Options{Model: model, Prompts: prompts,
		Settings: localllm.Settings{NumThread: 1}}
}

// samples returns n dialogues for a real model, evenly spaced in each of the rated sets if they are
// available, and otherwise our own.
func samples(t *testing.T, n int) (cases []rubric.Case) {
	t.Helper()
	pattern := filepath.Join("..", "testdata", "rated", "*.txt")
	if shared := os.Getenv("ASSIZE_SHARED"); shared != "" {
		pattern = filepath.Join(shared, "data", "uss", "*.txt")
	}
	files, err := filepath.Glob(pattern)
	require.NoError(t, err)
	agents := heuristics.New()
	for i, name := range files {
		all := read(t, name)
		share := (n + len(files) - 1 - i) / len(files)
		require.LessOrEqual(t, share, len(all), "%s has too few dialogues", name)
		for k := range share {
			d := all[k*len(all)/share]
			signals, err := agents.Observe(d)
			require.NoError(t, err)
			cases = append(cases, rubric.Case{Dialogue: d, Signals: signals})
		}
	}
	require.Len(t, cases, n)
	return cases
}

// read returns the dialogues of a file.
func read(t *testing.T, name string) (all []dialogue.Dialogue) {
	t.Helper()
	f, err := os.Open(name)
	require.NoError(t, err)
	defer f.Close()
	for sample, err := range importer.Read(f, name, importer.Options{}) {
		require.NoError(t, err)
		all = append(all, sample.Dialogue)
	}
	return all
}

// A dialogue with as many turns as the longest rated one is answered at the first attempt.
func TestRealModelReadsManyTurns(t *testing.T) {
	o := realOptions(t)
	m := open(t, o)
	var long dialogue.Dialogue
	for i := range 117 {
		long.Turns = append(long.Turns, dialogue.Turn{Role: []dialogue.Role{dialogue.User,
			dialogue.System}[i%2], Text: fmt.Sprintf("Is it %d?", i)})
	}
	h := m.Session(rubric.AllCriteria, rubric.AllCriteria)
	_, err := h.Evaluate(t.Context(), rubric.Case{Dialogue: long})
	require.NoError(t, err)
	calls := h.Account().Calls
	t.Logf("%d turns: %d tokens of prompt, %d generated", len(long.Turns), calls[0].PromptTokens,
		calls[0].Generated)
	assert.Len(t, calls, len(m.Identity().Questions), "%+v", calls)
}

// tried is one trial of a dialogue.
type tried struct {
	card     rubric.Scorecard
	critique rubric.Critique
	account  localllm.Account
	err      error
}

func try(m *localllm.Model, c rubric.Case) (r tried) {
	h := m.Session(rubric.AllCriteria, rubric.AllCriteria)
	if r.card, r.err = h.Evaluate(context.Background(), c); r.err == nil {
		r.critique, r.err = h.Critique(context.Background(), c, r.card, reasons)
	}
	r.account = h.Account()
	return r
}

// bytes returns what must be identical when a trial is repeated.
func (r tried) bytes(t *testing.T) string {
	a := r.account
	a.Timings = localllm.Timings{}
	b, err := json.Marshal([]any{r.card, r.critique, a, fmt.Sprint(r.err)})
	require.NoError(t, err)
	return string(b)
}

// dialogues returns the number of dialogues for a real model: ASSIZE_TEST_DIALOGUES, or 4 if it is
// not set.
func dialogues(t *testing.T) int {
	t.Helper()
	n := 4
	if s := os.Getenv("ASSIZE_TEST_DIALOGUES"); s != "" {
		var err error
		n, err = strconv.Atoi(s)
		require.NoError(t, err)
	}
	return n
}

// With a real model, every dialogue is scored, each answer is one token, and no words are
// quoted by it; later questions reuse what the server has read.
func TestRealModel(t *testing.T) {
	o := realOptions(t)
	cases := samples(t, dialogues(t))
	m := open(t, o)
	var figures realFigures
	for _, c := range cases {
		r := try(m, c)
		require.NoError(t, r.err)
		figures.add(t, r)
	}
	figures.hold(t)
}

// realFigures are the figures that a real model must meet.
type realFigures struct {
	generated []int // tokens per dialogue
	// prompt time of each further call on a dialogue, relative to the first
	shares     []float64
	objections int
}

func (f *realFigures) add(t *testing.T, r tried) {
	for k := range r.card {
		if r.card[k].Score == 0 { // it answered no question about the criterion
			continue
		}
		assert.Regexp(t, `^the model finds it (un)?likely \(\d+ %\) that `, r.card[k].Claim)
		assert.Empty(t, r.card[k].Quotes)
		if r.critique[k].Suggested != 0 {
			f.objections++
		}
	}
	a := r.account
	generated := 0
	for _, call := range a.Calls {
		assert.LessOrEqual(t, call.Generated, 1)
		generated += call.Generated
	}
	f.generated = append(f.generated, generated)
	for i := range a.Calls[1:] {
		f.shares = append(f.shares, float64(a.Timings.Calls[i+
			1].Prompt)/float64(a.Timings.Calls[0].Prompt))
	}
}

func (f *realFigures) hold(t *testing.T) {
	sum := 0
	for _, n := range f.generated {
		sum += n
	}
	slices.Sort(f.generated)
	t.Logf("%d dialogues: %.1f tokens generated on average, %d at most", len(f.generated),
		float64(sum)/float64(len(f.generated)), f.generated[len(f.generated)-1])
	assert.LessOrEqual(t, f.generated[len(f.generated)-1], 14,
		"a token for each of the twelve questions, and for the two about the claim in reasons")
	t.Logf("%d objections", f.objections)
	if len(f.shares) == 0 {
		return
	}
	slices.Sort(f.shares)
	median := f.shares[len(f.shares)/2]
	t.Logf("prompt work of %d further calls: %.3f of the first call's at the median, %.3f at the "+
		"95th percentile, %.3f at most", len(f.shares), median, f.shares[len(f.shares)*95/100],
		f.shares[len(f.shares)-1])
	assert.Less(t, median, 0.25,
		"a ratio of what the server worked, so the machine's pace does not matter")
}
