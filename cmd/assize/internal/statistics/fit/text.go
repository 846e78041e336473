package fit

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/terminal/prose"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics/satisfaction"
)

var texts = prose.Of("fit")

// Worse reports whether the profile ranks worse than the rules.
func (res *Result) Worse() bool { return res.Gain.High < 0 && !res.dropped() }

// dropped reports whether the profile has no weights because they rank worse than the rules.
func (res *Result) dropped() bool {
	m := res.Profile.Model
	return res.Gain.High < 0 && res.Profile.Linear == nil && (m == nil || len(m.Scores) == 0)
}

// ranking returns the rank correlation of the profile, that of the rules if it has no weights.
func (res *Result) ranking() stats.Figure {
	if res.dropped() {
		return res.Rules
	}
	return res.Spearman
}

// decide records what was decided and why.
func (res *Result) decide() {
	data := struct {
		*Result
		*satisfaction.Profile
		Words int
		Parts ui.Sentences // what the weights are of
		Never [][2]int     // levels that do not occur, and those that begin at their cut
		Asked satisfaction.Millionths
	}{Result: res, Profile: &res.Profile}
	detectors, words := res.Profile.Linear.Count()
	data.Words = words
	data.Parts.If(detectors > 0, "%s", ui.Counted(detectors, "detector"))
	data.Parts.If(words > 0, "%s and pairs of words", ui.Counted(words, "word"))
	if m := res.Profile.Model; m != nil && len(m.Scores) > 0 {
		data.Parts = append(data.Parts, "the answers of "+m.Name)
	}
	for i, cut := range res.Profile.Cuts[1:] {
		if cut == res.Profile.Cuts[i] {
			data.Never = append(data.Never, [2]int{i + 2, i + 3})
		}
	}
	if t := res.Profile.Triage; t != nil {
		data.Asked = 100 * t.Rate
	}
	res.Decisions = texts.List("decisions", data)
}

// warn records what the user should know. rated is the number of dialogues with any rating, and
// left that of those that are not used.
func (res *Result) warn(points []point, rated, left int) {
	const apart = 3 // levels between ratings that contradict each other
	data := struct {
		*Result
		ByCriterion, Left, All int
		NoCloser, NoneFlagged  bool
		Odd                    int // groups of dialogues with the same words and such ratings
		Example                string
		Scale                  string
	}{Result: res, ByCriterion: rated - left - res.Dialogues, Left: left, All: left + res.Dialogues,
		NoCloser:    res.Error.Constant.MAE.Value <= res.Error.Profile.MAE.Value+0.005,
		NoneFlagged: res.options.Flag > 0 && res.Profile.Triage == nil,
		Scale:       res.options.Scale.String()}
	alike := ui.By(points, func(pt point) string { return pt.alike })
	byRating := func(a, b point) int { return cmp.Compare(a.rating, b.rating) }
	rating := func(pt point) string {
		return fmt.Sprintf("%s of %s has %.3g", pt.Name, pt.File,
			res.options.Scale.FromFive(pt.rating))
	}
	for _, words := range slices.Sorted(maps.Keys(alike)) {
		a, b := slices.MinFunc(alike[words], byRating), slices.MaxFunc(alike[words], byRating)
		if b.rating-a.rating >= apart {
			data.Odd++
			data.Example = cmp.Or(data.Example, "dialogue "+rating(a)+" and "+rating(b))
		}
	}
	res.Warnings = texts.List("warnings", data)
}

// Text writes a human-readable report.
func (res *Result) Text(p *ui.Page) {
	list := func(title string, sentences []string) {
		if len(sentences) > 0 {
			p.WriteByte('\n')
			p.Line(ui.Bold, title)
		}
		for _, s := range sentences {
			p.Paragraph(ui.Plain, "  - ", "    ", s)
		}
	}
	p.Put(ui.Bold, "Profile learnt from "+ui.Counted(res.Dialogues, "rated dialogue"))
	fmt.Fprintf(p, ": %s, scale %s\n\n", ui.Counted(res.Ratings, "rating"), res.options.Scale)
	p.Paragraph(ui.Plain, "", "", res.Verdict)
	list("Warnings", res.Warnings)
	p.Table(res.table())
	t := ui.NewTable("How the profile corrects the rules' estimate, on the scale 1-5", "by>",
		"dialogues>", "=60")
	t.Notes = texts.List("weights", nil)
	for _, w := range res.Weights {
		t.Add(fmt.Sprintf("%+.3f", w.Points.Value), w.Dialogues, w.What)
	}
	p.Table(t)
	list("Decisions", res.Decisions)
}

// Sentences returns what was learned and what it gains, the verdict first.
func (res *Result) Sentences() []string {
	return []string{res.Verdict, texts.Say("error", res.Error)}
}

// table returns the table of the errors and rank correlations.
func (res *Result) table() *ui.Table {
	t := ui.NewTable("On dialogues not used for learning", "", "Spearman>", "mean absolute error>")
	t.Notes = texts.List("note", struct {
		*Result
		Scale ratings.Scale
		Seed  uint64
		Draws int
	}{res, res.options.Scale, res.options.Seed, draws})
	row := func(name string, rho float64, e statedError) {
		t.Add(name, stats.Fixed{Value: rho, Decimals: 3}, fmt.Sprintf("%.2f", e.MAE.Value))
	}
	row("the mean rating alone", math.NaN(), res.Error.Constant)
	row("the rules alone", res.Rules.Value, res.Error.Default)
	row("this profile", res.ranking().Value, res.Error.Profile)
	return t
}
