package stats

import (
	"math"
	"slices"
)

// Pairs are a judge's values beside people's: x the judge's, y people's. A pair that counts twice, as the times of a
// figure may say, weighs exactly as if it had been given twice to [NewPairs].
type Pairs struct {
	x, y         []int32   // each pair's place among the different values
	ofX, ofY     []int     // scratch: how often each different value counts
	worstOfX     []int     // of ofX, how many are among the worst
	rankX, rankY []float64 // scratch
}

// NewPairs prepares pairs for measuring. Both sides are equally long and without NaN.
func NewPairs(x, y []float64) *Pairs {
	var p Pairs
	var valuesX, valuesY []float64
	p.x, valuesX = codes(x)
	p.y, valuesY = codes(y)
	p.ofX, p.worstOfX, p.rankX = make([]int, len(valuesX)), make([]int, len(valuesX)), make([]float64, len(valuesX))
	p.ofY, p.rankY = make([]int, len(valuesY)), make([]float64, len(valuesY))
	return &p
}

// count fills in how often each different value counts, and how often as one of the worst; worst may be nil. It gives
// the sums.
func (p *Pairs) count(times []int, worst []bool) (n, worsts int) {
	clear(p.ofX)
	clear(p.ofY)
	clear(p.worstOfX)
	for i, x := range p.x {
		t := often(times, i)
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

// Spearman is the rank correlation of x and y, from -1 to 1, with ties: the product-moment correlation of their mean
// ranks (Spearman 1904). It is NaN for fewer than two pairs and where one side does not vary.
func (p *Pairs) Spearman(times []int) float64 {
	n, _ := p.count(times, nil)
	if n < 2 || slices.Max(p.ofX) == n || slices.Max(p.ofY) == n {
		return math.NaN()
	}
	xx, yy := centredRanks(p.rankX, p.ofX, n), centredRanks(p.rankY, p.ofY, n)
	var xy float64
	for i, x := range p.x {
		xy += float64(float64(often(times, i)) * float64(p.rankX[x]*p.rankY[p.y[i]]))
	}
	return max(-1, min(1, xy/float64(math.Sqrt(xx)*math.Sqrt(yy)))) // rounding may leave the bounds by the last bit
}

// Spearman is [Pairs.Spearman] of x and y, each pair counted once. It panics if the lengths differ.
func Spearman(x, y []float64) float64 { return NewPairs(x, y).Spearman(nil) }

// AUC is the chance that one of the worst dialogues has the lower x than one of the rest, equal values counting half
// (Mann and Whitney 1947): 0.5 is chance. worst says which are, in the order of the pairs. It is NaN where none or
// all are.
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

// PrecisionAt is the part of the worst, from 0 to 1, among the share of the dialogues that x ranks lowest: share n,
// rounded, and at least one. Where equal values straddle that cut, it is what a fair draw among them gives on
// average, so that it depends on no order. It is NaN for no pairs, for a share outside ]0, 1], and where none or all
// are among the worst, since then every judge has the same.
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

// Reliability is what several people said of the same dialogues.
type Reliability struct {
	units  [][]int32 // the ratings of each, as places among the different values
	values []float64 // the different ratings, less the mean of all, ascending
	counts []int     // scratch: how often each value counts
	ranks  []float64
}

// NewReliability prepares ratings for measuring: one slice a unit, a dialogue as a rule, with as many ratings as
// it has. NaN stands for a rater who gave none.
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
	r := &Reliability{values: values, counts: make([]int, len(values)), ranks: make([]float64, len(values))}
	for _, n := range sizes {
		r.units, coded = append(r.units, coded[:n]), coded[n:]
	}
	mean := Mean(ratings, nil) // differences from it lose fewer digits
	for i := range values {
		values[i] -= mean
	}
	return r
}

// count counts each value in the units with at least so many ratings, and gives how many units and ratings these are.
func (r *Reliability) count(times []int, least int) (units, ratings int) {
	clear(r.counts)
	for u, coded := range r.units {
		if t := often(times, u); t > 0 && len(coded) >= least {
			units += t
			ratings += t * len(coded)
			for _, v := range coded {
				r.counts[v] += t
			}
		}
	}
	return units, ratings
}

// variance is what the units with at least so many ratings come to in an analysis of variance.
type variance struct {
	sizes   float64 // the squares of the numbers of ratings
	total   float64 // the squared distances of the ratings from their mean
	between float64 // those of the units' means, by rating
	within  float64 // those of the ratings from their units' means
	pairs   float64 // within, each unit's times k/(k-1), k its number of ratings
}

// vary adds up the variance of n ratings, whose scale gives each value a place.
func (r *Reliability) vary(scale []float64, times []int, least, n int) (v variance) {
	var all, squares float64
	for u, coded := range r.units {
		t, k := float64(often(times, u)), float64(len(coded))
		if t == 0 || len(coded) < least {
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

// Metric says what the distance between two ratings is.
type Metric uint8

// The metrics of [Reliability.Alpha].
const (
	Ordinal       Metric = iota // how many ratings lie between the two, as Krippendorff counts them
	IntervalScale               // the square of the difference
)

// Alpha is Krippendorff's alpha, up to 1: one less the disagreement within units over that of ratings paired by
// chance; 0 is chance (Krippendorff 2011, Computing Krippendorff's Alpha-Reliability). Units with fewer than two
// ratings say nothing and are left out; units may have different numbers of raters. It is NaN for fewer than
// two units and where all their ratings are equal.
func (r *Reliability) Alpha(m Metric, times []int) float64 {
	units, n := r.count(times, 2)
	if units < 2 || slices.Max(r.counts) == n {
		return math.NaN()
	}
	scale := r.values
	if m == Ordinal { // its distance is the square of the difference between the two values' mean ranks
		centredRanks(r.ranks, r.counts, n)
		scale = r.ranks
	}
	// Over all ordered pairs of n ratings, the squared differences add up to 2n times the sum of the squared distances
	// from the mean; within a unit too, where they are divided by one less than its ratings.
	v := r.vary(scale, times, 2, n)
	return 1 - float64(float64(n-1)*v.pairs)/float64(float64(n)*v.total)
}

// ICC is the intraclass correlation in the one-way random model, in which every unit has raters of its own (Shrout and
// Fleiss 1979, case 1): single is ICC(1), how far one rating can be relied on, and mean is ICC(k), how far the mean of
// a unit's ratings can. Where units have different numbers of ratings, k is the k0 of the analysis of variance,
// (N - ∑k²/N) / (n - 1) for N ratings of n units, which is a little below their mean; so ICC(k) is
// (MSB - MSW) / MSB throughout. Both can be below zero: the units then differ less than their raters do.
//
// Both are NaN for fewer than two units, where no unit has two ratings, and where all ratings are equal; mean also
// where all units have the same mean.
func (r *Reliability) ICC(times []int) (single, mean float64) {
	units, ratings := r.count(times, 1)
	if units < 2 || ratings <= units || slices.Max(r.counts) == ratings {
		return math.NaN(), math.NaN()
	}
	v := r.vary(r.values, times, 1, ratings)
	n, all := float64(units), float64(ratings)
	between, within := v.between/(n-1), v.within/(all-n)
	k := (all - v.sizes/all) / (n - 1)
	single = (between - within) / (between + float64((k-1)*within))
	if between < sameMeans*within {
		return single, math.NaN()
	}
	return single, (between - within) / between
}

// sameMeans is the part of the variance within units below which that between them is nothing but rounding.
const sameMeans = 1e-12

// Ceiling is √ICC(k), the highest correlation with the mean of people's ratings that any judge can expect: a mean of
// few ratings is itself only so near to what all people would say (Spearman 1904, the correction for attenuation). It
// is NaN where ICC(k) is not above zero: nobody could then agree with such ratings but by chance.
func Ceiling(icc float64) float64 {
	if !(icc > 0) {
		return math.NaN()
	}
	return math.Sqrt(icc)
}
