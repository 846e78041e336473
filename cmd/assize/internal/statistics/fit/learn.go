package fit

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/statistics/stats"
	"assize/heuristics"
	"assize/rubric"
)

const (
	// rated dialogues needed for folds to choose the strength of unproven weights
	enough = 300
	// upper bound of a slope: at 4, the whole rating scale already fits within one unit of input
	steepest = 4
)

// learner learns a profile from points. It learns from each training set of folds in the same way
// as from all points, with all its choices, so that the errors on the fold left out are those of a
// profile that has not seen it.
type learner struct {
	Options
	base heuristics.Profile // the profile to map, and the slope to use if the ratings show none
	// traffic contains all dialogues, among which a map flags the requested share. If it is nil,
	// the points are used, as they are with weights.
	traffic []point
	trials  []trial // of linear models; empty if there are too few points
}

// tryAll tries all linear models on the points and returns their design, which also uses the
// unrated dialogues in all. The design is nil if there are too few points for any model.
func (l *learner) tryAll(
	points []point, all []Dialogue, slope float64, outer bool,
) (d *design, err error) {
	if different(points) < leastLinear {
		return nil, nil
	}
	if d, err = newDesign(points, beside(points, all, maxDialogues), &l.Options); err == nil {
		l.trials, err = d.tryAll(&l.Options, slope, outer)
	}
	return d, err
}

// whole is the fold argument for learning from all points, with no fold left out.
const whole = -1

// lesson is the result of learning. If a linear model was chosen, the profile does not contain its
// weights yet (see weigh), and the estimates for the points come from models that have not seen
// them.
type lesson struct {
	profile   heuristics.Profile
	chosen    choice
	estimates []float64 // of all points by the chosen trial
	trials    int       // number of models compared
	slope     slope
}

// learn learns from points. fold is the outer fold that they leave out, or whole.
func (l learner) learn(points []point, fold int) lesson {
	out := lesson{profile: l.base}
	p := &out.profile
	p.Line, out.slope = straight(points, l.base.Line.Slope)
	if out.trials = len(l.trials); out.trials > 0 {
		by := func(t *trial) [][]float64 { return t.repeated }
		n := draws
		if fold != whole {
			by = func(t *trial) [][]float64 { return t.outer[fold : fold+1] }
			n = draws / 5
		}
		out.chosen = choose(l.trials, points, by, n, l.Seed)
		if out.chosen.trial != nil {
			out.estimates = by(out.chosen.trial)[0]
		}
	}
	found, wanted := make([]rubric.Hundredths, len(points)), [numLevels]int{}
	for i := range points {
		found[i] = out.satisfaction(&points[i])
		wanted[levelOf(points[i].rating)-1]++
	}
	p.Cuts = cuts(found, wanted)
	if l.traffic != nil && out.chosen.trial == nil {
		found = satisfactions(*p, l.traffic)
	}
	if l.Flag > 0 {
		p.Triage = triage(found, l.Flag)
	}
	return out
}

// rating returns the lesson's estimate for a point.
func (out *lesson) rating(pt *point) heuristics.Millionths {
	if out.chosen.trial != nil {
		return heuristics.MillionthsOf(out.estimates[pt.at])
	}
	return out.profile.Rating(pt.Value)
}

func (out *lesson) satisfaction(pt *point) rubric.Hundredths {
	p := out.profile
	return p.EstimateAt(pt.Value, out.rating(pt)-p.Rating(pt.Value)).Satisfaction
}

// slope is the estimated slope of a line through the ratings, in rating per unit of the input.
type slope struct {
	// The least squares estimate and its 95 % interval; NaN if the input does not vary.
	found, low, high float64
	used             heuristics.Millionths
	learnt           bool // whether found is used
}

// straight fits a line through the mean of the points. It uses the least squares slope if its
// interval is above 0, and the known slope otherwise.
func straight(points []point, known heuristics.Millionths) (*heuristics.Line, slope) {
	at, rating := columns(points)
	s := slope{used: known}
	s.found = stats.Slope(at, rating)
	mean, level := stats.Mean(at, nil), stats.Mean(rating, nil)
	var squares, residue float64 // of the input, and of the line's residuals
	for i, x := range at {
		off := rating[i] - level - float64(s.found*(x-mean))
		squares, residue = squares+float64((x-mean)*(x-mean)), residue+float64(off*off)
	}
	margin := math.Inf(1)
	if freedom := float64(len(at) - 2); freedom > 0 {
		student := distuv.StudentsT{Sigma: 1, Nu: freedom}
		margin = float64(student.Quantile(.975) * math.Sqrt(residue/freedom/squares))
	}
	s.low, s.high = s.found-margin, s.found+margin
	if s.low > 0 {
		s.used, s.learnt = heuristics.MillionthsOf(min(s.found, steepest)), true
	}
	return &heuristics.Line{
		Intercept: heuristics.MillionthsOf(level - float64(s.used.Float()*mean)), Slope: s.used}, s
}

// levelOf returns the level, 1 to 5, of a mean rating: the nearest whole number, with halves
// rounded up.
func levelOf(rating float64) int { return min(max(int(math.Floor(rating+0.5)), 1), numLevels) }

// cuts returns the lowest satisfactions of levels 2 to 5, chosen so that each level is as frequent
// as among people's ratings, or as close to that as ties allow. If nobody used a level at one end
// of the scale, its cut is placed at that end: no satisfaction is below 1.00, and only 5.00 reaches
// a cut there.
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
func triage(satisfactions []rubric.Hundredths, rate heuristics.Millionths) *heuristics.Triage {
	sorted := slices.Sorted(slices.Values(satisfactions))
	n := nearest(sorted, max(1, int(math.Round(float64(rate.Float()*float64(len(sorted)))))))
	if n == 0 {
		return nil
	}
	return &heuristics.Triage{Rate: rate, Cut: sorted[n-1]}
}

// learnCriteria learns from dialogues that nobody rated as a whole. Satisfaction remains that of
// the default profile. It returns the points of all rated dialogues.
func (res *Result) learnCriteria(
	all []Dialogue, rated []ratings.Rated,
) (points []point, err error) {
	res.Dialogues, res.Used = len(rated), ruleMap.String()
	res.Decisions.Add("Satisfaction stays the rules' estimate: the dialogues are rated by criterion only, and none as a whole.")
	unknown := Figure(math.NaN())
	res.Raters, res.Alpha, res.Mean, res.Deviation = unknown, unknown, unknown, unknown
	res.Limit, res.Spearman = Limit{unknown, unknown, unknown}, stats.Unknown
	res.Error.Constant.MAE, res.Error.Default.MAE, res.Error.Profile.MAE = unknown, unknown, unknown
	res.Gain.OverConstant, res.Gain.OverDefault = stats.Unknown, stats.Unknown
	if err := res.estimateCriteria(all, rated); err != nil {
		return nil, err
	}
	if res.Profile.Criteria == nil {
		return nil, fmt.Errorf("nothing is learnt: no dialogue is rated as a whole. %s",
			strings.Join(res.Warnings, " "))
	}
	for i := range rated {
		points = append(points, point{Dialogue: &all[rated[i].Row.Place]})
		for _, given := range rated[i].Criteria {
			res.Ratings += ratings.Count(given)
		}
	}
	return points, nil
}

// estimateCriteria learns how people rate single criteria, in the same way as ratings of whole
// dialogues. A criterion gets no estimate if neither the rules' input nor weights predict its
// ratings.
func (res *Result) estimateCriteria(all []Dialogue, rated []ratings.Rated) error {
	base := heuristics.DefaultProfile()
	base.Line = &heuristics.Line{} // no prior knowledge of the slope
	for _, c := range rubric.Criteria() {
		points, err := gather(all, rated, res.options.Scale, "on "+c.String(),
			func(r *ratings.Rated) []float64 { return r.Criteria[c] })
		if len(points) == 0 {
			continue
		}
		if err != nil {
			res.Warnings.Add("No estimate of people's ratings of %s: %v.", c, err)
			continue
		}
		if len(points) > maxPoints {
			res.Warnings.Add(
				"What people give %s is learnt from %d rated dialogues, drawn at random from %d.",
				c, maxPoints, len(points))
			points = points[:maxPoints]
		}
		l := learner{Options: res.options, base: base}
		d, err := l.tryAll(points, nil, 0, false)
		if err != nil {
			return err
		}
		lesson := l.learn(points, whole)
		learnt := heuristics.Criterion{Line: *lesson.profile.Line}
		at, rating := columns(points)
		by, rho := "the rules' line", stats.Spearman(at, rating)
		switch t := lesson.chosen; {
		case t.proven:
			if learnt, _, err = d.weigh(t, 0); err != nil {
				return err
			}
			by, rho = t.kind.String(), t.rhos[t.kind]
		case !lesson.slope.learnt:
			res.Warnings.Add("No estimate of people's ratings of %s: on folds, neither the rules nor weights are proven to "+
				"tell anything of them.", c)
			continue
		}
		if res.Profile.Criteria == nil {
			res.Profile.Criteria = map[string]heuristics.Criterion{}
		}
		res.Profile.Criteria[c.String()] = learnt
		res.Decisions.Add("People's rating of %s is estimated beside the panel's score (people_estimate), by %s learnt from "+
			"%d dialogues: Spearman %.2f.", c, by, len(points), rho)
	}
	return nil
}

// Model is the value of the six scores of a model as the Evaluator. They are weighed like any other
// feature.
type Model struct {
	Name      string `json:"name"`
	Digest    string `json:"digest"`
	Dialogues int    `json:"dialogues"` // distinct rated dialogues that it judged
	Used      bool   `json:"used"`      // whether its scores have weights
	// Gain is the gain in rank correlation on folds over the same kind without the model's scores.
	// It is null if untried.
	Gain *Gain `json:"gain"`
}

// newModel returns the value of a model's scores, or nil if the model judged no rated dialogue.
func newModel(model heuristics.Model, points []point, final *lesson) *Model {
	judged := slices.DeleteFunc(slices.Clone(points),
		func(pt point) bool { return pt.Judged[0] == 0 })
	if model.Digest == "" || len(judged) == 0 {
		return nil
	}
	used := final.chosen.used()
	m := &Model{Name: model.Name, Digest: model.Digest, Dialogues: different(judged),
		Used: used.hasScores()}
	with := used | 1
	if slices.Contains(final.chosen.tried, with) {
		m.Gain = &final.chosen.gains[with][with-1]
	}
	return m
}

// told explains what was decided about the model.
func (m *Model) told() string {
	switch {
	case m.Gain == nil:
		return fmt.Sprintf(
			"The answers of %s get no weight: that takes %d different rated dialogues, "+
				"among which its answers differ.", m.Name, leastLinear)
	case m.Used:
		return fmt.Sprintf("The answers of %s are weighed, for the %d dialogues that it judged: on folds they add %+.3f to "+
			"the rank correlation, 95 %% interval %+.3f to %+.3f.", m.Name, m.Dialogues,
			m.Gain.Value, m.Gain.Low, m.Gain.High)
	}
	return fmt.Sprintf("The answers of %s get no weight: on folds they add %+.3f to the rank correlation, 95 %% interval "+
		"%+.3f to %+.3f, which is not proven to be a gain.", m.Name, m.Gain.Value, m.Gain.Low,
		m.Gain.High)
}
