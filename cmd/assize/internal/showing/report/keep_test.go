package report

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/showing/triage"
	"assize/cmd/assize/internal/statistics/agree"
	"assize/rubric"
)

func many(n int) []*run.Record {
	var list []*run.Record
	for i := range n {
		list = append(list, scored(i, rubric.Hundredths(100+i*400/n), 60, 60))
	}
	return list
}

func ids(list []kept) (names []string) {
	for _, k := range list {
		names = append(names, k.Name)
	}
	return names
}

// The choice of dialogues does not depend on the order of the run.
func TestKeepIsTheSameInAnyOrder(t *testing.T) {
	list := many(400) // all different
	low, others := of(5, 10, list...).chosen()
	assert.Equal(t, []string{"0", "1", "2", "3", "4"}, ids(low))
	assert.Len(t, others, 10)
	for seed := range uint64(5) {
		rand.New(rand.NewPCG(seed, 1)).Shuffle(len(list),
			func(i, k int) { list[i], list[k] = list[k], list[i] })
		gotLow, gotOthers := of(5, 10, list...).chosen()
		assert.Equal(t, ids(low), ids(gotLow))
		assert.Equal(t, ids(others), ids(gotOthers))
	}
}

// The others are spread from the worst to the best: each fifth of the run has some of the 40.
func TestKeepSpreads(t *testing.T) {
	var fifths [5]int
	_, others := of(40, 40, many(400)...).chosen()
	for _, k := range others {
		fifths[k.Place/80]++
		assert.GreaterOrEqual(t, k.Place, 40, "not one of the worst once more")
	}
	for _, n := range fifths {
		assert.GreaterOrEqual(t, n, 3)
	}
}

func TestKeepAllWhereThereIsRoom(t *testing.T) {
	for _, n := range []int{0, 1, 7, 15} {
		low, others := of(10, 5, many(n)...).chosen()
		assert.Equal(t, n, len(low)+len(others))
		assert.True(t, slices.IsSortedFunc(low, byRank))
	}
}

// Unscored dialogues are not among the worst, and follow the others.
func TestKeepUnscored(t *testing.T) {
	list := append(many(20), unscored(98, "no words"), unscored(99, "no words"))
	low, others := of(5, 20, list...).chosen()
	assert.Equal(t, []string{"0", "1", "2", "3", "4"}, ids(low))
	assert.Equal(t, []string{"98", "99"}, ids(others)[15:])
	low, others = of(0, 0, list...).chosen()
	assert.Empty(t, append(low, others...), "nothing is asked for")
}

// Ties are resolved by the average, then by the position in the run.
func TestWorse(t *testing.T) {
	low, _ := of(3, 0,
		scored(1, 300, 80, 80), scored(2, 300, 60, 80), scored(3, 300, 60, 80)).chosen()
	assert.Equal(t, []string{"2", "3", "1"}, ids(low))
}

func TestMade(t *testing.T) {
	one, same := run.Header{Program: "v1"}, run.Header{Program: "v1"}
	other := run.Header{Program: "v2"}
	p := New(0, 0)
	for i, line := range []run.Line{{File: "a", Header: &one}, {File: "a", Header: &one},
		{File: "b", Header: &same}, {File: "c", Header: &other}, {File: "e", Header: &one}} {
		r := scored(i, 300, 60, 60)
		r.Keys = &run.Keys{Said: run.Key{byte(i)}, Copy: run.Key{byte(i), 1}}
		p.Add(&line, r)
	}
	require.Len(t, p.Origins, 2, "a, b and e were made in the same way")
	assert.Equal(t, []string{"a", "b", "e"}, p.Origins[0].Files)
	assert.Equal(t, []int{4, 1}, []int{p.Origins[0].Records, p.Origins[1].Records})
}

// Ratings are joined to their dialogues, and a dialogue that occurs twice counts once.
func TestPeople(t *testing.T) {
	rated, again := scored(2, 350, 100, 100), scored(4, 350, 100, 100)
	rated.Truth.Overall, again.Truth.Overall = []float64{4, 5}, []float64{3}
	p := of(0, 0, unscored(1, "no words"), rated, scored(3, 300, 60, 60), again, again)
	var notes []string
	var err error
	rows := append(p.Scored(), p.Repeats...)
	p.Rated, notes, err = ratings.Collect(rows, nil, nil, ratings.DefaultScale)
	require.NoError(t, err)
	assert.Equal(t,
		[]string{"1 record left out, because the dialogue occurred before; each dialogue counts once",
			"not rated, so in no figure about ratings: 1 of 3 dialogues"}, notes)
	p.People = &agree.Report{}
	var said []any
	for _, c := range p.cases(nil) {
		said = append(said, c.Extra["rating"])
	}
	assert.Equal(t, []any{nil, 4.5, nil, 3.}, said)
	assert.Equal(t, []any{1, "4"},
		[]any{p.cases(nil)[3].Extra["duplicates"], p.cases(nil)[3].Extra["also"]})
	assert.Contains(t, p.Runs(), "4 dialogues, 1 duplicate left out")
	assert.Equal(t, []int{3, 1}, []int{p.Summary.Scored, p.Summary.Unscored})
}

// A page lists the worst dialogues and those with a transcript; its figures include all of them.
func TestListIsLimited(t *testing.T) {
	p := New(2, 1)
	p.listed = triage.NewLeast(5, (*Entry).compare)
	for i, r := range slices.Backward(append(many(40), unscored(99, "no words"))) {
		r.Keys = &run.Keys{Said: run.Key{byte(i)}, Copy: run.Key{byte(i), 1}}
		p.Add(&run.Line{File: "run.jsonl", Header: &run.Header{Basis: run.DefaultBasis()}}, r)
	}
	_, others := p.chosen()
	require.Len(t, others, 1)
	list := p.cases(others)
	var names []string
	for _, e := range list {
		names = append(names, e.Name)
	}
	assert.Equal(t, []string{others[0].Name, "4", "3", "2", "1", "0"}, names)
	assert.Equal(t, 40, p.Summary.Scored)
	page := written(t, p)
	assert.Contains(t, page, "6 of all 41 dialogues are listed, the worst and those with a "+
		"transcript; the figures include all")
	assert.Contains(t, page, `"of":41`)
	assert.Contains(t, page, "Overall below 60: 0 of 40 dialogues", "the figures include all")
}
