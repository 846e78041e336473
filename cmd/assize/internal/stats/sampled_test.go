package stats

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// sampled returns a population of 40, half of which have the score 1 and the others 0, with the
// ratings of 12 that have the score 0 and of 8 that have the score 1.
func sampled(zero, one [12]float64) *Sampled {
	s := &Sampled{}
	for i := range 40 {
		s.Add(float64(i % 2))
	}
	for _, y := range zero {
		s.Rate(0, y, half)
	}
	for _, y := range one[:8] {
		s.Rate(1, y, half)
	}
	return s
}

// half is a stratum of which every other dialogue was drawn.
var half = Stratum{"", .5}

func assertEstimate(t *testing.T, value, low, high float64, e Figure, reason string) {
	t.Helper()
	for i, v := range []float64{e.Value - value, e.Low - low, e.High - high} {
		assert.InDelta(t, 0, v, 2e-4, "%s: %v (%d)", reason, e, i)
	}
}

func TestSampledMean(t *testing.T) {
	s := sampled([12]float64{1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3},
		[12]float64{3, 5, 3, 5, 3, 5, 3, 5})
	// The mean is (12*2 + 8*4) / 20 = 2.8, the squared deviations sum to 39.2, and the standard
	// error is sqrt(39.2 / 19 / 20) = .32118. Student's t with 19 degrees of freedom is 2.0930.
	assertEstimate(t, 2.8, 2.8-.67224, 2.8+.67224, s.Mean(false), "as rated")
	// The slope is 4 - 2 = 2, the mean score .4 in the sample and .5 in all: 2.8 + 2*.1 = 3. The
	// squared residuals sum to 20, so their part of the variance is 20 / 18 / 20 = .055556. Scores
	// vary by 40*.25 / 39 = .25641, and add 2² * .25641 / 40 = .025641. The standard error is
	// sqrt(.081197) = .28495, and t with 18 degrees of freedom is 2.1009.
	assertEstimate(t, 3, 3-.59866, 3+.59866, s.Mean(true), "corrected")
}

func TestSampledShare(t *testing.T) {
	s := sampled([12]float64{1, 1, 1}, [12]float64{1, 1, 1, 1, 1, 1})
	// The slope is .75 - .25 = .5, and .45 + .5*.1 = .5. The squared residuals sum to 12*.25*.75 +
	// 8*.75*.25 = 3.75: the variance is 3.75 / 18 / 20 + .25*.25641/40 = .012019, as that of
	// .45*.55 / .012019 = 20.592 ratings alone. With t = 2.1009, z = t² / 20.592 = .21434, and
	// Wilson's interval is .5 ± 2.1009 / 1.21434 * sqrt(.25 / 20.592 + .21434 / (4 * 20.592)),
	// which is .5 ± .21007.
	assertEstimate(t, .5, .5-.21007, .5+.21007, s.Share(true), "corrected")
	none := sampled([12]float64{}, [12]float64{})
	// Of 20 none: z = t² / 20 = .21903 with t = 2.0930, and the upper end is z / (1 + z) = .17968.
	assertEstimate(t, 0, 0, .17968, none.Share(false), "none of 20")
}

// Of 50 dialogues, the 10 of a small group are all rated, and a quarter of the others.
func TestSampledStrata(t *testing.T) {
	s := &Sampled{}
	for i := range 10 {
		s.Add(1)
		s.Rate(1, float64(1+i%2*2), Stratum{"small", 1})
		for range 4 {
			s.Add(1)
		}
		s.Rate(1, float64(3+i%2*2), Stratum{"", .25})
	}
	// Means of 2 and 4 count .2 and .8, which is 3.6. Each varies by 10 / 9, so the standard error
	// is sqrt((.04 + .64) * 10 / 9 / 10) = .27487, and t with 18 degrees of freedom is 2.1009.
	assertEstimate(t, 3.6, 3.6-.57748, 3.6+.57748, s.Mean(false), "as rated")
	assert.Equal(t, s.Mean(false), s.Mean(true), "a constant score corrects nothing")
	rated, all := s.Counts()
	assert.Equal(t, []int{20, 50}, []int{rated, all})
}

// Groups that were drawn with the same probability are strata of their own.
func TestSampledGroups(t *testing.T) {
	s := &Sampled{}
	for i := range 20 {
		s.Add(1)
		s.Add(1)
		s.Rate(1, float64(1+i%2*4), Stratum{string(rune('a' + i%2)), .5})
	}
	// All ratings in a group are the same, so nothing varies within the strata.
	assertEstimate(t, 3, 3, 3, s.Mean(false), "as rated")
}

func TestSampledTooFew(t *testing.T) {
	few, thin := &Sampled{}, &Sampled{}
	for i := range 24 {
		thin.Add(1)
		thin.Add(1)
		thin.Rate(1, float64(i), Stratum{"", 1 / float64(2+i)})
		if i < MinRated-1 {
			few.Add(1)
			few.Add(1)
			few.Rate(1, float64(i), half)
		}
	}
	for _, s := range []*Sampled{few, thin, {}} {
		assert.False(t, s.Mean(true).Known())
		assert.False(t, s.Share(false).Known())
	}
}

// The interval of a share, by hand: z = 4 / 100, and .25 / 100 + .04 / 100 / 4 = .0026.
func TestWilson(t *testing.T) {
	assertEstimate(t, .5, .5-2/1.04*math.Sqrt(.0026), .5+2/1.04*math.Sqrt(.0026),
		Wilson(.5, 100, 2), "half")
	assertEstimate(t, 0, 0, .04/1.04, Wilson(0, 100, 2), "nothing below 0")
	assertEstimate(t, 1, 1-.04/1.04, 1, Wilson(1, 100, 2), "nothing above 1")
	assert.Equal(t, "0.5000 0.4019–0.5981", Wilson(.5, 100, 2).Range())
}

func TestStudentT(t *testing.T) {
	for df, want := range map[float64]float64{10: 2.2281, 18: 2.1009, 59: 2.0010,
		math.Inf(1): 1.9600} {
		assert.InDelta(t, want, StudentT(df, .975), 5e-4, "%v", df)
	}
}

func TestMeanReaches(t *testing.T) {
	// One-sided t with 30 degrees of freedom is 1.6973: 2 ± 1.6973.
	for limit, want := range map[float64]Verdict{.30: Failed, .31: Undecided, 3.69: Undecided,
		3.70: Passed} {
		v, times := MeanReaches(2, 1, 30, limit, .95)
		assert.Equal(t, want, v, "%v", limit)
		if want == Undecided { // 1.6973² / 1.69² = 1.0086
			assert.InDelta(t, 1.0086, times, 1e-3)
		}
	}
}

func TestShareExceeds(t *testing.T) {
	// .5^5 = .03125, and 6 * .5^5 = .1875
	v, _ := ShareExceeds(5, 5, .5, .95)
	assert.Equal(t, Failed, v)
	v, _ = ShareExceeds(0, 5, .5, .95)
	assert.Equal(t, Passed, v)
	v, _ = ShareExceeds(4, 5, .5, .95)
	assert.Equal(t, Undecided, v, "four or more are as likely as one or fewer")
	v, times := ShareExceeds(1, 5, .5, .95) // 1.6449² * .25 / 5 / .3² = 1.5030
	assert.Equal(t, Undecided, v)
	assert.InDelta(t, 1.5030, times, 1e-3)
}
