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
		points = append(points, point{Dialogue: &Dialogue{Digest: fmt.Sprint(i)}, rating: float64(i)}, point{Dialogue: &Dialogue{Digest: fmt.Sprint(i % 50)}})
	}
	folds, count := deal(points, 10, 1)
	assert.Equal(t, 10, count)
	of := map[string]int{}
	size := map[int]int{}
	for i, pt := range points {
		if f, ok := of[pt.Digest]; ok {
			assert.Equal(t, f, folds[i], "dialogues that are alike share a fold")
			continue
		}
		of[pt.Digest] = folds[i]
		size[folds[i]]++
	}
	for f, n := range size {
		assert.Contains(t, []int{10, 11}, n, "fold %d: they are of one size", f)
	}
	shuffled := append([]point(nil), points...)
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	again, _ := deal(shuffled, 10, 1)
	for i, pt := range shuffled {
		assert.Equal(t, of[pt.Digest], again[i], "the order does not matter")
	}
	other, _ := deal(points, 10, 2)
	assert.NotEqual(t, folds, other, "the seed does")
	_, count = deal(points[:3], 10, 1)
	assert.Equal(t, 2, count, "no more folds than different dialogues")
}
