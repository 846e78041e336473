package experiment

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/judging/evidence"
	"assize/cmd/assize/internal/statistics/agree"
	"assize/cmd/assize/internal/statistics/stats"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
	"assize/rubric/dialogue"
)

var update = flag.Bool("update", false, "rewrite golden files")

func fig(v, low, high float64, n int) agree.Figure {
	f := agree.Figure{Estimate: stats.Estimate{Value: v,
		Interval: stats.Interval{Low: low, High: high}}, N: n}
	f.Statistic = agree.Spearman
	return f
}

// cited returns the evidence of an evaluator that cites n turns, some of them at the only fault in
// a dialogue of three.
func cited(n, relevant int) (r evidence.Relevance) {
	c := rubric.Case{Signals: []rubric.Signal{{Criteria: rubric.SetOf(rubric.TaskSuccess), Turn: 1,
		Points: -1}}}
	for range 3 {
		c.Dialogue.Turns = append(c.Dialogue.Turns,
			dialogue.Turn{Role: dialogue.User, Text: "words"})
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

// table returns a row of every kind: the rules, a model, one that was not run, and one with few
// figures.
func table() *Table {
	rules := newResult(Config{Model: Rules, Repeat: 1})
	rules.Runs, rules.Dialogues = []string{"runs/rules.jsonl"}, 60
	rules.Agreement.Satisfaction, rules.Agreement.Average = fig(.4649, .2412, .6387, 60),
		fig(.4123, .2, .6, 60)
	rules.cited = cited(40, 36)

	small := newResult(Config{Model: "smollm2", Panel: "full", Prompts: Default, Repeat: 1})
	small.Runs = []string{"runs/smollm2.full.default.1.jsonl", "runs/smollm2.full.default.2.jsonl"}
	small.Dialogues, small.Unscored, small.ByRules = 120, 3, 0
	small.Agreement.Satisfaction, small.Agreement.Average = fig(.4649, .2412, .6387, 60),
		fig(.0781, -.1843, .3312, 60)
	small.flipped, small.compared = 3, 700
	small.tokens, small.Timed, small.seconds = []float64{2050}, 119, 487.9
	small.cited = cited(300, 99)
	small.disagreement = make([]float64, 117)

	absent := newResult(Config{Model: "qwen2.5:1.5b@sha256:0123456789abcdef", Panel: "rules-critic",
		Prompts: "prompts/<short>|", Repeat: 1})
	absent.Missing = 2

	few := newResult(Config{Model: "=a\x1b[2J", Panel: "full", Prompts: Default, Repeat: 1})
	few.Runs, few.Dialogues = []string{"runs/a.full.default.1.jsonl"}, 9
	few.Agreement.Average = agree.MissingFigure("there are fewer than 20 rated dialogues")
	t := &Table{
		Version: 1, File: "models.yaml", Dialogues: 60, rated: true, Draws: 1000, Seed: 1,
		Results: []*Result{rules, small, absent, few},
		Notes: []string{"No file holds 20 rated dialogues, so they are taken together by folder.",
			"qwen2.5:1.5b@0123456789ab rules-critic prompts/<short>|: nothing is measured; not complete: 2 runs."},
	}
	for _, r := range t.Results {
		r.finish()
	}
	return t
}

func TestGolden(t *testing.T) {
	unrated := table()
	unrated.rated, unrated.Results, unrated.Notes = false, unrated.Results[:1], nil
	for name, write := range map[string]func(io.Writer) error{
		"table.txt":  as(table(), "text", false),
		"color.txt":  as(unrated, "text", true),
		"table.md":   as(table(), "markdown", false),
		"table.csv":  as(table(), "csv", false),
		"table.json": as(table(), "json", false),
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
				assert.LessOrEqual(t, ui.Cells(strings.TrimSuffix(line, "\n")), ui.Columns, line)
			}
		}
	}
}

// JSON and CSV contain the same figures.
func TestJSONAndCSVAgree(t *testing.T) {
	var asJSON, asCSV bytes.Buffer
	require.NoError(t, as(table(), "json", false)(&asJSON))
	require.NoError(t, as(table(), "csv", false)(&asCSV))
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

// as writes a table like the command does.
func as(t *Table, format string, color bool) func(io.Writer) error {
	return func(w io.Writer) error {
		p := ui.Page{Color: color}
		if err := ui.WriteAs(format, &p, &p, t); err != nil {
			return err
		}
		return p.Send(w)
	}
}
