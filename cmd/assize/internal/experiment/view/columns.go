package view

import (
	"math"
	"strconv"

	"assize/cmd/assize/internal/accord"
	"assize/cmd/assize/internal/experiment"
)

// column is a figure of a row, besides those of agreement.
type column struct {
	name     string // as programs read it
	title    string // as people do
	of       func(*experiment.Row) float64
	decimals int
	percent  bool // people read percents
	columns  int  // in a text
}

var columns = []column{
	{"evidence", "evidence", func(r *experiment.Row) float64 { share, _ := r.Relevance(); return share }, 4, true, 9},
	{"evidence_by_chance", "by chance", func(r *experiment.Row) float64 { _, chance := r.Relevance(); return chance }, 4, true, 11},
	{"flips", "flips", (*experiment.Row).Flips, 4, true, 8},
	{"disagreement", "disagreement", (*experiment.Row).Disagreement, 4, false, 14},
	{"generated", "generated", (*experiment.Row).GeneratedEach, 1, false, 12},
	{"tokens", "all tokens", (*experiment.Row).TokensEach, 1, false, 12},
	{"seconds", "seconds", (*experiment.Row).SecondsEach, 3, false, 10},
}

// shown gives a figure for people: "33.3 %", "1.42", "62".
func (c column) shown(r *experiment.Row) string {
	v := c.of(r)
	switch {
	case math.IsNaN(v):
		return "–"
	case c.percent:
		return fixed(100*v, 1) + " %"
	case c.decimals == 4:
		return fixed(v, 2)
	case c.decimals == 3:
		return fixed(v, 1)
	}
	return fixed(v, 0)
}

func fixed(v float64, decimals int) string { return strconv.FormatFloat(v, 'f', decimals, 64) }

// digits is a figure for programs; empty where there is none.
func digits(v float64, decimals int) string {
	if math.IsNaN(v) {
		return ""
	}
	return fixed(v, decimals)
}

// range gives the interval of a figure: "(.24 to .64)"; empty where there is none.
func interval(f accord.Figure) string {
	if math.IsNaN(f.Low) {
		return ""
	}
	return "(" + accord.Short(f.Low, 2) + " to " + accord.Short(f.High, 2) + ")"
}

// agreements are the two measures that are held against people.
var agreements = []struct {
	name, title string
	of          func(*experiment.Row) experiment.Agreement
}{
	{accord.Satisfaction, "satisfaction", func(r *experiment.Row) experiment.Agreement { return r.Satisfaction }},
	{accord.Average, "weighted average", func(r *experiment.Row) experiment.Agreement { return r.Average }},
}
