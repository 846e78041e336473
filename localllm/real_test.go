package localllm_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/heuristics"
	"assize/localllm"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// realOptions are those of a real model on a real server; without one the test is skipped.
func realOptions(t *testing.T) localllm.Options {
	t.Helper()
	model := os.Getenv("ASSIZE_TEST_MODEL")
	if model == "" {
		t.Skip("SKIPPED: no real model: set ASSIZE_TEST_MODEL to one that the Ollama server at OLLAMA_HOST has")
	}
	return localllm.Options{Model: model, NumThread: 2}
}

// rated are cases of the rated dialogues, every so many of each set.
func rated(t *testing.T, n int) (cases []rubric.Case) {
	t.Helper()
	shared := os.Getenv("ASSIZE_SHARED")
	if shared == "" {
		t.Skip("SKIPPED: no rated dialogues: set ASSIZE_SHARED to the folder that holds data/uss")
	}
	agents, err := heuristics.New()
	require.NoError(t, err)
	for _, set := range []string{"CCPE", "MWOZ", "ReDial", "SGD"} {
		name := filepath.Join(shared, "data", "uss", set+".txt")
		f, err := os.Open(name)
		require.NoError(t, err)
		defer f.Close()
		var all []rubric.Case
		for sample, err := range dialogue.Read(f, name, dialogue.Options{Format: dialogue.USS}) {
			require.NoError(t, err)
			signals, err := agents.Observe(sample.Dialogue)
			require.NoError(t, err)
			all = append(all, rubric.Case{Dialogue: sample.Dialogue, Signals: signals})
		}
		for i := range n / 4 {
			cases = append(cases, all[i*len(all)/(n/4)])
		}
	}
	return cases
}

// tried is one trial of a dialogue.
type tried struct {
	card     rubric.Scorecard
	critique rubric.Critique
	account  localllm.Account
	err      error
}

func try(m *localllm.Model, c rubric.Case) (r tried) {
	h := m.Hear()
	if r.card, r.err = h.Evaluate(context.Background(), c); r.err == nil {
		r.critique, r.err = h.Critique(context.Background(), c, r.card)
	}
	r.account = h.Account()
	return r
}

// bytes are what must be the same when a trial is repeated.
func (r tried) bytes(t *testing.T) string {
	a := r.account
	a.Timings = localllm.Timings{}
	b, err := json.Marshal([]any{r.card, r.critique, a, fmt.Sprint(r.err)})
	require.NoError(t, err)
	return string(b)
}

// A real model: every dialogue is scored, evidence is verbatim, the Evaluator's answers are short, later questions reuse
// what the server has read, and the same dialogues give the same bytes. ASSIZE_TEST_DIALOGUES says how many; 4 unless set.
func TestRealModel(t *testing.T) {
	o := realOptions(t)
	n := 4
	fmt.Sscan(os.Getenv("ASSIZE_TEST_DIALOGUES"), &n)
	cases := rated(t, n)
	m := open(t, o)
	var first []string
	most, questions, reread, objections := 0, 0, 0.0, 0
	for _, c := range cases {
		r := try(m, c)
		require.NoError(t, r.err)
		first = append(first, r.bytes(t))
		for k := range r.card {
			for _, q := range append(r.card[k].Quotes, r.critique[k].Quotes...) {
				assert.True(t, q.Verify(c.Dialogue), "%v", q)
			}
			assert.NotEmpty(t, r.card[k].Quotes)
			if r.critique[k].Suggested != 0 {
				objections++
			}
		}
		most = max(most, r.account.Generated(localllm.ForCard)+r.account.Generated(localllm.ForCriterion))
		assert.LessOrEqual(t, r.account.Generated(localllm.ForCard)+r.account.Generated(localllm.ForCriterion), 120, "%+v", r.account.Calls)
		for i, call := range r.account.Calls[1:] {
			share := float64(r.account.Timings.Calls[i+1].Prompt) / float64(r.account.Timings.Calls[0].Prompt)
			questions++
			reread += share
			if share > 0.25 {
				t.Logf("call %d (%s) takes %.2f of the first's time for the prompt", i+2, call.Purpose, share)
			}
		}
	}
	t.Logf("%d dialogues: at most %d tokens generated, %d questions of the Critic at %.3f of the first call's prompt time each, %d objections", len(cases), most, questions, reread/float64(max(questions, 1)), objections)
	differ := 0
	for i, c := range cases {
		if again := try(m, c); again.bytes(t) != first[i] {
			differ++
			t.Errorf("dialogue %d differs:\n%s\n%s", i, first[i], again.bytes(t))
		}
	}
	t.Logf("%d of %d differ when repeated", differ, len(cases))
	_ = cmp.Compare[int]
	_ = strings.TrimSpace
}
