package agree

import (
	"math"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

// Key identifies a figure: what people rated, the measure, and the statistic.
type Key struct {
	Rated     string // OverallRating, a criterion or a question
	Measure   string // a score or a reference value
	Statistic Statistic
}

// keys returns the keys of several statistics of one measure.
func keys(rated, measure string, statistics ...Statistic) []Key {
	return ui.Each(statistics, func(s Statistic) Key { return Key{rated, measure, s} })
}

// Statistic is a statistic of agreement.
type Statistic struct {
	name      string // in machine-readable output
	title     string // in the heading of a table
	decimals  int    // for readers; machine-readable output has two more
	undefined string // the text that says why it may be so despite enough dialogues; may be ""
}

// String returns the name in machine-readable output.
func (s Statistic) String() string { return s.name }

// The statistics.
var (
	Spearman = Statistic{"spearman", "Spearman", 2, "no order"}
	kappa    = Statistic{"kappa_quadratic", "kappa", 2, "one level"}
	// of people's levels 1 and 2, and of the others, those that the judge puts on the same side
	sensitivity = Statistic{"sensitivity_60", "sensitivity", 2, "no low level"}
	specificity = Statistic{"specificity_60", "specificity", 2, "no high level"}
	auc         = Statistic{"auc_worst", "AUC", 2, "no worst"}
	precision   = Statistic{"precision_worst", "precision", 2, "no worst"}
	mae         = Statistic{"mae", "MAE", 1, ""} // in points of 100
	// in an annotator's place, against the others; and its lead over the annotator
	asAnnotator       = Statistic{"spearman_in_seat", "as annotator", 2, "no order"}
	leadOverAnnotator = Statistic{"lead", "lead", 2, "no order"}
	alphaOrdinal      = Statistic{"alpha_ordinal", "α ordinal", 2, "all equal"}
	alphaInterval     = Statistic{"alpha_interval", "α interval", 2, "all equal"}
	icc1              = Statistic{"icc_1", "ICC(1)", 2, "all equal"}
	iccK              = Statistic{"icc_k", "ICC(k)", 2, "all equal"}
	Ceiling           = Statistic{"ceiling", "limit", 2, "no limit"}
	ratingsEach       = Statistic{"ratings_per_dialogue", "raters", 1, ""}
	meanScore         = Statistic{"mean", "mean", 2, ""} // of the scores, in points of 100
	// the share of dialogues with the same answer, and Cohen's kappa of yes and no
	yesRating   = Statistic{"spearman_rating", "Spearman", 2, "no order"}
	sameAnswer  = Statistic{"agreement", "same", 2, ""}
	answerKappa = Statistic{"kappa", "kappa", 2, "one answer"}
)

// Figure is the figure that a key identifies.
type Figure struct {
	Key
	stats.Figure
	Groups int // number of groups averaged; 0 for the figure of a group
}

// MissingFigure returns a figure that cannot be measured.
func MissingFigure(why string) Figure { return Figure{Figure: stats.Unknown(why)} }

// cells returns the cells of the figure and of its interval, if it has a value and draws.
func (f *Figure) cells() (value, interval string) {
	decimals := f.Statistic.decimals
	switch value = stats.Short(f.Value, decimals); {
	case !math.IsNaN(f.Low):
		interval = stats.Short(f.Low, decimals) + "–" + stats.Short(f.High, decimals)
	case f.Warning != "" && !math.IsNaN(f.Value):
		interval = "–"
	}
	return value, interval
}

// MarshalJSONTo writes NaN as null.
func (f Figure) MarshalJSONTo(enc *jsontext.Encoder) error {
	return json.MarshalEncode(enc, struct {
		stats.Parts
		N       int    `json:"n"`
		Groups  int    `json:"groups,omitzero"` // for means only
		Warning string `json:"warning,omitempty"`
	}{f.Parts(), f.N, f.Groups, f.Warning})
}

// figures are the figures of a group or their means.
type figures []Figure

// MarshalJSONTo nests figures by rating kind, measure and statistic.
func (list figures) MarshalJSONTo(enc *jsontext.Encoder) error {
	all := map[string]map[string]map[string]Figure{}
	for _, f := range list {
		if all[f.Rated] == nil {
			all[f.Rated] = map[string]map[string]Figure{}
		}
		if all[f.Rated][f.Measure] == nil {
			all[f.Rated][f.Measure] = map[string]Figure{}
		}
		all[f.Rated][f.Measure][f.Statistic.name] = f
	}
	return json.MarshalEncode(enc, all)
}

// target is what people rated in a group: whole dialogues or one criterion.
type target struct {
	rated         string
	units         []int // indices of the rated dialogues in the group
	rows          []*run.Row
	ratings       [][]float64 // the ratings of each dialogue
	counts        []float64   // the number of ratings of each
	multiplyRated int         // number of dialogues with two or more ratings
	means         []float64   // the mean ratings, in points of 100
	levels        []int
}

func newTarget(rated string, group []ratings.Rated) *target {
	t := &target{rated: rated}
	for i := range group {
		g := ratingsOf(&group[i], rated)
		if g == nil {
			continue
		}
		mean, n := ratings.Mean(g), ratings.Count(g)
		if n >= 2 {
			t.multiplyRated++
		}
		t.units, t.rows = append(t.units, i), append(t.rows, group[i].Row)
		t.ratings, t.counts = append(t.ratings, g), append(t.counts, float64(n))
		t.means, t.levels = append(t.means, 20*mean), append(t.levels, levelOf(mean))
	}
	return t
}

// measure adds all figures of the target to m.
func (t *target) measure(m *calculator) {
	n := len(t.means)
	for _, measure := range MeasuresOf(t.rated) {
		levels := t.levelsBy(measure)
		m.add(t.units, keys(t.rated, measure, common...), n, ratedDialogues,
			m.opt.agreement(pointsOf(t.rows, measure), t.means, levels, t.levels))
	}
	if t.rated == OverallRating {
		sat := stats.NewPairs(pointsOf(t.rows, Satisfaction), t.means)
		average := stats.NewPairs(pointsOf(t.rows, Average), t.means)
		m.add(t.units, keys(t.rated, Ahead, Spearman), n, ratedDialogues,
			func(times []int) []float64 {
				return []float64{sat.Spearman(times) - average.Spearman(times)}
			})
		for _, name := range run.ScoreNames() {
			points := pointsOf(t.rows, name)
			pairs := stats.NewPairs(points, t.means)
			m.add(t.units, keys(t.rated, name, meanScore, Spearman), n, ratedDialogues,
				func(times []int) []float64 {
					return []float64{stats.Mean(points, times), pairs.Spearman(times)}
				})
		}
	}
	t.compareRaters(m)
	raters := stats.NewReliability(t.ratings)
	m.add(t.units, keys(t.rated, Raters, alphaOrdinal, alphaInterval, icc1, iccK, Ceiling),
		t.multiplyRated, multipleRatings, func(times []int) []float64 {
			single, mean := raters.ICC(times)
			return []float64{raters.Alpha(stats.Ordinal, times),
				raters.Alpha(stats.IntervalScale, times), single, mean, stats.Ceiling(mean)}
		})
	m.add(t.units, keys(t.rated, Raters, ratingsEach), n, ratedDialogues,
		func(times []int) []float64 { return []float64{stats.Mean(t.counts, times)} })
	m.add(t.units, keys(t.rated, constantAnswer, common...), n, ratedDialogues, t.constant(m.opt))
}

// pointsOf returns the values of rows by a measure, in points of 100.
func pointsOf(rows []*run.Row, measure string) []float64 {
	criterion, _ := rubric.ParseCriterion(measure)
	list := make([]float64, len(rows))
	for i, r := range rows {
		switch measure {
		case Satisfaction:
			list[i] = float64(r.Satisfaction) / 5
		case Average:
			list[i] = float64(r.Average) / 100
		case overall:
			list[i] = float64(r.Overall)
		default:
			list[i] = float64(r.Final[criterion])
		}
	}
	return list
}

// levelsBy returns the levels of the dialogues by a measure: those of the scores, those of the
// profile, or levels as frequent as people's.
func (t *target) levelsBy(measure string) []int {
	said, levels := pointsOf(t.rows, measure), make([]int, len(t.rows))
	for i, r := range t.rows {
		levels[i] = levelOf(said[i] / 20)
		if measure == Satisfaction {
			levels[i] = r.Level - 1 // -1 if the profile has no cuts
		}
	}
	if measure == Average || slices.Contains(levels, -1) {
		return matchFrequencies(said, t.levels)
	}
	return levels
}

// lowLevels is the number of levels below 3, which is 60 points.
const lowLevels = 2

// levelOf returns the level of a rating from 1 to 5, counted from 0.
func levelOf(rating float64) int { return ratings.Level(rating) - 1 }

// matchFrequencies assigns levels to values so that each level is as frequent as among people: the
// lowest values get the lowest level. Equal values get the level of the middle one.
func matchFrequencies(values []float64, people []int) []int {
	ranked, sorted := slices.Sorted(slices.Values(values)), slices.Sorted(slices.Values(people))
	levels := make([]int, len(values))
	for i, v := range values {
		from, _ := slices.BinarySearch(ranked, v)
		to := from + 1
		for to < len(ranked) && ranked[to] == v {
			to++
		}
		levels[i] = sorted[(from+to-1)/2]
	}
	return levels
}

// common lists the statistics of a measure, of one annotator and of a constant, in the order of
// [Options.agreement].
var common = []Statistic{Spearman, auc, precision, mae, kappa, sensitivity, specificity}

// agreement measures how well one side's points and levels agree with people's.
func (o *Options) agreement(own, people []float64,
	levels, peoples []int) func(times []int) []float64 {
	pairs := stats.NewPairs(own, people)
	cut := stats.Quantile(people, o.Worst)
	worst, off := make([]bool, len(people)), make([]float64, len(people))
	for i, v := range people {
		worst[i], off[i] = v < cut, math.Abs(own[i]-v)
	}
	// right returns the share of the dialogues whose level by people is below 3, or of the others,
	// that the judge puts on the same side.
	right := func(low bool, times []int) float64 {
		same, all := 0, 0
		for i, l := range peoples {
			if l < lowLevels == low {
				all += times[i]
				if levels[i] < lowLevels == low {
					same += times[i]
				}
			}
		}
		return float64(same) / float64(all)
	}
	return func(times []int) []float64 {
		return []float64{pairs.Spearman(times), pairs.AUC(worst, times),
			pairs.PrecisionAt(o.Worst/2, worst, times), stats.Mean(off, times),
			stats.Kappa(levels, peoples, times), right(true, times), right(false, times)}
	}
}

// constant measures a judge that assigns every dialogue the median of people's values, the constant
// with the least error. Its correlation is defined as 0.
func (t *target) constant(opt *Options) func(times []int) []float64 {
	n, median := len(t.means), stats.Quantile(t.means, .5)
	points := slices.Repeat([]float64{median}, n)
	levels := slices.Repeat([]int{levelOf(median / 20)}, n)
	take, rho := opt.agreement(points, t.means, levels, t.levels), 0.0
	if !slices.ContainsFunc(t.means, func(v float64) bool { return v != t.means[0] }) {
		rho = math.NaN()
	}
	return func(times []int) []float64 {
		values := take(times)
		values[0] = rho
		return values
	}
}

// compareRaters measures one annotator against the others, and every measure in an annotator's
// seat; see [ratings.CompareRaters].
func (t *target) compareRaters(m *calculator) {
	own := keys(t.rated, OneAnnotator, common...)
	for _, measure := range MeasuresOf(t.rated) {
		own = append(own, keys(t.rated, measure, asAnnotator, leadOverAnnotator)...)
	}
	seat := func(units []int, rater, others []float64) func(times []int) []float64 {
		var mine, theirs []int
		for i := range units {
			mine, theirs = append(mine, levelOf(rater[i])), append(theirs, levelOf(others[i]))
			rater[i], others[i] = 20*rater[i], 20*others[i]
		}
		annotator := m.opt.agreement(rater, others, mine, theirs)
		var judge []*stats.Pairs // by measure
		for _, measure := range MeasuresOf(t.rated) {
			said := pointsOf(t.rows, measure)
			own := ui.Each(units, func(u int) float64 { return said[u] })
			judge = append(judge, stats.NewPairs(own, others))
		}
		return func(times []int) []float64 {
			values := annotator(times)
			for _, p := range judge {
				rho := p.Spearman(times)
				values = append(values, rho, rho-values[0])
			}
			return values
		}
	}
	m.add(t.units, own, t.multiplyRated, multipleRatings,
		ratings.CompareRaters(t.ratings, len(own), seat))
}
