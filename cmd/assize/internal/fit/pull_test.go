package fit

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/rubric"
)

// mix makes points whose ratings follow three parts: the first twice as much as it is given, the second not at all.
// The third occurs in one point of a hundred, and there says the opposite of what it should.
func mix(n int, noise float64) (parts, []point) {
	chance := rand.New(rand.NewPCG(11, 11))
	var z parts
	var points []point
	for i := range n {
		row := []float64{chance.NormFloat64(), chance.NormFloat64(), 0}
		if i%100 == 0 {
			row[2] = 0.5
		}
		z = append(z, row)
		points = append(points, point{digest: string(rune(i)), rating: 3 + 0.5*row[0] - 0.2*row[2] + noise*chance.NormFloat64()})
	}
	return z, points
}

func TestPull(t *testing.T) {
	z, points := mix(400, 0.2)
	p := z.pull(points, 0)
	assert.Equal(t, []float64{1, 1, 1}, p.factors, "nothing moves on a leash of 0")
	short, long := z.pull(points, 0.1), z.pull(points, 0.8)
	for _, p := range []pulled{short, long} {
		assert.Greater(t, p.factors[0], 1.0)
		assert.Less(t, p.factors[1], 1.0)
		assert.GreaterOrEqual(t, p.factors[1], 0.0, "no part turns round")
	}
	assert.Greater(t, long.factors[0], short.factors[0], "a longer leash lets it move further")
	assert.InDelta(t, 1, short.factors[2], 0.05, "what occurs seldom stays near 1")
	assert.Equal(t, 0.8, z.leash(points, 1), "the parts are wrong by far, and folds show it")

	for i := range points {
		points[i].rating = 6 - points[i].rating
	}
	assert.Equal(t, []float64{1, 1, 1}, z.pull(points, 0.8).factors, "ratings that fall with the score move nothing")
}

// Two parts, alone of their kind: ∑z² = 4 for each, ∑z₁z₂ = 0, ratings 2 z₁ + 0.5 z₂, so the slope of the ratings over
// z₁ + z₂ is (8 + 2)/8 = 1.25 and nothing is left but s² = (∑y² - 1.25² ∑x²)/(n-2) = (17 - 12.5)/2 = 2.25. On a leash
// of 0.4 the stiffness is 2.25/(0.4·1.25)² = 9, and the factors are (8/1.25 + 9)/(4 + 9) and (2/1.25 + 9)/(4 + 9).
func TestPullByHand(t *testing.T) {
	z := parts{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}
	var points []point
	for _, row := range z {
		points = append(points, point{rating: 2*row[0] + 0.5*row[1]})
	}
	p := z.pull(points, 0.4)
	assert.InDeltaSlice(t, []float64{15.4 / 13, 10.6 / 13}, p.factors, 1e-6)
	off, ok := p.miss([]float64{1, 1}, point{rating: 3})
	assert.True(t, ok)
	assert.InDelta(t, 3-1.25*(15.4+10.6)/13, off, 1e-6)
}

// Only what differs within a file counts: the second file is better rated and has more of the second part throughout,
// which says nothing of that part.
func TestPullIsWithinStrata(t *testing.T) {
	z, points := mix(400, 0.2)
	alone := z.pull(points, 0.4).factors
	for i := range points {
		if i%2 == 0 {
			points[i].stratum = 1
			points[i].rating += 2
			z[i][1] += 3
		}
	}
	assert.InDeltaSlice(t, alone, z.pull(points, 0.4).factors, 0.15)
}

func TestPercents(t *testing.T) {
	type list = [rubric.NumCriteria]float64
	type whole = [rubric.NumCriteria]int
	assert.Equal(t, whole{40, 15, 15, 10, 10, 10}, percents(list{40, 15, 15, 10, 10, 10}))
	assert.Equal(t, whole{17, 17, 17, 17, 16, 16}, percents(list{1, 1, 1, 1, 1, 1}), "of equal remainders the first criteria are rounded up")
	assert.Equal(t, whole{50, 0, 0, 0, 0, 50}, percents(list{3, 0, 0, 0, 0, 3}))
	assert.Equal(t, whole{33, 0, 0, 0, 67, 0}, percents(list{1, 0, 0, 0, 2, 0}), "66.67 is rounded up")
}
