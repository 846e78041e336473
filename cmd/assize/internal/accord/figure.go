package accord

import (
	"math"
	"slices"

	"assize/cmd/assize/internal/agreement"
)

// Key names a figure: what people rated, whom it is about, and the statistic.
type Key struct {
	Rated     string // OverallRating, or the criterion
	Measure   string // a score, or one of the yardsticks
	Statistic Statistic
}

// OverallRating is what people rated when they rated the whole dialogue.
const OverallRating = "overall"

// The measures besides the six criteria, and the yardsticks.
const (
	Satisfaction = "satisfaction"
	Average      = "numeric_weighted_average"
	Overall      = "OverallExperience"

	OneAnnotator = "one_annotator"
	Constant     = "constant"
	Raters       = "raters"
)

// Statistic is the name of a statistic, as programs read it.
type Statistic string

// The statistics.
const (
	Spearman       Statistic = "spearman"
	Kendall        Statistic = "kendall_tau_b"
	Pearson        Statistic = "pearson"
	Kappa          Statistic = "kappa_quadratic"
	UAR            Statistic = "uar"
	AUC            Statistic = "auc_worst"
	Precision      Statistic = "precision_worst"
	MAE            Statistic = "mae"
	RMSE           Statistic = "rmse"
	AlphaNominal   Statistic = "alpha_nominal" // of the raters; under a measure, of the raters and the measure
	AlphaOrdinal   Statistic = "alpha_ordinal"
	AlphaInterval  Statistic = "alpha_interval"
	InSeat         Statistic = "spearman_in_seat" // in an annotator's seat, held against the others
	Lead           Statistic = "lead"             // in the seat, over the annotator
	RatingsEach    Statistic = "ratings_per_dialogue"
	ICC1           Statistic = "icc_1"
	ICCk           Statistic = "icc_k"
	Ceiling        Statistic = "ceiling"
	Exact          Statistic = "exact"      // the part of the dialogues with the same score
	Within         Statistic = "within_one" // or one level apart
	MeanDifference Statistic = "mean_difference"
	Changed        Statistic = "changed" // the part of the dialogues on which the judges are not all of one mind
)

// Decimals is how many a figure is written with where programs read it.
func (s Statistic) Decimals() int {
	switch s {
	case MAE, RMSE, MeanDifference, RatingsEach:
		return 3
	}
	return 4
}

// Figure is a value with its 95 % interval. What cannot be had is NaN.
type Figure struct {
	Value float64
	agreement.Interval
	N      int    // of how many dialogues
	Why    string // why there is no value or no interval; empty where there are both, and for what has none by nature
	Groups int    // over how many groups it is a mean
}

// None is a figure that cannot be had.
func None(why string) Figure { return Figure{Value: math.NaN(), Interval: noInterval, Why: why} }

var noInterval = agreement.Interval{Low: math.NaN(), High: math.NaN()}

// gauge takes some figures of a group. Resampling asks for them again and again.
type gauge struct {
	keys []Key
	n    int
	why  []string                          // why a figure cannot be had; such a one is never taken
	take func(times []int, into []float64) // times says how often each dialogue of the group counts; nil once
}

// newGauge makes a gauge of one measure.
func newGauge(rated, measure string, n int, take func([]int, []float64), statistics ...Statistic) *gauge {
	g := &gauge{n: n, take: take, why: make([]string, len(statistics))}
	for _, s := range statistics {
		g.keys = append(g.keys, Key{rated, measure, s})
	}
	return g
}

// because notes why the figures of the given statistics cannot be had, all of them where none is named. The first
// reason counts.
func (g *gauge) because(is bool, why string, statistics ...Statistic) {
	for i, k := range g.keys {
		if named := len(statistics) == 0 || slices.Contains(statistics, k.Statistic); is && named && g.why[i] == "" {
			g.why[i] = why
		}
	}
}

// read takes the figures that can be had.
func (g *gauge) read(times []int, into []float64) {
	if slices.Contains(g.why, "") {
		g.take(times, into)
	}
	for i, why := range g.why {
		if why != "" {
			into[i] = math.NaN()
		}
	}
}
