package importer

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestMonthOf compares the month of every day in 1,100 years with the standard library.
func TestMonthOf(t *testing.T) {
	for day := int64(-200_000); day < 200_000; day++ {
		want := int64(time.Unix(day*86_400, 0).UTC().Month())
		require.Equal(t, want, monthOf(day), "day %d", day)
	}
}
