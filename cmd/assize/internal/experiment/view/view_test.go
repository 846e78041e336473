package view

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/accord"
	"assize/cmd/assize/internal/agreement"
	"assize/cmd/assize/internal/evidence"
	"assize/cmd/assize/internal/experiment"
	"assize/cmd/assize/internal/report"
	"assize/rubric"
	"assize/rubric/dialogue"
)

var update = flag.Bool("update", false, "rewrite golden files")

func figure(v, low, high float64, n int) accord.Figure {
	return accord.Figure{Value: v, Interval: agreement.Interval{Low: low, High: high}, N: n}
}

// cited is the evidence of one that cites n turns, some of them at the only fault in a dialogue of three.
func cited(n, relevant int) (r evidence.Relevance) {
	c := rubric.Case{Signals: []rubric.Signal{{Criteria: rubric.SetOf(rubric.TaskSuccess), Turn: 1, Points: -1}}}
	for range 3 {
		c.Dialogue.Turns = append(c.Dialogue.Turns, dialogue.Turn{Role: dialogue.User, Text: "words"})
	}
	for i := range n {
		turn := 2
		if i < relevant {
			turn = 1
		}
		var card rubric.Scorecard
		card[rubric.TaskSuccess] = rubric.Rating{Score: 20, Quotes: []rubric.Quote{{Turn: turn}}}
		r.Add(c, card)
	}
	return r
}

// table has a row of every kind: the rules, a model, one that was not run, and one of whom little is known.
func table() *experiment.Table {
	rules := experiment.NewRow(experiment.Cell{Model: experiment.Rules, Repeat: 1})
	rules.Files, rules.Judged = []string{"runs/rules.jsonl"}, 60
	rules.Satisfaction.Figure, rules.Average.Figure = figure(.4649, .2412, .6387, 60), figure(.4123, .2, .6, 60)
	rules.Evidence = cited(40, 36)

	small := experiment.NewRow(experiment.Cell{Model: "smollm2", Panel: experiment.Panel{Name: "full"}, Prompts: experiment.Default, Repeat: 1})
	small.Files = []string{"runs/smollm2.full.default.1.jsonl", "runs/smollm2.full.default.2.jsonl"}
	small.Judged, small.Unscored, small.ByRules = 120, 3, 0
	small.Satisfaction = experiment.Agreement{Figure: figure(.4649, .2412, .6387, 60), OverRules: figure(0, 0, 0, 60)}
	small.Average = experiment.Agreement{Figure: figure(.0781, -.1843, .3312, 60), OverRules: figure(-.3342, -.6019, -.0507, 60)}
	small.Compared, small.Flipped = 700, 3
	small.Asked, small.Generated, small.Tokens, small.Timed, small.Seconds = 120, 7440, 246_000, 119, 487.9
	small.Evidence = cited(300, 99)
	small.Checked = 117

	absent := experiment.NewRow(experiment.Cell{Model: "qwen2.5:1.5b@sha256:0123456789abcdef", Panel: experiment.Panel{Name: "one-call"}, Prompts: "prompts/<short>|", Repeat: 1})
	absent.Missing = 2

	few := experiment.NewRow(experiment.Cell{Model: "=a\x1b[2J", Panel: experiment.Panel{Name: "full"}, Prompts: experiment.Default, Repeat: 1})
	few.Files, few.Judged = []string{"runs/a.full.default.1.jsonl"}, 9
	few.Average.Figure = accord.None("there are fewer than 20 rated dialogues")
	return &experiment.Table{
		File: "models.yaml", Dialogues: 60, Rated: true, Draws: 1000, Seed: 1,
		Rows:  []*experiment.Row{rules, small, absent, few},
		Notes: []string{"No file holds 20 rated dialogues, so they are taken together by folder.", "qwen2.5:1.5b@0123456789ab one-call prompts/<short>|: nothing is measured; not complete: 2 runs."},
	}
}

func TestGolden(t *testing.T) {
	unrated := table()
	unrated.Rated, unrated.Rows, unrated.Notes = false, unrated.Rows[:1], nil
	for name, write := range map[string]func(io.Writer) error{
		"table.txt":  func(w io.Writer) error { return Text(w, table(), false) },
		"color.txt":  func(w io.Writer) error { return Text(w, unrated, true) },
		"table.md":   func(w io.Writer) error { return Markdown(w, table()) },
		"table.csv":  func(w io.Writer) error { return CSV(w, table()) },
		"table.json": func(w io.Writer) error { return JSON(w, table()) },
	} {
		var got bytes.Buffer
		require.NoError(t, write(&got), name)
		file := filepath.Join("testdata", name)
		if *update {
			require.NoError(t, os.WriteFile(file, got.Bytes(), 0o666))
		}
		want, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Equal(t, string(want), got.String(), name)
		assert.False(t, strings.Contains(got.String(), "\x1b[2J"), "%s: a name must not act", name)
		if strings.HasSuffix(name, ".txt") && name != "color.txt" {
			for line := range strings.Lines(got.String()) {
				assert.LessOrEqual(t, report.Cells(strings.TrimSuffix(line, "\n")), report.Columns, line)
			}
		}
	}
}

// JSON and CSV say the same.
func TestJSONAndCSVAgree(t *testing.T) {
	var asJSON, asCSV bytes.Buffer
	require.NoError(t, JSON(&asJSON, table()))
	require.NoError(t, CSV(&asCSV, table()))
	var read struct {
		Rows []map[string]any `json:"rows"`
	}
	require.NoError(t, json.Unmarshal(asJSON.Bytes(), &read))
	rows, err := csv.NewReader(&asCSV).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, len(read.Rows)+1)
	shared := 0
	for i, name := range rows[0] {
		for n, row := range rows[1:] {
			v, ok := read.Rows[n][name].(float64)
			if !ok {
				continue
			}
			var cell float64
			require.NoError(t, json.Unmarshal([]byte(row[i]), &cell), name)
			assert.InDelta(t, v, cell, 1e-12, name)
			shared++
		}
	}
	assert.Greater(t, shared, 20)
}

func TestWritingFails(t *testing.T) {
	for _, write := range []func(io.Writer, *experiment.Table) error{
		Markdown, CSV, JSON, func(w io.Writer, tb *experiment.Table) error { return Text(w, tb, false) },
	} {
		assert.ErrorIs(t, write(broken{}, table()), io.ErrClosedPipe)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestFiguresForPeople(t *testing.T) {
	assert.Equal(t, "", interval(figure(.5, math.NaN(), math.NaN(), 30)))
	assert.Equal(t, "", digits(math.NaN(), 2))
}
