package fit

import (
	"math"

	"assize/cmd/assize/internal/agreement"
)

// parts are what the parts of a score give to points: a row a point, a column a part. A row sums to the score.
type parts [][]float64

// pulled is a score whose parts were made heavier or lighter, so that it follows ratings more closely.
type pulled struct {
	factors []float64   // by which each part is multiplied, 0 or more
	slope   float64     // of the ratings over the score as it was
	means   [][]float64 // of the parts and, last, of the ratings, by stratum; nil where there are no points
}

// leashes are how far a factor may move: its standard deviation around 1 as believed before the ratings are seen. With
// 0 nothing moves.
var leashes = []float64{0, 0.1, 0.2, 0.4, 0.8}

// pull fits the ratings by the parts, each times a factor of 0 or more that is drawn towards 1 (ridge; Hoerl and
// Kennard 1970). What occurs seldom tells the ratings little, and its factor stays near 1. Only what differs within a
// stratum counts. All factors are 1 where the ratings do not rise with the score.
func (z parts) pull(points []point, leash float64) pulled {
	k := len(z[0])
	p := pulled{factors: make([]float64, k)}
	for j := range p.factors {
		p.factors[j] = 1
	}
	rows := z.centre(points, &p)
	scores, ratings := make([]float64, len(rows)), make([]float64, len(rows))
	for i, row := range rows {
		for _, v := range row[:k] {
			scores[i] += v
		}
		ratings[i] = row[k]
	}
	if _, p.slope = agreement.Line(scores, ratings); !(p.slope > 0) || leash == 0 {
		return p
	}
	spread := float64(leash * p.slope)
	p.descend(products(rows), residue(p.slope, scores, ratings)/float64(spread*spread))
	return p
}

// centre gives the rows, each with its rating behind it, less the means of their stratum, which it keeps in p.
func (z parts) centre(points []point, p *pulled) [][]float64 {
	var counts []float64
	rows := make([][]float64, len(z))
	for i, row := range z {
		for len(p.means) <= points[i].stratum {
			p.means, counts = append(p.means, nil), append(counts, 0)
		}
		rows[i] = append(append(make([]float64, 0, len(row)+1), row...), points[i].rating)
		means := &p.means[points[i].stratum]
		if *means == nil {
			*means = make([]float64, len(rows[i]))
		}
		for j, v := range rows[i] {
			(*means)[j] += v
		}
		counts[points[i].stratum]++
	}
	for s, n := range counts {
		for j := range p.means[s] {
			p.means[s][j] /= n
		}
	}
	for i, row := range rows {
		for j, mean := range p.means[points[i].stratum] {
			row[j] -= mean
		}
	}
	return rows
}

// products sums, over the rows, the products of each part with every part and with the rating.
func products(rows [][]float64) [][]float64 {
	k := len(rows[0])
	sums := make([][]float64, k-1)
	for a := range sums {
		sums[a] = make([]float64, k)
	}
	for _, row := range rows {
		for a := range sums {
			if row[a] == 0 {
				continue
			}
			for b, v := range row {
				sums[a][b] += float64(row[a] * v)
			}
		}
	}
	return sums
}

// descend finds the factors with the least squares, each difference from 1 costing its square times the stiffness:
// one factor after the other is set to its best, until none moves. What it minimises is convex, so there is one end.
func (p *pulled) descend(products [][]float64, stiffness float64) {
	const rounds, still = 1000, 1e-7
	k := len(p.factors)
	for range rounds {
		moved := 0.0
		for a := range p.factors {
			rest := products[a][k]/p.slope + stiffness
			for b, f := range p.factors {
				if b != a {
					rest -= float64(products[a][b] * f)
				}
			}
			next := max(0, rest/(products[a][a]+stiffness))
			moved = max(moved, math.Abs(next-p.factors[a]))
			p.factors[a] = next
		}
		if moved < still {
			return
		}
	}
}

// miss is by how much a point's rating lies above what its parts stand for, both as they stand in its stratum. ok is
// false where nothing is known of the stratum.
func (p *pulled) miss(row []float64, pt point) (off float64, ok bool) {
	if pt.stratum >= len(p.means) || p.means[pt.stratum] == nil {
		return 0, false
	}
	means := p.means[pt.stratum]
	off = pt.rating - means[len(row)]
	for j, v := range row {
		off -= float64(float64(p.slope*p.factors[j]) * (v - means[j]))
	}
	return off, true
}

// leash chooses how far factors may move: the least squared error on inner folds, and of equals the shorter one.
func (z parts) leash(points []point, seed uint64) float64 {
	folds, count := deal(points, innerFolds, seed)
	best, least := 0.0, math.Inf(1)
	for _, leash := range leashes {
		var sum float64
		for f := range count {
			var rows parts
			var train []point
			for i, pt := range points {
				if folds[i] != f {
					rows, train = append(rows, z[i]), append(train, pt)
				}
			}
			p := rows.pull(train, leash)
			for i, pt := range points {
				if folds[i] == f {
					off, _ := p.miss(z[i], pt)
					sum += float64(off * off)
				}
			}
		}
		if sum < least {
			best, least = leash, sum
		}
	}
	return best
}
