package agree

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/statistics/sample"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/terminal/prose"
	"assize/cmd/assize/internal/terminal/ui"
)

var texts = prose.Of("agree")

// answer says how satisfaction agrees with people who rated whole dialogues.
func (rep *Report) answer() string {
	mean := func(measure string, s Statistic) Figure {
		return rep.Of(rep.Mean, Key{OverallRating, measure, s})
	}
	return texts.Say("answer", struct{ Rho, Seat, Lead, One, Limit Figure }{
		mean(Satisfaction, Spearman), mean(Satisfaction, asAnnotator),
		mean(Satisfaction, leadOverAnnotator), mean(OneAnnotator, Spearman),
		mean(Raters, Ceiling)})
}

// doubleRated names the files with figures about annotators, unless all files have them.
func (rep *Report) doubleRated() ui.Sentences {
	data := struct {
		Files          []string
		All, Dialogues int
	}{All: len(rep.Groups)}
	for i, name := range rep.GroupNames() {
		g := &rep.Groups[i]
		lead := rep.Of(g.Figures, Key{OverallRating, Satisfaction, leadOverAnnotator})
		if !math.IsNaN(lead.Value) {
			data.Files, data.Dialogues = append(data.Files, name), data.Dialogues+g.Dialogues
		}
	}
	return texts.List("few files", data)
}

// row is a row of a human-readable table.
type row struct {
	name    string
	figures []Figure
	keys    []Key
	counts  []any // after the figures
}

// show writes a table of figures, preceded by an empty line, with the intervals in a row below
// each. A statistic that a measure does not have is an empty cell; a row without figures and counts
// is omitted. It returns the reasons of the dashes in the table.
func (rep *Report) show(p *ui.Page, title string, columns []string, rows []row, notes ...string,
) (why []string) {
	numbers := ui.Each(columns, func(c string) string { return c + ">" })
	out := ui.NewTable(title, append([]string{"<18"}, numbers...)...)
	out.Notes = notes
	for _, r := range rows {
		values, intervals, found, drawn := []any{r.name}, []any{""}, r.counts != nil, false
		var dashes []string
		for _, k := range r.keys {
			f := rep.Of(r.figures, k)
			value, interval := f.cells()
			if f.Key != k {
				value, interval = "", ""
			} else if f.Warning != "" {
				dashes = append(dashes, f.Warning)
			}
			values, intervals = append(values, value),
				append(intervals, ui.Cell{Text: interval, Style: ui.Dim})
			found, drawn = found || !math.IsNaN(f.Value), drawn || interval != ""
		}
		if !found {
			continue
		}
		why = append(why, dashes...)
		if out.Add(append(values, r.counts...)...); drawn {
			out.Add(intervals...)
		}
	}
	p.Table(out)
	return why
}

// byMeasure writes the means of statistics over the groups, with a row per measure, as show does.
func (rep *Report) byMeasure(p *ui.Page, title string, measures func(rated string) []string,
	columns ...Statistic) []string {
	titles := ui.Each(columns, func(s Statistic) string { return s.title })
	var rows []row
	for _, rated := range rep.Rated {
		for _, m := range measures(rated) {
			name := Label(m)
			if m == Raters {
				name = cmp.Or(map[string]string{OverallRating: "whole dialogue"}[rated], rated)
			}
			of, n := keys(rated, m, columns...), 0 // groups that have any of the figures
			for _, g := range rep.Groups {
				has := func(k Key) bool { return !math.IsNaN(rep.Of(g.Figures, k).Value) }
				if slices.ContainsFunc(of, has) {
					n++
				}
			}
			if 0 < n && n < len(rep.Groups)-len(rep.small()) {
				name += fmt.Sprintf(", %d of %d", n, len(rep.Groups))
			}
			rows = append(rows, row{name, rep.Mean, of, nil})
		}
	}
	return rep.show(p, title, titles, rows)
}

// byFile writes a row for each of the first files, if there are several, and returns as show.
func (rep *Report) byFile(p *ui.Page) []string {
	const maxListed = 20
	if len(rep.Groups) < 2 || !slices.Contains(rep.Rated, OverallRating) {
		return nil
	}
	columns := []Key{{OverallRating, Satisfaction, Spearman}, {OverallRating, Average, Spearman},
		{OverallRating, overall, Spearman}, {OverallRating, OneAnnotator, Spearman},
		{OverallRating, Raters, Ceiling}}
	var rows []row
	for i, name := range rep.GroupNames()[:min(len(rep.Groups), maxListed)] {
		g := &rep.Groups[i]
		rows = append(rows, row{fmt.Sprintf("%s (%d)", name, g.Dialogues), g.Figures, columns, nil})
	}
	why := rep.show(p, "Spearman by file (dialogues)",
		[]string{"satisfaction", "average", "overall", "annotator", "limit"}, rows)
	if rest := len(rep.Groups) - maxListed; rest > 0 {
		p.Paragraph(ui.Dim, "  ", "  ", fmt.Sprintf("%d more files; --format csv has them", rest))
	}
	return why
}

// Text writes a human-readable report.
func (rep *Report) Text(p *ui.Page) {
	p.Line(ui.Bold, "Agreement with people")
	p.Paragraph(ui.Dim, "", "", texts.Say("basis", rep))
	p.WriteByte('\n')
	p.Say(ui.Bold, rep.Answer...)
	p.Say(ui.Plain, ui.Each(rep.Corrected, sample.Figure.String)...)
	p.Say(ui.Plain, rep.Differ...)
	p.Say(ui.Yellow, rep.Notes...)
	over := "All"
	if n := len(rep.Groups) - len(rep.small()); n > 1 {
		over = fmt.Sprintf("Mean of %d files", n)
	}
	all := func(rated string) []string {
		return append(MeasuresOf(rated), Ahead, OneAnnotator, constantAnswer)
	}
	raters := func(string) []string { return []string{Raters} }
	criteria := func(rated string) []string {
		return map[string][]string{OverallRating: run.ScoreNames()}[rated]
	}
	dashes := slices.Concat(rep.byMeasure(p, over, all, Spearman, asAnnotator, auc, precision, mae),
		rep.byMeasure(p, "Levels 1 to 5, and below 3 or not", all, kappa, sensitivity, specificity),
		rep.byMeasure(p, "Criteria: mean score, Spearman with ratings of the dialogue", criteria,
			meanScore, Spearman),
		rep.byMeasure(p, "Raters", raters, Ceiling, alphaOrdinal, alphaInterval, icc1, iccK,
			ratingsEach), rep.byFile(p))
	p.Table(sample.Table(rep.Corrected))
	dashes = append(dashes, rep.showAnswers(p)...)
	if len(rep.small()) == len(rep.Groups) && rep.Answers == nil {
		return // there is no table to explain
	}
	p.WriteByte('\n')
	p.Paragraph(ui.Dim, "", "", texts.Say("meaning", struct {
		*Report
		Dashes []string
	}{rep, ui.Distinct(dashes)}))
}

// Figures returns a table for CSV with a row for each figure of every group.
func (rep *Report) Figures() *ui.Table {
	out := ui.NewTable("", "group", "rated", "measure", "statistic", "value", "low", "high", "n",
		"warning")
	add := func(group string, k Key, f stats.Figure) {
		p := f.Parts()
		out.Add(group, k.Rated, k.Measure, k.Statistic, p.Value, p.Low, p.High, f.N, f.Warning)
	}
	for _, g := range append([]group{{Name: "(mean of groups)", Figures: rep.Mean}},
		rep.Groups...) {
		for _, f := range g.Figures {
			add(g.Name, f.Key, f.Figure)
		}
	}
	for _, f := range rep.Corrected {
		scores := stats.Unknown("")
		scores.Value, scores.N = f.Scores, f.Of
		for i, of := range []stats.Figure{scores, f.Rated, f.Corrected} {
			name := []string{"scores", "rated", "corrected"}[i]
			add("(all)", Key{"sample", f.Name, Statistic{name: name}}, of)
		}
	}
	return out
}
