package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/terminal/console"
	"assize/localllm/fakeollama"
)

// planned writes the file of an experiment on the rated parcels, and returns the arguments that run
// it with a server's model and short time limits. The runs go into a folder next to the file.
func planned(t testing.TB, s *fakeollama.Server, lines string) (args []string, runs string) {
	t.Helper()
	folder := t.TempDir()
	dialogues, err := filepath.Abs(filepath.Join(rated, "parcels.txt"))
	require.NoError(t, err)
	file := filepath.Join(folder, "exp.yaml")
	require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, "dialogues: %q\n%s", dialogues, lines),
		0o666))
	runs = filepath.Join(folder, "runs")
	return []string{"experiment", file, "-o", runs, "--ollama", s.URL, "--format", "json",
		"model-patience: 20ms", "model-timeout: 10s"}, runs
}

// experimentRow is a row of the table in JSON.
type experimentRow struct {
	Name           string
	Complete       bool
	Scored         int
	Change, Differ *float64
	Satisfaction   struct{ Value *float64 }
}

func experimented(t testing.TB, args []string) (rows []experimentRow, stderr string, code int) {
	t.Helper()
	stdout, stderr, code := call(t, nil, args...)
	var table struct{ Rows []experimentRow }
	require.NoError(t, json.Unmarshal([]byte(stdout), &table), stdout+stderr)
	return table.Rows, stderr, code
}

// Models, panels and prompts are compared with the rules; a model that does not exist stops
// nothing, and the same command adds it later.
func TestExperiment(t *testing.T) {
	s := serve(t)
	args, runs := planned(t, s, `
common: {id: "1,2,3,4"}
runs:
  - {name: rules}
  - {name: critic, model: tiny, critic: rules}
  - {name: short, model: tiny, critic: rules, prompts: short}
  - {name: none, model: none}
`)
	short := filepath.Join(filepath.Dir(runs), "short")
	require.NoError(t, os.Mkdir(short, 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(short, "question.tmpl"),
		[]byte("Judge: {{.Ask}}"), 0o666))
	rows, stderr, code := experimented(t, args)
	assert.Equal(t, console.Bad, code)
	assert.Contains(t, stderr, "assize: none: --model: the server has no model none")
	require.Len(t, rows, 4)
	for i, r := range rows[:3] {
		assert.Equal(t, 4, r.Scored, r.Name)
		assert.Equal(t, i > 0, r.Differ != nil, r.Name)
	}
	assert.Positive(t, *rows[1].Differ)
	assert.False(t, rows[3].Complete)
	assert.Nil(t, rows[3].Satisfaction.Value)
	for name, own := range map[string]bool{"critic": false, "short": true} {
		_, stderr, code := call(t, nil, "replay", filepath.Join(runs, name+".jsonl"))
		require.Equal(t, console.Fine, code, stderr)
		asked := false
		for _, q := range s.Questions() {
			asked = asked || strings.Contains(q.User, "Judge:")
		}
		assert.True(t, asked || !own, "with the prompts of the folder")
	}
	first, err := os.ReadFile(filepath.Join(runs, "critic.jsonl"))
	require.NoError(t, err)

	asked := len(s.Questions())
	more := fakeollama.Tiny()
	more.Name = "none:latest"
	s.SetModels(fakeollama.Tiny(), more)
	again, stderr, code := experimented(t, args)
	assert.Equal(t, console.Fine, code, stderr)
	assert.Equal(t, rows[:3], again[:3])
	assert.True(t, again[3].Complete)
	assert.Greater(t, len(s.Questions()), asked)
	second, err := os.ReadFile(filepath.Join(runs, "critic.jsonl"))
	require.NoError(t, err)
	assert.Equal(t, string(first), string(second))
}
