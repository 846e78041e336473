package view

import (
	"fmt"
	"io"
	"math"
	"strings"

	"assize/cmd/assize/internal/accord"
	"assize/cmd/assize/internal/experiment"
	"assize/cmd/assize/internal/report"
)

// text writes for people.
type text struct {
	report.Page
	t      *experiment.Table
	labels []string
}

// Text writes a table for people, no line wider than 80 columns.
func Text(w io.Writer, t *experiment.Table, color bool) error {
	p := text{report.Page{Color: color}, t, t.Labels()}
	p.Paragraph(report.Bold, "", "", report.Visible(heading(t)))
	if t.Rated {
		p.agreement()
	}
	p.section("How they judge", columns[:4], unscored)
	if p.asked() {
		p.section("What a dialogue takes", columns[4:], nil)
	}
	p.WriteByte('\n')
	for _, s := range legend(t) {
		p.Paragraph(report.Dim, "", "", s)
	}
	for i, s := range t.Notes {
		if i == 0 {
			p.WriteByte('\n')
		}
		p.Paragraph(report.Yellow, "! ", "  ", report.Visible(s))
	}
	return p.Send(w)
}

// heading says what was measured.
func heading(t *experiment.Table) string {
	runs := 0
	for _, r := range t.Rows {
		runs += len(r.Files)
	}
	return fmt.Sprintf("%s: %s, %s", t.File, report.Counted(t.Dialogues, "dialogue"), report.Counted(runs, "run"))
}

// labelColumns is how wide the name of a row is; a longer one has a line of its own.
const labelColumns = 24

// unscoredColumns is how wide a count such as "12 of 2800" may be.
const unscoredColumns = 12

// row begins a row.
func (p *text) row(label string) {
	label = report.Visible(label)
	if report.Cells(label) > labelColumns {
		p.Paragraph(report.Plain, "  ", "    ", label)
		label = ""
	}
	p.WriteString("  " + report.Pad(label, labelColumns))
}

// agreement writes how the rows agree with people.
func (p *text) agreement() {
	p.WriteByte('\n')
	p.Line(report.Bold, report.Pad("Agreement with people", labelColumns+2)+"    n   satisfaction         weighted average")
	for i, r := range p.t.Rows {
		p.row(p.labels[i])
		p.figures(fmt.Sprintf("%5d", rated(r)), func(a experiment.Agreement) accord.Figure { return a.Figure }, r)
		if !math.IsNaN(r.Average.OverRules.Value) {
			p.WriteString("    " + report.Pad("over the rules", labelColumns-2))
			p.figures(fmt.Sprintf("%5d", r.Average.OverRules.N), func(a experiment.Agreement) accord.Figure { return a.OverRules }, r)
		}
	}
}

// figures ends a row with the figures of both measures.
func (p *text) figures(n string, of func(experiment.Agreement) accord.Figure, r *experiment.Row) {
	var line strings.Builder
	line.WriteString(n)
	for _, m := range agreements {
		f := of(m.of(r))
		line.WriteString("   " + left(accord.Short(f.Value, 2), 4) + " " + report.Pad(interval(f), 15))
	}
	p.Line(report.Plain, strings.TrimRight(line.String(), " "))
}

// rated is how many dialogues the agreement of a row is of.
func rated(r *experiment.Row) int { return r.Average.N }

func unscored(r *experiment.Row) string {
	if r.Missing > 0 {
		return "–"
	}
	return fmt.Sprintf("%d of %d", r.Unscored, r.Judged)
}

// section writes some columns of every row. Before them may stand another.
func (p *text) section(title string, columns []column, first func(*experiment.Row) string) {
	head := ""
	if first != nil {
		head = left("unscored", unscoredColumns)
	}
	for _, c := range columns {
		head += left(c.title, c.columns)
	}
	p.WriteByte('\n')
	p.Line(report.Bold, report.Pad(title, labelColumns+2)+head)
	for i, r := range p.t.Rows {
		p.row(p.labels[i])
		line := ""
		if first != nil {
			line = left(first(r), unscoredColumns)
		}
		for _, c := range columns {
			line += left(c.shown(r), c.columns)
		}
		p.Line(report.Plain, line)
	}
}

// asked reports whether any model was.
func (p *text) asked() bool {
	for _, r := range p.t.Rows {
		if r.Asked > 0 {
			return true
		}
	}
	return false
}

// legend says what the figures are.
func legend(t *experiment.Table) []string {
	list := []string{
		"evidence: of the turns cited for scores up to 60, the share at which the rules see a fault of the same criterion; by chance: that of turns picked at random. flips: the share of scores that another repeat changes. disagreement: of the model with the rules, from 0.00 to 4.00.",
	}
	if t.Rated {
		list = append([]string{"Spearman with people's mean ratings, with its 95 % interval; over the rules: the difference on the dialogues that both scored."}, list...)
	}
	for _, r := range t.Rows {
		if r.Asked > 0 {
			return append(list, "generated: tokens by the Evaluator; all tokens: read and generated in all calls; seconds: as the server says.")
		}
	}
	return list
}

// left fills s with spaces on the left.
func left(s string, columns int) string {
	return strings.Repeat(" ", max(columns-report.Cells(s), 0)) + s
}
