package agreement

import (
	"math"
	"math/bits"
	"math/rand/v2"
)

// Interval is a 95 % interval of a figure, NaN on both sides where it cannot be had.
type Interval struct{ Low, High float64 }

// unmeasured is the part of the draws that may leave a figure undefined before its interval is, too: more would tell
// of the lucky draws only.
const unmeasured = 0.05

// Bootstrap draws n units with replacement, draws times, and gives the 95 % percentile interval of each figure that
// figures returns (Efron 1979): from the 2.5 % to the 97.5 % quantile of the draws, each as [Quantile] has it. Units
// are dialogues, which are independent; their ratings are not. times says how often each unit was drawn and is
// overwritten by the next draw; figures must return the same number of figures each time and is called by one goroutine.
//
// Draws that leave a figure NaN are passed over, but for more than 5 % of them the interval is NaN, and so it is for
// fewer than two units. The same seed gives the same draws everywhere.
func Bootstrap(n, draws int, seed uint64, figures func(times []int) []float64) []Interval {
	return BootstrapWithin([]int{n}, draws, seed, func(times [][]int) []float64 { return figures(times[0]) })
}

// BootstrapWithin is [Bootstrap] for units that fall into groups of the given sizes: every draw draws each group anew,
// so that figures which compare groups or average over them get their interval too. What a group draws depends on the
// seed and its place, and on no other group.
func BootstrapWithin(sizes []int, draws int, seed uint64, figures func(times [][]int) []float64) []Interval {
	times := make([][]int, len(sizes))
	chance := make([]*rand.PCG, len(sizes))
	enough := len(sizes) > 0
	for g, n := range sizes {
		times[g], chance[g] = make([]int, n), rand.NewPCG(seed, uint64(g))
		enough = enough && n > 1
	}
	var drawn [][]float64
	for d := range max(1, draws) {
		for g := range times {
			draw(times[g], chance[g])
		}
		found := figures(times)
		if d == 0 {
			drawn = make([][]float64, len(found))
		}
		for f, v := range found {
			if !math.IsNaN(v) {
				drawn[f] = append(drawn[f], v)
			}
		}
	}
	intervals := make([]Interval, len(drawn))
	for f, values := range drawn {
		intervals[f] = Interval{math.NaN(), math.NaN()}
		if enough && draws > 0 && float64(draws-len(values)) <= unmeasured*float64(draws) {
			intervals[f] = Interval{Quantile(values, 0.025), Quantile(values, 0.975)}
		}
	}
	return intervals
}

// draw fills in how often each unit is drawn. The high half of a product maps 64 random bits to a unit without a
// division; that some units are likelier by n in 2⁶⁴ cannot be seen.
func draw(times []int, chance *rand.PCG) {
	clear(times)
	for range times {
		unit, _ := bits.Mul64(chance.Uint64(), uint64(len(times)))
		times[unit]++
	}
}
