package compare

import (
	"math"

	"assize/cmd/assize/internal/agreement"
)

// fewest is how many dialogues a side must have for an interval. Resampling can give nothing outside the range of what
// was seen, and with n dialogues the true middle lies outside it with a chance of 2^(1-n): more than 5 % up to five.
const fewest = 6

// intervals fills in the 95 % bootstrap intervals of parts, and gives the mean difference over them, in which each
// counts the same however many dialogues it has. Dialogues are drawn within each part; of two different sets, within
// each side. In a part that is too small nothing is drawn, and then the mean over the parts has no interval.
func intervals(all []*sides, parts []Part, draws int, seed uint64) [NumMeasures]Figure {
	over := meanOver(parts)
	var drawn []*sides
	var of []int // the part that each belongs to
	for i, s := range all {
		if len(s.a) >= fewest && len(s.b) >= fewest {
			drawn, of = append(drawn, s), append(of, i)
		}
	}
	found := resampled(drawn, draws, seed)
	for m := range NumMeasures {
		for k, i := range of {
			parts[i].Figures[m].Interval = found[k*NumMeasures+m]
		}
		if len(drawn) == len(all) && len(all) > 0 {
			over[m].Interval = found[len(drawn)*NumMeasures+m]
		}
	}
	return over
}

// meanOver is the mean of the parts' means and differences.
func meanOver(parts []Part) (over [NumMeasures]Figure) {
	for m := range over {
		var a, b, difference float64
		for i := range parts {
			f := &parts[i].Figures[m]
			a, b, difference = a+f.A, b+f.B, difference+f.Difference
		}
		n := float64(len(parts))
		over[m] = Figure{
			A: a / n, B: b / n, Difference: difference / n,
			Interval: unknown, Sign: untested, Wilcoxon: untested, Above: math.NaN(),
		}
	}
	return over
}

// resampled gives the intervals of every measure's difference, set by set, and at the end of their means.
func resampled(all []*sides, draws int, seed uint64) []agreement.Interval {
	var sizes []int
	for _, s := range all {
		sizes = append(sizes, len(s.a))
		if !s.paired {
			sizes = append(sizes, len(s.b))
		}
	}
	figures := make([]float64, (len(all)+1)*NumMeasures)
	moved := make([][]row, len(all))
	for i, s := range all {
		if s.paired {
			moved[i] = s.moved()
		}
	}
	return agreement.BootstrapWithin(sizes, draws, seed, func(times [][]int) []float64 {
		mean := figures[len(all)*NumMeasures:]
		clear(mean)
		for i, s := range all {
			at := figures[i*NumMeasures:][:NumMeasures]
			if s.paired {
				means(at, moved[i], times[0])
				times = times[1:]
			} else {
				var a [NumMeasures]float64
				means(a[:], s.a, times[0])
				means(at, s.b, times[1])
				for m := range at {
					at[m] -= a[m]
				}
				times = times[2:]
			}
			for m, d := range at {
				mean[m] += d / float64(len(all))
			}
		}
		return figures
	})
}

// moved is by how much each pair moved.
func (s *sides) moved() []row {
	moved := make([]row, len(s.a))
	for i := range moved {
		for m := range moved[i] {
			moved[i][m] = s.b[i][m] - s.a[i][m]
		}
	}
	return moved
}

// means gives the mean of every measure over rows that count as often as times says.
func means(into []float64, rows []row, times []int) {
	var sums [NumMeasures]int64
	for i, t := range times {
		if t == 0 {
			continue
		}
		for m, v := range rows[i] {
			sums[m] += int64(t) * int64(v)
		}
	}
	for m, sum := range sums {
		into[m] = perDialogue(sum, len(rows))
	}
}
