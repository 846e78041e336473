package run

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/heuristics/satisfaction"
	"assize/rubric"
)

func TestCompare(t *testing.T) {
	base := Row{Estimate: satisfaction.Estimate{Satisfaction: 300}, Average: 6000, Overall: 60,
		CrossCheck: apart(100), ID: 5, Name: "b", Place: 5}
	with := func(change func(*Row)) Row {
		p := base
		change(&p)
		return p
	}
	for _, tt := range []struct {
		reason string
		order  Order
		first  Row
	}{
		{"the lower satisfaction", BySatisfaction, with(func(p *Row) { p.Satisfaction, p.Average, p.ID = 299, 9000, 9 })},
		{"of equals the lower average", BySatisfaction, with(func(p *Row) { p.Average, p.ID = 5900, 9 })},
		{"of equals the lower id", BySatisfaction, with(func(p *Row) { p.ID, p.Name, p.Place = 4, "c", 9 })},
		{"of equals the source's own id", BySatisfaction, with(func(p *Row) { p.Name, p.Place = "a", 9 })},
		{"of equals what was read first", BySatisfaction, with(func(p *Row) { p.Place = 4 })},
		{"the lower average", ByAverage, with(func(p *Row) { p.Average, p.Satisfaction = 5900, 400 })},
		{"of equal averages the lower satisfaction", ByAverage, with(func(p *Row) { p.Satisfaction, p.ID = 200, 9 })},
		{"the greater disagreement", ByDisagreement, with(func(p *Row) { p.CrossCheck, p.Satisfaction = apart(101), 400 })},
		{"disagreement is nothing to satisfaction", BySatisfaction, with(func(p *Row) { p.Satisfaction, p.CrossCheck = 299, nil })},
	} {
		assert.Negative(t, tt.order.Compare(&tt.first, &base), tt.reason)
		assert.Positive(t, tt.order.Compare(&base, &tt.first), tt.reason)
		assert.Zero(t, tt.order.Compare(&base, &base), tt.reason)
	}
	unscored := Row{ID: 1, Name: "a", Reason: "no turns"}
	for _, o := range orders {
		assert.Negative(t, o.Compare(&base, &unscored), "unscored dialogues are last")
		assert.Positive(t, o.Compare(&unscored, &base))
	}
}

var orders = []Order{BySatisfaction, ByAverage, ByDisagreement, ByChecklist, ByContradicted,
	ByUnproven, ByPromised, ByClaims}

func apart(d rubric.Hundredths) *rubric.CrossCheck { return &rubric.CrossCheck{Disagreement: d} }

// rowsWithTies returns n rows with as many ties as possible.
func rowsWithTies(rng *rand.Rand, n int) []Row {
	list := make([]Row, n)
	for i := range list {
		list[i] = Row{
			Estimate:   satisfaction.Estimate{Satisfaction: rubric.Hundredths(100 + rng.IntN(5))},
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
		list := rowsWithTies(rng, rng.IntN(40))
		for _, o := range orders {
			compare := func(a, b Row) int { return o.Compare(&a, &b) }
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
