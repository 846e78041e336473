package compare

import (
	"cmp"
	"math"
	"slices"

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
	Above      *stats.Fixed    `json:"chance_b_above_a,omitempty"` // of two sets: from 0 to 1, 0.5 for no difference
}

// Moves counts the pairs in which a measure changed. Wilcoxon is the p value of the signed-rank test, NaN where nothing
// changed; Holm is the same corrected for the number of criteria that were tested, NaN for other measures.
type Moves struct {
	Rose     int         `json:"rose"`
	Fell     int         `json:"fell"`
	Stayed   int         `json:"stayed"`
	Wilcoxon stats.Fixed `json:"wilcoxon_p"`
	Holm     stats.Fixed `json:"wilcoxon_p_holm"`
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

// figures computes everything but the intervals.
func (g *group) figures(paired bool) []Figure {
	list := make([]Figure, numMeasures)
	na, nb := int64(len(g.sides[0])), int64(len(g.sides[1]))
	for i := range list {
		m := Measure(i)
		var sums [2]int64
		for side, rows := range g.sides {
			for k := range rows {
				sums[side] += int64(rows[k][m])
			}
		}
		difference := math.NaN()
		if na > 0 && nb > 0 {
			difference = float64(sums[1]*na-sums[0]*nb) / float64(100*na*nb) // exact up to here, and rounded once
		}
		list[i] = Figure{
			Measure: m, NA: int(na), NB: int(nb), Difference: m.fixed(difference),
			A: m.fixed(float64(sums[0]) / float64(100*na)), B: m.fixed(float64(sums[1]) / float64(100*nb)),
		}
		if paired {
			list[i].Moves = g.moves(m)
		} else {
			list[i].Above = &stats.Fixed{Value: g.above(m), Decimals: 4}
		}
	}
	if paired {
		correct(list[firstCriterion:])
	}
	return list
}

func (g *group) moves(m Measure) *Moves {
	moves := &Moves{Holm: stats.Fixed{Value: math.NaN(), Decimals: 6}}
	differences := make([]float64, len(g.sides[0]))
	for i := range differences {
		differences[i] = float64(g.sides[1][i][m] - g.sides[0][i][m])
		switch {
		case differences[i] > 0:
			moves.Rose++
		case differences[i] < 0:
			moves.Fell++
		default:
			moves.Stayed++
		}
	}
	_, p := stats.Wilcoxon(differences)
	moves.Wilcoxon = stats.Fixed{Value: p, Decimals: 6}
	return moves
}

// above is the probability that B has the higher value, equal values counting half.
func (g *group) above(m Measure) float64 {
	var counts [2][100*100 + 1]int64 // of each value
	for side, rows := range g.sides {
		for k := range rows {
			counts[side][rows[k][m]]++
		}
	}
	var wins, below int64 // wins are counted in halves
	for v, a := range counts[0] {
		wins += counts[1][v] * (2*below + a)
		below += a
	}
	return float64(wins) / float64(2*int64(len(g.sides[0]))*int64(len(g.sides[1])))
}

// correct fills in the corrected p values of the criteria (Holm 1979): the smallest is multiplied by how many there
// are, the next by one less, and none comes out below one that was smaller. NaN is of no test and does not count.
func correct(criteria []Figure) {
	var tested []*Figure
	for i := range criteria {
		if !math.IsNaN(criteria[i].Wilcoxon.Value) {
			tested = append(tested, &criteria[i])
		}
	}
	slices.SortStableFunc(tested, func(x, y *Figure) int { return cmp.Compare(x.Wilcoxon.Value, y.Wilcoxon.Value) })
	least := 0.0
	for done, f := range tested {
		least = min(1, max(least, float64(f.Wilcoxon.Value*float64(len(tested)-done))))
		f.Holm.Value = least
	}
}

// fewest is how many dialogues a side must have for an interval. Resampling can give nothing outside the range of what
// was seen, and with n dialogues the true middle lies outside it with a probability of 2^(1-n): more than 5 % up to
// five.
const fewest = 6

// intervals fills in the 95 % bootstrap intervals of the figures of groups that are large enough. Of pairs, the moves
// are drawn; of two different sets of dialogues, each side by itself.
func intervals(groups []*group, figures [][]Figure, paired bool, draws int, seed uint64) {
	var drawn [][]Figure
	var sides [][]values // of each group the moves, or A and then B
	var sizes []int
	for i, g := range groups {
		if g.fewer() < fewest {
			continue
		}
		drawn = append(drawn, figures[i])
		if !paired {
			sides, sizes = append(sides, g.sides[:]...), append(sizes, len(g.sides[0]), len(g.sides[1]))
			continue
		}
		moves := slices.Clone(g.sides[1])
		for k := range moves {
			for m := range moves[k] {
				moves[k][m] -= g.sides[0][k][m]
			}
		}
		sides, sizes = append(sides, moves), append(sizes, len(moves))
	}
	if drawn == nil {
		return
	}
	differences := make([]float64, len(drawn)*numMeasures)
	ends := stats.BootstrapWithin(sizes, draws, seed, func(times [][]int) []float64 {
		for k := range drawn {
			into := differences[k*numMeasures:][:numMeasures]
			if paired {
				*(*[numMeasures]float64)(into) = means(sides[k], times[k])
				continue
			}
			a, b := means(sides[2*k], times[2*k]), means(sides[2*k+1], times[2*k+1])
			for m := range into {
				into[m] = b[m] - a[m]
			}
		}
		return differences
	})
	for k := range drawn {
		for i := range drawn[k] {
			f, end := &drawn[k][i], ends[k*numMeasures+i]
			if !math.IsNaN(end.Low) {
				f.Interval = &[2]stats.Fixed{f.Measure.fixed(end.Low), f.Measure.fixed(end.High)}
			}
		}
	}
}

// means gives the mean of each measure over rows that count as often as times says.
func means(rows []values, times []int) (list [numMeasures]float64) {
	var sums [numMeasures]int64
	for i, t := range times {
		if t == 0 {
			continue
		}
		for m, v := range rows[i] {
			sums[m] += int64(t) * int64(v)
		}
	}
	for m, sum := range sums {
		list[m] = float64(sum) / float64(100*len(rows))
	}
	return list
}
