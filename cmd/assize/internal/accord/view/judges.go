package view

import (
	"fmt"
	"io"
	"strings"

	"assize/cmd/assize/internal/accord"
	"assize/cmd/assize/internal/report"
)

// Bench is a report of how judges agree with each other, ready to be written.
type Bench struct {
	*accord.Judges
	Color bool
}

// bench writes for people.
type bench struct {
	report.Page
	*Bench
}

// Text writes a report for people.
func (b *Bench) Text(w io.Writer) error {
	t := bench{report.Page{Color: b.Color}, b}
	t.Line(report.Bold, "Agreement of judges")
	t.judge("A", b.Judge)
	for i := range b.Against {
		t.opponent(i)
	}
	if b.Together != nil {
		t.together()
	}
	t.WriteByte('\n')
	s := "Dialogues are known again by what was said in them. The difference is B's mean less A's, of the average in points of 100, of satisfaction from 1 to 5."
	if o := &b.Options; o.Draws > 0 {
		s += fmt.Sprintf(" Below each figure stands its 95 %% interval (bootstrap, %d draws, seed %d).", o.Draws, o.Seed)
	}
	t.Paragraph(report.Dim, "", "", s)
	return t.Send(w)
}

func (t *bench) judge(letter string, j *accord.Judge) {
	scored := fmt.Sprintf("  %s, %d scored", report.Counted(len(j.Cases), "dialogue"), j.Scored)
	t.Put(report.Bold, letter+"  ")
	t.WriteString(report.ClipFront(report.Visible(j.File), report.Columns-3-report.Cells(scored)))
	t.Line(report.Dim, scored)
}

// opponent writes how one judge agrees with A.
func (t *bench) opponent(i int) {
	o := &t.Against[i]
	t.WriteByte('\n')
	t.judge("B", &accord.Judge{Run: o.B})
	t.Paragraph(report.Bold, "", "", o.Sentence())
	for _, s := range o.Remarks() {
		t.Paragraph(report.Yellow, "! ", "  ", report.Visible(s))
	}
	g := grid{title: t.over(&o.Table), columns: []string{"exact", "within one", "kappa", "Spearman", "difference"}}
	statistics := []accord.Statistic{accord.Exact, accord.Within, accord.Kappa, accord.Spearman, accord.MeanDifference}
	why := newReasons()
	for _, m := range accord.Judged() {
		r := gridRow{name: Label(m)}
		for _, s := range statistics {
			r.cells = append(r.cells, t.cell(&o.Table, m, s, why))
		}
		g.rows = append(g.rows, r)
	}
	g.write(&t.Page)
	t.files(&o.Table)
	why.write(&t.Page)
	t.origin(o)
}

// cell gives a figure, or nothing where the measure has none of the kind.
func (t *bench) cell(table *accord.Table, measure string, s accord.Statistic, why *reasons) cell {
	k := accord.Key{Measure: measure, Statistic: s}
	if !table.Has(k) {
		return cell{}
	}
	f := table.Of(table.Mean, k)
	why.add("", k, f)
	return newCell(f, 2)
}

func (t *bench) over(table *accord.Table) string {
	if len(table.Groups) == 1 {
		return report.Clip(GroupNames(table)[0], 14)
	}
	return meanOf(table)
}

// files writes a line for every group.
func (t *bench) files(table *accord.Table) {
	if len(table.Groups) < 2 {
		return
	}
	t.WriteByte('\n')
	t.Line(report.Bold, fmt.Sprintf("%-20s%6s%10s%10s%10s%14s", "By "+string(table.By), "n", "exact", "kappa", "average", "satisfaction"))
	names := GroupNames(table)
	for i, g := range table.Groups {
		if i == mostGroups {
			t.Line(report.Dim, fmt.Sprintf("  and %d more; --format csv has them", len(table.Groups)-i))
			return
		}
		at := func(measure string, s accord.Statistic) string {
			return accord.Short(table.Of(g.Figures, accord.Key{Measure: measure, Statistic: s}).Value, 2)
		}
		t.Line(report.Plain, fmt.Sprintf("  %s%6d%10s%10s%10s%14s", report.Pad(report.ClipFront(names[i], 18), 18), g.Dialogues,
			at(accord.Overall, accord.Exact), at(accord.Overall, accord.Kappa), at(accord.Average, accord.Spearman), at(accord.Satisfaction, accord.Spearman)))
	}
	t.Paragraph(report.Dim, "  ", "  ", "exact and kappa of the overall, Spearman of the average and of satisfaction")
}

// origin lists in what the two were made differently.
func (t *bench) origin(o *accord.Opponent) {
	if len(o.Different) == 0 {
		return
	}
	t.WriteByte('\n')
	t.Line(report.Bold, "Made differently")
	for _, d := range o.Different {
		value := func(s string) string {
			if s == "" {
				return "nothing"
			}
			return report.Clip(report.Visible(s), 60)
		}
		t.Paragraph(report.Plain, "  ", "    ", fmt.Sprintf("%s: %s in A, %s in B", report.Visible(d.What), value(d.A), value(d.B)))
	}
}

// together writes how stable what all judges say is.
func (t *bench) together() {
	t.WriteByte('\n')
	t.Paragraph(report.Bold, "", "", t.Stability())
	for _, s := range t.Together.Notes {
		t.Paragraph(report.Yellow, "! ", "  ", report.Visible(s))
	}
	g := grid{title: t.over(t.Together), columns: []string{"changed", "α ordinal", "α interval"}}
	why := newReasons()
	for _, m := range accord.Judged() {
		r := gridRow{name: Label(m)}
		for _, s := range []accord.Statistic{accord.Changed, accord.AlphaOrdinal, accord.AlphaInterval} {
			r.cells = append(r.cells, t.cell(t.Together, m, s, why))
		}
		g.rows = append(g.rows, r)
	}
	g.write(&t.Page)
	why.write(&t.Page)
	t.Paragraph(report.Dim, "  ", "  ", strings.TrimSpace(fmt.Sprintf("%s that all scored; changed: the part on which they are not of one mind; α: Krippendorff's alpha", report.Counted(t.Together.Dialogues, "dialogue"))))
}
