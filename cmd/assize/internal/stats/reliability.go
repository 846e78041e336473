package stats

import "math"

// Reliability is what several people said of the same dialogues.
type Reliability struct {
	units  []unit
	values []float64 // the different ratings, ascending
	once   []int     // ones

	counts []int // scratch: how often each value counts
	ranks  []float64
}

// unit is what the ratings of one dialogue come to.
type unit struct {
	coded  []int32 // the ratings, as places among the different values
	raters float64 // how many ratings
	sum    float64 // of the ratings, as differences from the mean of all
	apart  float64 // the squared distances from the unit's own mean
}

// NewReliability prepares ratings for measuring: one slice a unit, a dialogue as a rule, with as many ratings as
// it has. NaN stands for a rater who gave none.
func NewReliability(units [][]float64) *Reliability {
	r := &Reliability{units: make([]unit, len(units)), once: make([]int, len(units))}
	var ratings []float64
	for u, given := range units {
		r.once[u] = 1
		for _, v := range given {
			if !math.IsNaN(v) {
				ratings = append(ratings, v)
				r.units[u].raters++
			}
		}
	}
	var coded []int32
	coded, r.values = codes(ratings)
	r.counts, r.ranks = make([]int, len(r.values)), make([]float64, len(r.values))
	middle := Mean(ratings, nil)
	for i := range r.units {
		u := &r.units[i]
		n := int(u.raters)
		mean := Mean(ratings[:n], nil)
		for _, v := range ratings[:n] {
			u.sum += v - middle
			u.apart += float64((v - mean) * (v - mean))
		}
		u.coded, coded, ratings = coded[:n], coded[n:], ratings[n:]
	}
	return r
}

// Raters is the mean number of ratings of a unit, units without any left out. It is NaN for no ratings.
func (r *Reliability) Raters() float64 {
	rated, ratings := r.count(r.once, 1)
	return over(float64(ratings), rated)
}

// count counts each value in the units with at least so many ratings; it returns how many units and ratings
// that makes.
func (r *Reliability) count(times []int, least float64) (units, ratings int) {
	clear(r.counts)
	for i, t := range times {
		if u := &r.units[i]; t > 0 && u.raters >= least {
			units += t
			ratings += t * len(u.coded)
			for _, v := range u.coded {
				r.counts[v] += t
			}
		}
	}
	return units, ratings
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
	if times == nil {
		times = r.once
	}
	units, n := r.count(times, 2)
	if units < 2 || !several(r.counts) {
		return math.NaN()
	}
	values := r.values
	if m == Ordinal { // its distance is the square of the difference between the two values' mean ranks
		centredRanks(r.ranks, r.counts, n)
		values = r.ranks
	}
	// Over all ordered pairs of the n ratings, the squared differences add up to 2n times the sum of the squared
	// distances from the mean; within a unit too, where they are divided by one less than its ratings.
	var sum, chance, within float64
	for v, c := range r.counts {
		sum += float64(float64(c) * values[v])
	}
	middle := sum / float64(n)
	for v, c := range r.counts {
		d := values[v] - middle
		chance += float64(float64(c) * float64(d*d))
	}
	chance *= 2 * float64(n)
	for i, t := range times {
		u := &r.units[i]
		if u.raters < 2 || t == 0 {
			continue
		}
		apart := u.apart
		if m == Ordinal {
			var sum, squares float64
			for _, v := range u.coded {
				sum += values[v]
				squares += float64(values[v] * values[v])
			}
			apart = (float64(u.raters*squares) - float64(sum*sum)) / u.raters
		}
		within += float64(2*float64(t)*float64(u.raters*apart)) / (u.raters - 1)
	}
	return 1 - float64(float64(n-1)*within)/chance
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
	if times == nil {
		times = r.once
	}
	units, ratings := r.count(times, 1)
	if units < 2 || ratings <= units || !several(r.counts) {
		return math.NaN(), math.NaN()
	}
	var squares, sum, ofMeans, within float64
	for i, t := range times {
		if u, c := &r.units[i], float64(t); c > 0 && u.raters > 0 {
			squares += float64(c * float64(u.raters*u.raters))
			sum += float64(c * u.sum)
			ofMeans += float64(c*float64(u.sum*u.sum)) / u.raters
			within += float64(c * u.apart)
		}
	}
	n, all := float64(units), float64(ratings)
	between := (ofMeans - float64(sum*sum)/all) / (n - 1)
	within /= all - n
	k := (all - squares/all) / (n - 1)
	single = (between - within) / (between + float64((k-1)*within))
	if between < sameMeans*within {
		return single, math.NaN()
	}
	return single, (between - within) / between
}

// sameMeans is the part of the variance within units below which that between them is nothing but rounding.
const sameMeans = 1e-12

// Ceiling is √ICC(k), the highest correlation with the mean of people's ratings that any judge can expect: a mean of
// few ratings is itself only so near to what all people would say (Spearman 1904, the correction for attenuation). It is
// NaN where ICC(k) is not above zero: nobody could then agree with such ratings but by chance.
func Ceiling(icc float64) float64 {
	if !(icc > 0) {
		return math.NaN()
	}
	return math.Sqrt(icc)
}
