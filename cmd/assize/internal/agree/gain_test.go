package agree

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/cmd/assize/internal/ratings"
	"assize/rubric"
)

// judgedAgain has another judge say the same satisfaction with an error that says gives.
func judgedAgain(list []ratings.Rated, says func(i int) float64) (again []ratings.Rated) {
	for i, r := range list {
		rec := *r.Row
		rec.Satisfaction += rubric.Hundredths(100 * says(i))
		again = append(again, ratings.Rated{Row: &rec, Overall: r.Overall})
	}
	return again
}

func TestGain(t *testing.T) {
	first := crowd(t, "calls.txt", 60, 3, .2)
	gain := func(other []ratings.Rated) Figure {
		table := NewGain(context.Background(), first, other, options())
		return table.Of(table.Mean, Key{OverallRating, Satisfaction, Gain})
	}
	f := gain(first)
	assert.Zero(t, f.Value, "a judge gains nothing over itself")
	assert.Zero(t, f.Low)
	assert.Zero(t, f.High, "and by no chance: the same dialogues are drawn for both")

	worse := judgedAgain(first, func(i int) float64 { return float64((i*37)%60) / 10 })
	of := func(list []ratings.Rated) float64 {
		rep := New(context.Background(), list, options())
		return rep.Of(rep.Mean, overallKey(Satisfaction, Spearman)).Value
	}
	f = gain(worse)
	assert.InDelta(t, of(worse)-of(first), f.Value, 1e-12, "the difference of what agree says of either")
	assert.Negative(t, f.High)
	assert.Equal(t, 60, f.N)
}

func TestGainIsOfWhatBothScored(t *testing.T) {
	first, other := crowd(t, "calls.txt", 60, 3, .2), crowd(t, "calls.txt", 60, 3, .2)
	table := NewGain(context.Background(), first[:40], other[10:], options())
	assert.Equal(t, 30, table.Dialogues)
	few := NewGain(context.Background(), first[:15], other, options())
	f := few.Of(few.Mean, Key{OverallRating, Average, Gain})
	assert.True(t, math.IsNaN(f.Value))
	assert.Equal(t, fmt.Sprintf("there are fewer than %d dialogues that both scored", Fewest), f.Why)
	none := NewGain(context.Background(), nil, nil, options())
	assert.Equal(t, "there are no dialogues that both scored", none.Of(none.Mean, Key{OverallRating, Average, Gain}).Why)
}
