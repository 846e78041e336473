// Package stats measures how well scores agree with the ratings that people gave, and how well people agree
// among themselves. Its functions are pure, and the same input gives the same bits.
//
// What cannot be measured is NaN, never a false digit; every function says when. Callers that print a NaN say why.
//
// Figures take times, how often every case counts, as [Bootstrap] needs; nil counts each once. [Pairs] and
// [Reliability] are made once and measured many times, so that a resample copies and sorts nothing. They keep scratch
// space and are not safe for concurrent use.
package stats

import (
	"encoding/json"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// Mean is the mean of the values, each counted as often as times says. It is NaN for none.
func Mean(values []float64, times []int) float64 {
	var sum float64
	n := 0
	for i, v := range values {
		t := often(times, i)
		sum += float64(float64(t) * v)
		n += t
	}
	return sum / float64(n)
}

func often(times []int, i int) int {
	if times == nil {
		return 1
	}
	return times[i]
}

// Quantile is the q-quantile, from 0 to 1, of values: linear between the two nearest (Hyndman and Fan 1996, type 7,
// which R, NumPy and spreadsheets have). It is NaN for no values.
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

// Kappa is Cohen's weighted kappa with quadratic weights, up to 1: x and y put the same cases on ordered levels, and a
// disagreement counts by the square of the levels between (Cohen 1968). 0 is chance, and what a judge gets who always
// gives the same level. It is NaN for no cases and where both sides give one and the same level throughout.
func Kappa(x, y, times []int) float64 {
	var n, apart, sumX, sumY, squares int64
	for i := range x {
		c, a, b := int64(often(times, i)), int64(x[i]), int64(y[i])
		n += c
		apart += c * (a - b) * (a - b)
		sumX += c * a
		sumY += c * b
		squares += c * (a*a + b*b)
	}
	// Over the table that chance would give, the squares add up to (n∑x² + n∑y² - 2∑x∑y) / n.
	chance := n*squares - 2*sumX*sumY
	if chance == 0 {
		return math.NaN()
	}
	return 1 - float64(n)*float64(apart)/float64(chance)
}

// Fixed is a figure that is written with a fixed number of decimals, halves away from zero, and never as -0.
type Fixed struct {
	Value    float64
	Decimals int
}

// String gives the digits; nothing for NaN and for infinities.
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

// MarshalJSON gives a JSON number with all its decimals; null for NaN and for infinities.
func (f Fixed) MarshalJSON() ([]byte, error) {
	if s := f.String(); s != "" {
		return []byte(s), nil
	}
	return []byte("null"), nil
}

// Short prints a figure with a fixed number of decimals and without the zero before the point, halves away from
// zero, and never as "-.00". A NaN is a dash.
func Short(v float64, decimals int) string {
	if math.IsNaN(v) {
		return "–"
	}
	s := strings.TrimPrefix(Fixed{Value: v, Decimals: decimals}.String(), "0")
	return strings.Replace(s, "-0.", "-.", 1)
}

// codes numbers the different values in ascending order, from 0, and gives these values.
func codes(values []float64) (numbers []int32, different []float64) {
	different = slices.Compact(slices.Sorted(slices.Values(values)))
	numbers = make([]int32, len(values))
	for i, v := range values {
		at, _ := slices.BinarySearch(different, v)
		numbers[i] = int32(at)
	}
	return numbers, different
}

// centredRanks gives each different value its mean rank, doubled and counted from the middle so that it is a whole
// number, and returns the sum of the squares. n is the sum of counts, which say how often each value occurs.
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

// Interval is a 95 % interval of a figure, NaN on both sides where it cannot be had.
type Interval struct{ Low, High float64 }

// Estimate is a figure with its interval. As JSON its parts have four decimals.
type Estimate struct {
	Value float64
	Interval
}

// Unknown is what cannot be computed.
var Unknown = Estimate{math.NaN(), Interval{math.NaN(), math.NaN()}}

// Known reports whether the figure and its interval could be computed.
func (e Estimate) Known() bool { return !math.IsNaN(e.Value) && !math.IsNaN(e.Low) }

// Certain reports whether the interval lies above 0.
func (e Estimate) Certain() bool { return e.Low > 0 }

// MarshalJSON implements [json.Marshaler].
func (e Estimate) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Value Fixed `json:"value"`
		Low   Fixed `json:"low"`
		High  Fixed `json:"high"`
	}{Fixed{e.Value, 4}, Fixed{e.Low, 4}, Fixed{e.High, 4}})
}

// Bootstrap gives the figures of n units with their 95 % percentile intervals (see [Estimates]) over draws of n units
// with replacement (Efron 1979). Fewer than two units have no interval. Units are dialogues, which are independent;
// their ratings are not. figures is called once with the units as they are, and once a draw: times says how often each
// unit was drawn, and is overwritten by the next draw. It must return the same number of figures each time and is
// called by one goroutine. The same seed gives the same draws everywhere.
func Bootstrap(n, draws int, seed uint64, figures func(times []int) []float64) []Estimate {
	return BootstrapWithin([]int{n}, draws, seed, func(times [][]int) []float64 { return figures(times[0]) })
}

// BootstrapWithin is [Bootstrap] for units that fall into groups of the given sizes: every draw draws each group anew,
// so that figures which compare groups or average over them get their interval too. What a group draws depends on the
// seed and its place, and on no other group.
func BootstrapWithin(sizes []int, draws int, seed uint64, figures func(times [][]int) []float64) []Estimate {
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
				// The high half of a product maps 64 random bits to a unit without a division; that some units
				// are likelier by n in 2⁶⁴ cannot be seen.
				unit, _ := bits.Mul64(chance[g].Uint64(), uint64(len(own)))
				own[unit]++
			}
		}
		samples = append(samples, figures(times))
	}
	return Estimates(samples)
}

// Estimates takes samples of the same figures: the first of the units as they are, the others of a draw each. It gives
// the figures of the first with their intervals over the others, from the 2.5 % to the 97.5 % quantile, as [Quantile]
// computes them. Draws that gave NaN are passed over, but for more than 5 % of them the interval is NaN: it would tell
// of the lucky draws only. It is also NaN for no draws.
func Estimates(samples [][]float64) (list []Estimate) {
	draws := len(samples) - 1
	known := make([]float64, 0, draws)
	for f, value := range samples[0] {
		known = known[:0]
		for _, values := range samples[1:] {
			if !math.IsNaN(values[f]) {
				known = append(known, values[f])
			}
		}
		e := Estimate{value, Unknown.Interval}
		if len(known) > 0 && 20*(draws-len(known)) <= draws {
			slices.Sort(known)
			e.Interval = Interval{quantile(known, 0.025), quantile(known, 0.975)}
		}
		list = append(list, e)
	}
	return list
}

// Slope is the slope of the line through x and y with the least squares, NaN for fewer than two points and where x does
// not vary.
func Slope(x, y []float64) float64 {
	mx, my := Mean(x, nil), Mean(y, nil)
	var xy, xx float64
	varies := false // the spread of equal values need not come out as exactly zero
	for i := range x {
		dx := x[i] - mx
		xy += float64(dx * (y[i] - my))
		xx += float64(dx * dx)
		varies = varies || x[i] != x[0]
	}
	if !varies {
		return math.NaN()
	}
	return xy / xx
}
