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

// A statement may be more exact than a rule with a range, and may not widen it at either end.
func TestAgainstARange(t *testing.T) {
	days := func(from, to int32) *Value {
		return &Value{Slot: Slot{Kind: Duration}, N: 1440 * from, High: 1440 * to}
	}
	for _, tt := range []struct {
		from, to int32
		want     Relation
	}{{3, 5, Agreeing}, {4, 4, Agreeing}, {4, 5, Agreeing}, {1, 5, Contrary}, {3, 8, Contrary},
		{1, 8, Contrary}, {2, 2, Contrary}, {6, 7, Contrary}} {
		assert.Equal(t, tt.want, days(tt.from, tt.to).Against(days(3, 5)), "%d to %d days",
			tt.from, tt.to)
	}
}
