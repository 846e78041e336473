// Package fit learns a profile from dialogues that people rated: one ridge regression of the
// ratings on the rules' estimate, the detectors, the words and a model's answers, the cuts between
// levels, and the triage cut. It never changes a score.
//
// Everything that is reported is measured on ten folds. For each of them, the strength of the ridge
// is chosen and the weights are learned on the other nine. Dialogues with the same words share a
// fold. Errors are in points of 100: the levels 1 to 5 of a rating are 20 to 100.
package fit

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics/satisfaction"
	"assize/rubric"
)

const (
	draws     = 1000 // bootstrap resamples per interval
	numLevels = 5    // of the rating scale
)

// Options control what is learned and what the profile records about its origin.
type Options struct {
	Flag    satisfaction.Millionths // share of dialogues to flag, between 0 and 1; 0 flags none
	Seed    uint64                  // for folds and intervals
	Scale   ratings.Scale           // the scale of the ratings
	Source  string                  // source of the ratings, from --source; may be empty
	Program string                  // version of the program
	Lexicon string                  // digest of the lexicon that produced the signals
	// Model is the name and digest of the Evaluator's model. If it is zero, none is weighed.
	Model   satisfaction.Model
	NoWords bool              // do not learn weights of words
	IsName  func(string) bool // reports whether a lower-case word is a name; may be nil
	Titles  map[string]string // titles of detectors by ID

	// Tell, if not nil, is told the number of strengths tried and of all. Its error stops learning.
	Tell func(done, all int) error
}

// statedError is the error of estimates relative to people's ratings.
type statedError struct {
	MAE stats.Fixed `json:"mae"` // mean absolute error, in points of 100
}

// Result is a learned profile and how well profiles learned the same way do on unseen dialogues.
type Result struct {
	Profile   satisfaction.Profile `json:"-"`
	Digest    string               `json:"digest"`  // of the profile
	Verdict   string               `json:"verdict"` // whether it ranks better than the rules
	Dialogues int                  `json:"dialogues"`
	Ratings   int                  `json:"ratings"`
	Raters    stats.Fixed          `json:"raters"`    // mean number per dialogue
	Alpha     stats.Fixed          `json:"alpha"`     // Krippendorff's; NaN without two raters
	Mean      stats.Fixed          `json:"mean"`      // mean of the dialogues' mean ratings, 1 to 5
	Deviation stats.Fixed          `json:"deviation"` // standard deviation of the same
	Folds     int                  `json:"folds"`
	Error     struct {
		Constant statedError `json:"constant"` // the mean rating of the other folds
		Default  statedError `json:"default"`  // the embedded profile
		Profile  statedError `json:"profile"`  // the profile learned on the other folds
	} `json:"error"`
	// Rules and Spearman are the rank correlations of the ratings with the rules' line and with the
	// weights, both fitted on the other folds. Gain is their difference.
	Rules    stats.Figure `json:"rules"`
	Spearman stats.Figure `json:"spearman"`
	Gain     stats.Figure `json:"gain"`
	Strength float64      `json:"strength"` // of the ridge
	Flagged  struct {
		Dialogues int `json:"dialogues"` // flagged by the profile
		Of        int `json:"of"`        // all scored dialogues
	} `json:"flagged"`
	Weights   []weight     `json:"weights"`   // the weights with the largest effect
	Decisions ui.Sentences `json:"decisions"` // what was decided and why
	Warnings  ui.Sentences `json:"warnings"`

	options Options
}

// Learn learns a profile from the dialogues of runs. The Row.Place of a rated dialogue is its index
// in all. The requested share is flagged among all dialogues, rated or not. The order of the
// dialogues does not affect the result. The error says why nothing can be learned.
func Learn(all []Dialogue, rated []ratings.Rated, o Options) (*Result, error) {
	points, err := gather(all, rated, o.Scale)
	if err != nil {
		return nil, err
	}
	left := max(len(points)-maxPoints, 0) // ignored
	points = points[:len(points)-left]    // their order by digest amounts to a random one
	base := satisfaction.DefaultProfile()
	slope := base.Line.Slope.Float()
	d, err := newDesign(points, unratedOf(points, all, maxDialogues), &o)
	if err != nil {
		return nil, err
	}
	kernel := d.kernel(len(points), func(block) bool { return true })
	trials, err := d.try(kernel, &o, slope)
	if err != nil {
		return nil, err
	}
	res := &Result{Profile: base, Dialogues: len(points), options: o}
	p := &res.Profile
	judged := func(pt point) bool { return pt.Judged != [rubric.NumCriteria]rubric.Hundredths{} }
	if p.Model = nil; o.Model.Digest != "" && slices.ContainsFunc(points, judged) {
		p.Model = &satisfaction.Model{Digest: o.Model.Digest, Name: o.Model.Name} // no weights yet
	}
	train, held := folds(points, outerFolds, o.Seed)
	res.Strength, res.Folds = best(trials, len(held)).strength, len(held)
	weights, err := d.weigh(p, kernel, res.Strength, slope)
	if err != nil {
		return nil, err
	}
	n := len(points)
	found := estimates{make([]float64, n), make([]float64, n), make([]float64, n)}
	for f, places := range held {
		at, rating := columns(train[f])
		input, mean, unseen := stats.Mean(at, nil), stats.Mean(rating, nil), best(trials, f).unseen
		for _, i := range places {
			found.weighed[i], found.mean[i] = unseen[i], mean
			found.rules[i] = mean + float64(slope*(points[i].Value.Float()-input))
		}
	}
	res.rank(points, found, base)
	if res.Gain.High < 0 && meanError(points, found.weighed) > meanError(points, found.rules) {
		weights, found.weighed = nil, found.rules
		res.keepRules(points, slope)
	}
	res.Weights = strongest(weights, len(d.dialogues), o.Titles)
	res.measure(points, found, base)
	res.place(points, found, all)
	res.Verdict = texts.Say("verdict", res)
	res.decide()
	res.warn(points, len(rated), left)
	p.Learned = res.learned(points)
	res.Digest = p.Digest()
	return res, nil
}

// estimates are those of the points' ratings that were made without their folds: by the ridge, by
// the rules alone, with their known slope, and the mean rating of the other folds.
type estimates struct{ weighed, rules, mean []float64 }

// rank measures the ranking by the weights and by the rules, which have base. A fold with high
// ratings leaves low ones to learn from, so that estimates by the weights are ranked by their
// difference from the mean of these. The rules learn nothing, and have the figure that agree has.
func (res *Result) rank(points []point, found estimates, base satisfaction.Profile) {
	_, rating := columns(points)
	weighed := floats.SubTo(make([]float64, len(points)), found.weighed, found.mean)
	rules := ui.Each(points, func(pt point) float64 {
		return float64(base.EstimateAt(pt.Value, 0).Satisfaction)
	})
	ours, theirs := stats.NewPairs(weighed, rating), stats.NewPairs(rules, rating)
	spearman := func(p *stats.Pairs, times []int) float64 {
		rho := p.Spearman(times)
		if math.IsNaN(rho) { // equal estimates or ratings rank nothing
			return 0
		}
		return rho
	}
	list := stats.Bootstrap(len(points), draws, res.options.Seed, func(times []int) []float64 {
		o, t := spearman(ours, times), spearman(theirs, times)
		return []float64{o, t, o - t}
	})
	res.Spearman, res.Rules, res.Gain = list[0], list[1], list[2]
}

// meanError returns the mean absolute error of estimates, in points of 100. An estimate beyond the
// scale counts as the end of the scale, as in a profile.
func meanError(points []point, found []float64) float64 {
	var sum float64
	for i, pt := range points {
		sum += math.Abs(min(max(found[i], 1), numLevels) - pt.rating)
	}
	return 20 * sum / float64(len(points))
}

// keepRules drops the weights, because they provably rank worse than the rules and are no closer to
// the ratings. The profile then moves the rules' estimate to the mean rating.
func (res *Result) keepRules(points []point, slope float64) {
	at, rating := columns(points)
	p := &res.Profile
	p.Linear = nil
	p.Line = &satisfaction.Line{Slope: satisfaction.MillionthsOf(slope), Intercept: satisfaction.
		MillionthsOf(stats.Mean(rating, nil) - float64(slope*stats.Mean(at, nil)))}
	if p.Model != nil {
		p.Model.Scores = nil
	}
}

// measure records the errors of estimates and how well people agree.
func (res *Result) measure(points []point, found estimates, base satisfaction.Profile) {
	_, rating := columns(points)
	var before []float64
	var units [][]float64
	for _, pt := range points {
		before = append(before, float64(pt.estimate(base).Satisfaction)/100)
		units = append(units, pt.ratings)
		res.Ratings += ratings.Count(pt.ratings)
	}
	res.Mean = stats.Four(stats.Mean(rating, nil))
	res.Deviation = stats.Four(stat.StdDev(rating, nil))
	res.Error.Constant.MAE = stats.Four(meanError(points, found.mean))
	res.Error.Default.MAE = stats.Four(meanError(points, before))
	res.Error.Profile.MAE = stats.Four(meanError(points, found.weighed))
	res.Raters = stats.Four(float64(res.Ratings) / float64(len(points)))
	res.Alpha = stats.Four(stats.NewReliability(units).Alpha(stats.IntervalScale, nil))
}

// place chooses the cuts of the profile. The levels are those of estimates that were made without
// the dialogue, because the weights fit rated dialogues better than new ones.
func (res *Result) place(points []point, found estimates, all []Dialogue) {
	p := &res.Profile
	unseen, wanted := make([]rubric.Hundredths, len(points)), [numLevels]int{}
	for i, pt := range points {
		e := found.weighed[i] - found.mean[i] + res.Mean.Value
		unseen[i] = rubric.Hundredths(math.Round(100 * min(max(e, 1), numLevels)))
		wanted[ratings.Level(pt.rating)-1]++
	}
	p.Cuts = cuts(unseen, wanted)
	once := ui.Once(all, func(d Dialogue) run.Key { return d.Copy() })
	final := ui.Each(once,
		func(d Dialogue) rubric.Hundredths { return d.estimate(*p).Satisfaction })
	if res.options.Flag > 0 {
		p.Triage = triage(final, res.options.Flag)
	}
	res.Flagged.Of = len(once)
	isOther := func(h rubric.Hundredths) bool { return !p.Place(h).Flagged }
	res.Flagged.Dialogues = len(ui.Without(final, isOther))
}

// learned returns the profile's record of its origin.
func (res *Result) learned(points []point) *satisfaction.Learned {
	// No figure here is accurate to more than four decimals.
	rounded := func(f float64) satisfaction.Millionths {
		if math.IsNaN(f) {
			return 0
		}
		return satisfaction.MillionthsOf(math.Round(f*1e4) / 1e4)
	}
	o := &res.options
	out := &satisfaction.Learned{
		Dialogues: res.Dialogues, Ratings: res.Ratings,
		Scale: [2]float64{o.Scale.Low, o.Scale.High},
		Mean:  rounded(res.Mean.Value), Deviation: rounded(res.Deviation.Value),
		Before:   rounded(res.Error.Default.MAE.Value),
		After:    rounded(res.Error.Profile.MAE.Value),
		Constant: rounded(res.Error.Constant.MAE.Value), Folds: res.Folds, Seed: o.Seed,
		Program: o.Program, Lexicon: o.Lexicon, Source: o.Source,
		Notes: slices.Concat([]string{res.Verdict}, res.Decisions, res.Warnings),
	}
	for i := range points {
		out.Digests = append(out.Digests, satisfaction.ShortDigest(points[i].Digest))
		if day := points[i].Day; day != "" {
			out.First, out.Last = min(cmp.Or(out.First, day), day), max(out.Last, day)
		}
	}
	slices.Sort(out.Digests)
	out.Digests = slices.Compact(out.Digests)
	if s := res.ranking(); s.Known() {
		out.Spearman = &satisfaction.Measured{Value: rounded(s.Value), Low: rounded(s.Low),
			High: rounded(s.High)}
	}
	if !math.IsNaN(res.Alpha.Value) {
		out.Alpha = new(rounded(res.Alpha.Value))
	}
	return out
}

// cuts returns the lowest satisfactions of levels 2 to 5, chosen so that each level is as frequent
// as among people's ratings, or as close to that as ties allow. If nobody used a level at one end
// of the scale, its cut is at that end: nothing is below 1.00, and only 5.00 reaches 5.00.
func cuts(satisfactions []rubric.Hundredths, wanted [numLevels]int) (found []rubric.Hundredths) {
	sorted := slices.Sorted(slices.Values(satisfactions))
	below := 0
	for _, n := range wanted[:numLevels-1] {
		below += n
		switch at := nearest(sorted, below); at {
		case 0:
			found = append(found, 100)
		case len(sorted):
			found = append(found, 500)
		default:
			found = append(found, (sorted[at-1]+sorted[at]+1)/2)
		}
	}
	return found
}

// nearest returns the n nearest to wanted at which sorted can be split, so that no value among the
// first n equals a later one. Of two equally near numbers it returns the higher.
func nearest(sorted []rubric.Hundredths, wanted int) int {
	off := func(n int) int { return max(n-wanted, wanted-n) }
	best := 0
	for n := 1; n <= len(sorted); n++ {
		if (n == len(sorted) || sorted[n-1] != sorted[n]) && off(n) <= off(best) {
			best = n
		}
	}
	return best
}

// triage returns the cut at or below which the requested share of the satisfactions lies, or the
// nearest share that ties allow. It returns nil if that nearest share is 0.
func triage(satisfactions []rubric.Hundredths, rate satisfaction.Millionths) *satisfaction.Triage {
	sorted := slices.Sorted(slices.Values(satisfactions))
	n := nearest(sorted, max(1, int(math.Round(float64(rate.Float()*float64(len(sorted)))))))
	if n == 0 {
		return nil
	}
	return &satisfaction.Triage{Rate: rate, Cut: sorted[n-1]}
}
