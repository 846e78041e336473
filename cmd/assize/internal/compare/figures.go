package compare

import (
	"math"

	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/stats"
	"assize/rubric"
)

// Measure is one of the figures that are compared.
type Measure uint8

// The measures, in the order in which they are shown. Those of the criteria follow them.
const (
	Average        Measure = iota // the weighted average, from 20 to 100
	Overall                       // the OverallExperience, from 20 to 100
	Satisfaction                  // the estimated rating, from 1 to 5
	Below60                       // the percentage of dialogues whose OverallExperience is below 60
	firstCriterion                // the final scores, from 20 to 100
	numMeasures    = int(firstCriterion) + rubric.NumCriteria
)

// String gives the name that people read.
func (m Measure) String() string {
	if m >= firstCriterion {
		return rubric.Criterion(m - firstCriterion).String()
	}
	return [...]string{"weighted average", "OverallExperience", "satisfaction", "% below 60"}[m]
}

// Key gives the name that programs read.
func (m Measure) Key() string {
	switch m {
	case Average:
		return "numeric_weighted_average"
	case Below60:
		return "percent_below_60"
	}
	return m.String()
}

// MarshalText gives the key.
func (m Measure) MarshalText() ([]byte, error) { return []byte(m.Key()), nil }

// fixed gives a value with the decimals of the measure: three where the whole scale is 1 to 5.
func (m Measure) fixed(value float64) stats.Fixed {
	if m == Satisfaction {
		return stats.Fixed{Value: value, Decimals: 3}
	}
	return stats.Fixed{Value: value, Decimals: 2}
}

// Figure compares A and B on one measure, in the measure's own units.
type Figure struct {
	Measure    Measure         `json:"measure"`
	NA         int             `json:"n_a"` // how many dialogues each side has; in pairs as many
	NB         int             `json:"n_b"`
	A          stats.Fixed     `json:"mean_a"`
	B          stats.Fixed     `json:"mean_b"`
	Difference stats.Fixed     `json:"difference"` // B − A
	Interval   *[2]stats.Fixed `json:"interval"`   // of the difference, 95 %, from low to high; nil for too few
	*Moves                     // of pairs
}

// Moves counts the pairs in which a measure changed.
type Moves struct {
	Rose   int `json:"rose"`
	Fell   int `json:"fell"`
	Stayed int `json:"stayed"`
}

// Excludes reports whether 0 lies outside the interval as it is printed with two decimals.
func (f *Figure) Excludes() bool {
	return f.Interval != nil && (hundredths(f.Interval[0]) > 0 || hundredths(f.Interval[1]) < 0)
}

// hundredths rounds a figure as it is printed, halves away from zero.
func hundredths(f stats.Fixed) rubric.Hundredths { return rubric.Hundredths(math.Round(f.Value * 100)) }

// values are what one dialogue has of each measure, in hundredths: from 0 to 10000, differences from -10000.
type values [numMeasures]int16

// measure gives the values of a scored row.
func measure(r *run.Row) values {
	v := values{Average: int16(r.Average), Overall: 100 * int16(r.Overall), Satisfaction: int16(r.Satisfaction)}
	if r.Overall < 60 {
		v[Below60] = 100 * 100
	}
	for i, score := range r.Final {
		v[int(firstCriterion)+i] = 100 * int16(score)
	}
	return v
}

// fewest is how many dialogues a side must have for an interval. Resampling can give nothing outside the range of what
// was seen, and with n dialogues the true middle lies outside it with a probability of 2^(1-n): more than 5 % up to
// five.
const fewest = 6

// figures computes the figures. Of pairs, the bootstrap draws the differences; of two different sets, each side by itself.
func (c *Comparison) figures() {
	a, b := c.values[0], c.values[1]
	drawn, sizes := [][]values{a, b}, []int{len(a), len(b)}
	if c.Mode == Paired {
		drawn, sizes = [][]values{make([]values, len(a))}, sizes[:1]
		for k := range a {
			for m := range a[k] {
				drawn[0][k][m] = b[k][m] - a[k][m]
			}
		}
	}
	mean := func(sum int64, n int) float64 { return float64(sum) / float64(100*n) }
	var ends []stats.Interval
	if min(len(a), len(b)) >= fewest {
		ends = stats.BootstrapWithin(sizes, c.Draws, c.Seed, func(times [][]int) []float64 {
			last := len(drawn) - 1
			difference := make([]float64, numMeasures)
			for m, sum := range sums(drawn[last], times[last]) {
				difference[m] = mean(sum, len(drawn[last]))
			}
			if c.Mode == Unpaired {
				for m, sum := range sums(a, times[0]) {
					difference[m] -= mean(sum, len(a))
				}
			}
			return difference
		})
	}
	sumsA, sumsB := sums(a, nil), sums(b, nil)
	for i := range numMeasures {
		m := Measure(i)
		f := Figure{Measure: m, NA: len(a), NB: len(b), A: m.fixed(mean(sumsA[i], len(a))), B: m.fixed(mean(sumsB[i], len(b)))}
		// The difference is exact until it is rounded once, so that what is printed as 2.00 is no less.
		na, nb := int64(len(a)), int64(len(b))
		f.Difference = m.fixed(float64(sumsB[i]*na-sumsA[i]*nb) / float64(100*na*nb))
		if ends != nil && !math.IsNaN(ends[i].Low) {
			f.Interval = &[2]stats.Fixed{m.fixed(ends[i].Low), m.fixed(ends[i].High)}
		}
		if c.Mode == Paired {
			f.Moves = &Moves{}
			for _, moved := range drawn[0] {
				switch {
				case moved[i] > 0:
					f.Rose++
				case moved[i] < 0:
					f.Fell++
				default:
					f.Stayed++
				}
			}
		}
		c.All = append(c.All, f)
	}
}

// sums adds up each measure over rows that count as often as times says; nil counts each once.
func sums(rows []values, times []int) (sum [numMeasures]int64) {
	for i := range rows {
		t := int64(1)
		if times != nil {
			t = int64(times[i])
		}
		for m, v := range rows[i] {
			sum[m] += t * int64(v)
		}
	}
	return sum
}
