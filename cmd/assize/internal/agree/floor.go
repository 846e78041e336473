package agree

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"assize/rubric"
)

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
				Short(found.Value, 4), f.text))
		}
	}
	return under, nil
}
