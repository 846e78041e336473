package fit

import (
	"math"
	"slices"

	"assize/cmd/assize/internal/stats"
	"assize/heuristics"
	"assize/rubric"
)

const (
	// enough is from how many rated dialogues on a curve competes with the line. With fewer it errs more than the line
	// in nearly every draw (research: from 50 labels by 0.2 points of 100).
	enough    = 300
	mostKnots = 20 // bounds a curve, for people who read the profile; more knots do not lower the error
	steepest  = 4  // bounds a slope: beyond it the whole scale lies within one unit of the input
)

// learner learns a profile from points. It learns one from each set of folds as it learns the one that is kept, with
// all its choices, so that the errors on the fold left out are those of a profile that has not seen it.
type learner struct {
	Options
	base    heuristics.Profile // what is mapped, and the slope where the ratings show none
	curves  bool               // whether a curve competes with the line
	traffic []point            // of these Flag are flagged; nil means of the points
	trials  []trial            // of linear models; none where there are too few points
}

// whole is the fold that a lesson of all points leaves out: none.
const whole = -1

// lesson is what was learnt and what it was chosen by. Where a linear model was chosen, what it estimates for the points
// is known of models that had not seen them; only the profile of the whole has its weights.
type lesson struct {
	profile     heuristics.Profile
	rules       *heuristics.Line // the map, if it is a line
	chosen      choice
	estimates   []float64 // of all points by chosen
	trials      int       // how many models were compared
	slope       slope
	line, curve float64 // the mean absolute errors of both on inner folds, in points of 100
}

// learn learns from the points outside of a fold.
func (l learner) learn(points []point, fold int) lesson {
	out := lesson{profile: l.base}
	p := &out.profile
	p.Line, out.slope = straight(points, l.base.Line.Slope)
	out.rules = p.Line
	if l.curves {
		l.compete(&out, points)
	}
	if out.trials = len(l.trials); out.trials > 0 {
		by := func(t *trial) [][]float64 { return t.repeated }
		n := draws
		if fold != whole {
			by = func(t *trial) [][]float64 { return t.outer[fold : fold+1] }
			n = draws / 5
		}
		out.chosen = choose(l.trials, points, out.rules.Slope.Float(), by, n, l.Seed)
		if out.chosen.trial != nil {
			out.estimates = by(out.chosen.trial)[0]
		}
	}
	found := out.satisfactions(points)
	p.Cuts = cuts(found, levels(points))
	if l.traffic != nil && out.chosen.trial == nil {
		found = satisfactions(*p, l.traffic)
	}
	if l.Flag > 0 {
		p.Triage = triage(found, l.Flag)
	}
	return out
}

// rating is what the lesson estimates for a point.
func (out *lesson) rating(pt *point) heuristics.Millionths {
	if c := out.chosen; c.trial != nil {
		rules := heuristics.Profile{Line: out.rules}.Rating(pt.Value).Float()
		return heuristics.MillionthsOf(float64(c.share*out.estimates[pt.at]) + float64((1-c.share)*rules))
	}
	return out.profile.Rating(pt.Value)
}

func (out *lesson) estimate(pt *point) heuristics.Estimate {
	p := out.profile
	return p.EstimateAt(pt.Value, out.rating(pt)-p.Rating(pt.Value))
}

func (out *lesson) satisfactions(points []point) (list []rubric.Hundredths) {
	for i := range points {
		list = append(list, out.estimate(&points[i]).Satisfaction)
	}
	return list
}

// compete replaces the line by a curve where that errs less on inner folds, which neither has seen.
func (l learner) compete(out *lesson, points []point) {
	knots := curve(points)
	if knots == nil {
		return
	}
	trains, held := folds(points, innerFolds, l.Seed)
	for f, train := range trains {
		var test []point
		for _, i := range held[f] {
			test = append(test, points[i])
		}
		var straightened heuristics.Profile
		straightened.Line, _ = straight(train, l.base.Line.Slope)
		curved := heuristics.Profile{Knots: curve(train)}
		if curved.Knots == nil {
			curved = straightened
		}
		share := float64(len(test)) / float64(len(points))
		out.line += float64(share * errorOf(satisfactions(straightened, test), test))
		out.curve += float64(share * errorOf(satisfactions(curved, test), test))
	}
	if out.curve < out.line {
		out.profile.Line, out.profile.Knots = nil, knots
	}
}

// slope is what the ratings say of the slope of a line through them, in rating per unit of the input.
type slope struct {
	found, low, high float64 // the least squares, with the 95 % interval; NaN where the input does not vary
	used             heuristics.Millionths
	learnt           bool // whether the one found is used
}

// straight fits a line. Its slope is that of the least squares where the interval lies above 0, and the known slope
// where it does not; the line goes through the mean of the points.
func straight(points []point, known heuristics.Millionths) (*heuristics.Line, slope) {
	at, rating := columns(points)
	s := slope{used: known}
	s.found = stats.Slope(at, rating)
	mean, level := stats.Mean(at, nil), stats.Mean(rating, nil)
	var squares, residue float64 // of the input, and what the line leaves unexplained
	for i, x := range at {
		off := rating[i] - level - float64(s.found*(x-mean))
		squares, residue = squares+float64((x-mean)*(x-mean)), residue+float64(off*off)
	}
	freedom := len(at) - 2
	margin := float64(student(freedom) * math.Sqrt(residue/float64(freedom)/squares))
	s.low, s.high = s.found-margin, s.found+margin
	if s.low > 0 {
		s.used, s.learnt = heuristics.MillionthsOf(min(s.found, steepest)), true
	}
	return &heuristics.Line{Intercept: heuristics.MillionthsOf(level - float64(s.used.Float()*mean)), Slope: s.used}, s
}

// student is the 97.5 % quantile of Student's t with df degrees of freedom, by the expansion of Abramowitz and Stegun,
// 26.7.5. From 7 on it is right to a thousandth.
func student(df int) float64 {
	const z = 1.959963984540054 // the quantile of the normal distribution
	const z2 = z * z
	const (
		first  = (z2 + 1) * z / 4
		second = ((5*z2+16)*z2 + 3) * z / 96
		third  = (((3*z2+19)*z2+17)*z2 - 15) * z / 384
		fourth = ((((79*z2+776)*z2+1482)*z2-1920)*z2 - 945) * z / 92160
	)
	n := float64(df)
	return z + (first+(second+(third+fourth/n)/n)/n)/n
}

// step is a run of points to which the rising curve gives one value.
type step struct{ n, at, rating float64 } // how many points, and the sums over them

// curve fits the rising curve with the least squares and gives it by knots in the middle of its steps, between
// which it goes up straight: a flat step would make dialogues equal that are not. It has no knots where nothing rises.
func curve(points []point) (knots []heuristics.Knot) {
	at, rating := columns(points)
	fitted := stats.Isotonic(at, rating)
	values := slices.Compact(slices.Sorted(slices.Values(fitted)))
	steps := make([]step, len(values))
	for i, x := range at {
		n, _ := slices.BinarySearch(values, fitted[i])
		s := &steps[n]
		s.n, s.at, s.rating = s.n+1, s.at+x, s.rating+rating[i]
	}
	for len(steps) > mostKnots {
		steps = joinNearest(steps)
	}
	if len(steps) < 2 {
		return nil
	}
	for _, s := range steps {
		knots = append(knots, heuristics.Knot{At: heuristics.MillionthsOf(s.at / s.n),
			Rating: heuristics.MillionthsOf(s.rating / s.n)})
	}
	return knots
}

// joinNearest joins the two neighbours whose union adds least to the squared error (Ward 1963).
func joinNearest(steps []step) []step {
	best, least := 0, math.Inf(1)
	for i := range steps[1:] {
		a, b := steps[i], steps[i+1]
		apart := b.rating/b.n - a.rating/a.n
		if cost := a.n * b.n / (a.n + b.n) * float64(apart*apart); cost < least {
			best, least = i, cost
		}
	}
	a, b := steps[best], steps[best+1]
	return slices.Replace(steps, best, best+2, step{a.n + b.n, a.at + b.at, a.rating + b.rating})
}

// levelOf is the level, 1 to 5, of a mean rating: the nearest whole number, halves up, as people round.
func levelOf(rating float64) int { return min(max(int(math.Floor(rating+0.5)), 1), numLevels) }

// levels counts the points of each level of people's.
func levels(points []point) (counts [numLevels]int) {
	for _, pt := range points {
		counts[levelOf(pt.rating)-1]++
	}
	return counts
}

// cuts gives the satisfactions from which levels 2 to 5 begin, so that each is as frequent as among people's ratings,
// or as near to that as equal satisfactions allow. A level that nobody used at an end of the scale is cut off at that
// end: no satisfaction is below 1.00, and only one of 5.00 reaches a cut there.
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

// nearest gives the number nearest to wanted, the higher one of two, of sorted values that can be separated from the
// rest: none of those before equals one of those behind.
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

// triage gives the cut at or below which the wanted share of the satisfactions lies, or the nearest share that equal
// ones allow; nil where that is nearer to none.
func triage(satisfactions []rubric.Hundredths, rate heuristics.Millionths) *heuristics.Triage {
	sorted := slices.Sorted(slices.Values(satisfactions))
	n := nearest(sorted, max(1, int(math.Round(float64(rate.Float()*float64(len(sorted)))))))
	if n == 0 {
		return nil
	}
	return &heuristics.Triage{Rate: rate, Cut: sorted[n-1]}
}
