package fit

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/ratings"
)

// A thousand rated dialogues, with folds, intervals, curves and weights.
func BenchmarkLearn(b *testing.B) {
	rated := weighed(1000, [6]int{40, 15, 15, 10, 10, 10})
	all := records(rated)
	b.ReportAllocs()
	for b.Loop() {
		_, err := Learn(rated, all, Options{Flag: tenth, Weights: true, Seed: 1, Scale: ratings.DefaultScale})
		require.NoError(b, err)
	}
}
