package stats

import (
	"iter"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// Interval is a 95 % interval of a figure, NaN on both sides where it cannot be had.
type Interval struct{ Low, High float64 }

// Bootstrap draws n units with replacement, draws times, and gives the 95 % percentile interval of each figure that
// figures returns (Efron 1979), see [Percentile]; NaN for fewer than two units. Units are dialogues, which are
// independent; their ratings are not. times says how often each unit was drawn and is overwritten by the next draw;
// figures must return the same number of figures each time and is called by one goroutine. The same seed gives the same
// draws everywhere.
func Bootstrap(n, draws int, seed uint64, figures func(times []int) []float64) []Interval {
	return BootstrapWithin([]int{n}, draws, seed, func(times [][]int) []float64 { return figures(times[0]) })
}

// BootstrapWithin is [Bootstrap] for units that fall into groups of the given sizes: every draw draws each group anew,
// so that figures which compare groups or average over them get their interval too.
func BootstrapWithin(sizes []int, draws int, seed uint64, figures func(times [][]int) []float64) []Interval {
	var drawn [][]float64 // by figure
	for times := range Resamples(sizes, max(1, draws), seed) {
		found := figures(times)
		if drawn == nil {
			drawn = make([][]float64, len(found))
		}
		for f, v := range found {
			drawn[f] = append(drawn[f], v)
		}
	}
	intervals := make([]Interval, len(drawn))
	for f, values := range drawn {
		if draws == 0 || len(sizes) == 0 || slices.Min(sizes) < 2 {
			values = nil
		}
		intervals[f] = Percentile(values)
	}
	return intervals
}

// Resamples draws each of several groups of units with replacement, as often as draws says: times[g][u] is how often
// unit u of group g was drawn, until the next draw. What a group draws depends on the seed and its place, and on no
// other group.
func Resamples(sizes []int, draws int, seed uint64) iter.Seq[[][]int] {
	return func(yield func(times [][]int) bool) {
		times := make([][]int, len(sizes))
		chance := make([]*rand.PCG, len(sizes))
		for g, n := range sizes {
			times[g], chance[g] = make([]int, n), rand.NewPCG(seed, uint64(g))
		}
		for range draws {
			for g, own := range times {
				clear(own)
				for range own {
					// The high half of a product maps 64 random bits to a unit without a division; that some units
					// are likelier by n in 2⁶⁴ cannot be seen.
					unit, _ := bits.Mul64(chance[g].Uint64(), uint64(len(own)))
					own[unit]++
				}
			}
			if !yield(times) {
				return
			}
		}
	}
}

// Percentile is the interval of a figure from what each draw gave: from the 2.5 % to the 97.5 % quantile, as [Quantile]
// computes them. Draws that gave NaN are passed over, but for more than 5 % of them the interval is NaN: it would tell
// of the lucky draws only. It is also NaN for no draws.
func Percentile(drawn []float64) Interval {
	known := slices.DeleteFunc(slices.Clone(drawn), math.IsNaN)
	if len(known) == 0 || 20*(len(drawn)-len(known)) > len(drawn) {
		return Interval{math.NaN(), math.NaN()}
	}
	slices.Sort(known)
	return Interval{quantile(known, 0.025), quantile(known, 0.975)}
}
