package agree

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"assize/cmd/assize/internal/statistics/sample"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/terminal/ui"
)

// mean returns the mean of a statistic of ratings of whole dialogues.
func (rep *Report) mean(measure string, s Statistic) Figure {
	return rep.Of(rep.Mean, Key{OverallRating, measure, s})
}

// ranking states how well satisfaction ranks dialogues in comparison with one more annotator. It
// decides by the whole 95 % intervals: a difference that they do not exclude may be chance.
func (rep *Report) ranking() string {
	rho, one := rep.mean(Satisfaction, Spearman), rep.mean(OneAnnotator, Spearman)
	seat, lead := rep.mean(Satisfaction, asAnnotator), rep.mean(Satisfaction, leadOverAnnotator)
	both := fmt.Sprintf("Satisfaction agrees with people by %s (Spearman). As an annotator, it "+
		"agrees with the others by %s, and an annotator by %s: ", stats.Short(rho.Value, 2),
		stats.Short(seat.Value, 2), stats.Short(one.Value, 2))
	low, high := stats.Short(lead.Low, 2), stats.Short(lead.High, 2)
	switch {
	case math.IsNaN(rho.Value):
		return "How satisfaction agrees with people cannot be determined: " + rho.Warning + "."
	case rho.Low <= 0:
		return fmt.Sprintf("No agreement of satisfaction with people can be shown: %s.", rho)
	case math.IsNaN(lead.Low):
		return fmt.Sprintf(
			"Satisfaction agrees with people by %s; whether one more annotator would do better "+
				"cannot be determined: %s.", rho, cmp.Or(lead.Warning, "there are no intervals"))
	case lead.Low > 0:
		return fmt.Sprintf("%sbetter, by %s to %s.", both, low, high)
	case lead.High < 0:
		return fmt.Sprintf("%sless well, by %s to %s.", both,
			stats.Short(-lead.High, 2), stats.Short(-lead.Low, 2))
	}
	return fmt.Sprintf("%sthe difference, %s to %s, may be chance.", both, low, high)
}

// doubleRated names the files with figures about annotators, unless all files have them.
func (rep *Report) doubleRated() string {
	var of []string
	n := 0
	for i, name := range rep.GroupNames() {
		g := &rep.Groups[i]
		lead := rep.Of(g.Figures, Key{OverallRating, Satisfaction, leadOverAnnotator})
		if !math.IsNaN(lead.Value) {
			of, n = append(of, name), n+g.Dialogues
		}
	}
	if len(of) == 0 || len(of) == len(rep.Groups) {
		return ""
	}
	return fmt.Sprintf("Only %s, %d of %d files (%s), %s enough dialogues with two ratings: the "+
		"comparison with annotators is based on %[6]s alone.", strings.Join(of, ", "), len(of),
		len(rep.Groups), ui.Counted(n, "dialogue"),
		map[bool]string{true: "has", false: "have"}[len(of) == 1],
		map[bool]string{true: "it", false: "them"}[len(of) == 1])
}

// limit returns the correlation that no scorer can be expected to exceed, if the ratings are
// reliable enough to determine it.
func (rep *Report) limit() string {
	rho, ceiling := rep.mean(Satisfaction, Spearman), rep.mean(Raters, Ceiling)
	const unknown = " The limit for any scorer cannot be determined: "
	switch {
	case math.IsNaN(rho.Value):
		return ""
	case math.IsNaN(ceiling.Value) && !(rho.Low <= 0) && // which ranking has said
		ceiling.Warning == rep.mean(Satisfaction, leadOverAnnotator).Warning:
		return " For the same reason, the limit for any scorer is unknown."
	// Even if only the interval is missing, annotators agree too little with each other.
	case ceiling.Warning != "":
		return unknown + ceiling.Warning + "."
	case ceiling.Value < rho.Value:
		return unknown + "satisfaction reaches or exceeds the limit that the ratings set, " +
			ceiling.String() + "."
	}
	return fmt.Sprintf(" No scorer can be expected above %s.", stats.Short(ceiling.Value, 2))
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
	out := ui.NewTable(title, "<18")
	out.Notes = notes
	for _, c := range columns {
		out.Columns = append(out.Columns, ui.Column{Title: c, Right: true})
	}
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
	what, of, unscored, over, given := "file", "the run itself", "", "All", ""
	if rep.Ratings != "" {
		of = ui.Visible(rep.Ratings)
	}
	if rep.By == byAll {
		what = "group"
	}
	if rep.Unscored > 0 {
		unscored = fmt.Sprintf("; of all dialogues, %d unscored and left out", rep.Unscored)
	}
	if rep.given > rep.Dialogues {
		given = fmt.Sprintf(" (%d ratings)", rep.given)
	}
	p.Line(ui.Bold, "Agreement with people")
	p.Paragraph(ui.Dim, "", "",
		fmt.Sprintf("%s%s in %s, from %s, scale %s%s", ui.Counted(rep.Dialogues, "rated dialogue"),
			given, ui.Counted(len(rep.Groups), what), of, rep.Scale, unscored))
	p.WriteByte('\n')
	for _, s := range rep.Answer {
		p.Say(ui.Bold, s)
	}
	for _, f := range rep.Corrected {
		p.Say(ui.Plain, f.String())
	}
	for _, s := range rep.Differ {
		p.Say(ui.Plain, s)
	}
	for _, s := range rep.Notes {
		p.Say(ui.Yellow, s)
	}
	if n := len(rep.Groups) - len(rep.small()); n > 1 {
		over = fmt.Sprintf("Mean of %d", n)
	}
	all := func(rated string) []string {
		return append(MeasuresOf(rated), OneAnnotator, constantAnswer)
	}
	raters := func(string) []string { return []string{Raters} }
	dashes := slices.Concat(rep.byMeasure(p, over, all, Spearman, asAnnotator, auc, precision, mae),
		rep.byMeasure(p, "Levels 1 to 5, and below 3 or not", all, kappa, sensitivity, specificity),
		rep.byMeasure(p, "Raters", raters, Ceiling, alphaOrdinal, alphaInterval, icc1, iccK,
			ratingsEach), rep.byFile(p))
	p.Table(sample.Table(rep.Corrected))
	dashes = append(dashes, rep.showAnswers(p)...)
	if len(rep.small()) == len(rep.Groups) && rep.Answers == nil {
		return // there is no table to explain
	}
	meaning := fmt.Sprintf("As annotator: compared with the same people as the annotator whose "+
		"place it takes. Limit: √ICC(k). AUC: of the worst %.4g %% by people's means; precision: "+
		"their part among the %.4g %% ranked lowest, .00 if none of these is. Sensitivity: the "+
		"part of people's levels below 3 that is judged so; specificity: of the others. Errors "+
		"are in points of 100.", 100*rep.Worst, 100*rep.Lowest)
	if len(rep.Rated) == 0 { // only answers
		meaning = ""
	} else if rep.Rated[0] == OverallRating {
		meaning += " Average and overall are not on people's scale. The average has no levels, " +
			"and satisfaction has them only by a profile; without, as many dialogues get each " +
			"level as by people, so kappa is a little too high."
	}
	if rep.Draws > 0 {
		meaning += fmt.Sprintf(" Below each figure is its 95 %% interval (bootstrap, %d draws, "+
			"seed %d).", rep.Draws, rep.Seed)
	}
	why := ""
	for _, dash := range dashes {
		if !strings.Contains(why, dash) {
			why += "; " + dash
		}
	}
	if why != "" {
		meaning += " –: " + strings.TrimPrefix(why, "; ") + "."
	}
	p.WriteByte('\n')
	p.Paragraph(ui.Dim, "", "", strings.TrimSpace(meaning))
}

// Figures returns a table for CSV with a row for each figure of every group.
func (rep *Report) Figures() *ui.Table {
	out := ui.NewTable("", "group", "rated", "measure", "statistic", "value", "low", "high", "n",
		"warning")
	add := func(group string, k Key, f stats.Figure) {
		value, low, high := f.Parts()
		out.Add(group, k.Rated, k.Measure, k.Statistic, value, low, high, f.N, f.Warning)
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
