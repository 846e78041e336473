package agreement

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
		{"an unknown difference", []float64{1, 2, none}, none, none},
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
			for i, r := range Ranks(sizes) {
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

// From SciPy 1.17.1 (binomtest).
func TestSignTest(t *testing.T) {
	tests := []struct {
		positive, negative int
		p                  float64
	}{
		{8, 2, 0.109375}, // 2 * (1 + 10 + 45) / 1024
		{13, 2, 0.00738525390625},
		{0, 5, 0.0625},
		{5, 5, 1},
		{3, 0, 0.25},
		{1, 0, 1},
		{60, 40, 0.05688793364098089},
		{1500, 1300, 0.00016841162264376235},
		{1200, 1600, 4.25282226219607e-14},
	}
	for _, tt := range tests {
		differences := []float64{0, 0}
		for range tt.positive {
			differences = append(differences, 0.5)
		}
		for range tt.negative {
			differences = append(differences, -3)
		}
		positive, negative, p := SignTest(differences)
		assert.Equal(t, []int{tt.positive, tt.negative}, []int{positive, negative})
		assert.InEpsilon(t, tt.p, p, 1e-9, "%d up, %d down", tt.positive, tt.negative)
	}
	_, _, p := SignTest([]float64{0})
	same(t, none, p, "nothing but zeros")
	up, _, p := SignTest([]float64{1, 2, none})
	same(t, none, p, "an unknown difference")
	assert.Equal(t, 2, up)
	_, _, p = SignTest(upTo(100_000, 1))
	assert.Zero(t, p, "too small to be written")
	_, _, p = SignTest(upTo(100_000, -1))
	assert.Equal(t, 1.0, p)
}

func TestMean(t *testing.T) {
	same(t, 2, Mean([]float64{1, 2, 3}, nil), "once each")
	same(t, 2.5, Mean([]float64{1, 2, 3}, []int{0, 1, 1}), "as often as they count")
	same(t, none, Mean(nil, nil), "none")
	same(t, none, Mean([]float64{1}, []int{0}), "none that counts")
}

func FuzzWilcoxon(f *testing.F) {
	f.Add([]byte{1, 2, 255, 0, 4})
	f.Fuzz(func(t *testing.T, data []byte) {
		var differences []float64
		for _, b := range data {
			differences = append(differences, float64(int8(b))/8)
		}
		statistic, p := Wilcoxon(differences)
		_, _, q := SignTest(differences)
		assert.Equal(t, math.IsNaN(p), math.IsNaN(q), "both tests leave zeros out")
		assert.Equal(t, math.IsNaN(p), math.IsNaN(statistic))
		assert.False(t, p < 0 || p > 1 || q < 0 || q > 1, "%v %v", p, q)
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
