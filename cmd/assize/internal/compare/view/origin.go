package view

import (
	"fmt"
	"strings"

	"assize/cmd/assize/internal/compare"
	"assize/cmd/assize/internal/report"
)

const (
	mostOrigins  = 20  // how many things in which the runs were made differently are shown to people
	originCells  = 34  // the width of their names
	mostOfOrigin = 160 // how much of a value is shown
)

// origin says in what the runs were made differently.
func (t *text) origin() {
	t.WriteByte('\n')
	if len(t.c.Different) == 0 {
		t.Line(report.Plain, sameOrigin)
		return
	}
	t.Line(report.Bold, "Made differently")
	for i := range t.c.Different[:min(len(t.c.Different), mostOrigins)] {
		d := &t.c.Different[i]
		lead := "  " + report.Pad(report.Clip(report.Visible(d.What), originCells-3), originCells-2)
		t.Paragraph(report.Plain, lead, strings.Repeat(" ", originCells), value(d, d.A)+" → "+value(d, d.B))
	}
	if rest := len(t.c.Different) - mostOrigins; rest > 0 {
		t.Line(report.Dim, fmt.Sprintf("  and %d more, which --format json lists", rest))
	}
}

const sameOrigin = "Program, lexicon, rubric, profile and configuration are the same in both runs."

// value gives one side of a difference, short enough to be shown; of a digest the beginning is enough.
func value(d *compare.Difference, s string) string {
	switch {
	case s == "":
		return "none"
	case d.What == "lexicon":
		return report.Clip(report.Visible(s), 13)
	}
	return report.Clip(report.Visible(s), mostOfOrigin)
}

// side is one of the two runs with its letter.
type side struct {
	name string
	run  *compare.Run
}

func sidesOf(c *compare.Comparison) [2]side { return [2]side{{"A", c.A}, {"B", c.B}} }

// are says of how many dialogues something is.
func are(n int) string {
	switch n {
	case 0:
		return "No dialogue is"
	case 1:
		return "1 dialogue is"
	}
	return fmt.Sprintf("%d dialogues are", n)
}
