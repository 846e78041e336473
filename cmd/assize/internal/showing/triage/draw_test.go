package triage

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/statistics/summary"
	"assize/rubric/dialogue"
)

// drawing returns the names drawn of dialogues in the given order, and how they were drawn.
func drawing(d Draw, rows []run.Row) (names []string, list []Ranked) {
	d.groups = map[string]*drawn{}
	for _, r := range rows {
		d.add(Ranked{Row: r})
	}
	list = d.list()
	for _, r := range list {
		names = append(names, r.Name)
	}
	return names, list
}

// queue returns dialogues with one-letter names, those of the first half in one queue and half of
// the others in another.
func queue(names string) (rows []run.Row) {
	for i, name := range names {
		r := run.Row{Name: string(name), Identity: run.Identity(name), Overall: 40, Place: i}
		if of := 4 * i / len(names); of != 3 {
			r.Meta = dialogue.Meta{{Name: "queue", Value: []string{"a", "a", "b"}[of]}}
		}
		rows = append(rows, r)
	}
	return rows
}

func TestDraw(t *testing.T) {
	rows := queue("abcdefghijklmnop")
	first, _ := drawing(Draw{N: 5, Seed: 1}, rows)
	assert.Len(t, first, 5)
	slices.Reverse(rows)
	again, _ := drawing(Draw{N: 5, Seed: 1}, rows)
	assert.Equal(t, first, again, "in whatever order they come")
	more, _ := drawing(Draw{N: 9, Seed: 1}, rows)
	assert.Equal(t, first, more[:5], "a larger sample contains the smaller one")
	other, _ := drawing(Draw{N: 5, Seed: 2}, rows)
	assert.NotEqual(t, first, other)
	all, _ := drawing(Draw{N: 50, Seed: 2}, rows)
	assert.Len(t, all, 16)
}

// Of each group as many are drawn, with their probability.
func TestDrawByGroup(t *testing.T) {
	_, drawn := drawing(Draw{N: 4, Column: summary.Column{By: "Queue"}, Seed: 1}, queue("abcdefghijklmnop"))
	count, of := map[string]int{}, map[string]float64{}
	for _, r := range drawn {
		count[r.Group]++
		of[r.Group] = r.Probability
	}
	assert.Equal(t, map[string]int{"a": 4, "b": 4, "(none)": 4}, count)
	assert.Equal(t, map[string]float64{"a": .5, "b": 1, "(none)": 1}, of)
}

// Every dialogue is drawn as often as any other: over 2,000 seeds, 5 of 20 a quarter of the time,
// within five standard errors.
func TestDrawIsFair(t *testing.T) {
	rows, count := queue("abcdefghijklmnopqrst"), map[string]int{}
	for seed := range uint64(2000) {
		names, _ := drawing(Draw{N: 5, Seed: seed}, rows)
		for _, name := range names {
			count[name]++
		}
	}
	assert.Len(t, count, 20)
	for name, n := range count {
		assert.InDelta(t, 500, n, 97, name)
	}
}

// The columns of a sheet in which people read and write are wide.
func TestSheetIsWide(t *testing.T) {
	widths := map[string]int{}
	for _, c := range (&Ranking{Draw: Draw{N: 1}}).Figures().Columns {
		widths[c.Title] = c.Max
	}
	assert.Equal(t, []int{60, 30, 50}, []int{widths["text"], widths["note"], widths["help"]})
}
