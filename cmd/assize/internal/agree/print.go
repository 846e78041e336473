package agree

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assize/cmd/assize/internal/compare"
	"assize/cmd/assize/internal/ui"
)

// mostListed is how many groups have a line.
const mostListed = 20

// newTable makes a table of figures. Its first column names the row.
func newTable(title string, columns ...string) *ui.Table {
	t := &ui.Table{Title: title, Columns: []ui.Column{{Max: 16, Front: true}}}
	for _, c := range columns {
		t.Columns = append(t.Columns, ui.Column{Title: c, Right: true})
	}
	return t
}

// show puts a table onto a page, below an empty line, unless the table is empty.
func show(p *ui.Page, t *ui.Table) {
	if len(t.Rows) > 0 {
		p.WriteByte('\n')
		t.Text(p)
	}
}

// addFigures adds a row to a table: the figures of the keys, with their intervals in a row below. The zero key leaves a
// cell empty, as does a statistic that judges have no figure of.
func (t *Table) addFigures(to *ui.Table, name string, figures []Figure, keys ...Key) {
	values, intervals := []any{name}, []any{""}
	drawn := false
	for _, k := range keys {
		f := t.Of(figures, k)
		value, interval := f.cells(k)
		if k == (Key{}) || f.Key != k && k.Rated == "" {
			value = ""
		}
		if k.Measure == Constant { // a yardstick that nobody doubts
			interval = ""
		}
		values, intervals = append(values, value), append(intervals, ui.Cell{Text: interval, Style: ui.Dim})
		drawn = drawn || interval != ""
	}
	if to.Add(values...); drawn {
		to.Add(intervals...)
	}
}

// addLine adds a row to a table: the number of dialogues, and the figures of the keys, the first with its interval.
func (t *Table) addLine(to *ui.Table, name string, n int, figures []Figure, keys ...Key) {
	cells := []any{name, n}
	for i, k := range keys {
		f := t.Of(figures, k)
		value, interval := f.cells(k)
		if i == 0 && interval != "" {
			value += "  " + interval
		}
		cells = append(cells, value)
	}
	to.Add(cells...)
}

// byGroup writes a line for every group, and for their mean, where there are several groups.
func (t *Table) byGroup(p *ui.Page, table *ui.Table, full bool, keys ...Key) {
	if len(t.Groups) < 2 {
		return
	}
	names := t.GroupNames()
	for i, g := range t.Groups {
		if i == mostListed && !full {
			table.Notes = append(table.Notes, fmt.Sprintf("%d more groups; --format csv has them", len(t.Groups)-i))
			break
		}
		t.addLine(table, names[i], g.Dialogues, g.Figures, keys...)
	}
	t.addLine(table, "mean", t.Dialogues, t.Mean, keys...)
	show(p, table)
}

// over names the figures that the headline is: a mean, or those of the only group.
func (t *Table) over() string {
	if len(t.Groups) == 1 {
		return t.GroupNames()[0]
	}
	n := 0
	for _, g := range t.Groups {
		if g.Dialogues >= Fewest {
			n++
		}
	}
	return fmt.Sprintf("Mean of %d", n)
}

// notes writes sentences that a reader must know.
func notes(p *ui.Page, list []string) {
	for _, s := range list {
		p.Paragraph(ui.Yellow, "! ", "  ", ui.Visible(s))
	}
}

// missing writes why figures of the mean or their intervals are missing; each reason once, with the measures that lack
// one.
func (t *Table) missing(p *ui.Page) {
	var reasons []string
	measures := map[string][]string{}
	for _, f := range t.Mean {
		if f.Why == "" {
			continue
		}
		name := Label(f.Measure)
		if f.Rated != "" && f.Rated != OverallRating && f.Rated != name {
			name += " of " + f.Rated
		}
		if measures[f.Why] == nil {
			reasons = append(reasons, f.Why)
		}
		if !slices.Contains(measures[f.Why], name) {
			measures[f.Why] = append(measures[f.Why], name)
		}
	}
	if len(reasons) > 0 {
		p.WriteByte('\n')
	}
	for _, why := range reasons {
		p.Paragraph(ui.Yellow, "– ", "  ", "missing for "+strings.Join(measures[why], ", ")+": "+why)
	}
}

// Text writes the report for people; full writes the tables of every group as well.
func (rep *Report) Text(p *ui.Page, full bool) {
	p.Line(ui.Bold, "Agreement with people")
	p.Paragraph(ui.Dim, "", "", rep.head())
	p.WriteByte('\n')
	for _, s := range rep.Sentences() {
		p.Paragraph(ui.Bold, "", "", s)
	}
	if all := slices.Concat(rep.Source.Notes, rep.Notes); len(all) > 0 {
		p.WriteByte('\n')
		notes(p, all)
	}
	if slices.Contains(rep.Rated, OverallRating) {
		rep.measures(p, rep.over(), rep.Mean)
		if full && len(rep.Groups) > 1 {
			for i, name := range rep.GroupNames() {
				if rep.Groups[i].Dialogues >= Fewest {
					rep.measures(p, name, rep.Groups[i].Figures)
				}
			}
		}
		by := newTable("Spearman by "+string(rep.By), "n", "satisfaction", "average", "overall", "annotator", "limit")
		rep.byGroup(p, by, full, Key{OverallRating, Satisfaction, Spearman}, Key{OverallRating, Average, Spearman},
			Key{OverallRating, Overall, Spearman}, Key{OverallRating, OneAnnotator, Spearman},
			Key{OverallRating, Raters, Ceiling})
		rep.ratersAndLevels(p, full)
	}
	criteria := newTable("Criteria", "n", "Spearman", "seat", "rater", "limit", "kappa", "AUC", "MAE")
	for _, c := range rep.Rated {
		if rho := (Key{c, c, Spearman}); c != OverallRating {
			rep.addLine(criteria, c, rep.Of(rep.Mean, rho).N, rep.Mean, rho, Key{c, c, InSeat},
				Key{c, OneAnnotator, Spearman},
				Key{c, Raters, Ceiling}, Key{c, c, Kappa}, Key{c, c, AUC}, Key{c, c, MAE})
		}
	}
	show(p, criteria)
	rep.missing(p)
	o := &rep.Options
	p.WriteByte('\n')
	p.Paragraph(ui.Dim, "", "", fmt.Sprintf("In a seat: compared with the same people as the annotator whose seat "+
		"it takes. Limit: √ICC(k). "+
		"AUC: of the worst %s by people's means; precision: their part among the %s ranked lowest. Errors are in "+
		"points of 100; average and "+
		"overall have no map to people's scale. Levels that a profile does not cut, and those of the average, are "+
		"made as frequent as "+
		"people's in these dialogues, which flatters kappa a little.", hundredths(o.Worst), hundredths(o.Precision())))
	o.drawn(p)
}

// drawn says how the intervals are made.
func (o *Options) drawn(p *ui.Page) {
	if o.Draws > 0 {
		p.Paragraph(ui.Dim, "", "", fmt.Sprintf("Below each figure is its 95 %% interval (bootstrap, %d draws, "+
			"seed %d).", o.Draws, o.Seed))
	}
}

// head says what was measured.
func (rep *Report) head() string {
	what, of := string(rep.By), "ratings of the run itself"
	if rep.By == ByAll {
		what = "group"
	}
	if rep.Source.Ratings != "" {
		of = "ratings from " + ui.Visible(rep.Source.Ratings)
	}
	s := fmt.Sprintf("%s in %s; %s, scale %s", ui.Counted(rep.Dialogues, "rated dialogue"),
		ui.Counted(len(rep.Groups), what), of, rep.Options.Scale)
	if rep.Options.Scale.Low > rep.Options.Scale.High {
		s += " (the first is the worst)"
	}
	if rep.Source.Unscored > 0 {
		s += fmt.Sprintf("; %d unscored and left out", rep.Source.Unscored)
	}
	return s
}

// measures writes every measure of the whole dialogues beside the yardsticks.
func (rep *Report) measures(p *ui.Page, title string, figures []Figure) {
	measures := append(MeasuresOf(OverallRating), OneAnnotator, Constant)
	t := newTable(title)
	for _, m := range append(slices.Clone(measures), "limit") {
		t.Columns = append(t.Columns, ui.Column{Title: Label(m), Right: true})
	}
	for _, r := range []struct {
		Statistic
		name string
	}{{Spearman, "Spearman"}, {InSeat, "in a seat"}, {Kappa, "kappa"}, {AUC, "AUC"}, {Precision, "precision"},
		{MAE, "MAE"}} {
		var row []Key
		for _, m := range measures {
			k := Key{OverallRating, m, r.Statistic}
			if r.Statistic == InSeat && (m == OneAnnotator || m == Constant) {
				k.Statistic = Spearman
			}
			row = append(row, k)
		}
		limit := Key{}
		if r.Statistic == Spearman {
			limit = Key{OverallRating, Raters, Ceiling}
		}
		rep.addFigures(t, r.name, figures, append(row, limit)...)
	}
	show(p, t)
}

// ratersAndLevels writes how far the ratings can be relied on, alone and with the judge among the raters, and how often
// which level of people meets which of a measure.
func (rep *Report) ratersAndLevels(p *ui.Page, full bool) {
	measures := MeasuresOf(OverallRating)
	if !full {
		measures = measures[:1]
	}
	raters := newTable("Raters", "α ordinal", "α interval", "ICC(1)", "ICC(k)", "ratings each")
	rep.addFigures(raters, "people", rep.Mean, keys(OverallRating, Raters, AlphaOrdinal, AlphaInterval, ICC1, ICCk,
		RatingsEach)...)
	for _, m := range measures {
		rep.addFigures(raters, "+ "+Label(m), rep.Mean, append(keys(OverallRating, m, AlphaOrdinal, AlphaInterval),
			Key{}, Key{}, Key{})...)
	}
	show(p, raters)
	for _, m := range measures {
		levels := newTable("Levels: people's mean in rows, "+Label(m)+" in columns", "1", "2", "3", "4", "5")
		for l, counts := range rep.Confusion(OverallRating, m) {
			cells := []any{fmt.Sprintf("near %d", l+1)}
			for k, n := range counts {
				cell := ui.Cell{Text: strconv.Itoa(n)}
				if k == l {
					cell.Style = ui.Bold
				}
				cells = append(cells, cell)
			}
			levels.Add(cells...)
		}
		show(p, levels)
	}
}

// Text writes the comparison of judges for people.
func (js *Judges) Text(p *ui.Page) {
	p.Line(ui.Bold, "Agreement of judges")
	judge := func(letter string, r *compare.Run) {
		scored := fmt.Sprintf("  %s, %d scored", ui.Counted(r.Dialogues, "dialogue"), r.Scored)
		p.Put(ui.Bold, letter+"  ")
		p.WriteString(ui.ClipFront(ui.Visible(r.File), ui.Columns-3-ui.Cells(scored)))
		p.Line(ui.Dim, scored)
	}
	table := func(t *Table, columns []string, statistics ...Statistic) {
		out := newTable(t.over(), columns...)
		for _, m := range Judged() {
			t.addFigures(out, Label(m), t.Mean, keys("", m, statistics...)...)
		}
		show(p, out)
	}
	judge("A", js.First)
	for i := range js.Against {
		o := &js.Against[i]
		p.WriteByte('\n')
		judge("B", &o.B)
		p.Paragraph(ui.Bold, "", "", o.Sentence())
		notes(p, o.Caveats())
		table(&o.Table, []string{"exact", "within one", "kappa", "Spearman", "difference"}, Exact, Within, Kappa,
			Spearman, MeanDifference)
		by := newTable("By "+string(o.By), "n", "exact", "kappa", "average", "satisfaction")
		by.Notes = []string{"exact and kappa of the overall, Spearman of the average and of satisfaction"}
		o.byGroup(p, by, false, Key{"", Overall, Exact}, Key{"", Overall, Kappa}, Key{"", Average, Spearman},
			Key{"", Satisfaction, Spearman})
		o.missing(p)
		different := &ui.Table{Title: "Made differently", Columns: []ui.Column{{}, {Title: "A", Max: 30},
			{Title: "B", Max: 30}}}
		for _, d := range o.Different {
			different.Add(d.What, ui.Clip(d.A, 60), ui.Clip(d.B, 60))
		}
		show(p, different)
	}
	if t := js.Together; t != nil {
		p.WriteByte('\n')
		p.Paragraph(ui.Bold, "", "", js.Stability())
		notes(p, t.Notes)
		table(t, []string{"changed", "α ordinal", "α interval"}, Changed, AlphaOrdinal, AlphaInterval)
		t.missing(p)
		p.Paragraph(ui.Dim, "  ", "  ", ui.Counted(t.Dialogues, "dialogue")+
			" that all scored; changed: the part on which they do not all say the same; α: Krippendorff's alpha")
	}
	p.WriteByte('\n')
	p.Paragraph(ui.Dim, "", "", "Dialogues are matched by what was said in them. The difference is B's mean less "+
		"A's, of the average "+
		"in points of 100, of satisfaction from 1 to 5.")
	js.Options.drawn(p)
}
