package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/terminal/console"
	"assize/localllm"
	"assize/localllm/fakeollama"
)

// planned writes the file of an experiment on the rated dialogues. Its runs go into a folder next
// to it.
func planned(t testing.TB, lines string) (file, runs string) {
	t.Helper()
	folder := t.TempDir()
	dialogues, err := filepath.Abs(rated)
	require.NoError(t, err)
	file = filepath.Join(folder, "exp.yaml")
	require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, "dialogues: %q\noutput: runs\n%s",
		dialogues, lines), 0o666))
	return file, filepath.Join(folder, "runs")
}

// bySideOf returns the arguments of an experiment with a server's model and a short time limit.
func bySideOf(s *fakeollama.Server, file string, args ...string) []string {
	return append([]string{"experiment", file, "--ollama", s.URL, "--model-patience", "20ms",
		"--model-timeout", "10s"}, args...)
}

// tableRow is a row of the table in JSON.
type tableRow struct {
	Model, Panel, Prompts                 string
	Runs                                  []string
	Missing, Dialogues, Unscored, Timed   int
	Evidence, Flips, Disagreement, Tokens *float64
	Agreement                             map[string]struct{ Value, Low, High *float64 }
	Seconds                               *float64
}

func experimented(t testing.TB, args ...string) (rows []tableRow, notes []string, stderr string,
	code int,
) {
	t.Helper()
	stdout, stderr, code := call(t, nil, append(args, "--format", "json")...)
	var table struct {
		Rows  []tableRow
		Notes []string
	}
	if stdout != "" {
		require.NoError(t, json.Unmarshal([]byte(stdout), &table), stdout)
	}
	return table.Rows, table.Notes, stderr, code
}

const twoPanels = `
limit: 12
models: [tiny, rules]
panels: [{name: full}, {name: rules-critic, critic: rules}]
repeats: 2
`

func TestExperiment(t *testing.T) {
	s := serve(t)
	file, runs := planned(t, twoPanels)
	rows, notes, stderr, code := experimented(t, bySideOf(s, file)...)
	require.Equal(t, console.Fine, code, stderr)
	require.Len(t, rows, 3)
	assert.Equal(t,
		[]string{"No file holds 20 rated dialogues, so all are taken together, and the figures also give credit for telling one file from another."}, notes)
	for i, want := range []string{"rules  ", "tiny full default", "tiny rules-critic default"} {
		r := rows[i]
		assert.Equal(t, want, r.Model+" "+r.Panel+" "+r.Prompts)
		require.NotNil(t, r.Agreement["satisfaction"].Low, want)
		if i == 0 {
			assert.Equal(t, 24, r.Dialogues)
			assert.Nil(t, r.Tokens)
			continue
		}
		assert.Equal(t, 48, r.Dialogues, "in two runs")
		assert.Equal(t, 48, r.Timed)
		assert.InDelta(t, 0, *r.Flips, 1e-12,
			"the server says the same whenever it is asked the same")
		assert.Positive(t, *r.Disagreement)
		assert.Positive(t, *r.Tokens)
	}

	asked := len(s.Questions())
	assert.GreaterOrEqual(t, asked, 4*24*6, "every run asks")
	first, err := os.ReadFile(filepath.Join(runs, "tiny.full.default.1.jsonl"))
	require.NoError(t, err)
	second, err := os.ReadFile(filepath.Join(runs, "tiny.full.default.2.jsonl"))
	require.NoError(t, err)
	assert.Equal(t, string(first), string(second), "no time is in a run")

	table, _, _ := call(t, nil, bySideOf(s, file)...)
	s.Close()
	again, stderr, code := call(t, nil, bySideOf(s, file)...)
	assert.Equal(t, console.Fine, code)
	assert.Equal(t, table, again, "what is complete needs no server")
	assert.Empty(t, stderr)
	assert.Len(t, s.Questions(), asked, "and nothing is asked again")
	for line := range strings.Lines(again) {
		assert.LessOrEqual(t, len([]rune(strings.TrimSuffix(line, "\n"))), 80, line)
	}
	_, stderr, code = call(t, nil, "replay",
		filepath.Join(runs, "tiny.rules-critic.default.2.jsonl"))
	assert.Equal(t, console.Fine, code, stderr)
}

func TestExperimentFlips(t *testing.T) {
	s := serve(t)
	asked := 0
	s.Answer(func(r fakeollama.Request) string {
		if !r.IsClosed() {
			return fakeollama.Valid(r)
		}
		if asked++; asked > 24*len(localllm.DefaultPrompts().Questions()) { // in the second run
			return ".1"
		}
		return ".7"
	})
	file, _ := planned(t,
		"limit: 12\nmodels: tiny\nrepeats: 2\npanels: [{name: rules-critic, critic: rules}]\n")
	rows, _, stderr, code := experimented(t, bySideOf(s, file)...)
	require.Equal(t, console.Fine, code, stderr)
	assert.Greater(t, *rows[0].Flips, .9,
		"the Critic moves scores by a level, which does not make up for three")
}

func TestExperimentCellsThatFail(t *testing.T) {
	s := serve(t)
	file, runs := planned(t,
		"limit: 10\nmodels: [none, rules, tiny]\npanels: [{name: rules-critic, critic: rules}]\n")
	rows, notes, stderr, code := experimented(t, bySideOf(s, file)...)
	assert.Equal(t, console.Bad, code)
	assert.Contains(t, stderr,
		"assize: none rules-critic default 1: --model: the server has no model none; it has tiny:latest\nhint: get it with: ollama pull none\nhint: assize explain model-absent\n")
	assert.Equal(t, 2, strings.Count(stderr, "hint: "), "each once")
	require.Len(t, rows, 3, "the others go on")
	assert.Equal(t, []int{0, 1, 0}, []int{rows[0].Missing, rows[1].Missing, rows[2].Missing})
	assert.Nil(t, rows[1].Agreement["satisfaction"].Value)
	assert.Equal(t, 20, rows[2].Dialogues)
	assert.Contains(t, notes,
		"none rules-critic default: nothing is measured; not complete: 1 run.")
	assert.NoFileExists(t, filepath.Join(runs, "none.rules-critic.default.1.jsonl"))

	more := fakeollama.Tiny()
	more.Name = "none:latest"
	s.SetModels(fakeollama.Tiny(), more)
	rows, notes, stderr, code = experimented(t, bySideOf(s, file)...)
	assert.Equal(t, console.Fine, code, stderr)
	assert.Zero(t, rows[1].Missing)
	assert.NotContains(t, strings.Join(notes, "\n"), "not complete")
	assert.NotContains(t, stderr, "tiny rules-critic", "what was complete is left alone")
}

func TestExperimentPrompts(t *testing.T) {
	s := serve(t)
	file, runs := planned(t,
		"limit: 1\nmodels: tiny\npanels: [{name: rules-critic, critic: rules}]\nprompts: [default, short]\n")
	short := filepath.Join(filepath.Dir(file), "short")
	require.NoError(t, os.Mkdir(short, 0o777))
	template := filepath.Join(short, "question.tmpl")
	require.NoError(t, os.WriteFile(template, []byte("Judge: {{.Ask}}"), 0o666))
	_, _, stderr, code := experimented(t, bySideOf(s, file)...)
	require.Equal(t, console.Fine, code, stderr)
	questions := slices.DeleteFunc(s.Questions(),
		func(r fakeollama.Request) bool { return !r.IsClosed() })
	half := 2 * len(localllm.DefaultPrompts().Questions())
	require.Len(t, questions, 2*half)
	assert.NotContains(t, questions[0].User, "Judge:")
	assert.Contains(t, questions[half].User, "Judge:")
	asked := len(s.Questions())
	run, err := os.ReadFile(filepath.Join(runs, "tiny.rules-critic.short.1.jsonl"))
	require.NoError(t, err)
	p, err := localllm.ReadPrompts(os.DirFS(short))
	require.NoError(t, err)
	assert.Contains(t, string(run), `"question":"`+p.Digests().Question+`"`)

	require.NoError(t, os.WriteFile(template, []byte("Judge well: {{.Ask}}"), 0o666))
	stdout, _, _ := call(t, nil, bySideOf(s, file, "--dry-run")...)
	assert.Contains(t, stdout,
		"  done   tiny.rules-critic.default.1.jsonl\n  begun  tiny.rules-critic.short.1.jsonl\n")
	_, _, stderr, code = experimented(t, bySideOf(s, file)...)
	assert.Equal(t, console.Bad, code, "a run by other words is never passed off as this one")
	assert.Contains(t, stderr, "assize: tiny rules-critic short 1: ")
	assert.Len(t, s.Questions(), asked)
}

// If a server does not come back, no dialogue stays unscored that can be scored later.
func TestExperimentLosesItsServer(t *testing.T) {
	s := serve(t)
	file, runs := planned(t,
		"limit: 10\nmodels: tiny\npanels: [{name: rules-critic, critic: rules}]\nrepeats: 2\n")
	go func() {
		for len(s.Questions()) < 30 {
			time.Sleep(time.Millisecond)
		}
		s.Close()
	}()
	rows, _, stderr, code := experimented(t, bySideOf(s, file)...)
	assert.Equal(t, console.Bad, code)
	assert.Contains(t, stderr,
		"assize: tiny rules-critic default 1: the model's server is gone; what is judged is kept, and the same command resumes\n")
	assert.Contains(t, stderr,
		"assize: tiny rules-critic default 2: --model: no server answers at ")
	require.Len(t, rows, 1)
	assert.Equal(t, 2, rows[0].Missing)
	begun, err := os.ReadFile(filepath.Join(runs, "tiny.rules-critic.default.1.jsonl"))
	require.NoError(t, err)
	assert.NotContains(t, string(begun), "server-down")

	require.NoError(t, s.Restart())
	rows, _, stderr, code = experimented(t, bySideOf(s, file)...)
	require.Equal(t, console.Fine, code, stderr)
	assert.Equal(t, 40, rows[0].Dialogues)
	assert.Zero(t, rows[0].Unscored)
	first, err := os.ReadFile(filepath.Join(runs, "tiny.rules-critic.default.1.jsonl"))
	require.NoError(t, err)
	second, err := os.ReadFile(filepath.Join(runs, "tiny.rules-critic.default.2.jsonl"))
	require.NoError(t, err)
	assert.Equal(t,
		string(second), string(first), "the run that was interrupted has the same bytes")
	assert.True(t, bytes.HasPrefix(first, begun))
}

func TestExperimentIsStopped(t *testing.T) {
	s := serve(t)
	file, runs := planned(t,
		"limit: 10\nmodels: [rules, tiny]\npanels: [{name: rules-critic, critic: rules}]\n")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for len(s.Questions()) < 30 {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	var stdout, stderr bytes.Buffer
	assert.Equal(t, console.Bad, execute(ctx, bySideOf(s, file), nil, &stdout, &stderr))
	assert.Empty(t, stdout.String(), "no table of what is not complete")
	assert.Contains(t, stderr.String(), "assize: stopped; run the same command again to resume\n")
	asked := len(s.Questions())
	rows, _, errs, code := experimented(t, bySideOf(s, file)...)
	require.Equal(t, console.Fine, code, errs)
	assert.Equal(t, 20, rows[1].Dialogues)
	assert.LessOrEqual(t, len(s.Questions()), asked+20*18,
		"nothing is asked twice but what was under way")
	data, err := os.ReadFile(filepath.Join(runs, "tiny.rules-critic.default.1.mark.json"))
	require.NoError(t, err)
	var mark struct{ Timed int }
	require.NoError(t, json.Unmarshal(data, &mark))
	assert.InDelta(t, 20, mark.Timed, 1, "the times of both parts are kept")
}

func TestExperimentAsksNobodyToPlan(t *testing.T) {
	s := serve(t)
	file, runs := planned(t, twoPanels)
	stdout, stderr, code := call(t, nil, bySideOf(s, file, "--dry-run")...)
	assert.Equal(t, console.Fine, code)
	assert.Empty(t, stderr)
	assert.Contains(t, stdout, "exp.yaml: 24 dialogues, 5 runs")
	assert.Empty(t, s.Requests())
	assert.NoDirExists(t, runs)
}

// The options of score in the config file do not apply to an experiment.
func TestExperimentKeepsToItsFile(t *testing.T) {
	s := serve(t)
	t.Setenv("ASSIZE_CRITIC", "model")
	t.Setenv("ASSIZE_MODEL", "none")
	t.Setenv("ASSIZE_NUM_CTX", "7777")
	t.Setenv("ASSIZE_OLLAMA", s.URL)
	file, runs := planned(t,
		"limit: 1\nmodels: tiny\npanels: [{name: rules-critic, critic: rules}]\noptions: {num-thread: 3}\n")
	_, stderr, code := call(t, nil, "experiment", file)
	require.Equal(t, console.Fine, code, stderr)
	run, err := os.ReadFile(filepath.Join(runs, "tiny.rules-critic.default.1.jsonl"))
	require.NoError(t, err)
	assert.Contains(t, string(run), `"evaluator":"model","critic":"rules"`)
	assert.NotContains(t, string(run), `"num_ctx":7777`)
	assert.Contains(t, string(run), `"num_thread":3`)
}

func TestARealExperiment(t *testing.T) {
	model := os.Getenv("ASSIZE_TEST_MODEL")
	if model == "" {
		t.Skip("SKIPPED: no real model: set ASSIZE_TEST_MODEL to one that the Ollama server at OLLAMA_HOST has")
	}
	file, _ := planned(t,
		fmt.Sprintf("limit: 1\nmodels: [rules, %q]\npanels: [{name: rules-critic, critic: rules}]\nrepeats: 2\noptions: {num-thread: 1}\n", model))
	rows, notes, stderr, code := experimented(t, "experiment", file)
	require.Equal(t, console.Fine, code, stderr)
	require.Len(t, rows, 2)
	assert.Equal(t, 4, rows[1].Dialogues)
	assert.Equal(t, 4, rows[1].Timed)
	assert.InDelta(t, 0, *rows[1].Flips, 1e-12, "the same bytes on one machine")
	assert.Positive(t, *rows[1].Seconds)
	assert.Contains(t, strings.Join(notes, " "), "with fewer than 20 rated dialogues.")
}
