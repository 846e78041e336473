package agreement

import "slices"

// Reliability is what several people said of the same dialogues. Its figures take times, which says how often each
// dialogue counts, in the order given to [NewReliability]; nil counts each once.
type Reliability struct {
	from   []int32   // where each unit's ratings begin; one more marks the end
	coded  []int32   // the ratings, unit after unit, as places among the different values
	values []float64 // the different values, ascending
	units  []unit
	seats  []seat
	once   []int // ones

	counts []int // how often each value counts
	ranks  []float64
}

// unit is what the ratings of one dialogue come to.
type unit struct {
	raters   float64
	sum      float64 // of the ratings, from the mean of all
	apart    float64 // the squared distances from the unit's own mean
	nominal  float64 // ordered pairs of different ratings, over one less than their number
	interval float64 // the squared differences of these pairs, over the same
}

// NewReliability makes ratings ready to be measured: one slice a unit, a dialogue as a rule, with as many ratings as
// it has. NaN stands for a rater who gave none and keeps the others in their positions.
func NewReliability(units [][]float64) *Reliability {
	r := &Reliability{from: []int32{0}, units: make([]unit, len(units)), once: make([]int, len(units))}
	var ratings []float64
	for u, given := range units {
		r.once[u] = 1
		for _, v := range given {
			if v == v {
				ratings = append(ratings, v)
			}
		}
		r.from = append(r.from, int32(len(ratings)))
	}
	r.values = slices.Compact(slices.Sorted(slices.Values(ratings)))
	r.coded, _ = codes(ratings)
	r.counts, r.ranks = make([]int, len(r.values)), make([]float64, len(r.values))
	middle := mean(ratings)
	for u := range units {
		r.units[u] = newUnit(ratings[r.from[u]:r.from[u+1]], middle)
	}
	r.seats = newSeats(units)
	return r
}

func newUnit(ratings []float64, middle float64) unit {
	u := unit{raters: float64(len(ratings))}
	if len(ratings) == 0 {
		return u
	}
	own := mean(ratings)
	for _, v := range ratings {
		u.sum += v - middle
		u.apart += float64((v - own) * (v - own))
	}
	if others := u.raters - 1; others > 0 {
		u.nominal = differing(ratings) / others
		u.interval = float64(2*float64(u.raters*u.apart)) / others
	}
	return u
}

// differing is the number of ordered pairs of different ratings.
func differing(ratings []float64) float64 {
	numbered, k := codes(ratings)
	counts := make([]int, k)
	for _, v := range numbered {
		counts[v]++
	}
	return mismatches(counts, len(ratings))
}

// Raters is the mean number of ratings of a unit, units without any left out. It is NaN for no ratings.
func (r *Reliability) Raters() float64 {
	rated := 0
	for _, u := range r.units {
		if u.raters > 0 {
			rated++
		}
	}
	return over(float64(len(r.coded)), rated)
}

func (r *Reliability) times(times []int) []int {
	if times == nil {
		return r.once
	}
	return times[:len(r.units)]
}
