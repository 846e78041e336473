package view

import (
	"math"
	"strings"

	"assize/cmd/assize/internal/accord"
	"assize/cmd/assize/internal/report"
)

// grid is a table whose cells are figures, each with its interval below.
type grid struct {
	title   string
	columns []string
	rows    []gridRow
}

type gridRow struct {
	name  string
	cells []cell
}

// cell is a figure as it is printed; an interval that would only repeat the value is left out.
type cell struct{ value, interval string }

func newCell(f accord.Figure, decimals int) cell {
	c := cell{value: accord.Short(f.Value, decimals)}
	if low, high := accord.Short(f.Low, decimals), accord.Short(f.High, decimals); !math.IsNaN(f.Low) && (low != c.value || high != c.value) {
		c.interval = low + "–" + high
	}
	return c
}

// lead is how wide the first column is, at least.
const lead = 13

// write puts the grid on a page.
func (g *grid) write(p *report.Page) {
	first := max(lead, report.Cells(g.title)+1)
	for _, r := range g.rows {
		first = max(first, report.Cells(r.name)+3)
	}
	widths := make([]int, len(g.columns))
	for i, name := range g.columns {
		widths[i] = report.Cells(name)
		for _, r := range g.rows {
			widths[i] = max(widths[i], report.Cells(r.cells[i].value), report.Cells(r.cells[i].interval))
		}
	}
	line := func(st report.Style, head string, of func(int) string) {
		var b strings.Builder
		b.WriteString(report.Pad(head, first))
		for i, w := range widths {
			b.WriteString(left(of(i), w+2))
		}
		p.Line(st, strings.TrimRight(b.String(), " "))
	}
	p.WriteByte('\n')
	line(report.Bold, g.title, func(i int) string { return g.columns[i] })
	for _, r := range g.rows {
		line(report.Plain, "  "+r.name, func(i int) string { return r.cells[i].value })
		drawn := false
		for _, c := range r.cells {
			drawn = drawn || c.interval != ""
		}
		if drawn {
			line(report.Dim, "", func(i int) string { return r.cells[i].interval })
		}
	}
}

func left(s string, columns int) string {
	return strings.Repeat(" ", max(columns-report.Cells(s), 1)) + s
}
