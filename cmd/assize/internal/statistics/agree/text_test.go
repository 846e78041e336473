package agree

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics/satisfaction"
	"assize/rubric"
	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"
)

var update = flag.Bool("update", false, "write the golden files anew")

// hostile is a file name that would affect a terminal, a spreadsheet and an 80-column line.
const hostile = "=\x1b[2J\u202etxt/" + "a-very-long-name-that-goes-on-and-on-and-on.txt"

// rated returns dialogues in three files: many rated by two people, in part also by criterion; many
// with identical ratings; and a few.
func rated(t testing.TB) (list []ratings.Rated) {
	chance := rand.New(rand.NewPCG(7, 7))
	for i := range 65 {
		file := hostile
		switch {
		case i >= 60:
			file = "few.txt"
		case i >= 30:
			file = "alike.txt"
		}
		d := dialogue.Dialogue{ID: i,
			Turns: []dialogue.Turn{{Role: dialogue.User, Text: "Is it open?"},
				{Role: dialogue.System, Text: "Until six."}}}
		truth := 1 + 4*chance.Float64()
		level := int(truth)
		var card rubric.Scorecard
		for c := range card {
			card[c] = rubric.Rating{Score: rubric.Scale[level-1], Claim: "the SYSTEM answers",
				Quotes: []rubric.Quote{{Turn: 2, Text: "Until six."}}}
		}
		e, err := rubric.Default().Settle(rubric.Case{Dialogue: d}, card, rubric.Critique{})
		require.NoError(t, err)
		r := run.New(dialogue.Sample{Dialogue: d,
			Source: dialogue.Source{File: file, Format: importer.Plain}})
		r.Evaluation, r.Estimate = e,
			satisfaction.Estimate{Satisfaction: rubric.Hundredths(100 * truth)}
		one := ratings.Rated{Row: rowOf(r, i),
			Overall: []float64{float64(level), float64(1 + chance.IntN(5))}}
		if file == "alike.txt" {
			one.Overall = []float64{3, 3}
		}
		if i < 25 {
			one.Criteria = &ratings.Criteria{rubric.Empathy: {float64(level)}}
		}
		list = append(list, one)
	}
	return list
}

func sheet(t testing.TB) *Report {
	rep := New(t.Context(), rated(t), Options{Scale: ratings.Scale{Low: 6, High: 1}, Worst: .15,
		Draws: 100, Seed: 1})
	rep.Ratings, rep.Unscored, rep.Notes = "people\x1b[0m.csv", 2,
		append([]string{"a note\x07"}, rep.Notes...)
	return rep
}

// golden compares what write writes with a golden file.
func golden(t *testing.T, name string, write func(*bytes.Buffer) error) string {
	var b bytes.Buffer
	require.NoError(t, write(&b))
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, b.Bytes(), 0o666))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), b.String())
	return b.String()
}

func TestText(t *testing.T) {
	s := sheet(t)
	short := golden(t, "people.txt", func(b *bytes.Buffer) error { return page(b, false, s.Text) })
	for line := range strings.Lines(short) {
		line = strings.TrimSuffix(line, "\n")
		assert.LessOrEqual(t, ui.Cells(line), ui.Columns, line)
		assert.Equal(t, strings.TrimRight(line, " "), line)
	}
	for _, acts := range []string{"\x1b", "\u202e", "\x07"} {
		assert.NotContains(t, short, acts)
	}
	var b bytes.Buffer
	require.NoError(t, page(&b, true, s.Text))
	assert.Contains(t, b.String(), "\x1b[1m")

	// of ratings of criteria alone, the text has no average
	parts := rated(t)
	for i := range parts {
		parts[i].Overall = nil
	}
	b.Reset()
	require.NoError(t, page(&b, false, New(t.Context(), parts, s.Options).Text))
	assert.Contains(t, b.String(), "65 rated dialogues in 3 files")
	assert.NotContains(t, strings.ToLower(b.String()), "average")
}

// page returns the text that the function puts on a page.
func page(w *bytes.Buffer, color bool, text func(*ui.Page)) error {
	p := ui.Page{Color: color}
	text(&p)
	return p.Send(w)
}

// wire is a figure in machine-readable output.
type wire struct {
	Value, Low, High *float64
	N, Groups        int
	Warning          string
}

func TestJSON(t *testing.T) {
	s := sheet(t)
	var b bytes.Buffer
	require.NoError(t, ui.WriteJSON(&b, s, "  "))
	var doc struct {
		Answer, Notes []string
		Dialogues     int
		Scale         []float64
		Mean          map[string]map[string]map[string]wire
		Groups        []struct {
			Name    string
			Figures map[string]map[string]map[string]wire
		}
	}
	require.NoError(t, json.Unmarshal(b.Bytes(), &doc))
	assert.Equal(t, s.Answer, doc.Answer)
	assert.Equal(t, "a note\x07", doc.Notes[0], "nothing is lost")
	assert.Equal(t, hostile, doc.Groups[0].Name)
	assert.Equal(t, []float64{6, 1}, doc.Scale)
	for i, f := range s.Mean {
		k := f.Key
		written(t, s.Mean[i], k, doc.Mean[k.Rated][k.Measure][k.Statistic.String()])
		assert.Equal(t, s.Mean[i].Groups, doc.Mean[k.Rated][k.Measure][k.Statistic.String()].Groups)
		for g := range s.Groups {
			written(t, s.Groups[g].Figures[i], k,
				doc.Groups[g].Figures[k.Rated][k.Measure][k.Statistic.String()])
		}
	}
}

// written compares a figure with its output.
func written(t *testing.T, f Figure, k Key, w wire) {
	half := .5000001 * math.Pow10(-f.Decimals)
	for want, got := range map[float64]*float64{f.Value: w.Value, f.Low: w.Low, f.High: w.High} {
		if math.IsNaN(want) {
			assert.Nil(t, got, "%v", k)
		} else if assert.NotNil(t, got, "%v", k) {
			assert.InDelta(t, want, *got, half, "%v", k)
		}
	}
	assert.Equal(t, f.N, w.N, "%v", k)
	assert.Equal(t, f.Warning, w.Warning, "%v", k)
}

func TestCSV(t *testing.T) {
	s := sheet(t)
	var b bytes.Buffer
	require.NoError(t, s.Figures().CSV(&b))
	rows, err := csv.NewReader(&b).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 1+len(s.Mean)*(1+len(s.Groups)))
	for i, row := range rows[1:] {
		k := s.Mean[i%len(s.Mean)].Key
		figures := s.Mean
		if g := i / len(s.Mean); g > 0 {
			figures = s.Groups[g-1].Figures
		}
		assert.Equal(t, []string{k.Rated, k.Measure, k.Statistic.String()}, row[1:4])
		written(t, figures[i%len(s.Mean)], k, wire{Value: number(t, row[4]), Low: number(t, row[5]),
			High: number(t, row[6]), N: int(*number(t, row[7])), Warning: row[8]})
		assert.NotEqual(t, byte('='), row[0][0], "no formula")
	}
}

// number parses a cell; it returns nil for an empty one.
func number(t *testing.T, cell string) *float64 {
	if cell == "" {
		return nil
	}
	v, err := strconv.ParseFloat(cell, 64)
	require.NoError(t, err)
	return &v
}
