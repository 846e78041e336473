package agree

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"assize/cmd/assize/internal/stats"
)

// Key names a figure: what people rated, the measure, and the statistic.
type Key struct {
	Rated     string // OverallRating or a criterion; empty where judges are compared
	Measure   string // a score, or one of the yardsticks
	Statistic Statistic
}

// keys are those of several statistics of one measure.
func keys(rated, measure string, statistics ...Statistic) (list []Key) {
	for _, s := range statistics {
		list = append(list, Key{rated, measure, s})
	}
	return list
}

// Statistic is the name of a statistic, as programs read it.
type Statistic string

// The statistics.
const (
	Spearman       Statistic = "spearman"
	Kappa          Statistic = "kappa_quadratic"
	AUC            Statistic = "auc_worst"
	Precision      Statistic = "precision_worst"
	MAE            Statistic = "mae"           // in points of 100
	AlphaOrdinal   Statistic = "alpha_ordinal" // of the raters; under a measure, of the raters and the measure
	AlphaInterval  Statistic = "alpha_interval"
	InSeat         Statistic = "spearman_in_seat" // in an annotator's seat, compared with the others
	Lead           Statistic = "lead"             // in the seat, over the annotator
	RatingsEach    Statistic = "ratings_per_dialogue"
	ICC1           Statistic = "icc_1"
	ICCk           Statistic = "icc_k"
	Ceiling        Statistic = "ceiling"
	Exact          Statistic = "exact"      // the part of the dialogues with the same score
	Within         Statistic = "within_one" // or one level apart
	MeanDifference Statistic = "mean_difference"
	Changed        Statistic = "changed" // the part of the dialogues on which the judges do not all say the same
	Gain           Statistic = "gain"    // see [NewGain]
)

// undefined says why the statistic has no value although there are dialogues enough.
func (s Statistic) undefined() string {
	switch s {
	case Spearman, InSeat, Lead, Gain:
		return "one side is the same for every dialogue"
	case Kappa:
		return "both sides give one and the same level throughout"
	case AUC, Precision:
		return "no dialogue is strictly below the quantile of people's means, so many share the lowest"
	case Ceiling:
		return "ICC(k) is not above zero: the raters differ more than the dialogues do"
	}
	return "all ratings are the same"
}

// fixed gives a figure the decimals with which programs read it.
func (s Statistic) fixed(v float64) stats.Fixed {
	if s == MAE || s == MeanDifference || s == RatingsEach {
		return stats.Fixed{Value: v, Decimals: 3}
	}
	return stats.Fixed{Value: v, Decimals: 4}
}

// Figure is a value with its 95 % interval. What cannot be measured is NaN.
type Figure struct {
	Key
	Value float64
	stats.Interval
	N      int    // of how many dialogues
	Why    string // why there is no value or no interval; empty where there are both, and where nobody asked for intervals
	Groups int    // over how many groups it is a mean
}

// None is a figure that cannot be measured.
func None(why string) Figure { return Figure{Value: math.NaN(), Interval: noInterval, Why: why} }

var noInterval = stats.Interval{Low: math.NaN(), High: math.NaN()}

// span prints a figure with its interval in words.
func (f *Figure) span() string {
	if math.IsNaN(f.Low) {
		return Short(f.Value, 2)
	}
	return fmt.Sprintf("%s (%s to %s)", Short(f.Value, 2), Short(f.Low, 2), Short(f.High, 2))
}

// cells prints the figure of a key and its interval; nothing for an interval that would only repeat the value.
func (f *Figure) cells(k Key) (value, interval string) {
	decimals := 2
	if k.Statistic == MAE || k.Statistic == RatingsEach {
		decimals = 1
	}
	value, low, high := Short(f.Value, decimals), Short(f.Low, decimals), Short(f.High, decimals)
	if math.IsNaN(f.Low) || low == value && high == value {
		return value, ""
	}
	return value, low + "–" + high
}

// Short prints a figure with a fixed number of decimals and without the zero before the point, halves away from
// zero, and never as "-.00". A NaN is a dash.
func Short(v float64, decimals int) string {
	if math.IsNaN(v) {
		return "–"
	}
	s := strings.TrimPrefix(stats.Fixed{Value: v, Decimals: decimals}.String(), "0")
	return strings.Replace(s, "-0.", "-.", 1)
}

// gauge measures some figures of a group. Resampling asks for them again and again.
type gauge struct {
	keys   []Key
	n      int                               // dialogues
	why    string                            // why nothing can be measured; empty where it can be tried
	take   func(times []int, into []float64) // times says how often each dialogue of the group counts; nil for once
	levels *stats.Levels                     // of people and the measure; nil for none
}

// Fewest is how many dialogues a group must have for any figure.
const Fewest = 20

// What is counted.
const (
	ratedDialogues  = "rated dialogues"
	sharedDialogues = "dialogues with two ratings or more"
	pairedDialogues = "dialogues that both scored"
	commonDialogues = "dialogues that all scored"
)

// few says why n dialogues are too few for figures; it is empty where they are not.
func few(n int, what string) string {
	switch {
	case n == 0:
		return "there are no " + what
	case n < Fewest:
		return fmt.Sprintf("there are fewer than %d %s", Fewest, what)
	}
	return ""
}

// same reports whether all elements are equal.
func same[T comparable](list []T) bool {
	return !slices.ContainsFunc(list, func(v T) bool { return v != list[0] })
}
