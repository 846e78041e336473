package agreement

import (
	"math"
	"sort"
)

// MAE is the mean absolute error of x against y, in their units. It is NaN for no pairs.
func (p *Pairs) MAE(times []int) float64 {
	n := p.count(times)
	var sum float64
	for i, c := range p.counts {
		sum += float64(float64(c) * p.distance[i])
	}
	return over(sum, n)
}

// RMSE is the root of the mean squared error of x against y, in their units. It is NaN for no pairs.
func (p *Pairs) RMSE(times []int) float64 {
	n := p.count(times)
	var sum float64
	for i, c := range p.counts {
		sum += float64(float64(c) * float64(p.distance[i]*p.distance[i]))
	}
	return math.Sqrt(over(sum, n))
}

// ConstantMAE is the error that a judge must beat to be worth having: the mean absolute error of saying of every
// dialogue the median of people's values for the others, which of all constants errs least. It is NaN for fewer than
// two pairs.
func (p *Pairs) ConstantMAE(times []int) float64 {
	n := p.count(times)
	if n < 2 {
		return math.NaN()
	}
	p.countValues()
	values := p.valuesOfY()
	upTo := make([]int, p.ny)
	below := 0
	for v, c := range p.ofY {
		below += c
		upTo[v] = below
	}
	var sum float64
	for v, c := range p.ofY {
		// Without one of value v, the k-th of the others is the k-th of all, or the next from v on.
		kth := func(k int) float64 {
			if k >= upTo[v] {
				k++
			}
			return values[sort.SearchInts(upTo, k)]
		}
		if c > 0 {
			median := kth(n/2)/2 + kth((n+1)/2)/2
			sum += float64(float64(c) * math.Abs(values[v]-median))
		}
	}
	return over(sum, n)
}

// valuesOfY are the different values of y in ascending order.
func (p *Pairs) valuesOfY() []float64 {
	values := make([]float64, p.ny)
	for i, v := range p.ys {
		values[v] = p.y[i]
	}
	return values
}

// over is a mean: a sum over n, NaN where n is zero.
func over(sum float64, n int) float64 {
	if n == 0 {
		return math.NaN()
	}
	return sum / float64(n)
}
