package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// MinRated is the minimum number of rated dialogues for any figure.
const MinRated = 20

// minFreedom is the minimum number of degrees of freedom, which many small strata do not reach.
const minFreedom = MinRated / 2

// Sampled estimates the mean rating of all dialogues from a random sample that is rated, and from
// a score of every dialogue: prediction-powered inference with power tuning (PPI++, Angelopoulos,
// Duchi and Zrnic 2023). The estimate is the mean rating of the sample, corrected by lambda times
// the difference between the mean scores of all dialogues and of the sample. Lambda is the weight
// with the smallest variance, the slope of ratings on scores, so that a useless score costs
// nothing. The paper's difference is to the dialogues outside the sample, and its lambda is
// smaller by the same factor, so that the estimates are equal.
//
// Dialogues of one group that were drawn with the same probability are a stratum. It is weighted by
// the number of dialogues that it represents, and variances are within strata.
//
// The intervals are about dialogues and raters like these, not only about the dialogues at hand, so
// no finite-population correction is made. If every dialogue was rated, nothing is estimated: there
// is only the mean rating, without an interval.
type Sampled struct {
	scores moments // of all dialogues
	strata []stratum
	n      int // rated dialogues
}

// Stratum is a group of dialogues and the probability with which each of them was drawn.
type Stratum struct {
	Group       string
	Probability float64
}

// Compare orders strata by group, then by probability.
func (s Stratum) Compare(o Stratum) int {
	return cmp.Or(cmp.Compare(s.Group, o.Group), cmp.Compare(s.Probability, o.Probability))
}

// stratum is a stratum with the scores and ratings of its rated dialogues.
type stratum struct {
	Stratum
	moments
}

// represents returns the number of dialogues that the rated ones represent.
func (s *stratum) represents() float64 { return s.n / s.Probability }

// moments are sums over dialogues.
type moments struct{ n, x, y, xx, xy, yy float64 }

func (m *moments) add(x, y float64) {
	m.n, m.x, m.y = m.n+1, m.x+x, m.y+y
	m.xx, m.xy, m.yy = m.xx+float64(x*x), m.xy+float64(x*y), m.yy+float64(y*y)
}

// central returns the variance of x, the covariance, and the variance of y; 0 for one dialogue.
func (m *moments) central() (xx, xy, yy float64) {
	if m.n < 2 {
		return 0, 0, 0
	}
	over := func(sum, a, b float64) float64 { return (sum - a*b/m.n) / (m.n - 1) }
	return max(over(m.xx, m.x, m.x), 0), over(m.xy, m.x, m.y), max(over(m.yy, m.y, m.y), 0)
}

// Add adds the score of a dialogue, rated or not.
func (s *Sampled) Add(score float64) { s.scores.add(score, 0) }

// Rate adds the score and the rating of a dialogue that was drawn from a stratum.
func (s *Sampled) Rate(score, rating float64, from Stratum) {
	i := slices.IndexFunc(s.strata, func(m stratum) bool { return m.Stratum == from })
	if i < 0 {
		i, s.strata = len(s.strata), append(s.strata, stratum{Stratum: from})
	}
	s.strata[i].add(score, rating)
	s.n++
}

// Counts returns the numbers of rated dialogues and of all dialogues.
func (s *Sampled) Counts() (rated, all int) { return s.n, int(s.scores.n) }

// Score returns the mean score of all dialogues.
func (s *Sampled) Score() float64 { return s.scores.x / s.scores.n }

// Mean returns the estimated mean rating: of the sample alone or, if corrected is set, with the
// scores of all dialogues. The interval is Student's. The estimate is unknown for fewer than
// [MinRated] ratings, and for strata with hardly more than one rating each.
func (s *Sampled) Mean(corrected bool) Figure {
	v, variance, df := s.estimate(corrected)
	off := StudentT(df, .975) * math.Sqrt(variance)
	return s.figure(v, v-off, v+off)
}

// Share is like [Sampled.Mean] for ratings from 0 to 1. The interval is Wilson's (1927) with a
// quantile of Student's t and the number of ratings that has this variance, since that of the mean
// is too narrow for a share near 0.
func (s *Sampled) Share(corrected bool) Figure {
	v, variance, df := s.estimate(corrected)
	n, rated := float64(s.n), s.Mean(false).Value
	if variance > 0 {
		n = rated * (1 - rated) / variance
	}
	v = min(max(v, 0), 1)
	if s.complete() {
		n = math.NaN()
	}
	in := Wilson(v, n, StudentT(df, .975))
	return s.figure(v, in.Low, in.High)
}

// figure returns an estimate, with the reason if it is unknown.
func (s *Sampled) figure(value, low, high float64) Figure {
	f := Figure{Value: value, Low: low, High: high, N: s.n, Decimals: 4}
	switch {
	case f.Known() || s.n == int(s.scores.n):
	case s.n >= MinRated:
		f.Warning = "too few of each group"
	default:
		f.Warning = fmt.Sprintf("too few; want %d or all dialogues rated", MinRated)
	}
	return f
}

// complete reports whether every dialogue was rated.
func (s *Sampled) complete() bool { return s.n > 0 && s.n == int(s.scores.n) }

// Wilson returns a share of n observations with Wilson's interval, t standard errors to each side.
// Callers take t from Student's distribution, and Wilson from the normal one.
func Wilson(share, n, t float64) Figure {
	z := t * t / n
	middle := (share + z/2) / (1 + z)
	off := t / (1 + z) * math.Sqrt(share*(1-share)/n+z/n/4)
	return Figure{Value: share, Low: max(middle-off, 0), High: min(middle+off, 1), Decimals: 4}
}

// estimate returns the estimate, its variance, and the degrees of freedom. For too few ratings, the
// estimate and its variance are NaN.
func (s *Sampled) estimate(corrected bool) (value, variance, df float64) {
	var all, slope, spread float64
	for i := range s.strata {
		all += s.strata[i].represents()
		value += s.strata[i].y
	}
	if s.complete() {
		return value / float64(s.n), math.NaN(), math.NaN()
	}
	for i := range s.strata {
		m := &s.strata[i]
		xx, xy, _ := m.central()
		w := m.represents() / all * m.represents() / all / m.n
		slope, spread = slope+float64(w*xy), spread+float64(w*xx)
	}
	lambda, within := 0.0, float64(s.n-len(s.strata))
	df = within
	if corrected && spread > 0 {
		lambda, df = slope/spread, within-1
	}
	if s.n < MinRated || df < minFreedom {
		return math.NaN(), math.NaN(), df
	}
	xx, _, _ := s.scores.central()
	value = float64(lambda * s.Score())
	variance = float64(lambda * lambda * xx / s.scores.n)
	for i := range s.strata {
		m := &s.strata[i]
		w := m.represents() / all
		xx, xy, yy := m.central()
		residual := max(yy-float64(2*lambda*xy)+float64(lambda*lambda*xx), 0)
		value += float64(w * (m.y - float64(lambda*m.x)) / m.n)
		variance += float64(w * w * residual / m.n * within / df)
	}
	return value, variance, df
}

// StudentT returns the q-quantile of Student's t, by the expansion of Cornish and Fisher
// (Abramowitz and Stegun 26.7.5), which is exact to three decimals from 10 degrees of freedom on.
func StudentT(df, q float64) float64 {
	z := math.Sqrt2 * math.Erfinv(2*q-1)
	z2 := z * z
	return z + z*(z2+1)/4/df + z*(5*z2*z2+16*z2+3)/96/(df*df) +
		z*(3*z2*z2*z2+19*z2*z2+17*z2-15)/384/(df*df*df)
}
