// Package stats measures how well scores agree with the ratings that people gave, and how well people agree
// among themselves. Its functions are pure, and the same input gives the same bits.
//
// What cannot be measured is NaN, never a false digit; every function says when. Callers that print a NaN say why.
//
// Figures take times, how often every case counts, as [Bootstrap] needs; nil counts each once. [Pairs] and [Reliability]
// are made once and measured many times, so that a resample copies and sorts nothing. They keep scratch space and are
// not safe for concurrent use.
package stats

import (
	"math"
	"slices"
	"strconv"
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

// often is how often a case counts.
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
// disagreement counts by the square of the levels between (Cohen 1968). 0 is chance, which is also what a judge gets that
// always gives the same level. It is NaN for no cases and where both sides give one and the same level throughout.
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

// several reports whether more than one value occurs, by how often each does.
func several(counts []int) bool {
	seen := false
	for _, c := range counts {
		if c > 0 && seen {
			return true
		}
		seen = seen || c > 0
	}
	return false
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
