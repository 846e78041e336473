package review

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/stats"
)

// pairs returns n dialogues rated by Ann and Ben, and every third also by Cy.
func pairs(n int, ben, cy func(ann float64) float64) (units []ratings.Split) {
	for i := range n {
		ann := float64(1 + i%5)
		u := ratings.Split{Name: strconv.Itoa(i), File: "a.csv", Raters: []string{"Ann", "Ben"},
			Ratings: []float64{ann, ben(ann)}}
		if cy != nil && i%3 == 0 {
			u.Raters, u.Ratings = append(u.Raters, "Cy"), append(u.Ratings, cy(ann))
		}
		units = append(units, u)
	}
	return units
}

func TestAgreementSentences(t *testing.T) {
	same := func(v float64) float64 { return v }
	less := func(v float64) float64 { return max(v-1, 1) }
	for _, tt := range []struct {
		reason string
		units  []ratings.Split
		want   []string
	}{
		{"nobody", nil,
			[]string{"How far people agree cannot be determined: 0 dialogues with two ratings or more; at least 20 are needed, with ratings that differ."}},
		{"too few", pairs(19, same, nil),
			[]string{"How far people agree cannot be determined: 19 dialogues with two ratings or more; at least 20 are needed, with ratings that differ."}},
		{"the same", pairs(20, same, nil), []string{
			"People agree with an alpha of 1.00 (95 % interval 1.00 to 1.00; 1 is full agreement, 0 is chance) on 20 dialogues with two ratings or more: enough to rely on.",
			"Ann and Ben rank dialogues alike (Spearman 1.00), measured on the 20 dialogues that both rated."}},
		{"the opposite", pairs(20, func(v float64) float64 { return 6 - v }, nil), []string{
			// All variance is within dialogues, so alpha is 1 - 2·39/40 for 40 ratings.
			"People agree with an alpha of -.95 (95 % interval -.95 to -.95; 1 is full agreement, 0 is chance) on 20 dialogues with two ratings or more: too little to rely on single ratings.",
			"Ann and Ben rank dialogues unlike each other (Spearman -1.00), measured on the 20 dialogues that both rated."}},
	} {
		t.Run(tt.reason,
			func(t *testing.T) { assert.Equal(t, tt.want, agreement(tt.units).Sentences()) })
	}
	a := agreement(pairs(60, less, same))
	said := a.Sentences()
	assert.Contains(t, said[2], "Ben ranks dialogues as the others do")
	assert.Contains(t, said[2], "points of 5 lower on average (95 % interval .")
	// Ben rates 0, 1, 1, 1 and 1 star lower: .8 on average.
	assert.InDelta(t, -.8, a.Colleagues[1].Lean.Value, 1e-9)
	assert.Contains(t, said[3], "on the 20 dialogues that Cy and others rated")
	assert.Len(t, a.Differ, 48)
	assert.Equal(t, "1 of a.csv (Ann: 2, Ben: 1)", a.Differ[0].String())
	assert.Empty(t, agreement(pairs(20, same, nil)).Differ)
	pair := agreement(pairs(30, less, nil)).Sentences()
	assert.Len(t, pair, 2, "what is true of one is true of both")
	assert.Contains(t, pair[1], "Ann and Ben rank dialogues alike")
	assert.Contains(t, pair[1], ", and Ann rates .80 points of 5 higher on average (95 % interval ")
	a = &Agreement{Dialogues: 30, Alpha: stats.Figure{Value: .7}, Colleagues: []colleague{
		{Name: "Dan", Dialogues: 24, Spearman: math.NaN()}, {Name: "Eve", Dialogues: 1}, {}}}
	assert.Equal(t, []string{
		"Dan ranks dialogues in no order that can be compared, measured on the 24 dialogues that Dan and others rated.",
		"Eve and others have both rated only 1 dialogue; at least 20 are needed."},
		a.Sentences()[1:3])
}

// Progress is no number of dialogues, which would count the repeats that no page counts.
func TestProgressOfLearning(t *testing.T) {
	l := &Learner{}
	l.counting("reading")(8, 82)
	assert.Equal(t, "reading: 9.8 % of the dialogues", l.State().Doing)
}
