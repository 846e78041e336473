package agree

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"assize/cmd/assize/internal/ui"
)

// row is a row of a table for people.
type row struct {
	name    string
	figures []Figure
	keys    []Key
}

// show writes a table of figures, below an empty line, with their intervals in a row below each. A statistic that a
// measure does not have is an empty cell.
func (t *Table) show(p *ui.Page, title string, columns []string, rows []row, notes ...string) {
	out := &ui.Table{Title: title, Columns: []ui.Column{{Max: 16, Front: true}}, Notes: notes}
	for _, c := range columns {
		out.Columns = append(out.Columns, ui.Column{Title: c, Right: true})
	}
	for _, r := range rows {
		values, intervals, drawn := []any{r.name}, []any{""}, false
		for _, k := range r.keys {
			f := t.Of(r.figures, k)
			value, interval := f.cells()
			if f.Key != k {
				value = ""
			}
			values, intervals = append(values, value), append(intervals, ui.Cell{Text: interval, Style: ui.Dim})
			drawn = drawn || interval != ""
		}
		if out.Add(values...); drawn {
			out.Add(intervals...)
		}
	}
	p.WriteByte('\n')
	out.Text(p)
}

// byMeasure writes some statistics of measures, a row each.
func (t *Table) byMeasure(p *ui.Page, title string, figures []Figure, measures []Key, columns ...Statistic) {
	var titles []string
	for _, s := range columns {
		titles = append(titles, statistics[s].title)
	}
	var rows []row
	for _, m := range measures {
		name := Label(m.Measure)
		if m.Measure == Raters {
			name = m.Rated
		}
		rows = append(rows, row{name, figures, keys(m.Rated, m.Measure, columns...)})
	}
	t.show(p, title, titles, rows)
}

// mostListed is how many groups have a row.
const mostListed = 20

// byGroup writes a row for every group, where there are several; full writes them all.
func (t *Table) byGroup(p *ui.Page, title string, full bool, columns []string, keys ...Key) {
	if len(t.Groups) < 2 {
		return
	}
	var rows []row
	var notes []string
	for i, name := range t.GroupNames() {
		if i == mostListed && !full {
			notes = append(notes, fmt.Sprintf("%d more groups; --format csv has them", len(t.Groups)-i))
			break
		}
		g := &t.Groups[i]
		rows = append(rows, row{fmt.Sprintf("%s (%d)", name, g.Dialogues), g.Figures, keys})
	}
	t.show(p, title, columns, rows, notes...)
}

// over names the figures that the headline is: a mean, or those of the only group.
func (t *Table) over() string {
	if len(t.Groups) == 1 {
		return t.GroupNames()[0]
	}
	return fmt.Sprintf("Mean of %d", len(t.Groups)-len(slices.DeleteFunc(slices.Clone(t.Groups), large)))
}

// answer writes the sentences that the figures come to, and those that a reader must know.
func (t *Table) answer(p *ui.Page, sentences ...string) {
	for _, s := range sentences {
		p.Paragraph(ui.Bold, "", "", s)
	}
	for _, s := range t.Notes {
		p.Paragraph(ui.Yellow, "! ", "  ", ui.Visible(s))
	}
}

// missing writes why figures of the mean or their intervals are missing: each reason with the measures that lack one.
func (t *Table) missing(p *ui.Page) {
	measures := map[string][]string{} // by reason
	for _, f := range t.Mean {
		name := Label(f.Measure)
		if f.Rated != "" && f.Rated != OverallRating && f.Rated != name {
			name += " of " + f.Rated
		}
		if f.Why != "" && !slices.Contains(measures[f.Why], name) {
			measures[f.Why] = append(measures[f.Why], name)
		}
	}
	if len(measures) > 0 {
		p.WriteByte('\n')
	}
	for _, why := range slices.Sorted(maps.Keys(measures)) {
		p.Paragraph(ui.Yellow, "– ", "  ", "missing for "+strings.Join(measures[why], ", ")+": "+why)
	}
}

// foot says how the figures are meant and how the intervals are made.
func foot(p *ui.Page, meaning string, draws int, seed uint64) {
	if draws > 0 {
		meaning += fmt.Sprintf(" Below each figure is its 95 %% interval (bootstrap, %d draws, seed %d).", draws, seed)
	}
	p.WriteByte('\n')
	p.Paragraph(ui.Dim, "", "", meaning)
}

// Text writes the report for people.
func (rep *Report) Text(p *ui.Page) {
	p.Line(ui.Bold, "Agreement with people")
	what, of, unscored := string(rep.By), "ratings of the run itself", ""
	if rep.By == ByAll {
		what = "group"
	}
	if rep.Ratings != "" {
		of = "ratings from " + ui.Visible(rep.Ratings)
	}
	if rep.Unscored > 0 {
		unscored = fmt.Sprintf("; %d unscored and left out", rep.Unscored)
	}
	p.Paragraph(ui.Dim, "", "", fmt.Sprintf("%s in %s; %s, scale %s%s", ui.Counted(rep.Dialogues, "rated dialogue"),
		ui.Counted(len(rep.Groups), what), of, rep.Options.Scale, unscored))
	p.WriteByte('\n')
	rep.answer(p, rep.Answer...)
	var measures, raters []Key
	for _, rated := range rep.Rated {
		for _, m := range append(MeasuresOf(rated), OneAnnotator, Constant) {
			measures = append(measures, Key{Rated: rated, Measure: m})
		}
		raters = append(raters, Key{Rated: rated, Measure: Raters})
	}
	agreement := func(title string, figures []Figure) {
		rep.byMeasure(p, title, figures, measures, Spearman, InSeat, Kappa, AUC, Precision, MAE)
	}
	agreement(rep.over(), rep.Mean)
	rep.byMeasure(p, "Raters", rep.Mean, raters, Ceiling, AlphaOrdinal, AlphaInterval, ICC1, ICCk, RatingsEach)
	full := rep.Options.Full
	if full && len(rep.Groups) > 1 {
		for i, name := range rep.GroupNames() {
			agreement(name, rep.Groups[i].Figures)
		}
	}
	if slices.Contains(rep.Rated, OverallRating) {
		columns := []Key{{OverallRating, Satisfaction, Spearman}, {OverallRating, Average, Spearman},
			{OverallRating, Overall, Spearman}, {OverallRating, OneAnnotator, Spearman}, {OverallRating, Raters, Ceiling}}
		rep.byGroup(p, "Spearman by "+string(rep.By)+" (dialogues)", full,
			[]string{"satisfaction", "average", "overall", "annotator", "limit"}, columns...)
	}
	rep.missing(p)
	foot(p, fmt.Sprintf("In a seat: compared with the same people as the annotator whose seat it takes. Limit: "+
		"√ICC(k). AUC: of the worst %.4g %% by people's means; precision: their part among the %.4g %% ranked lowest. "+
		"Errors are in points of 100; average and overall have no map to people's scale. Levels that a profile does "+
		"not cut, and those of the average, are made as frequent as people's in these dialogues, which flatters kappa "+
		"a little.", 100*rep.Worst, 100*rep.Lowest), rep.Draws, rep.Seed)
}

// Text writes the comparison of judges for people.
func (js *Judges) Text(p *ui.Page) {
	p.Line(ui.Bold, "Agreement of judges")
	judge := func(letter string, r *Judge) {
		scored := fmt.Sprintf("  %s, %d scored", ui.Counted(r.Dialogues, "dialogue"), r.Scored)
		p.Put(ui.Bold, letter+"  ")
		p.WriteString(ui.ClipFront(ui.Visible(r.File), ui.Columns-3-ui.Cells(scored)))
		p.Line(ui.Dim, scored)
	}
	var measures []Key
	for _, m := range judged() {
		measures = append(measures, Key{Measure: m})
	}
	judge("A", &js.First)
	for i := range js.Against {
		o := &js.Against[i]
		p.WriteByte('\n')
		judge("B", o.Judge)
		o.answer(p, o.Answer)
		o.byMeasure(p, o.over(), o.Mean, measures, Exact, Within, Kappa, Spearman, MeanDifference)
		o.byGroup(p, "By "+string(o.By)+" (dialogues): overall, and Spearman of the rest", false,
			[]string{"exact", "kappa", "average", "satisfaction"}, Key{"", Overall, Exact}, Key{"", Overall, Kappa},
			Key{"", Average, Spearman}, Key{"", Satisfaction, Spearman})
		o.missing(p)
		if len(o.Different) > 0 {
			t := ui.Table{Title: "Made differently", Columns: []ui.Column{{}, {Title: "A", Max: 30}, {Title: "B", Max: 30}}}
			for _, d := range o.Different {
				t.Add(d.What, ui.Clip(d.A, 60), ui.Clip(d.B, 60))
			}
			p.WriteByte('\n')
			t.Text(p)
		}
	}
	if t := js.Together; t != nil {
		p.WriteByte('\n')
		t.answer(p, t.Answer)
		t.byMeasure(p, t.over(), t.Mean, measures, Changed, AlphaOrdinal, AlphaInterval)
		t.missing(p)
	}
	foot(p, "Dialogues are matched by what was said in them. The difference is B's mean less A's, of the average in "+
		"points of 100, of satisfaction from 1 to 5. Changed is the part of the dialogues on which the judges do not all "+
		"say the same; α is Krippendorff's alpha.", js.Draws, js.Seed)
}

// long is a table in long form, a row for each figure, for spreadsheets (RFC 4180).
func long(columns ...string) *ui.Table {
	t := &ui.Table{}
	for _, c := range append(columns, "measure", "statistic", "value", "low", "high", "n", "warning") {
		t.Columns = append(t.Columns, ui.Column{Title: c})
	}
	return t
}

// addTo adds every figure of every group to a table in long form. lead gives the cells before the measure.
func (t *Table) addTo(out *ui.Table, lead func(group string, k Key) []any) {
	for _, g := range append([]Group{{Name: "(mean of groups)", Figures: t.Mean}}, t.Groups...) {
		for _, f := range g.Figures {
			s := f.Statistic
			out.Add(append(lead(g.Name, f.Key), f.Measure, s, s.fixed(f.Value), s.fixed(f.Low), s.fixed(f.High), f.N,
				f.Why)...)
		}
	}
}

// CSV writes the report in long form.
func (rep *Report) CSV(w io.Writer) error {
	out := long("group", "rated")
	rep.addTo(out, func(group string, k Key) []any { return []any{group, k.Rated} })
	return out.CSV(w)
}

// CSV writes the comparison of judges in long form. Figures of all judges have no "against".
func (js *Judges) CSV(w io.Writer) error {
	out := long("against", "group")
	for i := range js.Against {
		o := &js.Against[i]
		o.addTo(out, func(group string, _ Key) []any { return []any{o.Judge.File, group} })
	}
	if js.Together != nil {
		js.Together.addTo(out, func(group string, _ Key) []any { return []any{"", group} })
	}
	return out.CSV(w)
}
