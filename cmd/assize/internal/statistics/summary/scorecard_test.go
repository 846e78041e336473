package summary_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/statistics/summary"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// answered returns a scored dialogue of an agent. With a negative score, it has no
// checklist.
func answered(agent string, score rubric.Hundredths, answers ...rubric.Answer) *run.Row {
	row := &run.Row{Average: 8000, Overall: 80,
		Meta:      dialogue.Meta{{Name: "agent", Value: agent}},
		Checklist: &rubric.Checklist{}}
	if row.Satisfaction = 300; score >= 0 {
		row.Checklist.Score = &score
	}
	for i := range row.Final {
		row.Proposed[i], row.Final[i] = 80, 80
	}
	for i, a := range answers {
		row.Checklist.Answers = append(row.Checklist.Answers,
			rubric.Judged{Question: []string{"greeted", "sold"}[i], Answer: a})
	}
	return row
}

// A fact has a row like a question, and is open where the SYSTEM does not state it.
func TestFactsInSummary(t *testing.T) {
	h := &run.Header{Basis: run.DefaultBasis()}
	h.Basis.Rubric.Questions = []rubric.Question{{ID: "greeted"}}
	h.Basis.Rubric.Facts = []rubric.Fact{{ID: "fee", Value: rubric.Phrase{Text: "£5"}}}
	var s summary.Summary
	for i := range 20 {
		row := answered("Ann", -1, rubric.NotApplicable)
		row.Said = run.Key{byte(i)}
		row.Facts = map[int]map[string]rubric.Answer{0: {"fee": run.FactAgrees},
			1: {"fee": run.FactContradicted}, 2: {"fee": run.FactContradicted}}[i]
		if s.Add(row); i == 18 {
			assert.NotContains(t, s.CardNotes(s.Answered([]*run.Header{h}))[0], "applied to none")
		}
	}
	list := s.Answered([]*run.Header{h})
	require.Len(t, list, 2)
	assert.Equal(t, []any{"fee", "£5", 1, 2, 17, run.FactContradicted}, []any{list[1].ID,
		list[1].Ask, list[1].Good, list[1].Bad, list[1].Open, list[1].BadAnswer()})
	notes := s.CardNotes(list)
	require.Len(t, notes, 2)
	assert.Contains(t, notes[0], "greeted applied to none of 20 dialogues")
	assert.Contains(t, notes[1], "of a fact, good counts the dialogues in which the SYSTEM agrees")
}

// Only good and bad answers are in a share, and dialogues without an answer are in no mean.
func TestScorecard(t *testing.T) {
	rows := []*run.Row{answered("Ann", 0, "no", "yes"), answered("Ann", 0, "open", "yes"),
		answered("Bob", 10000, "yes", "n/a"), answered("Bob", 5000, "yes", "no"),
		answered("Cy", -1, "open", "n/a")}
	var s summary.Summary
	for i := range rows {
		rows[i].Said = run.Key{byte(i)}
		s.Add(rows[i])
	}
	h := &run.Header{Basis: run.DefaultBasis()}
	h.Basis.Rubric.Questions = []rubric.Question{{ID: "sold", Good: rubric.No}, {ID: "greeted"},
		{ID: "unasked"}}
	list := s.Answered([]*run.Header{h, h})
	require.Len(t, list, 2)
	assert.Equal(t, []int{1, 2, 0}, []int{list[0].Good, list[0].Bad, list[0].Open})
	assert.Equal(t, rubric.Yes, list[0].BadAnswer())
	assert.Equal(t, []int{2, 1, 2}, []int{list[1].Good, list[1].Bad, list[1].Open})
	assert.Equal(t, "66.7 % 6.7–98.2 %", list[1].Share())
	var head, cells []string // counts, and then the share
	shown := s.QuestionTable(h.Basis.Rubric)
	for i, c := range shown.Columns {
		head, cells = append(head, c.Title), append(cells, shown.Rows[1][i].Text)
	}
	assert.Equal(t, []string{"question or fact", "good", "bad", "open", "% good with 95 % interval"}, head)
	assert.Equal(t, []string{"greeted", "2", "1", "2", "66.7 % 6.7–98.2 %"}, cells)

	groups, err := summary.GroupBy(rows, []string{"agent"}, nil)
	require.NoError(t, err)
	got := map[string]string{}
	for _, row := range groups[0].Tables()[1].Rows {
		got[row[0].Text] = row[len(row)-1].Text
	}
	assert.Equal(t, map[string]string{"Ann": "0.00 0.00–0.00", "Bob": "75.00 50.00–100.00",
		"Cy": "–"}, got)
	var b strings.Builder
	require.NoError(t, summary.Figures(groups[0]).CSV(&b))
	assert.Contains(t, b.String(), ",checklist,checklist_low,checklist_high\n")
	assert.Contains(t, b.String(), ",75.00,50.00,100.00\n")
	assert.Contains(t, b.String(), ",,,\n")

	for i := range rows {
		rows[i].Checklist = nil
	}
	groups, err = summary.GroupBy(rows, []string{"agent"}, nil)
	require.NoError(t, err)
	assert.Len(t, groups[0].Tables(), 1)
}
