package view

import (
	"fmt"
	"io"
	"math"
	"strings"

	"assize/cmd/assize/internal/agreement"
	"assize/cmd/assize/internal/compare"
	"assize/cmd/assize/internal/report"
)

// text writes for people.
type text struct {
	report.Page
	c *compare.Comparison
}

// Text writes a comparison for people, no line wider than 80 columns.
func Text(w io.Writer, c *compare.Comparison, color bool) error {
	t := text{report.Page{Color: color}, c}
	t.runs()
	t.answer()
	t.means()
	if c.Paired {
		t.moves()
	}
	t.byFile()
	t.origin()
	t.changes()
	t.unscored()
	t.unmatched()
	return t.Send(w)
}

// runs says what is compared with what.
func (t *text) runs() {
	for _, side := range sidesOf(t.c) {
		scored := fmt.Sprintf("  %s, %d scored", report.Counted(len(side.run.Cases), "dialogue"), side.run.Scored)
		t.Put(report.Bold, side.name)
		t.WriteString("  " + report.ClipFront(report.Visible(side.run.File), report.Columns-3-report.Cells(scored)))
		t.Line(report.Dim, scored)
	}
	t.Paragraph(report.Dim, "", "", basis(t.c))
}

// basis says which dialogues the figures are of.
func basis(c *compare.Comparison) string {
	n := len(c.Pairs)
	switch {
	case c.Paired:
		return fmt.Sprintf("%s the same in both runs, %d scored in both; each is compared with itself.", are(n), len(c.Both))
	case n > 0 && c.Options.Mode == compare.Auto:
		return fmt.Sprintf("%s the same in both runs, fewer than half, so they are compared as two different sets; --paired compares the same ones.", are(n))
	}
	return fmt.Sprintf("%s the same in both runs; they are compared as two different sets.", are(n))
}

// answer says what came out, and what must be known before believing it.
func (t *text) answer() {
	for i, s := range t.c.Sentences() {
		style := report.Plain
		if i == 0 {
			style = report.Bold
			t.WriteByte('\n')
		}
		t.Paragraph(style, "", "", s)
	}
	for i, s := range t.c.Warnings {
		if i == 0 {
			t.WriteByte('\n')
		}
		t.Paragraph(report.Yellow, "! ", "  ", s)
	}
}

// means writes the table of means and differences.
func (t *text) means() {
	if t.c.All.NA == 0 || t.c.All.NB == 0 {
		return
	}
	head := fmt.Sprintf("%-20s%8s%8s%9s   %-16s", "Means", "A", "B", "B - A", "95 % interval")
	if !t.c.Paired {
		head += " B above A"
	}
	t.WriteByte('\n')
	t.Line(report.Bold, strings.TrimRight(head, " "))
	for _, m := range t.c.Measures() {
		f := &t.c.All.Figures[m]
		line := fmt.Sprintf("  %-18s%8s%8s", m, compare.Fixed(f.A, m.Decimals()), compare.Fixed(f.B, m.Decimals()))
		t.WriteString(line)
		t.Put(direction(m, f), fmt.Sprintf("%9s", signed(f.Difference, m.Decimals())))
		rest := "   " + interval(f.Interval, m.Decimals())
		if !t.c.Paired {
			rest = fmt.Sprintf("%-19s%8s %%", rest, compare.Fixed(100*f.Above, 1))
		}
		t.Line(report.Plain, rest)
	}
	t.Paragraph(report.Dim, "  ", "  ", t.method())
}

// method says where the intervals come from.
func (t *text) method() string {
	s := fmt.Sprintf("intervals: bootstrap, %d draws, seed %d", t.c.Options.Draws, t.c.Options.Seed)
	if !t.c.Paired {
		s += "; B above A: the chance that a dialogue of B has more than one of A, 50 % where there is no difference"
	}
	return s
}

// moves writes how many dialogues rose and fell.
func (t *text) moves() {
	if len(t.c.Both) == 0 || t.c.Unequal == 0 {
		return
	}
	t.WriteByte('\n')
	t.Line(report.Bold, fmt.Sprintf("%-20s%8s%8s%9s%13s%13s", "Dialogues that", "rose", "fell", "stayed", "p (sign)", "p (ranks)"))
	var stayed []string
	for _, m := range t.c.Measures() {
		f := &t.c.All.Figures[m]
		if f.Rose+f.Fell == 0 {
			stayed = append(stayed, m.String())
			continue
		}
		sign, ranks := f.Sign.P, f.Wilcoxon.P
		if _, ok := m.Criterion(); ok {
			sign, ranks = f.Sign.Holm, f.Wilcoxon.Holm
		}
		t.Line(report.Plain, fmt.Sprintf("  %-18s%8d%8d%9d%13s%13s", m, f.Rose, f.Fell, f.Stayed, chance(sign), chance(ranks)))
	}
	if stayed != nil {
		t.Paragraph(report.Plain, "  ", "  ", "unchanged in every dialogue: "+strings.Join(stayed, ", "))
	}
	t.Paragraph(report.Dim, "  ", "  ", "sign test and Wilcoxon's signed-rank test; those of the criteria are corrected for their number (Holm)")
}

// byFile writes the answer's measure file by file.
func (t *text) byFile() {
	if len(t.c.Files) == 0 {
		return
	}
	m := t.c.Headline()
	t.WriteByte('\n')
	t.Line(report.Bold, fmt.Sprintf("%-19s%7s%7s%8s%8s%9s   %s", "By file", "A has", "B has", "A", "B", "B - A", "95 % interval"))
	row := func(style report.Style, file, na, nb string, f *compare.Figure) {
		t.Put(style, fmt.Sprintf("  %s%7s%7s%8s%8s%9s   %s\n", report.Pad(report.ClipFront(report.Visible(file), 17), 17), na, nb,
			compare.Fixed(f.A, 2), compare.Fixed(f.B, 2), signed(f.Difference, 2), interval(f.Interval, 2)))
	}
	for i := range t.c.Files {
		p := &t.c.Files[i]
		row(report.Plain, p.File, fmt.Sprint(p.NA), fmt.Sprint(p.NB), &p.Figures[m])
	}
	row(report.Bold, "mean of the files", "", "", &t.c.OverFile[m])
	t.Paragraph(report.Dim, "  ", "  ", "of the "+m.String()+"; --format csv has every measure")
}

// direction gives a difference that the interval bears out its colour: green for better.
func direction(m compare.Measure, f *compare.Figure) report.Style {
	if !f.Excludes() {
		return report.Plain
	}
	if (f.Difference > 0) == (m != compare.Below60) {
		return report.Green
	}
	return report.Red
}

func signed(f float64, decimals int) string {
	s := compare.Fixed(f, decimals)
	if f > 0 && strings.Trim(s, "0.") != "" {
		return "+" + s
	}
	return s
}

func interval(i agreement.Interval, decimals int) string {
	if math.IsNaN(i.Low) {
		return compare.Fixed(i.Low, decimals)
	}
	return compare.Fixed(i.Low, decimals) + " to " + compare.Fixed(i.High, decimals)
}

// chance prints a p with four decimals, of which a smaller one has none to show.
func chance(p float64) string {
	if p < 0.00005 {
		return "<.0001"
	}
	return strings.TrimPrefix(compare.Fixed(p, 4), "0")
}
