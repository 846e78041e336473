package view

import (
	"fmt"
	"io"

	"assize/cmd/assize/internal/report"
	"assize/cmd/assize/internal/segment"
)

// How wide the name of the column may be, and that of a group that has no line of its own.
const (
	byColumns   = 20
	nameColumns = 15
)

// Text gives what writes a table of at most 80 columns.
func Text(color bool) func(io.Writer, *segment.Table) error {
	return func(w io.Writer, t *segment.Table) error { return text(w, t, color) }
}

func text(w io.Writer, t *segment.Table, color bool) error {
	p := report.Page{Color: color}
	p.Put(report.Bold, "By "+report.Clip(report.Visible(t.By), byColumns))
	p.Line(report.Dim, "  means with 95 % intervals, lowest satisfaction first")
	p.Line(report.Dim, fmt.Sprintf("  %-*s %6s %6s  %-20s  %-14s  %7s", nameColumns, "", "scored", "unsc.", "average", "satisfaction", "below 60"))
	clip := report.Clip
	if t.By == segment.File {
		clip = report.ClipFront
	}
	few := false
	for i := range t.Groups {
		g := &t.Groups[i]
		few = few || g.TooFew
		name := report.Visible(g.Name)
		if report.Cells(name) > nameColumns { // cut so short, two names may look the same
			p.Line(report.Plain, "  "+clip(name, report.Columns-2))
			name = ""
		}
		row := fmt.Sprintf("  %s %6d %6d  %-20s  %-14s  %7s", report.Pad(name, nameColumns),
			g.Scored, g.Unscored, ranged(g.Average, g.Scored, 6), ranged(g.Satisfaction, g.Scored, 4), share(g))
		if g.TooFew {
			row += " *"
		}
		p.Line(report.Plain, row)
	}
	if few {
		p.Line(report.Dim, fmt.Sprintf("  * fewer than %d scored: too few to tell much", segment.Few))
	}
	return p.Send(w)
}

// ranged gives a mean with its interval, such as " 71.20 66.10–76.00"; a dash for none.
func ranged(m segment.Mean, scored, width int) string {
	switch {
	case scored == 0:
		return fmt.Sprintf("%*s", width, "–")
	case !m.Ranges:
		return fmt.Sprintf("%*s", width, m.Value)
	}
	return fmt.Sprintf("%*s %s–%s", width, m.Value, m.Low, m.High)
}

func share(g *segment.Group) string {
	if g.Scored == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*g.Share())
}
