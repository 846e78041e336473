// Package stats measures how well scores agree with people's ratings, and how well people agree
// among themselves, and when a gate is decided (gate.go). Its functions are pure, and the same
// input produces the same bits.
//
// A figure that cannot be measured is NaN, never a misleading number; every function documents
// when. Callers that print a NaN say why.
//
// Figures accept times, the number of times each case counts, as required by [Bootstrap]; nil
// counts each once. [Pairs] and [Reliability] are created once and measured many times, so that a
// resample copies and sorts nothing. They are not safe for concurrent use.
package stats

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
)

// Mean returns the mean of values, each counted the given number of times; NaN for no values.
func Mean(values []float64, times []int) float64 {
	var sum float64
	n := 0
	for i, v := range values {
		t := resampleCount(times, i)
		sum += float64(float64(t) * v)
		n += t
	}
	return sum / float64(n)
}

func resampleCount(times []int, i int) int {
	if times == nil {
		return 1
	}
	return times[i]
}

// Quantile returns the q-quantile of values, for q from 0 to 1: linear between the two nearest
// (Hyndman and Fan 1996, type 7, as in R and spreadsheets); NaN for no values.
func Quantile(values []float64, q float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	return quantile(slices.Sorted(slices.Values(values)), q)
}

func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	low := int(at)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + float64((at-float64(low))*(sorted[high]-sorted[low]))
}

// Kappa returns Cohen's weighted kappa with quadratic weights, at most 1: x and y assign the same
// cases to ordered levels, and a disagreement counts by the square of the difference (Cohen 1968).
// 0 is chance, and also the value for a judge that always assigns the same level. Kappa returns NaN
// for no cases and if both sides assign a single, identical level.
func Kappa(x, y, times []int) float64 {
	var n, apart, sumX, sumY, squares int64
	for i := range x {
		c, a, b := int64(resampleCount(times, i)), int64(x[i]), int64(y[i])
		n += c
		apart += c * (a - b) * (a - b)
		sumX += c * a
		sumY += c * b
		squares += c * (a*a + b*b)
	}
	// In the table expected by chance, the squares add up to (n∑x² + n∑y² - 2∑x∑y) / n.
	chance := n*squares - 2*sumX*sumY
	if chance == 0 {
		return math.NaN()
	}
	return 1 - float64(n)*float64(apart)/float64(chance)
}

// Four returns a figure with four decimals, for machines.
func Four(v float64) Fixed { return Fixed{v, 4} }

// Fixed is a figure with a fixed number of decimals, halves away from zero, and never -0.
type Fixed struct {
	Value    float64
	Decimals int
}

// String returns the digits, or "" for NaN and infinities.
func (f Fixed) String() string {
	if math.IsNaN(f.Value) || math.IsInf(f.Value, 0) {
		return ""
	}
	unit := math.Pow10(f.Decimals)
	rounded := math.Round(f.Value*unit) / unit
	if rounded == 0 {
		rounded = 0 // and not -0
	}
	return strconv.FormatFloat(rounded, 'f', f.Decimals, 64)
}

// MarshalJSON returns a JSON number with all its decimals, or null for NaN and infinities.
func (f Fixed) MarshalJSON() ([]byte, error) {
	return []byte(cmp.Or(f.String(), "null")), nil
}

// Short formats a figure with a fixed number of decimals and without the zero before the point,
// halves away from zero, and never as "-.00". It returns a dash for NaN.
func Short(v float64, decimals int) string {
	if math.IsNaN(v) {
		return "–"
	}
	s := strings.TrimPrefix(Fixed{Value: v, Decimals: decimals}.String(), "0")
	return strings.Replace(s, "-0.", "-.", 1)
}

// codes returns the distinct values in ascending order and the index of each value among them.
func codes(values []float64) (numbers []int32, different []float64) {
	different = slices.Compact(slices.Sorted(slices.Values(values)))
	numbers = make([]int32, len(values))
	for i, v := range values {
		at, _ := slices.BinarySearch(different, v)
		numbers[i] = int32(at)
	}
	return numbers, different
}

// centredRanks stores the mean rank of each distinct value, doubled and relative to the middle so
// that it is an integer, and returns the sum of the squares. counts are the occurrences of each
// value, and n is their sum.
func centredRanks(ranks []float64, counts []int, n int) float64 {
	below := 0
	var squares float64
	for v, c := range counts {
		r := float64(2*below + c - n)
		ranks[v] = r
		squares += float64(float64(c) * float64(r*r))
		below += c
	}
	return squares
}

// Figure is a number with its 95 % interval. A part that cannot be computed is NaN.
type Figure struct {
	Value, Low, High float64

	N        int    // of the dialogues that it is about, if they are counted
	Decimals int    // for machines
	Warning  string // why there is no value or no interval; empty if both exist or none was wanted
}

// Unknown returns a figure that cannot be computed, for the given reason.
func Unknown(why string) Figure {
	return Figure{Value: math.NaN(), Low: math.NaN(), High: math.NaN(), Decimals: 4, Warning: why}
}

// Known reports whether the value and its interval could be computed.
func (f Figure) Known() bool { return !math.IsNaN(f.Value) && !math.IsNaN(f.Low) }

// Certain reports whether the interval is above 0.
func (f Figure) Certain() bool { return f.Low > 0 }

// String returns the figure for a sentence: ".46 (.24 to .64)".
func (f Figure) String() string {
	if math.IsNaN(f.Low) {
		return Short(f.Value, 2)
	}
	return fmt.Sprintf("%s (%s to %s)", Short(f.Value, 2), Short(f.Low, 2), Short(f.High, 2))
}

// Range returns the figure for a table: "3.39 3.17–3.61", or "–" if it is unknown.
func (f Figure) Range() string {
	p := f.Parts()
	if p.Low.String() == "" {
		return cmp.Or(p.Value.String(), "–")
	}
	return fmt.Sprintf("%s %s–%s", p.Value, p.Low, p.High)
}

// Parts are the value and the ends of the interval of a figure for machines.
type Parts struct {
	Value Fixed `json:"value"`
	Low   Fixed `json:"low"`
	High  Fixed `json:"high"`
}

// Parts returns the parts with the figure's decimals.
func (f Figure) Parts() Parts {
	return Parts{Fixed{f.Value, f.Decimals}, Fixed{f.Low, f.Decimals}, Fixed{f.High, f.Decimals}}
}

// Cells returns [Figure.Parts] as cells of a table; what is unknown is empty.
func (f Figure) Cells() []any {
	p := f.Parts()
	return []any{p.Value, p.Low, p.High}
}

// MarshalJSON returns [Figure.Parts]; what is unknown is null.
func (f Figure) MarshalJSON() ([]byte, error) { return json.Marshal(f.Parts()) }

// Bootstrap returns the figures of n units with their 95 % percentile intervals (see [Estimates])
// over draws of n units with replacement (Efron 1979). Fewer than two units have no interval. Units
// are dialogues, which are independent; their ratings are not. figures is called once with the
// units as they are, and once per draw: times is the number of times that each unit was drawn, and
// is overwritten by the next draw. It must return the same number of figures each time and is
// called by one goroutine. The same seed produces the same draws everywhere.
func Bootstrap(n, draws int, seed uint64, figures func(times []int) []float64) []Figure {
	return BootstrapWithin([]int{n}, draws, seed,
		func(times [][]int) []float64 { return figures(times[0]) })
}

// BootstrapWithin is like [Bootstrap] for units in groups of the given sizes: every draw resamples
// within each group, so that figures that compare groups or average over them get an interval too.
// The draws of a group depend only on the seed and the group's index.
func BootstrapWithin(sizes []int, draws int, seed uint64,
	figures func(times [][]int) []float64) []Figure {
	times, chance := make([][]int, len(sizes)), make([]*rand.PCG, len(sizes))
	for g, n := range sizes {
		times[g], chance[g] = slices.Repeat([]int{1}, n), rand.NewPCG(seed, uint64(g))
	}
	if len(sizes) == 0 || slices.Min(sizes) < 2 {
		draws = 0
	}
	samples := [][]float64{figures(times)}
	for range draws {
		for g, own := range times {
			clear(own)
			for range own {
				// The high half of a product maps 64 random bits to a unit without a division. The
				// bias, at most n in 2⁶⁴, is not detectable.
				unit, _ := bits.Mul64(chance[g].Uint64(), uint64(len(own)))
				own[unit]++
			}
		}
		samples = append(samples, figures(times))
	}
	return Estimates(samples)
}

// Estimates returns the figures of the first sample, which has the units as they are, with their
// intervals over the other samples, one per draw. Intervals extend from the 2.5 % to the 97.5 %
// quantile, as computed by [Quantile]. Draws with NaN are ignored, but if they are more than 5 %,
// the interval is NaN, since it would describe only the defined draws. It is also NaN for no draws.
func Estimates(samples [][]float64) (list []Figure) {
	draws := len(samples) - 1
	known := make([]float64, 0, draws)
	for f, value := range samples[0] {
		known = known[:0]
		for _, values := range samples[1:] {
			if !math.IsNaN(values[f]) {
				known = append(known, values[f])
			}
		}
		e := Unknown("")
		if e.Value = value; len(known) > 0 && 20*(draws-len(known)) <= draws {
			slices.Sort(known)
			e.Low, e.High = quantile(known, 0.025), quantile(known, 0.975)
		}
		list = append(list, e)
	}
	return list
}
