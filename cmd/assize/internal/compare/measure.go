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
	Average        Measure = iota // the weighted average, from 20 to 100, by the weights of each run's own rubric
	AverageOfA                    // the same, but by A's weights on both sides; shown only where the weights differ
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
	return [...]string{"weighted average", "with A's weights", "OverallExperience", "satisfaction", "% below 60"}[m]
}

// Key gives the name that programs read.
func (m Measure) Key() string {
	switch m {
	case Average:
		return "numeric_weighted_average"
	case AverageOfA:
		return "numeric_weighted_average_by_weights_of_a"
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
	return f.Interval != nil && (hundredths(f.Interval[0].Value) > 0 || hundredths(f.Interval[1].Value) < 0)
}

// hundredths rounds a figure as it is printed, halves away from zero.
func hundredths(f float64) rubric.Hundredths { return rubric.Hundredths(math.Round(f * 100)) }

// values are what one dialogue has of each measure, in hundredths: from 0 to 10000, differences from -10000.
type values [numMeasures]int16

// measure gives the values of a scored row.
func measure(r *run.Row, weightsOfA [rubric.NumCriteria]int) values {
	v := values{Average: int16(r.Average), Overall: 100 * int16(r.Overall), Satisfaction: int16(r.Satisfaction)}
	if r.Overall < 60 {
		v[Below60] = 100 * 100
	}
	for i, score := range r.Final {
		v[AverageOfA] += int16(weightsOfA[i]) * int16(score)
		v[int(firstCriterion)+i] = 100 * int16(score)
	}
	return v
}

// set holds the dialogues of A and of B that are compared, all or those of one file. In pairs the same index is the
// same dialogue.
type set struct {
	file string
	a, b []values
}

// figures computes everything but the intervals.
func (s *set) figures(paired bool) []Figure {
	list := make([]Figure, numMeasures)
	na, nb := int64(len(s.a)), int64(len(s.b))
	for i := range list {
		var a, b int64
		for k := range s.a {
			a += int64(s.a[k][i])
		}
		for k := range s.b {
			b += int64(s.b[k][i])
		}
		difference := math.NaN()
		if na > 0 && nb > 0 {
			difference = float64(b*na-a*nb) / float64(100*na*nb) // exact up to here, and rounded once
		}
		m := Measure(i)
		list[i] = Figure{
			Measure: m, NA: len(s.a), NB: len(s.b), Difference: m.fixed(difference),
			A: m.fixed(float64(a) / float64(100*na)), B: m.fixed(float64(b) / float64(100*nb)),
		}
		if paired {
			list[i].Moves = s.moves(m)
		} else {
			list[i].Above = &stats.Fixed{Value: s.above(m), Decimals: 4}
		}
	}
	if paired {
		correct(list[firstCriterion:])
	}
	return list
}

func (s *set) moves(m Measure) *Moves {
	moves := &Moves{Holm: stats.Fixed{Value: math.NaN(), Decimals: 6}}
	differences := make([]float64, len(s.a))
	for i := range differences {
		switch d := s.b[i][m] - s.a[i][m]; {
		case d > 0:
			moves.Rose, differences[i] = moves.Rose+1, float64(d)
		case d < 0:
			moves.Fell, differences[i] = moves.Fell+1, float64(d)
		default:
			moves.Stayed++
		}
	}
	_, p := stats.Wilcoxon(differences)
	moves.Wilcoxon = stats.Fixed{Value: p, Decimals: 6}
	return moves
}

// above is the probability that B has the higher value, equal values counting half.
func (s *set) above(m Measure) float64 {
	var countA, countB [100*100 + 1]int64 // of each value
	for i := range s.a {
		countA[s.a[i][m]]++
	}
	for i := range s.b {
		countB[s.b[i][m]]++
	}
	var wins, below int64 // wins are counted in halves
	for v := range countA {
		wins += countB[v] * (2*below + countA[v])
		below += countA[v]
	}
	return float64(wins) / float64(2*int64(len(s.a))*int64(len(s.b)))
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

// intervals fills in the 95 % bootstrap intervals of the figures of sets that are large enough. Dialogues are drawn
// within each set; of two different sets of dialogues, within each side. Nothing else can be computed of a set of pairs
// afterwards: its b is by how much each dialogue moved.
func intervals(sets []*set, figures [][]Figure, paired bool, draws int, seed uint64) {
	var drawn []int // indices of the sets
	var sides [][]values
	var sizes []int
	for i, s := range sets {
		if min(len(s.a), len(s.b)) < fewest {
			continue
		}
		drawn = append(drawn, i)
		if !paired {
			sides, sizes = append(sides, s.a, s.b), append(sizes, len(s.a), len(s.b))
			continue
		}
		for k := range s.b { // in place: there may be very many
			for m := range s.b[k] {
				s.b[k][m] -= s.a[k][m]
			}
		}
		sides, sizes = append(sides, s.b), append(sizes, len(s.b))
	}
	if drawn == nil {
		return
	}
	each, apart := make([]float64, len(sides)*numMeasures), make([]float64, len(drawn)*numMeasures)
	ends := stats.BootstrapWithin(sizes, draws, seed, func(times [][]int) []float64 {
		for k, rows := range sides {
			means(each[k*numMeasures:][:numMeasures], rows, times[k])
		}
		if paired {
			return each
		}
		for k := range apart {
			a := k/numMeasures*2*numMeasures + k%numMeasures
			apart[k] = each[a+numMeasures] - each[a]
		}
		return apart
	})
	for k, i := range drawn {
		for m := range figures[i] {
			if end := ends[k*numMeasures+m]; !math.IsNaN(end.Low) {
				figures[i][m].Interval = &[2]stats.Fixed{Measure(m).fixed(end.Low), Measure(m).fixed(end.High)}
			}
		}
	}
}

// means gives the mean of each measure over rows that count as often as times says.
func means(into []float64, rows []values, times []int) {
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
		into[m] = float64(sum) / float64(100*len(rows))
	}
}
