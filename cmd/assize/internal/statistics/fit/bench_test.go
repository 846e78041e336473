package fit

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/reading/ratings"
)

// A thousand rated dialogues, with folds and intervals.
func BenchmarkLearn(b *testing.B) {
	rated := along(1000, 3, 0.4, 0.3)
	all, said, err := inputs(rated)
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		_, err := Learn(all, said, Options{Flag: tenth, Seed: 1, Scale: ratings.DefaultScale})
		require.NoError(b, err)
	}
}
