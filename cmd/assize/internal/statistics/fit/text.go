package fit

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/statistics/stats"
	"assize/cmd/assize/internal/terminal/ui"
)

// decide records what was decided and why.
func (res *Result) decide(final *lesson) {
	say := res.Decisions.Add
	p, s := &res.Profile, &final.slope
	detectors, words := p.Linear.Count()
	switch c := final.chosen; {
	case c.trial != nil:
		var parts []string
		if detectors > 0 {
			parts = append(parts, ui.Counted(detectors, "detector"))
		}
		if words > 0 {
			parts = append(parts, ui.Counted(words, "word")+" and pairs of words")
		}
		if c.kind.hasScores() {
			parts = append(parts, "the model's six scores")
		}
		proof, g := "", c.gains[c.kind][ruleMap]
		if !c.proven {
			proof = ", which proves no gain yet; more ratings will tell"
		}
		say("The profile adds weights to a line: of %s. On folds its rank correlation then differs from the rules' by "+
			"%+.3f, 95 %% interval %+.3f to %+.3f%s.", strings.Join(parts, ", of "), g.Value, g.Low,
			g.High, proof)
		if words > 0 {
			say("The profile holds words that people said, with weights, and no text. Names, numbers, addresses and what " +
				"fewer than three dialogues have are not among them. With --no-words it holds none. Dialogues that nobody " +
				"rated have a say in them: by what goes with the words there, above all by what the rules see.")
		}
	case s.learnt:
		say("The map is a line with a learnt slope: %.4g per point of reaction, 95 %% interval %.4g to %.4g.",
			s.used.Float(), s.low, s.high)
	default:
		say("The map is a line with the known slope, %s per point of reaction, and a learnt intercept: the 95 %% "+
			"interval of the slope that the ratings show does not lie above 0.", s.used)
	}
	switch {
	case final.trials == 0:
		say("Detectors and words get no weights yet: that takes %d different rated dialogues.",
			leastLinear)
	case final.chosen.trial == nil:
		say("Detectors and words get no weights: on folds they rank no better than the rules, or worse.")
	}
	if res.Model != nil {
		say("%s", res.Model.told())
	}
	say("Levels 2 to 5 begin at %s, %s, %s and %s, so that each is as frequent as among people's mean ratings, "+
		"rounded with halves up.", p.Cuts[0], p.Cuts[1], p.Cuts[2], p.Cuts[3])
	if t := p.Triage; t != nil {
		say("Dialogues with a satisfaction of %s or less are flagged: %d of %d, %s, where %s %% were asked for.", t.Cut,
			res.Flagged.Dialogues, res.Flagged.Of,
			ui.Percent(res.Flagged.Dialogues, res.Flagged.Of), 100*t.Rate)
	}
}

// warn records what the user should be aware of.
func (res *Result) warn(final *lesson, rated int) {
	n, after, list := res.Dialogues, res.Error.Profile.MAE, &res.Warnings
	list.If(rated > n, "Left out, since they are rated by criterion only: %s.",
		ui.Counted(rated-n, "dialogue"))
	list.If(n < 20,
		"Only %d dialogues are rated, too few to measure errors well. 50 make a profile that can be trusted.", n)
	list.If(final.slope.high < 0,
		"Ratings are lower where the rules score higher; check that the ratings belong to these "+
			"dialogues, and that --scale has the worst end first.")
	list.If(res.Gain.OverDefault.High < 0,
		"On dialogues not used for learning, the default profile is closer to the "+
			"ratings: off by %.2f points of 100, against %.2f. They are too few to improve on it.",
		res.Error.Default.MAE, after)
	list.If(res.Gain.OverConstant.Value <= 0,
		"On dialogues not used for learning, the profile is no closer to the ratings "+
			"than their mean alone: off by %.2f points of 100, against %.2f.", after,
		res.Error.Constant.MAE)
	list.If(res.options.Flag > 0 && res.Profile.Triage == nil,
		"No dialogue is flagged: satisfaction differs too little to "+
			"single out the share that was asked for.")
}

const (
	leastAlpha = 0.1 // of Krippendorff; below it, raters agree hardly more than by chance
	apart      = 3   // levels between ratings that contradict each other
)

// contradictions returns a warning for raters who agree little more than by chance, and one for
// contradicting ratings of dialogues with the same words.
func contradictions(points []point, alpha Figure, scale ratings.Scale) (list ui.Sentences) {
	list.If(alpha < leastAlpha,
		"Raters contradict each other: they agree little more than by chance (alpha %.2f). Agree on "+
			"what each level means, and rate again.", alpha)
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
	list.If(odd > 0,
		"Ratings contradict each other: %s of dialogues with the same words have ratings far apart, such as %s, "+
			"on the scale %s. All of them count.", ui.Counted(odd, "group"), first, scale)
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
	fmt.Fprintf(p, ": %s, scale %s\n", ui.Counted(res.Ratings, "rating"), res.options.Scale)
	if res.Folds > 0 {
		p.WriteByte('\n')
		p.Paragraph(ui.Plain, "", "", res.headline())
	}
	list("Warnings", res.Warnings)
	if res.Folds > 0 { // ratings of criteria alone have no errors to report
		p.Table(res.errors())
		if len(res.Compared) > 1 {
			p.Table(res.kinds())
		}
		if len(res.Weights) > 0 {
			p.Table(weightsTable(res.Weights))
		}
		p.WriteByte('\n')
		for _, told := range res.told() {
			p.Paragraph(ui.Plain, ui.Pad(told[0], 8), "        ", told[1])
		}
	}
	list("Decisions", res.Decisions)
}

// Sentences returns what was learned and what it gains, with the headline first.
func (res *Result) Sentences() (list []string) {
	if res.Folds == 0 { // ratings of criteria alone have no errors to report
		return nil
	}
	e, g := &res.Error, res.Gain.OverDefault
	gain := fmt.Sprintf("On dialogues not used for learning, its estimates are off by %.2f points of 100 on average, "+
		"those of the rules by %.2f: a gain of %.2f, 95 %% interval %.2f to %.2f", e.Profile.MAE,
		e.Default.MAE, g.Value, g.Low, g.High)
	if !g.Certain() && g.High >= 0 {
		gain += ", which may be chance"
	}
	list = append(list, res.headline(), gain+".")
	for _, told := range res.told() {
		list = append(list, told[0]+": "+told[1])
	}
	return list
}

// told describes the ranking, how it improves with more ratings, and the cost of rating noise. The
// first string of each pair is its heading.
func (res *Result) told() (list [][2]string) {
	list = append(list, [2]string{"Rank", res.rank()})
	if g := res.Growth; g != nil && g.Forecast.Spearman.Known() {
		list = append(list, [2]string{"Growth", g.told()})
	}
	return append(list, [2]string{"Noise", res.noise()})
}

// Telling describes the effect of the weight.
func (w Weight) Telling() string {
	does := "raises"
	if w.Points < 0 {
		does = "lowers"
	}
	return fmt.Sprintf("%s satisfaction by %.2f of 5 points; %s", does, math.Abs(float64(w.Points)),
		ui.Counted(w.Dialogues, "rated dialogue"))
}

// rank describes how well dialogues are ranked.
func (res *Result) rank() string {
	rank := "Spearman cannot be computed"
	if s := res.Spearman; s.Known() {
		rank = fmt.Sprintf("Spearman %.2f (%.2f to %.2f), all files together", s.Value, s.Low,
			s.High)
	}
	if len(res.Compared) > 0 && res.Used != ruleMap.String() {
		rank += fmt.Sprintf("; %.2f by the rules alone. All choices were made on the other folds.",
			res.Compared[0].Spearman)
	} else {
		rank += ", before and after: the map moves ratings and keeps their order."
	}
	return rank
}

// errors returns the table of estimation errors.
func (res *Result) errors() *ui.Table {
	t := ui.NewTable("Mean absolute error on dialogues not used for fitting, in points of 100", "",
		"error>", "gain>", "95 % interval of the gain")
	s := res.options.Scale
	t.Notes = []string{
		fmt.Sprintf("1 on the scale %s is %.3g points; %d folds by dialogue, seed %d; bootstrap with %d draws",
			s, 80/math.Abs(s.High-s.Low), res.Folds, res.options.Seed, draws)}
	add := func(name string, e Error, g Gain) {
		doubt := ""
		if !g.Certain() && g.High >= 0 {
			doubt = ", within noise"
		}
		interval := fmt.Sprintf("%.2f to %.2f%s", g.Low, g.High, doubt)
		t.Add(name, fmt.Sprintf("%.2f", e.MAE), fmt.Sprintf("%.2f", g.Value), interval)
	}
	add("the mean rating alone", res.Error.Constant, res.Gain.OverConstant)
	add("the default profile", res.Error.Default, res.Gain.OverDefault)
	t.Add("this profile", fmt.Sprintf("%.2f", res.Error.Profile.MAE), "", "")
	return t
}

// kinds returns the table of rank correlations of the kinds that were tried.
func (res *Result) kinds() *ui.Table {
	t := ui.NewTable("Rank correlation (Spearman) on dialogues not used for learning", "",
		"Spearman>", "gain>", "95 % interval of the gain")
	t.Notes = []string{
		fmt.Sprintf(
			"mean of %d times %d folds; a gain is proven where the interval lies above 0, with "+
				"fewer than %d dialogues above %.2f", repeats, innerFolds, enough, fewGain)}
	for _, c := range res.Compared {
		name, gain, interval, doubt := "the rules alone", "", "", ""
		if g := c.Gain; g != nil {
			if !g.Certain() && g.High >= 0 {
				doubt = ", unproven"
			}
			name, gain = c.Kind, fmt.Sprintf("%+.3f", g.Value)
			interval = fmt.Sprintf("%+.3f to %+.3f%s", g.Low, g.High, doubt)
		}
		if c.Kind == res.Used {
			name += " (used)"
		}
		t.Add(name, fmt.Sprintf("%.3f", c.Spearman), gain, interval)
	}
	return t
}

// Colleague compares the profile with one additional rater. Both are compared with the mean of the
// other raters, for each rater in turn; see [ratings.CompareRaters].
type Colleague struct {
	// Rank correlations, and the lead of the profile over the rater. Profile is that of the rules
	// if the profile is not proven to be better.
	Profile Gain `json:"profile"`
	Rules   Gain `json:"rules"`
	Rater   Gain `json:"rater"`
	Lead    Gain `json:"lead"`
}

// newColleague compares estimates of points, made by models that have not seen them. It returns nil
// if too few points have several ratings.
func newColleague(points []point, estimates []float64, seed uint64) *Colleague {
	var given [][]float64
	for i := range points {
		given = append(given, points[i].ratings)
	}
	at, _ := columns(points) // a non-decreasing map keeps the order
	gains := stats.Bootstrap(len(points), draws, seed, ratings.CompareRaters(given, 4,
		func(units []int, rater, others []float64) func(times []int) []float64 {
			var own, rules []float64
			for _, i := range units {
				own, rules = append(own, estimates[i]), append(rules, at[i])
			}
			profile, alone, beside := stats.NewPairs(own, others), stats.NewPairs(rules, others),
				stats.NewPairs(rater, others)
			return func(times []int) []float64 {
				p, r := profile.Spearman(times), beside.Spearman(times)
				return []float64{p, alone.Spearman(times), r, p - r}
			}
		}))
	if !gains[3].Known() {
		return nil
	}
	return &Colleague{gains[0], gains[1], gains[2], gains[3]}
}

// headline describes the quality of the ranking for readers who do not know the figures. It refers
// to the profile if the profile provably ranks better than the rules, and to the rules otherwise.
func (res *Result) headline() string {
	c, rho := res.Colleague, res.ranking
	who, alone, adds := "The rules already rank new dialogues", "", ""
	switch {
	case res.Proven:
		who = "Your ratings rank new dialogues"
		rules := float64(res.Compared[0].Spearman)
		if c != nil {
			rules = c.Rules.Value
		}
		alone = fmt.Sprintf("; the rules alone %.2f", rules)
	case res.Used != ruleMap.String():
		adds = " Your ratings add nothing proven yet."
	default:
		adds = " Nothing learnt from your ratings changes that order."
	}
	if c != nil {
		rho = c.Profile
	}
	switch {
	case math.IsNaN(rho.Value):
		return "How well new dialogues are ranked cannot be told."
	case rho.Low <= 0:
		return fmt.Sprintf("These ratings cannot show that new dialogues are ranked better than by chance (%.2f, 95 %% "+
			"interval %.2f to %.2f).", rho.Value, rho.Low, rho.High)
	case c == nil:
		return fmt.Sprintf("%s with a correlation of %.2f%s.%s Whether a colleague would do as well cannot be determined: too few "+
			"dialogues have ratings from two people.", who, rho.Value, alone, adds)
	}
	how, chance := "as well as", fmt.Sprintf("; the difference, %+.2f to %+.2f, may be chance",
		c.Lead.Low, c.Lead.High)
	switch {
	case c.Lead.Certain():
		how, chance = "better than", ""
	case c.Lead.High < 0:
		how, chance = "less well than", ""
	}
	return fmt.Sprintf("%s %s a colleague would (%.2f; a colleague %.2f%s%s).%s", who, how,
		rho.Value, c.Rater.Value, alone, chance, adds)
}

// Limit is the highest rank correlation that any ranking can have with mean ratings as noisy as
// these: the square root of their reliability. For other numbers of ratings it is computed with the
// Spearman-Brown formula (1910).
type Limit struct {
	Now  Figure `json:"now"`      // with the existing ratings
	One  Figure `json:"one"`      // with one rating of each dialogue
	More Figure `json:"one_more"` // with one additional rating of each dialogue
}

// newLimit returns the limit for the reliabilities of one rating, ICC(1), and of the mean, ICC(k),
// and the mean number of ratings per dialogue.
func newLimit(single, mean, raters float64) Limit {
	more := (raters + 1) * single / (1 + raters*single)
	return Limit{Figure(stats.Ceiling(mean)), Figure(stats.Ceiling(single)),
		Figure(stats.Ceiling(more))}
}

// noise describes the cost of rating noise.
func (res *Result) noise() string {
	if !res.Alpha.known() {
		return fmt.Sprintf("%.1f ratings per dialogue; how far people agree cannot be computed.",
			res.Raters)
	}
	s := fmt.Sprintf("%.1f ratings per dialogue, Krippendorff's alpha %.2f (interval; 1 is agreement, 0 chance).",
		res.Raters, res.Alpha)
	if l := res.Limit; l.Now.known() && l.One.known() {
		s += fmt.Sprintf(" No ranking can correlate with their means by more than %.2f. The limit is %.2f with a single "+
			"rating of each dialogue, and %.2f with one more.", l.Now, l.One, l.More)
	}
	return s
}
