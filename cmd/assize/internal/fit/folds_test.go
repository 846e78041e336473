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
		points = append(points, point{digest: fmt.Sprint(i), rating: float64(i)}, point{digest: fmt.Sprint(i % 50)})
	}
	folds, count := deal(points, 10, 1)
	assert.Equal(t, 10, count)
	of := map[string]int{}
	size := map[int]int{}
	for i, pt := range points {
		if f, ok := of[pt.digest]; ok {
			assert.Equal(t, f, folds[i], "dialogues that are alike share a fold")
			continue
		}
		of[pt.digest] = folds[i]
		size[folds[i]]++
	}
	for f, n := range size {
		assert.Contains(t, []int{10, 11}, n, "fold %d: they are of one size", f)
	}
	shuffled := append([]point(nil), points...)
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	again, _ := deal(shuffled, 10, 1)
	for i, pt := range shuffled {
		assert.Equal(t, of[pt.digest], again[i], "the order does not matter")
	}
	other, _ := deal(points, 10, 2)
	assert.NotEqual(t, folds, other, "the seed does")
	_, count = deal(points[:3], 10, 1)
	assert.Equal(t, 2, count, "no more folds than different dialogues")
}

func TestStratify(t *testing.T) {
	make := func(sizes ...int) (points []point) {
		for f, n := range sizes {
			for range n {
				points = append(points, point{file: fmt.Sprint(f)})
			}
		}
		stratify(points)
		return points
	}
	sizes := func(points []point) (list []int) {
		for _, index := range strata(points) {
			list = append(list, len(index))
		}
		return list
	}
	assert.Equal(t, []int{20, 30}, sizes(make(20, 30)), "files are strata")
	assert.Equal(t, []int{20, 30, 25}, sizes(make(20, 30, 15, 10)), "small files make one together")
	assert.Equal(t, []int{20, 30}, sizes(make(20, 30, 15)), "which is left out where it is small itself")
	assert.Equal(t, []int{38}, sizes(make(20, 18)), "one large file is no reason to part it from the rest")
	assert.Equal(t, []int{40}, sizes(make(10, 10, 10, 10)))
}

// Within each of two files the values fall as the ratings rise; over both they rise.
func TestRanksAreWithinFiles(t *testing.T) {
	var points []point
	var values []float64
	for file := range 2 {
		for i := range leastStratum {
			points = append(points, point{file: fmt.Sprint(file), rating: float64(2*file) + 0.01*float64(i)})
			values = append(values, float64(10*file)-0.01*float64(i))
		}
	}
	stratify(points)
	each, _ := ranks(points, 1, values)
	assert.InDelta(t, -1, each[0].Value, 1e-12)
}
