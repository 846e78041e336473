package sample

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/stats"
	"assize/rubric"
)

// rows returns n scored dialogues; every other one is below 60.
func rows(n int) (list []*run.Row) {
	for i := range n {
		r := &run.Row{Identity: run.Identity(fmt.Sprint(i)), Overall: 40, Average: 4000,
			Said: run.Key{byte(i), byte(i >> 8)}}
		if r.Satisfaction = 200; i%2 == 1 {
			r.Satisfaction, r.Overall = 400, 80
		}
		for c := range r.Final {
			r.Final[c] = r.Overall
		}
		list = append(list, r)
	}
	return list
}

// rate returns ratings of the first n rows, drawn with a probability of p.
func rate(rows []*run.Row, n int, p float64, stars ...float64) (list []ratings.Rated) {
	for i := range n {
		list = append(list, ratings.Rated{Row: rows[i], Overall: stars,
			Drawn: stats.Stratum{Probability: p}})
	}
	return list
}

func TestFigures(t *testing.T) {
	all := rows(100)
	rated := rate(all, 30, .3, 2, math.NaN(), 4)
	for i := range rated[:3] {
		rated[i].Criteria = &ratings.Criteria{rubric.Empathy: {4}}
	}
	list := Of(append(all, all[0]), rated)
	require.Len(t, list, 3)
	// The mean of 2 and 4 is 3, and half of them are below 3. Without variance, Wilson's interval
	// with t = 2.0452 is .5 ± t / (1 + t²/30) * sqrt(.25/30 + t²/30²/4) = .5 ± .1749.
	for i, want := range []string{
		"Satisfaction: 3.00 by the scores; about 3.00 (3.00–3.00) if your team rated all " +
			"100, estimated from 30 that were drawn at random.",
		"Below 60: 50.0 % by the scores; about 50.0 % (32.5–67.5 %) if your team rated all " +
			"100, estimated from 30 that were drawn at random.",
		"Empathy: 60.0 by the scores; of a random sample, 3 are rated, too few; want 20 or all dialogues rated.",
	} {
		assert.Equal(t, want, list[i].String())
	}
	var page bytes.Buffer
	require.NoError(t, Table(list).CSV(&page))
	assert.Equal(t, "measure,scores,sample mean,corrected,rated\n"+
		"Satisfaction,3.00,3.00 (3.00–3.00),3.00 (3.00–3.00),30\n"+
		"Below 60,50.0 %,50.0 % (32.5–67.5 %),50.0 % (32.5–67.5 %),30\nEmpathy,60.0,–,too few; want 20 or all dialogues rated,3\n",
		page.String())
	assert.Contains(t, Table(list).Notes[0],
		"if a dialogue has several ratings, the share of them below 3 counts")
	assert.Empty(t, Of(all, nil))
	assert.Empty(t, Of(all, rate(all, 30, 0, 5)), "these were not drawn at random")
}

// If people rated every dialogue, nothing is estimated. Dialogues with the same turns count once.
func TestCensus(t *testing.T) {
	all := rows(12)
	copied := append(all, new(*all[3]))
	copied[12].Identity = "copy"
	list := Of(copied, rate(copied, 13, 1, 4))
	assert.Equal(t, "Satisfaction: 3.00 by the scores; 4.00 by the ratings of your team, who rated all 12.",
		list[0].String())
	assert.Equal(t, "Below 60: 50.0 % by the scores; 0.0 % by the ratings of your team, who rated all 12.",
		list[1].String())
	assert.False(t, list[0].Corrected.Known() || list[1].Rated.Known(), "no interval")
	var page bytes.Buffer
	require.NoError(t, Table(list).CSV(&page))
	assert.Contains(t, page.String(), "Satisfaction,3.00,4.00,4.00,12\n")
	assert.Equal(t, "As people rate", Table(list).Title, "nothing was drawn")
}

// A score of 60 and a rating of 3 are not below 60; levels of criteria become points of 100.
func TestLevels(t *testing.T) {
	all := rows(40)
	for i, r := range all {
		if r.Overall = 60; i < 10 {
			r.Overall = 40
		}
	}
	rated := rate(all, 30, .75, 3)
	for i := range rated {
		rated[i].Criteria = &ratings.Criteria{rubric.TaskSuccess: {4}}
		if i < 6 {
			rated[i].Overall = []float64{2.9}
		}
	}
	list := Of(all, rated)
	require.Len(t, list, 3)
	assert.Equal(t, .25, list[1].Scores, "10 of 40")
	assert.InDelta(t, .2, list[1].Rated.Value, 1e-9, "6 of 30")
	assert.Equal(t, "TaskSuccess", list[2].Name)
	assert.InDelta(t, 80, list[2].Rated.Value, 1e-9, "4 of 5")
	assert.Equal(t, []int{30, 40}, []int{list[2].N, list[2].Of})

	unscored := &run.Row{Identity: "x", Said: run.Key{99, 99}}
	assert.Equal(t, list, Of(append(all, unscored), rated), "it counts nowhere")
	table := Table(list)
	list[2].AddTo(table, "Ann")
	cells := table.Rows[3]
	assert.Equal(t, []string{"Ann", "TaskSuccess", "60.0", "80.0"},
		[]string{cells[0].Text, cells[1].Text, cells[2].Text, cells[3].Text})
	assert.Equal(t, "30", cells[len(cells)-1].Text)
	assert.Equal(t, []string{"Satisfaction", "Below 60", "TaskSuccess"}, Names()[:3])
	assert.Len(t, Names(), 8)
}
