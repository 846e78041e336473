package triage

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/run"
	"assize/heuristics"
	"assize/rubric"
)

func TestCompare(t *testing.T) {
	base := run.Row{Estimate: heuristics.Estimate{Satisfaction: 300}, Average: 6000,
		CrossCheck: apart(100), ID: 5, Name: "b", Place: 5}
	with := func(change func(*run.Row)) run.Row {
		p := base
		change(&p)
		return p
	}
	for _, tt := range []struct {
		reason string
		order  Order
		first  run.Row
	}{
		{"the lower satisfaction", BySatisfaction, with(func(p *run.Row) { p.Satisfaction, p.Average, p.ID = 299, 9000, 9 })},
		{"of equals the lower average", BySatisfaction, with(func(p *run.Row) { p.Average, p.ID = 5900, 9 })},
		{"of equals the lower id", BySatisfaction, with(func(p *run.Row) { p.ID, p.Name, p.Place = 4, "c", 9 })},
		{"of equals the source's own id", BySatisfaction, with(func(p *run.Row) { p.Name, p.Place = "a", 9 })},
		{"of equals what was read first", BySatisfaction, with(func(p *run.Row) { p.Place = 4 })},
		{"the lower average", ByAverage, with(func(p *run.Row) { p.Average, p.Satisfaction = 5900, 400 })},
		{"of equal averages the lower satisfaction", ByAverage, with(func(p *run.Row) { p.Satisfaction, p.ID = 200, 9 })},
		{"the greater disagreement", ByDisagreement, with(func(p *run.Row) { p.CrossCheck, p.Satisfaction = apart(101), 400 })},
		{"disagreement is nothing to satisfaction", BySatisfaction, with(func(p *run.Row) { p.Satisfaction, p.CrossCheck = 299, nil })},
	} {
		assert.Negative(t, tt.order.Compare(&tt.first, &base), tt.reason)
		assert.Positive(t, tt.order.Compare(&base, &tt.first), tt.reason)
		assert.Zero(t, tt.order.Compare(&base, &base), tt.reason)
	}
}

func apart(d rubric.Hundredths) *rubric.CrossCheck { return &rubric.CrossCheck{Disagreement: d} }

// rows returns n rows with as many ties as possible.
func rows(rng *rand.Rand, n int) []run.Row {
	list := make([]run.Row, n)
	for i := range list {
		list[i] = run.Row{
			Estimate:   heuristics.Estimate{Satisfaction: rubric.Hundredths(100 + rng.IntN(5))},
			Average:    rubric.Hundredths(rng.IntN(3)),
			CrossCheck: apart(rubric.Hundredths(rng.IntN(3))), ID: rng.IntN(4),
			Name: fmt.Sprint(rng.IntN(2)), Place: i,
		}
	}
	return list
}

// The ranking does not depend on the order of the dialogues: the order is total.
func TestTheOrderIsTotal(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		list := rows(rng, rng.IntN(40))
		for _, o := range Orders() {
			compare := func(a, b run.Row) int { return Order(o).Compare(&a, &b) }
			want := slices.SortedFunc(slices.Values(list), compare)
			for i := range want {
				for j := range want {
					require.Equal(t, i < j, compare(want[i], want[j]) < 0, "%s: %+v and %+v", o,
						want[i], want[j])
				}
			}
			rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			assert.Equal(t, want, slices.SortedFunc(slices.Values(list), compare))
		}
	}
}

// The kept values are those that sorting everything would put first.
func TestWorstIsTheHeadOfASort(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		list := rows(rng, rng.IntN(80))
		limit := 1 + rng.IntN(40)
		for _, o := range Orders() {
			compare := func(a, b run.Row) int { return Order(o).Compare(&a, &b) }
			w := NewLeast(limit, compare)
			for _, p := range list {
				w.Add(p)
				require.LessOrEqual(t, len(w.list), 2*limit,
					"no more is kept than twice what is wanted")
			}
			want := slices.SortedFunc(slices.Values(list), compare)
			assert.Equal(t, want[:min(limit, len(want))], w.List())
		}
	}
}
