package account

import (
	"fmt"
	"math"

	"assize/cmd/assize/internal/fit"
	"assize/cmd/assize/internal/report"
)

// Account is what there is to tell. Result, Suggestion or both are given.
type Account struct {
	Result     *fit.Result
	Suggestion *fit.Suggestion
	Seed       uint64
	Scale      string // on which people rated
}

// Text puts the account on a page.
func (a *Account) Text(p *report.Page) {
	if a.Result != nil {
		a.profile(p)
	}
	if a.Suggestion != nil {
		if a.Result != nil {
			p.WriteByte('\n')
		}
		a.points(p)
	}
}

func (a *Account) profile(p *report.Page) {
	r := a.Result
	p.Put(report.Bold, "Profile learnt from "+report.Counted(r.Dialogues, "rated dialogue"))
	fmt.Fprintf(p, ": %s, scale %s\n", report.Counted(r.Ratings, "rating"), a.Scale)

	p.WriteString("\nError on dialogues not used for fitting, in points of 100 (a rating × 20)\n")
	p.Line(report.Dim, "                        mean absolute    root mean square")
	row := func(name string, e fit.Error) { fmt.Fprintf(p, "  %-22s %12.2f %19.2f\n", name, e.MAE, e.RMSE) }
	row("the mean rating alone", r.Constant)
	row("the default profile", r.Before)
	row("this profile", r.After)
	fmt.Fprintf(p, "  gain over the mean     %12.2f   %s\n", r.OverConstant.Value, between(r.OverConstant, 2))
	fmt.Fprintf(p, "  gain over the default  %12.2f   %s\n", r.OverBefore.Value, between(r.OverBefore, 2))
	p.Paragraph(report.Dim, "  ", "  ", fmt.Sprintf("%d folds by dialogue, seed %d; intervals of 95 %% from %d resamples", r.Folds, a.Seed, fit.Draws))

	p.WriteByte('\n')
	p.Paragraph(report.Plain, "Rank    ", "        ", fmt.Sprintf("Spearman %s%s%s. %s", measured(r.Spearman, 2), files(r.Strata), sameOrder(r), verdict(r)))
	p.Paragraph(report.Plain, "Noise   ", "        ", noise(r))
	a.levels(p)
	if !math.IsNaN(r.Flagged.Mean) {
		p.Paragraph(report.Plain, "Flagged ", "        ", fmt.Sprintf("On folds %.1f %% are flagged. People rate these %.2f on average, and the rest %.2f.", 100*r.Flagged.Share, r.Flagged.Mean, r.Flagged.Rest))
	}
	list(p, "Decisions", r.Decisions)
	list(p, "Warnings", r.Warnings)
}

func (a *Account) levels(p *report.Page) {
	r := a.Result
	p.WriteByte('\n')
	p.Line(report.Dim, "Level           1      2      3      4      5")
	for i, who := range []string{"by people", "by profile"} {
		fmt.Fprintf(p, "  %-10s", who)
		for _, n := range r.Levels[i] {
			fmt.Fprintf(p, " %5.1f%%", 100*float64(n)/float64(r.Dialogues))
		}
		p.WriteByte('\n')
	}
	if !math.IsNaN(r.Kappa) {
		fmt.Fprintf(p, "  On folds the levels agree with kappa %.2f (quadratic weights).\n", r.Kappa)
	}
	p.WriteByte('\n')
}

// sameOrder says that the figure is of before as well, where nothing but the map was learnt.
func sameOrder(r *fit.Result) string {
	if r.Model != nil && r.Model.Kept {
		return ""
	}
	return ", before and after"
}

// verdict says what the map is good for.
func verdict(r *fit.Result) string {
	const same = "A map that never falls leaves the order as it is: ranking is not gained."
	part := 100 * r.OverBefore.Value / r.Before.MAE
	switch {
	case r.Weights != nil && r.Weights.Kept:
		return fmt.Sprintf("The learnt weights are what changes the order: %.2f with the reaction score before.", r.Weights.Reactions.Value)
	case r.Model != nil && r.Model.Kept:
		return fmt.Sprintf("What the model adds is what changes the order: %.2f by the rules alone.", r.Model.Rules.Value)
	case r.OverBefore.Certain():
		return fmt.Sprintf("The map lowers the error by %.1f %%. %s", part, same)
	case r.OverBefore.High < 0:
		return fmt.Sprintf("The default profile errs less by %.1f %%. %s", -part, same)
	}
	return "Against the default profile the error is the same within noise. " + same
}

// noise says how far the ratings themselves can be trusted.
func noise(r *fit.Result) string {
	if math.IsNaN(r.Alpha) {
		return fmt.Sprintf("%.1f ratings a dialogue; how far people agree cannot be told.", r.Raters)
	}
	s := fmt.Sprintf("%.1f ratings a dialogue, Krippendorff's alpha %.2f (interval; 1 is agreement, 0 chance).", r.Raters, r.Alpha)
	if r.Alpha < reliable {
		s += " Much of the error above is noise of the ratings, which no map can lower; more raters would."
	}
	return s
}

// reliable is the alpha from which Krippendorff allows tentative conclusions (2004, Content Analysis).
const reliable = 0.667

// between gives the interval of a gain, and says where it may be none.
func between(g fit.Gain, decimals int) string {
	if math.IsNaN(g.Low) {
		return "interval unknown"
	}
	s := fmt.Sprintf("%.*f to %.*f", decimals, g.Low, decimals, g.High)
	if !g.Certain() && g.High >= 0 {
		s += ", within noise"
	}
	return s
}

// measured gives a figure with its interval.
func measured(g fit.Gain, decimals int) string {
	switch {
	case math.IsNaN(g.Value):
		return "cannot be had"
	case math.IsNaN(g.Low):
		return fmt.Sprintf("%.*f", decimals, g.Value)
	}
	return fmt.Sprintf("%.*f (%.*f to %.*f)", decimals, g.Value, decimals, g.Low, decimals, g.High)
}

// files says over how many files a figure is the mean.
func files(strata int) string {
	if strata > 1 {
		return fmt.Sprintf(" within files, the mean of %d", strata)
	}
	return ""
}

func list(p *report.Page, heading string, sentences []string) {
	if len(sentences) == 0 {
		return
	}
	p.WriteByte('\n')
	p.Line(report.Bold, heading)
	for _, s := range sentences {
		p.Paragraph(report.Plain, "  - ", "    ", s)
	}
}

func (a *Account) points(p *report.Page) {
	s := a.Suggestion
	p.Put(report.Bold, "Points learnt from "+report.Counted(s.Dialogues, "rated dialogue"))
	p.WriteString("\n\n")
	p.Paragraph(report.Plain, "  ", "  ", s.Verdict())
	p.Paragraph(report.Dim, "  ", "  ", fmt.Sprintf("%d folds by dialogue, seed %d; the interval of 95 %% from %d resamples", s.Folds, a.Seed, fit.Draws))
	if len(s.Changes) == 0 {
		return
	}
	p.WriteByte('\n')
	p.Line(report.Dim, "  "+report.Pad("detector", 28)+"   now  suggested  fires in")
	for _, c := range s.Changes {
		fmt.Fprintf(p, "  %-28s %5s  %9s  %8d\n", c.ID, c.From, c.To, c.Dialogues)
	}
	p.WriteByte('\n')
	p.Paragraph(report.Plain, "  ", "  ", "Points belong to the lexicon: other points change the six scores too, and the lexicon's digest. Nothing is applied.")
}
