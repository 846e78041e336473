package view

import (
	"fmt"
	"slices"
	"strings"

	"assize/cmd/assize/internal/accord"
	"assize/cmd/assize/internal/report"
)

// over names the figures that the headline is: a mean, or those of the only group.
func (t *text) over() string {
	if len(t.Groups) == 1 {
		return GroupNames(&t.Table)[0]
	}
	return meanOf(&t.Table)
}

// meanOf says over how many groups the mean is: those that are large enough for figures.
func meanOf(t *accord.Table) string {
	n := 0
	for i := range t.Groups {
		if t.Groups[i].Dialogues >= accord.Fewest {
			n++
		}
	}
	return fmt.Sprintf("Mean of %d", n)
}

// means writes the headline: every measure beside the yardsticks.
func (t *text) means() {
	t.table(report.Clip(t.over(), lead-1), t.Mean)
	if !t.Full || len(t.Groups) == 1 {
		return
	}
	for i, name := range GroupNames(&t.Table) {
		if t.Groups[i].Dialogues >= accord.Fewest {
			t.table(report.ClipFront(name, lead-1), t.Groups[i].Figures)
		}
	}
}

// table writes the measures of the whole dialogues beside the yardsticks.
func (t *text) table(title string, figures []accord.Figure) {
	columns := []string{accord.Satisfaction, accord.Average, accord.Overall, accord.OneAnnotator, accord.Constant}
	g := grid{title: title}
	for _, c := range columns {
		g.columns = append(g.columns, Label(c))
	}
	g.columns = append(g.columns, "limit")
	ceiling := t.Of(figures, accord.Key{Rated: accord.OverallRating, Measure: accord.Raters, Statistic: accord.Ceiling})
	for _, r := range rows {
		if !r.main && !t.Full {
			continue
		}
		line := gridRow{name: r.name}
		for _, c := range columns {
			line.cells = append(line.cells, t.cell(figures, c, r))
		}
		limit := cell{}
		if r.Statistic == accord.Spearman || r.Statistic == accord.Pearson {
			limit = newCell(ceiling, r.decimals)
		}
		line.cells = append(line.cells, limit)
		g.rows = append(g.rows, line)
	}
	g.write(&t.Page)
}

// cell gives a figure of the table. In an annotator's seat the annotator's own is the Spearman.
func (t *text) cell(figures []accord.Figure, measure string, r row) cell {
	s := r.Statistic
	if s == accord.InSeat && (measure == accord.OneAnnotator || measure == accord.Constant) {
		s = accord.Spearman
	}
	c := newCell(t.Of(figures, accord.Key{Rated: accord.OverallRating, Measure: measure, Statistic: s}), r.decimals)
	if measure == accord.Constant {
		c.interval = "" // of a yardstick that nobody doubts
	}
	return c
}

// groups writes a line for every group.
func (t *text) groups() {
	if len(t.Groups) < 2 {
		return
	}
	t.WriteByte('\n')
	t.Line(report.Bold, fmt.Sprintf("%-18s%6s  %-18s%8s%8s%10s%6s", "Spearman by "+string(t.By), "n", "satisfaction", "average", "overall", "annotator", "limit"))
	line := func(st report.Style, name string, n int, figures []accord.Figure) {
		at := func(measure string, s accord.Statistic) accord.Figure {
			return t.Of(figures, accord.Key{Rated: accord.OverallRating, Measure: measure, Statistic: s})
		}
		short := func(f accord.Figure) string { return accord.Short(f.Value, 2) }
		t.Put(st, fmt.Sprintf("  %s%6d  %-18s", report.Pad(report.ClipFront(name, 16), 16), n, interval(at(accord.Satisfaction, accord.Spearman), 2)))
		t.Line(st, fmt.Sprintf("%8s%8s%10s%6s", short(at(accord.Average, accord.Spearman)), short(at(accord.Overall, accord.Spearman)),
			short(at(accord.OneAnnotator, accord.Spearman)), short(at(accord.Raters, accord.Ceiling))))
	}
	names := GroupNames(&t.Table)
	for i, g := range t.Groups {
		if i == mostGroups && !t.Full {
			t.Line(report.Dim, fmt.Sprintf("  and %d more; --full and --format csv have them", len(t.Groups)-i))
			break
		}
		line(report.Plain, names[i], g.Dialogues, g.Figures)
	}
	line(report.Bold, "mean", t.Dialogues, t.Mean)
}

// mostGroups is how many groups have a line without --full.
const mostGroups = 20

// interval prints a figure with its interval on one line.
func interval(f accord.Figure, decimals int) string {
	c := newCell(f, decimals)
	return strings.TrimSpace(report.Pad(c.value, 4) + " " + c.interval)
}

// raters writes how far the ratings can be relied on, and what becomes of that with the judge among the raters.
func (t *text) raters() {
	g := grid{title: "Raters", columns: []string{"α nominal", "α ordinal", "α interval", "ICC(1)", "ICC(k)", "ratings"}}
	alphas := []accord.Statistic{accord.AlphaNominal, accord.AlphaOrdinal, accord.AlphaInterval}
	line := func(name, measure string, decimals []int, statistics ...accord.Statistic) {
		r := gridRow{name: name}
		for i, s := range statistics {
			r.cells = append(r.cells, newCell(t.Of(t.Mean, accord.Key{Rated: accord.OverallRating, Measure: measure, Statistic: s}), decimals[i]))
		}
		for len(r.cells) < len(g.columns) {
			r.cells = append(r.cells, cell{})
		}
		g.rows = append(g.rows, r)
	}
	line("people", accord.Raters, []int{2, 2, 2, 2, 2, 1}, append(slices.Clone(alphas), accord.ICC1, accord.ICCk, accord.RatingsEach)...)
	for _, m := range []string{accord.Satisfaction, accord.Average, accord.Overall} {
		if m == accord.Satisfaction || t.Full {
			line("+ "+Label(m), m, []int{2, 2, 2}, alphas...)
		}
	}
	g.write(&t.Page)
}

// confusion writes how often which level meets which.
func (t *text) confusion() {
	measures := []string{accord.Satisfaction}
	if t.Full {
		measures = append(measures, accord.Average, accord.Overall)
	}
	for _, m := range measures {
		t.WriteByte('\n')
		t.Line(report.Bold, fmt.Sprintf("%-24s%7d%7d%7d%7d%7d", "Levels by "+Label(m)+":", 1, 2, 3, 4, 5))
		for l, counts := range t.Confusion(accord.OverallRating, m) {
			t.WriteString(fmt.Sprintf("  people's mean near %d   ", l+1))
			for k, n := range counts {
				st := report.Plain
				if k == l {
					st = report.Bold
				}
				t.Put(st, fmt.Sprintf("%7d", n))
			}
			t.WriteByte('\n')
		}
	}
}

// criteria writes a line for every criterion that people rated.
func (t *text) criteria() {
	first := true
	for _, name := range t.Rated {
		if name == accord.OverallRating {
			continue
		}
		if first {
			first = false
			t.WriteByte('\n')
			t.Line(report.Bold, fmt.Sprintf("%-15s%5s  %-14s%10s%11s%6s%6s%5s%6s", "Criteria", "n", "Spearman", "in a seat", "annotator", "limit", "kappa", "AUC", "MAE"))
		}
		at := func(measure string, s accord.Statistic) accord.Figure {
			return t.Of(t.Mean, accord.Key{Rated: name, Measure: measure, Statistic: s})
		}
		show := func(measure string, s accord.Statistic, decimals int) string {
			return accord.Short(at(measure, s).Value, decimals)
		}
		rho := at(name, accord.Spearman)
		t.Line(report.Plain, fmt.Sprintf("  %-13s%5d  %-14s%10s%11s%6s%6s%5s%6s", name, rho.N, interval(rho, 2), show(name, accord.InSeat, 2),
			show(accord.OneAnnotator, accord.Spearman, 2), show(accord.Raters, accord.Ceiling, 2), show(name, accord.Kappa, 2),
			show(name, accord.AUC, 2), show(name, accord.MAE, 1)))
	}
}
