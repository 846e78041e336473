package fit

import (
	"fmt"

	"assize/cmd/assize/internal/ui"
)

// Text writes the result for people.
func (res *Result) Text(p *ui.Page) {
	p.Put(ui.Bold, "Profile learnt from "+ui.Counted(res.Dialogues, "rated dialogue"))
	fmt.Fprintf(p, ": %s, scale %s\n\n", ui.Counted(res.Ratings, "rating"), res.options.Scale)
	errors := ui.Table{
		Title: "Mean absolute error on dialogues not used for fitting, in points of 100",
		Columns: []ui.Column{{}, {Title: "error", Right: true}, {Title: "gain", Right: true},
			{Title: "95 % interval of the gain"}},
		Notes: []string{fmt.Sprintf("a rating × 20; %d folds by dialogue, seed %d; bootstrap with %d draws",
			res.Folds, res.options.Seed, draws)},
	}
	add := func(name string, e Error, g Gain) {
		interval := fmt.Sprintf("%.2f to %.2f", g.Low, g.High)
		if !g.Certain() && g.High >= 0 {
			interval += ", within noise"
		}
		errors.Add(name, fmt.Sprintf("%.2f", e.MAE), fmt.Sprintf("%.2f", g.Value), interval)
	}
	add("the mean rating alone", res.Error.Constant, res.Gain.OverConstant)
	add("the default profile", res.Error.Default, res.Gain.OverDefault)
	errors.Add("this profile", fmt.Sprintf("%.2f", res.Error.Profile.MAE), "", "")
	errors.Text(p)

	p.WriteByte('\n')
	rank := "Spearman cannot be computed"
	if s := res.Spearman; s.Value.known() {
		if rank = fmt.Sprintf("Spearman %.2f", s.Value); s.Low.known() {
			rank += fmt.Sprintf(" (%.2f to %.2f), all files together", s.Low, s.High)
		}
	}
	if m := res.Model; m != nil && m.Kept {
		rank += fmt.Sprintf("; %.2f by the rules alone. The model changes the order.", m.Rules.Value)
	} else {
		rank += ", before and after: a map that never falls keeps the order."
	}
	p.Paragraph(ui.Plain, "Rank    ", "        ", rank)
	noise := "how far people agree cannot be computed."
	if res.Alpha.known() {
		noise = fmt.Sprintf("Krippendorff's alpha %.2f (interval; 1 is agreement, 0 chance).", res.Alpha)
		if res.Alpha < reliable {
			noise += " Much of the error above is noise in the ratings, which no map can lower; more raters would."
		}
	}
	p.Paragraph(ui.Plain, "Noise   ", "        ", fmt.Sprintf("%.1f ratings per dialogue, %s", res.Raters, noise))

	p.WriteByte('\n')
	table := ui.Table{Columns: []ui.Column{{Title: "Level"}}}
	people, profile := []any{"by people"}, []any{"by profile"}
	for level := range numLevels {
		table.Columns = append(table.Columns, ui.Column{Title: fmt.Sprint(level + 1), Right: true})
		people = append(people, ui.Percent(res.Levels.People[level], res.Dialogues))
		profile = append(profile, ui.Percent(res.Levels.Profile[level], res.Dialogues))
	}
	table.Add(people...)
	table.Add(profile...)
	if res.Levels.Kappa.known() {
		table.Notes = []string{fmt.Sprintf("On folds the levels agree with kappa %.2f (quadratic weights).",
			res.Levels.Kappa)}
	}
	table.Text(p)
	if f := &res.Flagged; f.Mean.known() {
		p.WriteByte('\n')
		p.Paragraph(ui.Plain, "Flagged ", "        ", fmt.Sprintf("On folds %.1f %% are flagged. People rate these "+
			"%.2f on average, and the rest %.2f.", 100*f.Share, f.Mean, f.Rest))
	}
	for i, list := range [][]string{res.Decisions, res.Warnings} {
		if len(list) > 0 {
			p.WriteByte('\n')
			p.Line(ui.Bold, []string{"Decisions", "Warnings"}[i])
		}
		for _, s := range list {
			p.Paragraph(ui.Plain, "  - ", "    ", s)
		}
	}
}
