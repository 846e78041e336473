package compare

import "assize/rubric"

// Measure is one of the figures that are compared.
type Measure uint8

// The measures, in the order in which they are shown. Those of the criteria follow them.
const (
	Average        Measure = iota // the weighted average, from 20 to 100, by the weights of each run's own rubric
	AverageOfA                    // the same, but by A's weights on both sides; shown only where the weights differ
	Overall                       // the OverallExperience, from 20 to 100
	Satisfaction                  // the estimated rating, from 1 to 5
	Below60                       // the percentage of dialogues whose OverallExperience is below 60
	firstCriterion                // the final scores, from 20 to 100
	NumMeasures    = int(firstCriterion) + rubric.NumCriteria
)

var measureNames = [firstCriterion]struct{ name, key string }{
	{"weighted average", "numeric_weighted_average"},
	{"with A's weights", "numeric_weighted_average_by_weights_of_a"},
	{"OverallExperience", "OverallExperience"},
	{"satisfaction", "satisfaction"},
	{"% below 60", "percent_below_60"},
}

// String gives the name that people read.
func (m Measure) String() string {
	if c, ok := m.Criterion(); ok {
		return c.String()
	}
	return measureNames[m].name
}

// Key gives the name that programs read.
func (m Measure) Key() string {
	if c, ok := m.Criterion(); ok {
		return c.String()
	}
	return measureNames[m].key
}

// Criterion gives the criterion whose score is measured, if it is one.
func (m Measure) Criterion() (rubric.Criterion, bool) {
	return rubric.Criterion(m - firstCriterion), m >= firstCriterion
}

// Decimals is how many a figure of the measure is printed with: three where the whole scale is 1 to 5.
func (m Measure) Decimals() int {
	if m == Satisfaction {
		return 3
	}
	return 2
}

// row is what one dialogue has of every measure, in hundredths.
type row [NumMeasures]int32

// row measures a scored case. Its weights are those of A.
func (c *Case) row(weights [rubric.NumCriteria]int) row {
	r := row{Average: int32(c.Average), Overall: 100 * int32(c.Overall), Satisfaction: int32(c.Satisfaction)}
	if c.Overall < 60 {
		r[Below60] = 100 * 100
	}
	for i, s := range c.Scores {
		r[AverageOfA] += int32(weights[i]) * int32(s)
		r[int(firstCriterion)+i] = 100 * int32(s)
	}
	return r
}
