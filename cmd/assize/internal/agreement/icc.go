package agreement

import "math"

// ICC is the intraclass correlation in the one-way random model, in which every unit has raters of its own (Shrout and
// Fleiss 1979, case 1): single is ICC(1), how far one rating can be relied on, and mean is ICC(k), how far the mean of
// a unit's ratings can. Where units have different numbers of ratings, k is the k0 of the analysis of variance,
// (N - ∑k²/N) / (n - 1) for N ratings of n units, which is a little below their mean; so ICC(k) is
// (MSB - MSW) / MSB throughout. Both can be below zero: the units then differ less than their raters do.
//
// Both are NaN for fewer than two units, where no unit has two ratings, and where all ratings are equal; mean also
// where all units have the same mean.
func (r *Reliability) ICC(times []int) (single, mean float64) {
	var n, ratings, squares, sum, ofMeans, within float64
	for i, t := range r.times(times) {
		if u, c := r.units[i], float64(t); c > 0 && u.raters > 0 {
			n += c
			ratings += float64(c * u.raters)
			squares += float64(c * float64(u.raters*u.raters))
			sum += float64(c * u.sum)
			ofMeans += float64(c*float64(u.sum*u.sum)) / u.raters
			within += float64(c * u.apart)
		}
	}
	if n < 2 || ratings <= n || !r.differ(times) {
		return math.NaN(), math.NaN()
	}
	between := (ofMeans - float64(sum*sum)/ratings) / (n - 1)
	within /= ratings - n
	k := (ratings - squares/ratings) / (n - 1)
	single = (between - within) / (between + float64((k-1)*within))
	mean = (between - within) / between
	if between < sameMeans*within {
		mean = math.NaN()
	}
	return single, mean
}

// sameMeans is the part of the variance within units below which that between them is nothing but rounding.
const sameMeans = 1e-12

// differ reports whether any two of the ratings do.
func (r *Reliability) differ(times []int) bool {
	clear(r.counts)
	for u, t := range r.times(times) {
		for _, v := range r.coded[r.from[u]:r.from[u+1]] {
			r.counts[v] += t
		}
	}
	return several(r.counts)
}

// Ceiling is √ICC(k), the highest correlation with the mean of people's ratings that any judge can expect: a mean of
// few ratings is itself only so near to what all people would say (Spearman 1904, the correction for attenuation). It is
// NaN where ICC(k) is not above zero: nobody could then agree with such ratings but by chance.
func Ceiling(icc float64) float64 {
	if !(icc > 0) {
		return math.NaN()
	}
	return math.Sqrt(icc)
}
