package agree

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"assize/cmd/assize/internal/ratings"
	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/stats"
	"assize/rubric"
)

// target is what people rated in a group: the whole dialogues, or one criterion of them.
type target struct {
	rated    string
	opt      *Options
	pick     func(times []int) []int // how often each rated dialogue counts, by how often each of the group does
	given    [][]float64             // the ratings of each
	people   []float64               // their means, in points of 100
	levels   []int
	worst    []bool
	counts   []float64 // how many ratings each has
	shared   int       // how many have two ratings or more
	measures []measured
}

// measured is what the judge says by a measure.
type measured struct {
	name    string
	points  []float64 // of 100
	levels  []int
	ratings []float64 // as one more rater, on the scale from 1 to 5
}

// newTarget takes the dialogues of a group that were rated. given gives the ratings of one.
func newTarget(rated string, all []ratings.Rated, group []int, opt *Options,
	given func(*ratings.Rated) []float64) *target {
	t := &target{rated: rated, opt: opt}
	var units []int
	var rows []*run.Row
	for i, at := range group {
		g := given(&all[at])
		if g == nil {
			continue
		}
		units, rows = append(units, i), append(rows, all[at].Row)
		mean, n := ratings.Mean(g), 0
		for _, v := range g {
			if !math.IsNaN(v) {
				n++
			}
		}
		t.given, t.counts = append(t.given, g), append(t.counts, float64(n))
		t.people, t.levels = append(t.people, 20*mean), append(t.levels, nearest(mean))
		if n >= 2 {
			t.shared++
		}
	}
	t.pick, t.worst = picker(units), below(t.people, opt.Worst)
	for _, name := range MeasuresOf(rated) {
		m := measured{name: name}
		placed := name == Satisfaction // whether the profile gives levels
		for _, r := range rows {
			p := points(r, name)
			m.points, m.ratings = append(m.points, p), append(m.ratings, choice(p/20, opt.Scale))
			m.levels = append(m.levels, nearest(p/20))
			placed = placed && r.Level != 0
		}
		switch {
		case placed:
			for i, r := range rows {
				m.levels[i], m.ratings[i] = r.Level-1, float64(r.Level)
			}
		case name == Satisfaction || name == Average:
			m.levels = alike(m.points, t.levels)
		}
		t.measures = append(t.measures, m)
	}
	return t
}

// picker picks from how often each dialogue of a group counts how often some of them do; nil stays nil. What it
// returns holds until the next call.
func picker(units []int) func(times []int) []int {
	own := make([]int, len(units))
	return func(times []int) []int {
		if times == nil {
			return nil
		}
		for i, u := range units {
			own[i] = times[u]
		}
		return own
	}
}

// points gives what a row says by a measure, in points of 100.
func points(r *run.Row, measure string) float64 {
	switch measure {
	case Satisfaction:
		return float64(r.Satisfaction) / 5
	case Average:
		return float64(r.Average) / 100
	case Overall:
		return float64(r.Overall)
	}
	c, err := rubric.ParseCriterion(measure)
	if err != nil {
		panic(err) // measures are named in this package
	}
	return float64(r.Final[c])
}

// numLevels is how many levels there are, 1 to 5. In slices they count from 0.
const numLevels = 5

// nearest is the level of a rating from 1 to 5, from 0; halves go up.
func nearest(rating float64) int { return min(max(int(math.Floor(rating+.5))-1, 0), numLevels-1) }

// alike gives values levels so that each is as frequent as among people: the lowest values get the lowest. Equal values
// get the same level, that of the middle one of them.
func alike(values []float64, people []int) []int {
	sorted := slices.Sorted(slices.Values(people))
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	levels := make([]int, len(values))
	for from, to := 0, 0; from < len(order); from = to {
		for to < len(order) && values[order[to]] == values[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			levels[i] = sorted[(from+to-1)/2]
		}
	}
	return levels
}

// choice is the rating nearest to a value from 1 to 5 that people could give on their scale, back on the scale from 1
// to 5. Halves go up.
func choice(value float64, s ratings.Scale) float64 {
	own := math.Floor(s.Low + float64((value-1)*(s.High-s.Low))/4 + .5)
	return s.OnFive(min(max(own, min(s.Low, s.High)), max(s.Low, s.High)))
}

// below says which values lie strictly below their quantile.
func below(values []float64, quantile float64) []bool {
	cut := stats.Quantile(values, quantile)
	is := make([]bool, len(values))
	for i, v := range values {
		is[i] = v < cut
	}
	return is
}

// common are the statistics of a measure, of one annotator and of a constant, in the order of [reading.take].
var common = []Statistic{Spearman, AUC, Precision, MAE, Kappa}

// reading is one side beside people's, ready to be measured.
type reading struct {
	pairs     *stats.Pairs
	levels    *stats.Levels
	worst     []bool
	precision float64
}

func (t *target) reading(points, people []float64, own, theirs []int, worst []bool) reading {
	return reading{stats.NewPairs(points, people), stats.NewLevels(own, theirs, numLevels), worst, t.opt.Precision()}
}

// take takes the common statistics.
func (r *reading) take(times []int, into []float64) {
	into[0] = r.pairs.Spearman(times)
	into[1] = r.pairs.AUC(r.worst, times)
	into[2] = r.pairs.PrecisionAt(r.precision, r.worst, times)
	into[3] = r.pairs.MAE(times)
	into[4] = r.levels.Kappa(times)
}

// gauges lists what is measured.
func (t *target) gauges() (list []*gauge) {
	for i := range t.measures {
		list = append(list, t.agreement(&t.measures[i]))
	}
	return append(list, t.seats(), t.reliability(), t.eachRated(), t.constant())
}

// agreement measures how a measure agrees with people, and how well the raters and the measure agree, all as equals.
func (t *target) agreement(m *measured) *gauge {
	r := t.reading(m.points, t.people, m.levels, t.levels, t.worst)
	units := make([][]float64, len(t.given))
	for i, given := range t.given {
		units[i] = append(slices.Clone(given), m.ratings[i])
	}
	all := stats.NewReliability(units)
	take := func(times []int, into []float64) {
		times = t.pick(times)
		r.take(times, into)
		into[5], into[6] = all.Alpha(stats.Ordinal, times), all.Alpha(stats.IntervalScale, times)
	}
	own := append(keys(t.rated, m.name, common...), keys(t.rated, m.name, AlphaOrdinal, AlphaInterval)...)
	return &gauge{own, len(t.people), few(len(t.people), ratedDialogues), take, r.levels}
}

// constant measures what a judge gets that says the same of every dialogue: for the absolute error, people's median
// of the other dialogues; for the rest it does not matter what.
func (t *target) constant() *gauge {
	pairs := stats.NewPairs(t.people, t.people)
	rho, auc, kappa := 0.0, .5, 0.0
	if same(t.people) {
		rho = math.NaN()
	}
	if same(t.levels) {
		kappa = math.NaN()
	}
	var worst []float64
	if !slices.Contains(t.worst, true) {
		auc = math.NaN()
	} else {
		for _, is := range t.worst {
			worst = append(worst, part(is))
		}
	}
	take := func(times []int, into []float64) {
		times = t.pick(times)
		into[0], into[1], into[2] = rho, auc, stats.Mean(worst, times)
		into[3], into[4] = pairs.ConstantMAE(times), kappa
	}
	return &gauge{keys(t.rated, Constant, common...), len(t.people), few(len(t.people), ratedDialogues), take, nil}
}

// part is what a dialogue adds to a part of all: 1 where it is one of them.
func part(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// reliability measures how well the raters agree among themselves.
func (t *target) reliability() *gauge {
	r := stats.NewReliability(t.given)
	take := func(times []int, into []float64) {
		times = t.pick(times)
		into[0], into[1] = r.Alpha(stats.Ordinal, times), r.Alpha(stats.IntervalScale, times)
		into[2], into[3] = r.ICC(times)
		into[4] = stats.Ceiling(into[3])
	}
	own := keys(t.rated, Raters, AlphaOrdinal, AlphaInterval, ICC1, ICCk, Ceiling)
	return &gauge{own, t.shared, few(t.shared, sharedDialogues), take, nil}
}

// eachRated measures how many ratings a dialogue has.
func (t *target) eachRated() *gauge {
	take := func(times []int, into []float64) { into[0] = stats.Mean(t.counts, t.pick(times)) }
	return &gauge{keys(t.rated, Raters, RatingsEach), t.shared, few(len(t.people), ratedDialogues), take, nil}
}

// seats measures one annotator against the others, and every measure in an annotator's seat: the mean over the positions
// among the raters. A position with a single dialogue can have no correlation and is left out.
func (t *target) seats() *gauge {
	places := map[int][]int{} // by position, the dialogues that were rated there and by others
	for u, given := range t.given {
		for at, v := range given {
			if !math.IsNaN(v) && t.counts[u] >= 2 {
				places[at] = append(places[at], u)
			}
		}
	}
	var seats []func(times []int, into []float64) (weight float64)
	for _, at := range slices.Sorted(maps.Keys(places)) {
		if units := places[at]; len(units) > 1 {
			seats = append(seats, t.seat(at, units))
		}
	}
	own := keys(t.rated, OneAnnotator, common...)
	for _, m := range t.measures {
		own = append(own, keys(t.rated, m.name, InSeat, Lead)...)
	}
	values, weights := make([]float64, len(own)), make([]float64, len(own))
	take := func(times []int, into []float64) {
		clear(weights)
		times = t.pick(times)
		for _, seat := range seats {
			weight := seat(times, values)
			for k, v := range values {
				if !math.IsNaN(v) {
					into[k] += float64(weight * v)
					weights[k] += weight
				}
			}
		}
		for k := range into {
			into[k] /= weights[k]
		}
	}
	return &gauge{own, t.shared, few(t.shared, sharedDialogues), take, nil}
}

// seat measures what the annotators at a position said, and what the judge says there, both beside the mean of the other
// ratings. The weight is the number of dialogues.
func (t *target) seat(at int, units []int) func(times []int, into []float64) (weight float64) {
	own, others := make([]float64, len(units)), make([]float64, len(units))
	mine, theirs := make([]int, len(units)), make([]int, len(units))
	once := make([]int, len(units))
	for i, u := range units {
		rating, mean := t.given[u][at], ratings.Mean(slices.Delete(slices.Clone(t.given[u]), at, at+1))
		own[i], others[i] = 20*rating, 20*mean
		mine[i], theirs[i] = nearest(rating), nearest(mean)
		once[i] = 1
	}
	annotator := t.reading(own, others, mine, theirs, below(others, t.opt.Worst))
	var judge []*stats.Pairs // by measure
	for _, m := range t.measures {
		judge = append(judge, stats.NewPairs(chosen(m.points, units), others))
	}
	pick := picker(units)
	return func(times []int, into []float64) (weight float64) {
		if times = pick(times); times == nil {
			times = once
		}
		annotator.take(times, into)
		for i, p := range judge {
			rho := p.Spearman(times)
			into[len(common)+2*i], into[len(common)+2*i+1] = rho, rho-into[0]
		}
		for _, n := range times {
			weight += float64(n)
		}
		return weight
	}
}
