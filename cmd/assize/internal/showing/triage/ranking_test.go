package triage

import (
	"bytes"
	"cmp"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/statistics/summary"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics"
	"assize/heuristics/satisfaction"
	"assize/rubric"
	"assize/rubric/dialogue/importer"
)

var update = flag.Bool("update", false, "rewrite golden files")

// judged returns the records of the transcripts, as judged by the rules.
func judged(t *testing.T, file string) (records []*run.Record) {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "..", "..", "testdata", "transcripts", file))
	require.NoError(t, err)
	defer f.Close()
	agents := heuristics.New()
	r := rubric.Default()
	panel := rubric.Panel{Rubric: r, Observe: agents.Observe, Evaluator: agents.Evaluator(r),
		Critic: agents.Critic(r)}
	for s, err := range importer.Read(f, file, importer.Options{}) {
		require.NoError(t, err)
		rec := run.New(s)
		rec.Evaluation, err = panel.Judge(t.Context(), s.Dialogue)
		require.NoError(t, err)
		rec.Rate(satisfaction.DefaultProfile())
		records = append(records, rec)
	}
	return records
}

// believed returns a record as a model might judge it: with other scores, cross-checked with those
// of the rules.
func believed(t *testing.T, r *run.Record, scores [rubric.NumCriteria]rubric.Score) *run.Record {
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

// asked returns a dialogue that a model was asked about.
func asked(r Ranked, model *run.Record) Ranked {
	r.Opinion, r.CrossCheck = new(model.Row(0)), model.CrossCheck
	return r
}

// cascaded returns a ranking with every possible element.
func cascaded(t *testing.T) *Ranking {
	complaint, uss, bot := judged(t, "complaint.txt")[0], judged(t, "uss.txt"),
		judged(t, "bot.json")[0]
	hostile := *uss[1]
	hostile.Source.ID, hostile.Source.File = "=\x1b[31m"+strings.Repeat("long", 10), "|a|/<b>.txt"
	all := [6]rubric.Score{100, 100, 100, 100, 100, 100}
	failed := &run.Record{Dialogue: complaint.Dialogue, Source: complaint.Source,
		Reason: "the model gave no answer: <nothing>"}
	s := &Ranking{
		Order: run.BySatisfaction,
		Worst: []Ranked{
			asked(Ranked{Row: complaint.Row(0), Rank: 1, Record: complaint, Duplicates: 3,
				Picked: "worst"}, failed),
			asked(Ranked{Row: bot.Row(1), Rank: 2, Record: bot, Picked: "worst"},
				believed(t, bot, all)),
			{Row: hostile.Row(2), Rank: 3, Record: &hostile},
		},
		Disputed: []Ranked{asked(Ranked{Row: uss[2].Row(3), Rank: 12345, Record: uss[2],
			Picked: "unsure: 0.47 above the cut of 2.91"},
			believed(t, uss[2], [6]rubric.Score{20, 40, 100, 60, 100, 100}))},
		Scored:   20000,
		Unscored: map[string][]string{"silence": {"7 of a|b.jsonl"}},
		Repeated: 4,
		Warnings: []string{"a|b.jsonl: the run is unfinished.\x1b[0m"},
		Model:    "tiny:latest", Asked: 3, Failed: 1, Calls: 7,
	}
	for _, rows := range [][]Ranked{s.Worst, s.Disputed} {
		for i := range rows {
			rows[i].Explanation = Explain(rows[i].Record.Evaluation)
		}
	}
	return s
}

// ranked ranks the dialogues of some files, the first of them twice, and one that nobody could
// judge. A model that rates all of them as perfect is asked about budget dialogues.
func ranked(t *testing.T, order run.Order, top, budget int) (s *Ranking, records []*run.Record) {
	records = slices.Concat(judged(t, "complaint.txt"), judged(t, "uss.txt"), judged(t, "bot.json"))
	records = append(records, records[0], &run.Record{Reason: "silence"})
	s = newRanking(order, top, budget > 0)
	for place, r := range records {
		s.Add(r, r.Row(place))
	}
	if budget > 0 {
		for place, pick := range s.picks(summary.Portion{Count: budget}, nil) {
			pick.Record = records[place]
			s.addOpinion(pick,
				believed(t, records[place], [6]rubric.Score{100, 100, 100, 100, 100, 100}))
		}
	}
	s.Close(func(r *run.Record) { r.Source.File = "masked" })
	return s, records
}

func TestRankingByTheRules(t *testing.T) {
	s, _ := ranked(t, run.BySatisfaction, 2, 0)
	assert.Equal(t, []int{5, 1}, []int{s.Scored, s.Repeated})
	assert.Equal(t, map[string][]string{"silence": {"0 of "}}, s.Unscored)
	require.Len(t, s.Worst, 2)
	assert.Equal(t, []int{1, 2}, []int{s.Worst[0].Rank, s.Worst[1].Rank})
	assert.Equal(t, 1, s.Worst[0].Duplicates+s.Worst[1].Duplicates, "the complaint comes twice")
	assert.Equal(t, "masked", s.Worst[0].File)
	assert.Equal(t, "TaskSuccess 20", s.Worst[0].Failed())
	s, _ = ranked(t, run.ByDisagreement, 2, 0)
	assert.Empty(t, s.Worst, "no model was asked")
	assert.Equal(t, 5, s.Unchecked)
}

func TestRankingWithAModel(t *testing.T) {
	s, records := ranked(t, run.BySatisfaction, 1, 4)
	require.Len(t, s.Worst, 1)
	assert.Equal(t, "worst", s.Worst[0].Picked)
	assert.NotNil(t, s.Worst[0].Opinion)
	require.Len(t, s.Disputed, 1, "no more than are shown of the others")
	assert.Equal(t, 4, s.Asked)
	order := slices.SortedFunc(slices.Values(records[:5]), func(a, b *run.Record) int {
		return cmp.Compare(a.Satisfaction, b.Satisfaction)
	})
	assert.Same(t, order[s.Disputed[0].Rank-1], s.Disputed[0].Record, "the rank is that among all")
	s, _ = ranked(t, run.ByDisagreement, 10, 2)
	assert.Len(t, s.Worst, 2)
	assert.Equal(t, 3, s.Unchecked)
	assert.GreaterOrEqual(t, s.Worst[0].CrossCheck.Disagreement, s.Worst[1].CrossCheck.Disagreement)
}

// write writes a ranking like the command does.
func write(s *Ranking, w io.Writer, format string) error {
	var page ui.Page
	if err := ui.WriteAs(format, w, &page, s); err != nil {
		return err
	}
	return page.Send(w)
}

func TestTheForms(t *testing.T) {
	s := cascaded(t)
	for _, format := range []string{"text", "csv", "xlsx", "jsonl", "markdown"} {
		var got bytes.Buffer
		require.NoError(t, write(s, &got, format))
		if format == "xlsx" {
			book, err := excelize.OpenReader(&got)
			require.NoError(t, err)
			rows, err := book.GetRows("Triage")
			require.NoError(t, err)
			assert.Len(t, rows, 1+len(s.Worst)+len(s.Disputed))
			continue
		}
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
	for _, rows := range [][]Ranked{s.Worst, s.Worst[:1]} {
		var b bytes.Buffer
		require.NoError(t,
			write(&Ranking{Order: run.BySatisfaction, Worst: rows, Disputed: s.Disputed, Scored: 3,
				Model: s.Model, Asked: 3, Calls: 7}, &b, "text"))
		for line := range strings.Lines(b.String()) {
			assert.LessOrEqual(t, ui.Cells(strings.TrimSuffix(line, "\n")), ui.Columns, line)
		}
	}
}

func TestTheSentences(t *testing.T) {
	row := Ranked{}
	for _, tt := range []struct {
		reason string
		sheet  Ranking
		want   []string
	}{
		{"some of them", Ranking{Order: run.ByAverage, Worst: []Ranked{row}, Scored: 2}, []string{"1 of 2 scored dialogues, worst first by average."}},
		{"all of them", Ranking{Order: run.BySatisfaction, Worst: []Ranked{row}, Scored: 1,
			Unscored: map[string][]string{"it is empty": {"a of x.csv", "b of x.csv"},
				"it is not English": {"1", "2", "3", "4", "5", "6", "7"}}}, []string{
			"1 of 1 scored dialogue, worst first by satisfaction.",
			"2 unscored dialogues, not ranked, because it is empty: a of x.csv, b of x.csv.",
			"7 unscored dialogues, not ranked, because it is not English: 1, 2, 3, 4, 5 and 2 more."}},
		{"those that were held against the rules",
			Ranking{Order: run.ByDisagreement, Worst: []Ranked{row}, Scored: 3,
				Unchecked: 2}, []string{
				"1 of 3 scored dialogues, worst first by disagreement.",
				"2 dialogues without a cross-check, not ranked."}},
		{"some with answers", Ranking{Order: run.ByChecklist, Worst: []Ranked{row}, Scored: 3,
			Unanswered: 2}, []string{
			"1 of 3 scored dialogues, worst first by checklist.",
			"2 dialogues without a checklist, ranked last."}},
		{"some for others", Ranking{Order: run.BySatisfaction, Worst: []Ranked{row}, Scored: 3,
			Repeated: 1, Model: "m", Asked: 1, Calls: 2}, []string{
			"1 of 3 scored dialogues, worst first by satisfaction.",
			"1 repeat not counted: the same words, agent and queue as another dialogue.",
			"m was asked about 1 of 3 dialogues, with 2 calls."}},
		{"one that the model could not judge", Ranking{Order: run.BySatisfaction, Worst: []Ranked{row},
			Scored: 1, Model: "m", Asked: 1, Calls: 1, Failed: 1}, []string{
			"1 of 1 scored dialogue, worst first by satisfaction.",
			"m was asked about 1 of 1 dialogue, with 1 call; it left 1 unscored."}},
	} {
		assert.Equal(t, tt.want, tt.sheet.Sentences(), tt.reason)
	}
}
