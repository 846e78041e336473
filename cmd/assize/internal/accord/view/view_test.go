package view_test

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

	"assize/cmd/assize/internal/accord"
	"assize/cmd/assize/internal/accord/view"
	"assize/cmd/assize/internal/ratings"
	"assize/cmd/assize/internal/record"
	"assize/cmd/assize/internal/report"
	"assize/heuristics"
	"assize/rubric"
	"assize/rubric/dialogue"
)

var update = flag.Bool("update", false, "write the golden files anew")

// hostile is the name of a file that would act on a terminal, a spreadsheet and a line of 80 columns.
const hostile = "=\x1b[2J\u202etxt/" + "a-very-long-name-that-goes-on-and-on-and-on.txt"

// rated makes dialogues in three files: many that two people rated, and some of their criteria; many that people
// rated all alike; and a few.
func rated(t testing.TB) []ratings.Rated {
	chance := rand.New(rand.NewPCG(7, 7))
	var list []ratings.Rated
	for i := range 65 {
		file := hostile
		switch {
		case i >= 60:
			file = "few.txt"
		case i >= 30:
			file = "alike.txt"
		}
		d := dialogue.Dialogue{ID: i, Turns: []dialogue.Turn{{Role: dialogue.User, Text: "Is it open?"}, {Role: dialogue.System, Text: "Until six."}}}
		truth := 1 + 4*chance.Float64()
		level := int(truth)
		var card rubric.Scorecard
		for c := range card {
			card[c] = rubric.Rating{Score: rubric.Scale[level-1], Claim: "the SYSTEM answers", Quotes: []rubric.Quote{{Turn: 2, Text: "Until six."}}}
		}
		e, err := rubric.Default().Settle(rubric.Case{Dialogue: d}, card, rubric.Critique{})
		require.NoError(t, err)
		r := record.New(dialogue.Sample{Dialogue: d, Source: dialogue.Source{File: file, Format: dialogue.Plain}})
		r.Evaluation, r.Estimate = e, heuristics.Estimate{Satisfaction: rubric.Hundredths(100 * truth)}
		one := ratings.Rated{Record: r, Overall: []float64{float64(level), float64(1 + chance.IntN(5))}}
		if file == "alike.txt" {
			one.Overall = []float64{3, 3}
		}
		if i < 25 {
			one.Criteria[rubric.Empathy] = []float64{float64(level)}
		}
		list = append(list, one)
	}
	return list
}

func sheet(t testing.TB) *view.Sheet {
	rep := accord.New(t.Context(), rated(t), accord.Options{Scale: ratings.Scale{Low: 6, High: 1}, Worst: .15, Draws: 100, Seed: 1})
	return &view.Sheet{Report: rep, Source: view.Source{Ratings: "people\x1b[0m.csv", Unscored: 2, Notes: []string{"a note\x07"}}}
}

// golden holds what write writes against a file.
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
	short := golden(t, "people.txt", func(b *bytes.Buffer) error { return s.Text(b) })
	s.Full = true
	full := golden(t, "people-full.txt", func(b *bytes.Buffer) error { return s.Text(b) })
	for line := range strings.Lines(short + full) {
		line = strings.TrimSuffix(line, "\n")
		assert.LessOrEqual(t, report.Cells(line), report.Columns, line)
		assert.Equal(t, strings.TrimRight(line, " "), line)
	}
	for _, acts := range []string{"\x1b", "\u202e", "\x07"} {
		assert.NotContains(t, full, acts)
	}
	s.Color = true
	var b bytes.Buffer
	require.NoError(t, s.Text(&b))
	assert.Contains(t, b.String(), "\x1b[1m")
}

// wire is a figure as programs read it.
type wire struct {
	Value, Low, High *float64
	N, Groups        int
	Warning          string
}

func TestJSON(t *testing.T) {
	s := sheet(t)
	var b bytes.Buffer
	require.NoError(t, s.JSON(&b))
	var doc struct {
		Answer, Notes []string
		Dialogues     int
		Scale         []float64
		Mean          map[string]map[string]map[string]wire
		Groups        []struct {
			Name      string
			Figures   map[string]map[string]map[string]wire
			Confusion []struct{ Counts [][]int }
		}
	}
	require.NoError(t, json.Unmarshal(b.Bytes(), &doc))
	assert.Equal(t, s.Sentences(), doc.Answer)
	assert.Equal(t, "a note\x07", doc.Notes[0], "nothing is lost")
	assert.Equal(t, hostile, doc.Groups[0].Name)
	assert.Equal(t, []float64{6, 1}, doc.Scale)
	assert.Len(t, doc.Groups[0].Confusion, 4)
	for i, k := range s.Keys {
		same(t, s.Mean[i], k, doc.Mean[k.Rated][k.Measure][string(k.Statistic)])
		assert.Equal(t, s.Mean[i].Groups, doc.Mean[k.Rated][k.Measure][string(k.Statistic)].Groups)
		for g := range s.Groups {
			same(t, s.Groups[g].Figures[i], k, doc.Groups[g].Figures[k.Rated][k.Measure][string(k.Statistic)])
		}
	}
}

// same holds a figure against what was written of it.
func same(t *testing.T, f accord.Figure, k accord.Key, w wire) {
	half := .5000001 * math.Pow10(-k.Statistic.Decimals())
	for want, got := range map[float64]*float64{f.Value: w.Value, f.Low: w.Low, f.High: w.High} {
		if math.IsNaN(want) {
			assert.Nil(t, got, "%v", k)
		} else if assert.NotNil(t, got, "%v", k) {
			assert.InDelta(t, want, *got, half, "%v", k)
		}
	}
	assert.Equal(t, f.N, w.N, "%v", k)
	assert.Equal(t, f.Why, w.Warning, "%v", k)
}

func TestCSV(t *testing.T) {
	s := sheet(t)
	var b bytes.Buffer
	require.NoError(t, s.CSV(&b))
	rows, err := csv.NewReader(&b).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 1+len(s.Keys)*(1+len(s.Groups)))
	for i, row := range rows[1:] {
		k := s.Keys[i%len(s.Keys)]
		figures := s.Mean
		if g := i / len(s.Keys); g > 0 {
			figures = s.Groups[g-1].Figures
		}
		assert.Equal(t, []string{k.Rated, k.Measure, string(k.Statistic)}, row[1:4])
		same(t, figures[i%len(s.Keys)], k, wire{Value: number(t, row[4]), Low: number(t, row[5]), High: number(t, row[6]), N: int(*number(t, row[7])), Warning: row[8]})
		assert.NotEqual(t, byte('='), row[0][0], "no formula")
	}
}

// number reads a cell; nil for an empty one.
func number(t *testing.T, cell string) *float64 {
	if cell == "" {
		return nil
	}
	v, err := strconv.ParseFloat(cell, 64)
	require.NoError(t, err)
	return &v
}

// bench holds a judge against one who differs and against itself.
func bench(t testing.TB) *view.Bench {
	first, other, again := accord.NewJudge("a\x1b.jsonl"), accord.NewJudge("b.jsonl"), accord.NewJudge("again.jsonl")
	for i, r := range rated(t) {
		r.Record.Source.Digest += r.Record.Source.File + string(rune('A'+i%40))
		l := record.Line{Number: i + 1}
		first.Add(l, r.Record)
		again.Add(l, r.Record)
		if i%5 == 0 {
			changed := *r.Record
			changed.Satisfaction += 5
			other.Add(l, &changed)
		} else if i%7 > 0 {
			other.Add(l, r.Record)
		}
	}
	opt := accord.Options{Draws: 100, Seed: 1}
	return &view.Bench{Judges: accord.NewJudges(t.Context(), first, []*accord.Judge{other, again}, opt)}
}

func TestJudges(t *testing.T) {
	b := bench(t)
	text := golden(t, "judges.txt", func(w *bytes.Buffer) error { return b.Text(w) })
	for line := range strings.Lines(text) {
		assert.LessOrEqual(t, report.Cells(strings.TrimSuffix(line, "\n")), report.Columns, line)
	}
	assert.NotContains(t, text, "\x1b")
	var doc, table bytes.Buffer
	require.NoError(t, b.JSON(&doc))
	var read struct {
		Against []struct {
			Mean map[string]map[string]wire
		}
		Together struct{ Mean map[string]map[string]wire }
	}
	require.NoError(t, json.Unmarshal(doc.Bytes(), &read))
	require.NoError(t, b.CSV(&table))
	rows, err := csv.NewReader(&table).ReadAll()
	require.NoError(t, err)
	figures := 0
	for i := range b.Against {
		figures += len(b.Against[i].Keys) * (1 + len(b.Against[i].Groups))
		for j, k := range b.Against[i].Keys {
			same(t, b.Against[i].Mean[j], k, read.Against[i].Mean[k.Measure][string(k.Statistic)])
		}
	}
	for j, k := range b.Together.Keys {
		same(t, b.Together.Mean[j], k, read.Together.Mean[k.Measure][string(k.Statistic)])
	}
	assert.Len(t, rows, 1+figures+len(b.Together.Keys)*(1+len(b.Together.Groups)))
}
