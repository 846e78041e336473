package triage

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The kept values are those that sorting everything would put first.
func TestLeastIsTheHeadOfASort(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		list := make([]int, rng.IntN(80))
		for i := range list {
			list[i] = rng.IntN(20)
		}
		limit := 1 + rng.IntN(40)
		w := NewLeast(limit, cmp.Compare[int])
		for _, v := range list {
			w.Add(v)
			require.LessOrEqual(t, len(w.list), 2*limit,
				"no more is kept than twice what is wanted")
		}
		want := slices.Sorted(slices.Values(list))
		assert.ElementsMatch(t, want[:min(limit, len(want))], w.List())
		assert.True(t, slices.IsSorted(w.List()))
	}
}
