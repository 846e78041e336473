package agree

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"assize/cmd/assize/internal/stats"
	"assize/rubric"
)

// Key names a figure: what people rated, the measure, and the statistic.
type Key struct {
	Rated     string // OverallRating or a criterion
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
	Spearman      Statistic = "spearman"
	Kappa         Statistic = "kappa_quadratic"
	AUC           Statistic = "auc_worst"
	Precision     Statistic = "precision_worst"
	MAE           Statistic = "mae"              // in points of 100
	InSeat        Statistic = "spearman_in_seat" // in an annotator's seat, compared with the others
	Lead          Statistic = "lead"             // in the seat, over the annotator
	AlphaOrdinal  Statistic = "alpha_ordinal"
	AlphaInterval Statistic = "alpha_interval"
	ICC1          Statistic = "icc_1"
	ICCk          Statistic = "icc_k"
	Ceiling       Statistic = "ceiling"
	RatingsEach   Statistic = "ratings_per_dialogue"
)

const (
	noOrder  = "one side is the same for every dialogue"
	noWorst  = "no dialogue is strictly below the quantile of people's means, so many share the lowest"
	allEqual = "all ratings are the same"
)

// statistics say what each statistic is called in a table, and why it may have no value although there are dialogues
// enough.
var statistics = map[Statistic]struct{ title, undefined string }{
	Spearman:      {"Spearman", noOrder},
	Kappa:         {"kappa", "both sides give one and the same level throughout"},
	AUC:           {"AUC", noWorst},
	Precision:     {"precision", noWorst},
	MAE:           {"MAE", ""},
	InSeat:        {"in a seat", noOrder},
	Lead:          {"lead", noOrder},
	AlphaOrdinal:  {"α ordinal", allEqual},
	AlphaInterval: {"α interval", allEqual},
	ICC1:          {"ICC(1)", allEqual},
	ICCk:          {"ICC(k)", allEqual},
	Ceiling:       {"limit", "ICC(k) is not above zero: the raters differ more than the dialogues do"},
	RatingsEach:   {"ratings", ""},
}

// decimals is how many decimals a statistic has for people; programs get two more.
func (s Statistic) decimals() int {
	if s == MAE || s == RatingsEach {
		return 1
	}
	return 2
}

// fixed gives a figure the decimals with which programs read it.
func (s Statistic) fixed(v float64) stats.Fixed {
	return stats.Fixed{Value: v, Decimals: s.decimals() + 2}
}

// Figure is a value with its 95 % interval. What cannot be measured is NaN.
type Figure struct {
	Key
	Value float64
	stats.Interval
	N      int    // of how many dialogues
	Groups int    // over how many groups it is a mean; 0 for the figure of a group
	Why    string // why there is no value or no interval; empty where there are both, and where nobody asked for intervals
}

// None is a figure that cannot be measured.
func None(why string) Figure { return Figure{Value: math.NaN(), Interval: noInterval, Why: why} }

var noInterval = stats.Interval{Low: math.NaN(), High: math.NaN()}

// String gives the figure with its interval in words: ".46 (.24 to .64)".
func (f Figure) String() string {
	if math.IsNaN(f.Low) {
		return stats.Short(f.Value, 2)
	}
	return fmt.Sprintf("%s (%s to %s)", stats.Short(f.Value, 2), stats.Short(f.Low, 2), stats.Short(f.High, 2))
}

// cells prints the figure and its interval; nothing for an interval that would only repeat the value, and for that of
// the constant, which nobody doubts.
func (f *Figure) cells() (value, interval string) {
	decimals := f.Statistic.decimals()
	value, low, high := stats.Short(f.Value, decimals), stats.Short(f.Low, decimals), stats.Short(f.High, decimals)
	if math.IsNaN(f.Low) || low == value && high == value || f.Measure == Constant {
		return value, ""
	}
	return value, low + "–" + high
}

// MarshalJSON gives null for what cannot be measured.
func (f Figure) MarshalJSON() ([]byte, error) {
	s := f.Statistic
	return json.Marshal(struct {
		Value   stats.Fixed `json:"value"`
		Low     stats.Fixed `json:"low"`
		High    stats.Fixed `json:"high"`
		N       int         `json:"n"`
		Groups  int         `json:"groups,omitempty"` // of means only
		Warning string      `json:"warning,omitempty"`
	}{s.fixed(f.Value), s.fixed(f.Low), s.fixed(f.High), f.N, f.Groups, f.Why})
}

// Figures are the figures of a group, or their means.
type Figures []Figure

// MarshalJSON nests figures by what was rated, by measure and by statistic.
func (list Figures) MarshalJSON() ([]byte, error) {
	all := map[string]map[string]map[Statistic]Figure{}
	for _, f := range list {
		if all[f.Rated] == nil {
			all[f.Rated] = map[string]map[Statistic]Figure{}
		}
		if all[f.Rated][f.Measure] == nil {
			all[f.Rated][f.Measure] = map[Statistic]Figure{}
		}
		all[f.Rated][f.Measure][f.Statistic] = f
	}
	return json.Marshal(all)
}

// Floor is the least correlation of a measure that is good enough.
type Floor struct {
	text  string // as it was given
	of    Key
	least float64
}

// ParseFloor reads a measure and Spearman's correlation, such as satisfaction=.35.
func ParseFloor(text string) (Floor, error) {
	name, value, _ := strings.Cut(text, "=")
	least, err := strconv.ParseFloat(value, 64)
	if err == nil && least > -1 && least <= 1 {
		for _, m := range MeasuresOf(OverallRating) {
			if Label(m) == name {
				return Floor{text, Key{OverallRating, m, Spearman}, least}, nil
			}
		}
		if c, err := rubric.ParseCriterion(name); err == nil {
			return Floor{text, Key{c.String(), c.String(), Spearman}, least}, nil
		}
	}
	return Floor{}, fmt.Errorf("%q: want satisfaction, average, overall or a criterion, = and a correlation, as in "+
		"satisfaction=.35", text)
}

// Under says which measures are under their floors. The error says that there is no figure of one.
func (rep *Report) Under(floors []Floor) (under []string, err error) {
	for _, f := range floors {
		switch found := rep.Of(rep.Mean, f.of); {
		case math.IsNaN(found.Value):
			return nil, fmt.Errorf("--fail-below %s: there is no figure: %s", f.text, found.Why)
		case found.Value < f.least:
			under = append(under, fmt.Sprintf("the Spearman of %s is %s, under --fail-below %s", Label(f.of.Measure),
				stats.Short(found.Value, 4), f.text))
		}
	}
	return under, nil
}
