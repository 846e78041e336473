package fit

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDeal(t *testing.T) {
	var points []point
	for i := range 103 {
		points = append(points,
			point{Dialogue: &Dialogue{Digest: fmt.Sprint(i), alike: fmt.Sprint(i)},
				rating: float64(i)},
			point{Dialogue: &Dialogue{Digest: fmt.Sprint(i % 50), alike: fmt.Sprint(i % 50)}})
	}
	trains, held := folds(points, 10, 1)
	assert.Len(t, held, 10)
	of := map[string]int{}
	for f, places := range held {
		different := map[string]bool{}
		for _, i := range places {
			if at, ok := of[points[i].Digest]; ok {
				assert.Equal(t, f, at, "dialogues that are alike share a fold")
			}
			of[points[i].Digest], different[points[i].Digest] = f, true
		}
		assert.Contains(t, []int{10, 11}, len(different), "fold %d: they are of one size", f)
		assert.Len(t, trains[f], len(points)-len(places), "the others are learnt from")
		for _, pt := range trains[f] {
			assert.False(t, different[pt.Digest])
		}
	}
	shuffled := append([]point(nil), points...)
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(shuffled),
		func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	_, again := folds(shuffled, 10, 1)
	for f, places := range again {
		for _, i := range places {
			assert.Equal(t, of[shuffled[i].Digest], f, "the order does not matter")
		}
	}
	_, other := folds(points, 10, 2)
	assert.NotEqual(t, held, other, "the seed does")
	_, few := folds(points[:3], 10, 1)
	assert.Len(t, few, 2, "no more folds than different dialogues")
}
