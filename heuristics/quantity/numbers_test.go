package quantity

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestNumbers checks how the numbers in a text are read.
func TestNumbers(t *testing.T) {
	for text, want := range map[string][]float64{
		"":              nil,
		"45 and 1.5":    {45, 1.5},
		"1,204.50":      {1, 204.5, 1204.5},
		"95,50":         {95, 50, 9550, 95.5},
		"[1,2,3]":       {1, 2, 3, 123},
		"BA2490, 7.":    {2490, 7},
		"£35":           {35},
		"rate: 1.0842.": {1.0842},
	} {
		var got []float64
		eachNumber(text, func(v float64, begin, end int) {
			require.True(t, 0 <= begin && begin < end && end <= len(text), text)
			got = append(got, v)
		})
		assert.Equal(t, want, got, text)
	}
}
