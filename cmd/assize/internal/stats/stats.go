// Package stats measures how well scores agree with the ratings that people gave, and how well people agree
// among themselves. Its functions are pure, and the same input gives the same bits.
//
// What cannot be measured is NaN, never a false digit; every function says when. Callers that print a NaN say why.
//
// [Pairs], [Levels] and [Reliability] are made once and measured many times, as [Bootstrap] needs: each figure takes
// times, how often every case counts, so that a resample copies and sorts nothing. They keep scratch space and are not
// safe for concurrent use.
package stats

import (
	"math"
	"slices"
)

// Mean is the mean of the values, each counted as often as times says, and once for nil. It is NaN for none.
func Mean(values []float64, times []int) float64 {
	var sum float64
	n := 0
	for i, v := range values {
		t := 1
		if times != nil {
			t = times[i]
		}
		sum += float64(float64(t) * v)
		n += t
	}
	return over(sum, n)
}

// over is sum/n, NaN where n is zero.
func over(sum float64, n int) float64 {
	if n == 0 {
		return math.NaN()
	}
	return sum / float64(n)
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

// Spearman is [Pairs.Spearman] of x and y, each pair counted once. It panics if the lengths differ.
func Spearman(x, y []float64) float64 { return NewPairs(x, y).Spearman(nil) }

// AUC is the chance that a case which is meant to be found has the higher value than one which is not: [Pairs.AUC]
// turned round.
func AUC(values []float64, found []bool) float64 {
	negative := make([]float64, len(values))
	for i, v := range values {
		negative[i] = -v
	}
	return NewPairs(negative, negative).AUC(found, nil)
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
