package agreement

import "math"

// seat is a position among the raters: what whoever sits there said, beside the mean of the others.
type seat struct {
	units []int32
	pairs *Pairs
	times []int
}

// newSeats makes the positions that have a rating beside which there is another. One with a single unit cannot have a
// correlation and is not made.
func newSeats(units [][]float64) []seat {
	var seats []seat
	var own, others [][]float64
	for u, given := range units {
		for at, rest := range meansWithout(given) {
			if at == len(seats) {
				seats, own, others = append(seats, seat{}), append(own, nil), append(others, nil)
			}
			if !math.IsNaN(rest) {
				seats[at].units = append(seats[at].units, int32(u))
				own[at], others[at] = append(own[at], given[at]), append(others[at], rest)
			}
		}
	}
	var filled []seat
	for at, s := range seats {
		if len(s.units) > 1 {
			s.pairs, s.times = NewPairs(own[at], others[at]), make([]int, len(s.units))
			filled = append(filled, s)
		}
	}
	return filled
}

// meansWithout gives beside each rating the mean of the others, NaN where there is none or it is missing. It is rounded
// to nine decimals, so that equal means tie whatever order they were added up in.
func meansWithout(given []float64) []float64 {
	var sum float64
	raters := 0
	for _, v := range given {
		if v == v {
			sum += v
			raters++
		}
	}
	means := make([]float64, len(given))
	for i, v := range given {
		means[i] = math.Round(over(sum-v, raters-1)*1e9) / 1e9
	}
	return means
}

// OneAgainstOthers is how well one person agrees with the others: the Spearman correlation of a rater's ratings with
// the mean of the other ratings of the same units, averaged over the raters. It is what a judge must reach to be as good
// as one more annotator; that the mean of the others has one rating less than the mean that a judge is held against
// favours the judge a little.
//
// A rater is a position in the units. Where ratings name no raters, whoever was listed first of each unit counts as one
// rater, and so on; with raters who are as good as each other that comes to the same. A position counts as much as it
// has units, so that the few units with many ratings do not speak for all; one without a correlation, for too few units
// or because it does not vary, is left out. It is NaN where no position has one.
func (r *Reliability) OneAgainstOthers(times []int) float64 {
	counting := r.times(times)
	var sum float64
	n := 0
	for _, s := range r.seats {
		units := 0
		for i, u := range s.units {
			s.times[i] = counting[u]
			units += counting[u]
		}
		if rho := s.pairs.Spearman(s.times); !math.IsNaN(rho) {
			sum += float64(float64(units) * rho)
			n += units
		}
	}
	return over(sum, n)
}
