package page

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/agree"
	"assize/cmd/assize/internal/ratings"
	"assize/cmd/assize/internal/run"
	"assize/rubric"
)

func many(n int) []*run.Record {
	var list []*run.Record
	for i := range n {
		list = append(list, scored(i, rubric.Hundredths(100+i*400/n), 60, 60))
	}
	return list
}

func ids(list []kept) (low, others []string) {
	for _, k := range list {
		if k.low {
			low = append(low, k.row.Name)
		} else {
			others = append(others, k.row.Name)
		}
	}
	return low, others
}

// Which dialogues are kept does not depend on the order of the run.
func TestKeepIsTheSameInAnyOrder(t *testing.T) {
	list := many(400) // no two alike
	low, others := ids(of(5, 10, list...).chosen())
	assert.Equal(t, []string{"0", "1", "2", "3", "4"}, low)
	assert.Len(t, others, 10)
	for seed := range uint64(5) {
		rand.New(rand.NewPCG(seed, 1)).Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
		gotLow, gotOthers := ids(of(5, 10, list...).chosen())
		assert.Equal(t, low, gotLow)
		assert.Equal(t, others, gotOthers)
	}
}

// The others are spread from the worst to the best: every fifth of the run has some of 40.
func TestKeepSpreads(t *testing.T) {
	var fifths [5]int
	for _, k := range of(40, 40, many(400)...).chosen() {
		if !k.low {
			fifths[k.row.Place/80]++
			assert.GreaterOrEqual(t, k.row.Place, 40, "not one of the worst once more")
		}
	}
	for _, n := range fifths {
		assert.GreaterOrEqual(t, n, 3)
	}
}

func TestKeepAllWhereThereIsRoom(t *testing.T) {
	for _, n := range []int{0, 1, 7, 15} {
		kept := of(10, 5, many(n)...).chosen()
		assert.Len(t, kept, n)
		assert.True(t, slices.IsSortedFunc(kept[:min(n, 10)], byRank))
	}
}

func TestKeepUnscored(t *testing.T) {
	var list []*run.Record
	for i := range 50 {
		list = append(list, unscored(i, "no words"))
	}
	assert.Len(t, of(200, 100, list...).chosen(), 20)
	assert.Empty(t, of(0, 0, append(list, many(20)...)...).chosen(), "nothing is asked for")
}

// Ties go by the average, then by the place in the run.
func TestWorse(t *testing.T) {
	kept := of(3, 0, scored(1, 300, 80, 80), scored(2, 300, 60, 80), scored(3, 300, 60, 80)).chosen()
	low, _ := ids(kept)
	assert.Equal(t, []string{"2", "3", "1"}, low)
}

func TestMade(t *testing.T) {
	one, same := run.Header{Program: "v1"}, run.Header{Program: "v1"}
	other := run.Header{Program: "v2"}
	p := New(0, 0, nil)
	for i, line := range []run.Line{{File: "a", Header: &one}, {File: "a", Header: &one}, {File: "b", Header: &same}, {File: "c", Header: &other}, {File: "d"}, {File: "e", Header: &one}} {
		p.Add(&line, scored(i, 300, 60, 60))
	}
	require.Len(t, p.makers, 3, "a, b and e were made in the same way")
	assert.Equal(t, []string{"a", "b", "e"}, p.makers[0].files)
	assert.Equal(t, []int{4, 1, 1}, []int{p.makers[0].n, p.makers[1].n, p.makers[2].n})
	assert.Nil(t, p.makers[2].header)
}

// What people said is laid beside the dialogue that they said it of; a dialogue that is there twice counts once.
func TestPeople(t *testing.T) {
	rated, again := scored(2, 350, 100, 100), scored(4, 350, 100, 100)
	rated.Truth.Overall, again.Truth.Overall = []float64{4, 5}, []float64{3}
	p := of(0, 0, unscored(1, "no words"), rated, scored(3, 300, 60, 60), again, again)
	var notes []string
	var err error
	p.Rated, notes, err = ratings.FromTruth(p.Scored(), ratings.DefaultScale)
	require.NoError(t, err)
	assert.Equal(t, []string{"1 record left out, of dialogues that came before; each dialogue counts once", "not rated and left out: 1 of 3 dialogues"}, notes)
	p.People = &agree.Report{}
	var d data
	p.cases(&d)
	assert.Equal(t, []any{nil, 4.5, nil, 3., nil}, d.Cases["people"])
}
