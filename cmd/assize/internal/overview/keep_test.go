package overview

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/cmd/assize/internal/record"
	"assize/rubric"
)

func many(n int) []*record.Record {
	var list []*record.Record
	for i := range n {
		list = append(list, scored(i, rubric.Hundredths(100+i*400/n), 60, 60))
	}
	return list
}

func ids(kept []Kept) (low, others []string) {
	for _, k := range kept {
		if k.Low {
			low = append(low, k.ID)
		} else {
			others = append(others, k.ID)
		}
	}
	return low, others
}

// Which dialogues are kept does not depend on the order of the run.
func TestKeepIsTheSameInAnyOrder(t *testing.T) {
	list := many(400) // no two alike
	low, others := ids(of(5, 10, list...).Kept())
	assert.Equal(t, []string{"0", "1", "2", "3", "4"}, low)
	assert.Len(t, others, 10)
	for seed := range uint64(5) {
		rand.New(rand.NewPCG(seed, 1)).Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
		gotLow, gotOthers := ids(of(5, 10, list...).Kept())
		assert.Equal(t, low, gotLow)
		assert.Equal(t, others, gotOthers)
	}
}

// The others are spread from the worst to the best: every fifth of the run has some of 40.
func TestKeepSpreads(t *testing.T) {
	var fifths [5]int
	for _, k := range of(40, 40, many(400)...).Kept() {
		if !k.Low {
			fifths[k.Number/80]++
			assert.GreaterOrEqual(t, k.Number, 40, "not one of the worst once more")
		}
	}
	for _, n := range fifths {
		assert.GreaterOrEqual(t, n, 3)
	}
}

func TestKeepAllWhereThereIsRoom(t *testing.T) {
	for _, n := range []int{0, 1, 7, 15} {
		kept := of(10, 5, many(n)...).Kept()
		assert.Len(t, kept, n)
		assert.True(t, slices.IsSortedFunc(kept[:min(n, 10)], worse))
	}
}

func TestKeepUnscored(t *testing.T) {
	var list []*record.Record
	for i := range 50 {
		list = append(list, unscored(i, "no words"))
	}
	assert.Len(t, of(200, 100, list...).Kept(), someUnscored)
	assert.Empty(t, of(0, 0, append(list, many(20)...)...).Kept(), "nothing is asked for")
}

// Ties go by the average, then by the place in the run.
func TestWorse(t *testing.T) {
	kept := of(3, 0, scored(1, 300, 80, 80), scored(2, 300, 60, 80), scored(3, 300, 60, 80)).Kept()
	low, _ := ids(kept)
	assert.Equal(t, []string{"2", "3", "1"}, low)
}
