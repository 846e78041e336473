package triage

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/record"
	"assize/cmd/assize/internal/report"
	"assize/heuristics"
	"assize/rubric"
	"assize/rubric/dialogue"
)

var update = flag.Bool("update", false, "rewrite golden files")

// judged gives the records of the transcripts, as the rules judge them.
func judged(t *testing.T, file string) (records []*record.Record) {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "..", "testdata", "transcripts", file))
	require.NoError(t, err)
	defer f.Close()
	agents, err := heuristics.New()
	require.NoError(t, err)
	r := rubric.Default()
	panel := rubric.Panel{Rubric: r, Observe: agents.Observe, Evaluator: agents.Evaluator(), Critic: agents.Critic(r)}
	for s, err := range dialogue.Read(f, file, dialogue.Options{}) {
		require.NoError(t, err)
		rec := record.New(s)
		rec.Evaluation, err = panel.Judge(t.Context(), s.Dialogue)
		require.NoError(t, err)
		rec.Estimate = rec.EstimateBy(heuristics.DefaultProfile())
		records = append(records, rec)
	}
	return records
}

// believed is a record as a model might judge it: with other scores, which the rules stand against.
func believed(t *testing.T, r *record.Record, scores [rubric.NumCriteria]rubric.Score) *record.Record {
	t.Helper()
	e := *r.Evaluation
	check, err := e.Rubric.CrossCheck(scores, e.Final.Scores())
	require.NoError(t, err)
	for i, s := range scores {
		e.Final[i].Score = s
	}
	e.Average, err = e.Rubric.Average(scores)
	require.NoError(t, err)
	e.Overall = e.Rubric.Mapping.Overall(e.Average)
	m := *r
	m.Evaluation, m.CrossCheck = &e, &check
	return &m
}

// cascaded is a sheet with everything on it that there can be.
func cascaded(t *testing.T) *Sheet {
	complaint, uss, bot := judged(t, "complaint.txt")[0], judged(t, "uss.txt"), judged(t, "bot.json")[0]
	hostile := *uss[1]
	hostile.Source.ID, hostile.Source.File = "=\x1b[31m"+strings.Repeat("long", 10), "|a|/<b>.txt"
	all := [6]rubric.Score{100, 100, 100, 100, 100, 100}
	failed := &record.Record{Dialogue: complaint.Dialogue, Source: complaint.Source, Reason: "the model gave no answer: <nothing>"}
	s := &Sheet{
		Order: BySatisfaction,
		Rows: []Row{
			{Rank: 1, Record: bot, Picked: "worst", Opinion: believed(t, bot, all)},
			{Rank: 2, Record: complaint, Duplicates: 3, Picked: "worst", Opinion: failed},
			{Rank: 3, Record: &hostile},
		},
		Beside:     []Row{{Rank: 12345, Record: uss[2], Picked: "unsure: 0.47 above the cut of 2.91", Opinion: believed(t, uss[2], [6]rubric.Score{20, 40, 100, 60, 100, 100})}},
		Scored:     20000,
		Unscored:   1,
		Duplicates: 4,
		Remarks:    []string{"a|b.jsonl: the run is unfinished.\x1b[0m"},
		Cascade:    &Cascade{Model: "tiny:latest", Asked: 3, Unjudged: 1, Calls: 7},
	}
	for _, rows := range [][]Row{s.Rows, s.Beside} {
		for i := range rows {
			rows[i].Explain(nil)
		}
	}
	return s
}

func TestTheForms(t *testing.T) {
	s := cascaded(t)
	for _, format := range Formats() {
		var got bytes.Buffer
		require.NoError(t, s.Write(&got, format))
		golden := filepath.Join("testdata", "cascade."+format)
		if *update {
			require.NoError(t, os.WriteFile(golden, got.Bytes(), 0o666))
		}
		want, err := os.ReadFile(golden)
		require.NoError(t, err)
		assert.Equal(t, string(want), got.String(), format)
		assert.NotContains(t, got.String(), "\x1b", format)
	}
}

func TestNoLineIsWiderThanATerminal(t *testing.T) {
	s := cascaded(t)
	for _, rows := range [][]Row{s.Rows, s.Rows[:1]} {
		var b bytes.Buffer
		require.NoError(t, (&Sheet{Order: BySatisfaction, Rows: rows, Beside: s.Beside, Scored: 3, Cascade: s.Cascade}).Write(&b, "text"))
		for line := range strings.Lines(b.String()) {
			assert.LessOrEqual(t, report.Cells(strings.TrimSuffix(line, "\n")), report.Columns, line)
		}
	}
}

func TestTheSentences(t *testing.T) {
	row := Row{Record: &record.Record{}}
	for _, tt := range []struct {
		reason string
		sheet  Sheet
		want   []string
	}{
		{"some of them", Sheet{Order: ByAverage, Rows: []Row{row}, Scored: 2}, []string{"1 of 2 scored dialogues, worst first by average."}},
		{"all of them", Sheet{Order: BySatisfaction, Rows: []Row{row}, Scored: 1, Unscored: 2}, []string{
			"1 scored dialogue, worst first by satisfaction.", "2 dialogues unscored, and so not ranked."}},
		{"those that were held against the rules", Sheet{Order: ByDisagreement, Rows: []Row{row}, Scored: 3, Unchecked: 2}, []string{
			"1 of 3 scored dialogues, worst first by disagreement.", "2 dialogues without a cross-check, and so not ranked."}},
		{"some for others", Sheet{Order: BySatisfaction, Rows: []Row{row}, Scored: 3, Duplicates: 1, Cascade: &Cascade{Model: "m", Asked: 1, Calls: 2}}, []string{
			"1 of 3 scored dialogues, worst first by satisfaction.", "1 dialogue with the same turns as one before, and so ranked with it; --duplicates ranks each.",
			"m was asked about 1 of 2 dialogues: 2 calls in place of about 4 for all."}},
		{"7 calls for 3 are some 233 for 100", Sheet{Order: BySatisfaction, Rows: []Row{row}, Scored: 100, Cascade: &Cascade{Model: "m", Asked: 3, Calls: 7}}, []string{
			"1 of 100 scored dialogues, worst first by satisfaction.", "m was asked about 3 of 100 dialogues: 7 calls in place of about 233 for all."}},
		{"nothing is saved where all are asked about", Sheet{Order: BySatisfaction, Rows: []Row{row}, Scored: 1, Cascade: &Cascade{Model: "m", Asked: 1, Calls: 2, Unjudged: 1}}, []string{
			"1 scored dialogue, worst first by satisfaction.", "m was asked about 1 of 1 dialogue; it left 1 unscored."}},
	} {
		assert.Equal(t, tt.want, tt.sheet.Sentences(), tt.reason)
	}
}

func TestTheFolderThatAllAreIn(t *testing.T) {
	for _, tt := range []struct {
		files []string
		want  string
	}{
		{[]string{"a.txt", "b.txt"}, ""},
		{[]string{"x/a.txt", "x/b.txt"}, "x/"},
		{[]string{"x/y/a.txt", "x/z/b.txt"}, "x/"},
		{[]string{"x/ya.txt", "x/yb.txt"}, "x/"},
		{[]string{"/x/a.txt", "/z/b.txt"}, "/"},
		{[]string{"x/a.txt", "y/a.txt", "-"}, ""},
	} {
		var s Sheet
		for _, f := range tt.files {
			s.Rows = append(s.Rows, Row{Record: &record.Record{Source: record.Source{File: f}}})
		}
		assert.Equal(t, tt.want, s.folder(), "%v", tt.files)
	}
}
