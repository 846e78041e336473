package overview

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/ratings"
	"assize/cmd/assize/internal/record"
	"assize/rubric"
)

func TestOverview(t *testing.T) {
	o := of(10, 0, scored(1, 250, 20, 60), scored(2, 350, 100, 100), unscored(3, "nobody speaks"))
	assert.Equal(t, 2, o.Scored)
	assert.Equal(t, 1, o.Unscored)
	require.Len(t, o.Cases, 3)
	assert.Equal(t, "1", o.Cases[0].ID)
	assert.Equal(t, "chat.txt", o.Cases[0].File)
	assert.True(t, o.Cases[0].Scored())
	assert.False(t, o.Cases[0].Changed())
	assert.False(t, o.Cases[2].Scored())
	assert.Equal(t, "nobody speaks", o.Cases[2].Reason)
	assert.Equal(t, [5]int{1, 0, 0, 0, 1}, o.Criteria[rubric.TaskSuccess].Levels)
	assert.Equal(t, [5]int{0, 0, 1, 0, 1}, o.Criteria[rubric.Empathy].Levels)
	assert.Equal(t, Docket{Rulings: [6]int{rubric.Agreed: 12}}, o.Court.Total())
}

// Levels 20, 20, 60 and 100: the mean is 200 / 4 = 50; the squares off it are 900, 900, 100 and 2500, whose mean is 1100.
func TestSpread(t *testing.T) {
	var s Spread
	for _, score := range []rubric.Score{20, 20, 60, 100} {
		s.add(score)
	}
	assert.Equal(t, 4, s.N())
	assert.InDelta(t, 50, s.Mean(), 1e-9)
	assert.InDelta(t, 33.16624790, s.Deviation(), 1e-6)
	assert.InDelta(t, .5, s.Below(60), 1e-9)
	assert.Zero(t, new(Spread).Mean())
	assert.Zero(t, new(Spread).Deviation())
}

func TestMade(t *testing.T) {
	one, same := record.Header{Program: "v1"}, record.Header{Program: "v1"}
	other := record.Header{Program: "v2"}
	o := New(0, 0, nil)
	for i, line := range []record.Line{{File: "a", Header: &one}, {File: "a", Header: &one}, {File: "b", Header: &same}, {File: "c", Header: &other}, {File: "d"}} {
		o.Add(&line, scored(i, 300, 60, 60))
	}
	require.Len(t, o.Made, 3, "a and b were made in the same way")
	assert.Equal(t, []string{"a", "b"}, o.Made[0].Files)
	assert.Equal(t, []int{3, 1, 1}, []int{o.Made[0].N, o.Made[1].N, o.Made[2].N})
	assert.Nil(t, o.Made[2].Header)
}

func TestRate(t *testing.T) {
	rated := scored(2, 350, 100, 100)
	rated.Truth.Overall = []float64{4, 5}
	o := of(0, 0, unscored(1, "no words"), rated, scored(3, 300, 60, 60))
	assert.True(t, o.Carried())
	ratable := o.Ratable()
	people, notes, err := ratings.FromTruth(ratable.Records, ratings.DefaultScale)
	require.NoError(t, err)
	assert.Equal(t, []string{"1 of 2 dialogues is not rated and left out"}, notes)
	ratable.Rate(people)
	assert.Equal(t, []float64{0, 4.5, 0}, []float64{o.Cases[0].People, o.Cases[1].People, o.Cases[2].People})
	assert.False(t, of(0, 0, scored(1, 300, 60, 60)).Carried())
}

// A run that is named twice holds every dialogue twice, and each counts once where agreement is measured.
func TestRateTwice(t *testing.T) {
	r := scored(1, 350, 100, 100)
	r.Truth.Overall = []float64{3}
	o := of(0, 0, r, r)
	people, notes, err := ratings.FromTruth(o.Ratable().Records, ratings.DefaultScale)
	require.NoError(t, err)
	assert.Len(t, people, 1)
	assert.Equal(t, []string{"1 record is of a dialogue that came before; each dialogue counts once"}, notes)
}
