package fit

import "assize/cmd/assize/internal/agreement"

// leastStratum is how many points a file must have to be a stratum.
const leastStratum = 20

// stratify parts points by the file that they come from: a rank correlation over several sets of dialogues would give
// credit for telling the sets apart. Files with too few points make one stratum together; where fewer than two have
// enough, all points are one.
func stratify(points []point) {
	count := map[string]int{}
	for _, pt := range points {
		count[pt.file]++
	}
	enough := 0
	for _, n := range count {
		if n >= leastStratum {
			enough++
		}
	}
	number := map[string]int{}
	for i := range points {
		file := points[i].file
		if enough < 2 || count[file] < leastStratum {
			file = ""
		}
		if _, ok := number[file]; !ok {
			number[file] = len(number)
		}
		points[i].stratum = number[file]
	}
}

// strata are the points by their stratum, those left out that are too few to be ranked.
func strata(points []point) (index [][]int) {
	for i, pt := range points {
		for len(index) <= pt.stratum {
			index = append(index, nil)
		}
		index[pt.stratum] = append(index[pt.stratum], i)
	}
	if len(index) == 1 {
		return index
	}
	large := index[:0]
	for _, in := range index {
		if len(in) >= leastStratum {
			large = append(large, in)
		}
	}
	return large
}

// ranks gives the mean over the strata of the rank correlations with the ratings, for each of several lists of values,
// and behind them by how much the first exceeds each of the others, all with intervals.
func ranks(points []point, seed uint64, lists ...[]float64) (each, beyond []Gain) {
	pairs := make([][]*agreement.Pairs, len(lists))
	var sizes []int
	for _, index := range strata(points) {
		sizes = append(sizes, len(index))
		for k, values := range lists {
			var x, y []float64
			for _, i := range index {
				x, y = append(x, values[i]), append(y, points[i].rating)
			}
			pairs[k] = append(pairs[k], agreement.NewPairs(x, y))
		}
	}
	figures := func(times [][]int) []float64 {
		var found []float64
		for k := range lists {
			var sum float64
			for g, p := range pairs[k] {
				sum += p.Spearman(times[g])
			}
			found = append(found, sum/float64(len(sizes)))
		}
		for k := range lists {
			found = append(found, found[0]-found[k])
		}
		return found
	}
	values := figures(make([][]int, len(sizes)))
	intervals := agreement.BootstrapWithin(sizes, Draws, seed, figures)
	for k := range lists {
		each = append(each, Gain{values[k], intervals[k]})
		beyond = append(beyond, Gain{values[len(lists)+k], intervals[len(lists)+k]})
	}
	return each, beyond[1:]
}
