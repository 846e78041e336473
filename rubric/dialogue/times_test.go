package dialogue

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The months of every day in 1,100 years, against those of the standard library.
func TestMonthOf(t *testing.T) {
	for day := int64(-200_000); day < 200_000; day++ {
		want := int64(time.Unix(day*86_400, 0).UTC().Month())
		require.Equal(t, want, monthOf(day), "day %d", day)
	}
}
