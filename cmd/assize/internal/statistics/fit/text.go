package fit

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/terminal/ui"
)

// verdict says in one sentence whether the profile ranks better than the rules.
func (res *Result) verdict() string {
	g := res.Gain
	if res.Rules.High < 0 {
		return fmt.Sprintf("Ratings are lower where the rules score higher; check that the "+
			"ratings belong to these dialogues, and that --scale has the worst end first "+
			"(Spearman of the rules %.2f).", res.Rules.Value)
	}
	figures := fmt.Sprintf("Spearman %.2f, the rules %.2f; gain %+.3f, 95 %% interval %+.3f to "+
		"%+.3f", res.Spearman.Value, res.Rules.Value, g.Value, g.Low, g.High)
	switch {
	case g.Certain():
		return "The profile ranks unseen dialogues better than the rules (" + figures + ")."
	case res.dropped():
		return "Weights would rank unseen dialogues worse than the rules alone (" + figures +
			"), so the profile has none."
	case res.Worse():
		return "The rules alone rank unseen dialogues better than the profile (" + figures +
			"), but the profile is closer to the ratings."
	}
	return "No gain over the rules is proven on unseen dialogues (" + figures + ")."
}

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

func (res *Result) decide() {
	say, p := res.Decisions.Add, &res.Profile
	detectors, words := p.Linear.Count()
	var parts []string
	if detectors > 0 {
		parts = append(parts, ui.Counted(detectors, "detector"))
	}
	if words > 0 {
		parts = append(parts, ui.Counted(words, "word")+" and pairs of words")
	}
	if p.Model != nil && len(p.Model.Scores) > 0 {
		parts = append(parts, "the answers of "+p.Model.Name)
	}
	if len(parts) > 0 {
		say("The profile adds weights of %s to the rules' estimate. How far they may depart from "+
			"0 was chosen on dialogues that were not used for learning.", strings.Join(parts, ", "))
	} else {
		say("The profile moves the rules' estimate to the mean rating.")
	}
	if words > 0 {
		say("The profile holds words that people said, with weights, and no text. Names, " +
			"numbers, addresses and what fewer than three dialogues have are not among them. " +
			"With the setting no-words it holds none.")
	}
	if m := p.Model; m != nil && len(m.Scores) == 0 {
		say("The answers of %s get no weight.", m.Name)
	}
	var never []string
	levels := "so that each is as frequent as among people's mean ratings, rounded with halves up."
	for i, cut := range p.Cuts[:len(p.Cuts)-1] {
		if cut == p.Cuts[i+1] {
			levels = "which is as near to the frequencies of people's mean ratings as equal " +
				"satisfactions allow."
			never = append(never, fmt.Sprintf(" Level %d does not occur: level %d begins there, "+
				"too.", i+2, i+3))
		}
	}
	say("Levels 2 to 5 begin at %s, %s, %s and %s, %s", p.Cuts[0], p.Cuts[1], p.Cuts[2], p.Cuts[3],
		levels+strings.Join(never, ""))
	if t := p.Triage; t != nil {
		say("Dialogues with a satisfaction of %s or less are flagged: %d of %d, %s, where "+
			"%s %% were asked for.", t.Cut, res.Flagged.Dialogues, res.Flagged.Of,
			ui.Percent(res.Flagged.Dialogues, res.Flagged.Of), 100*t.Rate)
	}
}

// warn records what the user should know. rated is the number of dialogues with any rating.
func (res *Result) warn(rated int) {
	n, list := res.Dialogues, &res.Warnings
	rules, profile, mean := res.Error.Default.MAE.Value, res.Error.Profile.MAE.Value,
		res.Error.Constant.MAE.Value
	list.If(rated > n, "Left out, since they are rated by criterion only: %s.",
		ui.Counted(rated-n, "dialogue"))
	list.If(n < 20, "Only %d dialogues are rated, too few to measure errors well. 50 make a "+
		"profile that can be trusted.", n)
	list.If(rules < profile, "On dialogues not used for learning, the default profile is closer "+
		"to the ratings: off by %.2f points of 100, against %.2f.", rules, profile)
	list.If(mean <= profile+0.005,
		"On dialogues not used for learning, the profile is no closer to the ratings "+
			"than their mean alone: off by %.2f points of 100, against %.2f.", profile, mean)
	list.If(res.options.Flag > 0 && res.Profile.Triage == nil, "No dialogue is flagged: "+
		"satisfaction differs too little to single out the share that was asked for.")
}

const (
	leastAlpha = 0.1 // of Krippendorff; below it, raters agree hardly more than by chance
	apart      = 3   // levels between ratings that contradict each other
)

// contradictions returns a warning for raters who agree little more than by chance, and one for
// contradicting ratings of dialogues with the same words.
func contradictions(points []point, alpha float64, scale ratings.Scale) (list ui.Sentences) {
	list.If(alpha < leastAlpha, "Raters contradict each other: they agree little more than by "+
		"chance (alpha %.2f). Agree on what each level means, and rate again.", alpha)
	alike, odd, first := map[string][]point{}, 0, ""
	for _, pt := range points {
		alike[pt.alike] = append(alike[pt.alike], pt)
	}
	byRating := func(a, b point) int { return cmp.Compare(a.rating, b.rating) }
	for _, words := range slices.Sorted(maps.Keys(alike)) {
		a, b := slices.MinFunc(alike[words], byRating), slices.MaxFunc(alike[words], byRating)
		if b.rating-a.rating >= apart {
			odd++
			first = cmp.Or(first, fmt.Sprintf("dialogue %s of %s has %.3g and %s of %s has %.3g",
				a.Name, a.File, scale.FromFive(a.rating), b.Name, b.File, scale.FromFive(b.rating)))
		}
	}
	list.If(odd > 0, "Ratings contradict each other: %s of dialogues with the same words have "+
		"ratings far apart, such as %s, on the scale %s. All of them count.",
		ui.Counted(odd, "group"), first, scale)
	return list
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
	t := ui.NewTable("What the profile adds to the rules' estimate, in points of 5", "adds>",
		"dialogues>", "=60")
	t.Notes = []string{"below 0: with this, raters are less satisfied than the rules " +
		"estimate; above 0: more satisfied; the strongest by weight and by how much " +
		"dialogues differ in it; assize explain ID says what a detector finds"}
	for _, w := range res.Weights {
		t.Add(fmt.Sprintf("%+.3f", w.Points.Value), w.Dialogues, w.What)
	}
	p.Table(t)
	list("Decisions", res.Decisions)
}

// Sentences returns what was learned and what it gains, the verdict first.
func (res *Result) Sentences() []string {
	e := &res.Error
	return []string{res.Verdict, fmt.Sprintf("On dialogues not used for learning, its estimates "+
		"are off by %.2f points of 100 on average, those of the rules by %.2f, and the mean "+
		"rating by %.2f.", e.Profile.MAE.Value, e.Default.MAE.Value, e.Constant.MAE.Value)}
}

// table returns the table of the errors and rank correlations.
func (res *Result) table() *ui.Table {
	t := ui.NewTable("On dialogues not used for learning", "", "Spearman>", "mean absolute error>")
	s := res.options.Scale
	t.Notes = []string{fmt.Sprintf("errors are in points of 100: 1 on the scale %s is %.3g; %d "+
		"folds by dialogue, seed %d; bootstrap with %d draws", s, 80/math.Abs(s.High-s.Low),
		res.Folds, res.options.Seed, draws)}
	if !math.IsNaN(res.Alpha.Value) {
		t.Notes = append(t.Notes, fmt.Sprintf("%.1f ratings per dialogue; Krippendorff's alpha is "+
			"%.2f (interval scale; 1 is agreement, 0 chance)", res.Raters.Value, res.Alpha.Value))
	}
	row := func(name string, rho float64, e statedError) {
		t.Add(name, stats.Fixed{Value: rho, Decimals: 3}, fmt.Sprintf("%.2f", e.MAE.Value))
	}
	row("the mean rating alone", math.NaN(), res.Error.Constant)
	row("the default profile", res.Rules.Value, res.Error.Default)
	row("this profile", res.ranking().Value, res.Error.Profile)
	return t
}
