package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Darwin's 15 pairs of maize plants, crossed less self-fertilised, in eighths of an inch (Fisher 1935, The Design of
// Experiments, table 3).
var darwin = []float64{49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48}

// The wanted values are from SciPy 1.17.1: wilcoxon, whose default is exact up to 50 differences without ties and
// counts all signs up to 13 with them, and for more than 50 method="asymptotic" with correction=True.
func TestWilcoxon(t *testing.T) {
	tests := []struct {
		reason       string
		differences  []float64
		statistic, p float64
	}{
		{"Darwin's maize: the two negative ones have ranks 10 and 14", darwin, 24, 0.041259765625},
		{"zeros are left out", append([]float64{0, 0, math.Copysign(0, -1)}, darwin...), 24, 0.041259765625},
		{"ties, exact: 64 of 1024 signs are as uneven", []float64{1, -1, 2, 2, -2, 3, 3, 3, -1, 4, 0}, 9, 0.0625},
		{"all up: 2 of 64 signs", []float64{1, 2, 3, 4, 5, 6}, 0, 0.03125},
		{"one difference says nothing", []float64{3}, 0, 1},
		{"even", []float64{1, -1}, 1.5, 1},
		{"fifty, all up", upTo(50, 1), 0, 1.7763568394002505e-15},
		{"fifty, up and down in turn", upTo(50, -1), 625, 0.9085978224870299},
		{"eighty with ties and three zeros", eighty(), 1066, 0.027063972472957155},
		{"no differences", nil, none, none},
		{"nothing but zeros", []float64{0, 0}, none, none},
	}
	for _, tt := range tests {
		statistic, p := Wilcoxon(tt.differences)
		same(t, tt.statistic, statistic, tt.reason)
		same(t, tt.p, p, tt.reason)
		turned, q := Wilcoxon(negative(tt.differences))
		identical(t, statistic, turned)
		identical(t, p, q)
	}
}

// With as few as ten differences every sign can be tried.
func TestWilcoxonIsTheShareOfSigns(t *testing.T) {
	chance := rand.New(rand.NewPCG(9, 10))
	for range 60 {
		var differences []float64
		for range 1 + chance.IntN(10) {
			differences = append(differences, float64(chance.IntN(13)-6)/2)
		}
		statistic, p := Wilcoxon(differences)
		var sizes []float64
		for _, d := range differences {
			if d != 0 {
				sizes = append(sizes, math.Abs(d))
			}
		}
		if len(sizes) == 0 {
			same(t, none, p, "nothing but zeros")
			continue
		}
		within := 0
		for signs := range 1 << len(sizes) {
			var plus, minus float64
			for i, r := range ranks(sizes) {
				if signs>>i&1 == 1 {
					plus += r
				} else {
					minus += r
				}
			}
			if min(plus, minus) <= statistic {
				within++
			}
		}
		same(t, float64(within)/float64(int(1)<<len(sizes)), p, fmt.Sprint(differences))
	}
}

// Around fifty differences the exact chance gives way to the approximation, which must say nearly the same.
func TestWilcoxonApproximationIsNear(t *testing.T) {
	for _, flip := range []int{3, 4, 5, 7} {
		differences := upTo(50, 1)
		for i := 0; i < len(differences); i += flip {
			differences[i] = -differences[i]
		}
		statistic, exact := Wilcoxon(differences)
		approximate := normalSigned(upTo(50, 1), statistic)
		assert.InDelta(t, exact, approximate, 0.002, "every %d-th turned round", flip)
	}
}

func FuzzWilcoxon(f *testing.F) {
	f.Add([]byte{1, 2, 255, 0, 4})
	f.Fuzz(func(t *testing.T, data []byte) {
		var differences []float64
		for _, b := range data {
			differences = append(differences, float64(int8(b))/8)
		}
		statistic, p := Wilcoxon(differences)
		assert.Equal(t, math.IsNaN(p), math.IsNaN(statistic))
		assert.False(t, p < 0 || p > 1, "%v", p)
	})
}

// upTo is 1 … n, every other one times turn.
func upTo(n int, turn float64) []float64 {
	var values []float64
	for i := 1; i <= n; i++ {
		v := float64(i)
		if i%2 == 1 {
			v *= turn
		}
		values = append(values, v)
	}
	return values
}

func eighty() []float64 {
	var values []float64
	for i := range 80 {
		values = append(values, float64(i*37%23-9))
	}
	return values
}
