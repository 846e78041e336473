package stats

import (
	"math"
	"slices"
)

// Pairs are pairs of values: x of the judge, y of people. A pair that counts twice, according to
// the times argument of a method, has the same weight as if it had been passed twice to [NewPairs].
type Pairs struct {
	x, y         []int32   // each pair's index among the distinct values
	ofX, ofY     []int     // scratch: count of each distinct value
	worstOfX     []int     // how many of ofX are among the worst
	rankX, rankY []float64 // scratch
}

// NewPairs prepares pairs for measuring. x and y must have equal length and contain no NaN.
func NewPairs(x, y []float64) *Pairs {
	codesX, valuesX := codes(x)
	codesY, valuesY := codes(y)
	n, k := len(valuesX), len(valuesY)
	return &Pairs{x: codesX, y: codesY, ofX: make([]int, n), worstOfX: make([]int, n),
		ofY: make([]int, k), rankX: make([]float64, n), rankY: make([]float64, k)}
}

// count counts each distinct value, and those among the worst, if any. It returns the sums.
func (p *Pairs) count(times []int, worst []bool) (n, worsts int) {
	clear(p.ofX)
	clear(p.ofY)
	clear(p.worstOfX)
	for i, x := range p.x {
		t := resampleCount(times, i)
		n += t
		p.ofX[x] += t
		p.ofY[p.y[i]] += t
		if worst != nil && worst[i] {
			worsts += t
			p.worstOfX[x] += t
		}
	}
	return n, worsts
}

// Spearman returns the rank correlation of x and y, from -1 to 1, with ties: the product-moment
// correlation of their mean ranks (Spearman 1904). It is NaN if one side does not vary.
func (p *Pairs) Spearman(times []int) float64 {
	n, _ := p.count(times, nil)
	if n < 2 || slices.Max(p.ofX) == n || slices.Max(p.ofY) == n {
		return math.NaN()
	}
	xx, yy := centredRanks(p.rankX, p.ofX, n), centredRanks(p.rankY, p.ofY, n)
	var xy float64
	for i, x := range p.x {
		xy += float64(float64(resampleCount(times, i)) * float64(p.rankX[x]*p.rankY[p.y[i]]))
	}
	// Rounding may exceed the bounds by the last bit.
	return max(-1, min(1, xy/float64(math.Sqrt(xx)*math.Sqrt(yy))))
}

// Spearman returns [Pairs.Spearman] of x and y, which have the same length.
func Spearman(x, y []float64) float64 { return NewPairs(x, y).Spearman(nil) }

// AUC returns the probability that one of the worst dialogues has a lower x than one of the rest,
// with ties counted half (Mann and Whitney 1947); 0.5 is chance. worst marks the worst dialogues,
// in the order of the pairs. AUC returns NaN if none or all are among the worst.
func (p *Pairs) AUC(worst []bool, times []int) float64 {
	n, worsts := p.count(times, worst)
	var won, others int64 // won counts halves
	for v := len(p.ofX) - 1; v >= 0; v-- {
		bad := int64(p.worstOfX[v])
		good := int64(p.ofX[v]) - bad
		won += bad * (2*others + good)
		others += good
	}
	return float64(won) / float64(2*float64(float64(worsts)*float64(n-worsts)))
}

// PrecisionAt returns the proportion of the worst, from 0 to 1, among the share of the dialogues
// that x ranks lowest: share times n, rounded, and at least one. If equal values straddle that cut,
// it is the expected value of a random draw among them, so that it does not depend on their order.
// PrecisionAt returns NaN for no pairs, for a share outside ]0, 1], and if none or all are among
// the worst, since every judge would then have the same.
func (p *Pairs) PrecisionAt(share float64, worst []bool, times []int) float64 {
	n, worsts := p.count(times, worst)
	if worsts == 0 || worsts == n || !(share > 0 && share <= 1) {
		return math.NaN()
	}
	cut := max(1, int(math.Round(share*float64(n))))
	var hits float64
	for v, taken := 0, 0; taken < cut; v++ {
		if p.ofX[v] > 0 {
			take := min(p.ofX[v], cut-taken)
			hits += float64(take) * float64(p.worstOfX[v]) / float64(p.ofX[v])
			taken += take
		}
	}
	return hits / float64(cut)
}

// Reliability measures how well several people agree on the same dialogues.
type Reliability struct {
	units  [][]int32 // ratings of each unit, as indices of distinct values
	values []float64 // distinct ratings minus the overall mean, ascending
	counts []int     // scratch: count of each value
	ranks  []float64
}

// NewReliability prepares ratings for measuring: a slice per unit, of any length; NaN is missing.
func NewReliability(units [][]float64) *Reliability {
	var ratings []float64
	sizes := make([]int, len(units))
	for u, given := range units {
		for _, v := range given {
			if !math.IsNaN(v) {
				ratings = append(ratings, v)
				sizes[u]++
			}
		}
	}
	coded, values := codes(ratings)
	r := &Reliability{values: values, counts: make([]int, len(values)),
		ranks: make([]float64, len(values))}
	for _, n := range sizes {
		r.units, coded = append(r.units, coded[:n]), coded[n:]
	}
	mean := Mean(ratings, nil) // differences from the mean lose fewer digits
	for i := range values {
		values[i] -= mean
	}
	return r
}

// count counts each value in the units with at least minimum ratings, and these units and ratings.
func (r *Reliability) count(times []int, minimum int) (units, ratings int) {
	clear(r.counts)
	for u, coded := range r.units {
		if t := resampleCount(times, u); t > 0 && len(coded) >= minimum {
			units += t
			ratings += t * len(coded)
			for _, v := range coded {
				r.counts[v] += t
			}
		}
	}
	return units, ratings
}

// variance contains the sums of a one-way ANOVA over the units with enough ratings.
type variance struct {
	sizes   float64 // squares of the numbers of ratings
	total   float64 // squared distances of the ratings from their mean
	between float64 // the same of the units' means, per rating
	within  float64 // squared distances of the ratings from their units' means
	pairs   float64 // within, with each unit multiplied by k/(k-1) for k ratings
}

// variance returns the variance sums of n ratings. scale maps each value's index to a number.
func (r *Reliability) variance(scale []float64, times []int, minimum, n int) (v variance) {
	var all, squares float64
	for u, coded := range r.units {
		t, k := float64(resampleCount(times, u)), float64(len(coded))
		if t == 0 || len(coded) < minimum {
			continue
		}
		var sum, square float64
		for _, c := range coded {
			sum += scale[c]
			square += float64(scale[c] * scale[c])
		}
		apart := float64(t*(float64(k*square)-float64(sum*sum))) / k
		v.sizes += float64(t * float64(k*k))
		v.between += float64(t*float64(sum*sum)) / k
		v.within += apart
		v.pairs += float64(k*apart) / max(1, k-1)
		all += float64(t * sum)
		squares += float64(t * square)
	}
	v.total = squares - float64(all*all)/float64(n)
	v.between -= float64(all*all) / float64(n)
	return v
}

// Metric is the distance between two ratings.
type Metric uint8

// The metrics of [Reliability.Alpha].
const (
	Ordinal       Metric = iota // number of ratings in between (Krippendorff)
	IntervalScale               // the squared difference
)

// Alpha returns Krippendorff's alpha, at most 1: one minus the disagreement within units divided by
// that of ratings paired by chance; 0 is chance (Krippendorff 2011, Computing Krippendorff's
// Alpha-Reliability). Units with fewer than two ratings are ignored; units may have different
// numbers of raters. Alpha returns NaN for fewer than two units and if all their ratings are equal.
func (r *Reliability) Alpha(m Metric, times []int) float64 {
	units, n := r.count(times, 2)
	if units < 2 || slices.Max(r.counts) == n {
		return math.NaN()
	}
	scale := r.values
	// The distance is the squared difference between the two values' mean ranks.
	if m == Ordinal {
		centredRanks(r.ranks, r.counts, n)
		scale = r.ranks
	}
	// Over all ordered pairs of n ratings, the squared differences add up to 2n times the sum of
	// the squared distances from the mean. The same holds within a unit, where they are divided by
	// the number of its ratings minus one.
	v := r.variance(scale, times, 2, n)
	return 1 - float64(float64(n-1)*v.pairs)/float64(float64(n)*v.total)
}

// ICC returns the intraclass correlation in the one-way random model, in which every unit has its
// own raters (Shrout and Fleiss 1979, case 1): single is ICC(1), the reliability of one rating, and
// mean is ICC(k), the reliability of the mean of a unit's ratings. If units have different numbers
// of ratings, k is the k0 of the analysis of variance, (N - ∑k²/N) / (n - 1) for N ratings of n
// units, which is slightly below their mean; so ICC(k) is (MSB - MSW) / MSB throughout. Both can be
// negative: the units then differ less than their raters do.
//
// Both are NaN for fewer than two units, if no unit has two ratings, and if all ratings are equal;
// mean is also NaN if all units have the same mean.
func (r *Reliability) ICC(times []int) (single, mean float64) {
	units, ratings := r.count(times, 1)
	if units < 2 || ratings <= units || slices.Max(r.counts) == ratings {
		return math.NaN(), math.NaN()
	}
	v := r.variance(r.values, times, 1, ratings)
	n, all := float64(units), float64(ratings)
	between, within := v.between/(n-1), v.within/(all-n)
	k := (all - v.sizes/all) / (n - 1)
	single = (between - within) / (between + float64((k-1)*within))
	if between < sameMeans*within {
		return single, math.NaN()
	}
	return single, (between - within) / between
}

// sameMeans is the fraction of the variance within units below which that between is only rounding.
const sameMeans = 1e-12

// Ceiling returns √ICC(k), the highest correlation with the mean of people's ratings that any judge
// can expect, since the mean of a few ratings only approximates what all people would say (Spearman
// 1904, the correction for attenuation). It returns NaN if ICC(k) is not above zero: agreement with
// such ratings could only be chance.
func Ceiling(icc float64) float64 {
	if !(icc > 0) {
		return math.NaN()
	}
	return math.Sqrt(icc)
}
