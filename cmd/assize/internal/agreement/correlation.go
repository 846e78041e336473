package agreement

import "math"

// Spearman is the rank correlation of x and y, from -1 to 1, with ties: the Pearson correlation of their mean ranks.
// It is NaN for fewer than two pairs and where one side does not vary.
func (p *Pairs) Spearman(times []int) float64 {
	n := p.countVaried(times)
	if n == 0 {
		return math.NaN()
	}
	xx, yy := rankAll(p.rankX, p.ofX, n), rankAll(p.rankY, p.ofY, n)
	var xy float64
	for i, c := range p.counts {
		xy += float64(float64(c) * float64(p.rankX[p.xs[i]]*p.rankY[p.ys[i]]))
	}
	return ratio(xy, xx, yy)
}

// rankAll gives each different value its mean rank, doubled and counted from the middle so that it is a whole
// number, and returns the sum of the squares.
func rankAll(ranks []float64, counts []int, n int) float64 {
	below := 0
	var sum float64
	for v, c := range counts {
		r := float64(2*below + c - n)
		ranks[v] = r
		sum += float64(float64(c) * float64(r*r))
		below += c
	}
	return sum
}

// Pearson is the product-moment correlation of x and y, from -1 to 1. It is NaN for fewer than two pairs and where
// one side does not vary.
func (p *Pairs) Pearson(times []int) float64 {
	n := p.countVaried(times)
	if n == 0 {
		return math.NaN()
	}
	var mx, my float64
	for i, c := range p.counts {
		mx += float64(float64(c) * p.x[i])
		my += float64(float64(c) * p.y[i])
	}
	mx, my = mx/float64(n), my/float64(n)
	var xy, xx, yy float64
	for i, c := range p.counts {
		dx, dy := p.x[i]-mx, p.y[i]-my
		cx := float64(float64(c) * dx)
		xy += float64(cx * dy)
		xx += float64(cx * dx)
		yy += float64(float64(c) * float64(dy*dy))
	}
	return ratio(xy, xx, yy)
}

// Kendall is the rank correlation tau-b of x and y, from -1 to 1 (Kendall 1945): concordant less discordant pairs,
// over the geometric mean of the pairs that are not tied on either side. It is NaN for fewer than two pairs and where
// one side does not vary. It takes n log n steps (Knight 1966).
func (p *Pairs) Kendall(times []int) float64 {
	n := int64(p.countVaried(times))
	if n == 0 {
		return math.NaN()
	}
	all := n * (n - 1) / 2
	return ratio(float64(p.concordance()), float64(all-tied(p.ofX)), float64(all-tied(p.ofY)))
}

// concordance is the number of pairs in the same order on both sides less that of pairs in opposite orders. The
// tree holds how often each y was seen with a lower x (Fenwick 1994).
func (p *Pairs) concordance() int64 {
	clear(p.tree)
	var sum, seen int64
	for from := 0; from < len(p.counts); {
		to := from
		for ; to < len(p.counts) && p.xs[to] == p.xs[from]; to++ {
			if c := int64(p.counts[to]); c > 0 {
				y := int(p.ys[to])
				sum += c * (p.upTo(y) + p.upTo(y+1) - seen)
			}
		}
		for ; from < to; from++ {
			c := int64(p.counts[from])
			seen += c
			for at := int(p.ys[from]) + 1; c > 0 && at < len(p.tree); at += at & -at {
				p.tree[at] += c
			}
		}
	}
	return sum
}

// upTo counts what the tree holds of the first n values of y.
func (p *Pairs) upTo(n int) int64 {
	var sum int64
	for ; n > 0; n &= n - 1 {
		sum += p.tree[n]
	}
	return sum
}

// tied is the number of pairs with equal values.
func tied(counts []int) int64 {
	var sum int64
	for _, c := range counts {
		sum += int64(c) * int64(c-1) / 2
	}
	return sum
}

// ratio is xy / √(xx yy), kept within -1 and 1, which rounding may leave by the last bit. It is NaN where the values
// are too large or too small for their squares to be told.
func ratio(xy, xx, yy float64) float64 {
	if !(xx > 0 && yy > 0) || math.IsInf(xx, 0) || math.IsInf(yy, 0) {
		return math.NaN()
	}
	return max(-1, min(1, xy/float64(math.Sqrt(xx)*math.Sqrt(yy))))
}
