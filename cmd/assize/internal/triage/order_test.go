package triage

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/record"
	"assize/rubric"
)

func TestCompare(t *testing.T) {
	base := Place{Satisfaction: 300, Average: 6000, Disagreement: 100, ID: 5, Name: "b", At: 5}
	with := func(change func(*Place)) Place {
		p := base
		change(&p)
		return p
	}
	for _, tt := range []struct {
		reason string
		order  Order
		first  Place
	}{
		{"the lower satisfaction", BySatisfaction, with(func(p *Place) { p.Satisfaction, p.Average, p.ID = 299, 9000, 9 })},
		{"of equals the lower average", BySatisfaction, with(func(p *Place) { p.Average, p.ID = 5900, 9 })},
		{"of equals the lower id", BySatisfaction, with(func(p *Place) { p.ID, p.Name, p.At = 4, "c", 9 })},
		{"of equals the source's own id", BySatisfaction, with(func(p *Place) { p.Name, p.At = "a", 9 })},
		{"of equals what was read first", BySatisfaction, with(func(p *Place) { p.At = 4 })},
		{"the lower average", ByAverage, with(func(p *Place) { p.Average, p.Satisfaction = 5900, 400 })},
		{"of equal averages the lower satisfaction", ByAverage, with(func(p *Place) { p.Satisfaction, p.ID = 200, 9 })},
		{"the greater disagreement", ByDisagreement, with(func(p *Place) { p.Disagreement, p.Satisfaction = 101, 400 })},
		{"disagreement is nothing to satisfaction", BySatisfaction, with(func(p *Place) { p.Satisfaction, p.Disagreement = 299, 0 })},
	} {
		assert.Negative(t, tt.order.Compare(tt.first, base), tt.reason)
		assert.Positive(t, tt.order.Compare(base, tt.first), tt.reason)
		assert.Zero(t, tt.order.Compare(base, base), tt.reason)
	}
}

// places makes n places with as many ties as there can be.
func places(rng *rand.Rand, n int) []Place {
	list := make([]Place, n)
	for i := range list {
		list[i] = Place{
			Satisfaction: rubric.Hundredths(100 + rng.IntN(5)), Average: rubric.Hundredths(rng.IntN(3)), Disagreement: rubric.Hundredths(rng.IntN(3)),
			ID: rng.IntN(4), Name: fmt.Sprint(rng.IntN(2)), At: i,
		}
	}
	return list
}

// However the dialogues come, the ranking is the same: the order is total.
func TestTheOrderIsTotal(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		list := places(rng, rng.IntN(40))
		for _, o := range Orders() {
			compare := Order(o).Compare
			want := slices.SortedFunc(slices.Values(list), compare)
			for i := range want {
				for j := range want {
					require.Equal(t, i < j, compare(want[i], want[j]) < 0, "%s: %+v and %+v", o, want[i], want[j])
				}
			}
			rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			assert.Equal(t, want, slices.SortedFunc(slices.Values(list), compare))
		}
	}
}

// What is kept is what sorting everything would put first.
func TestWorstIsTheHeadOfASort(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		list := places(rng, rng.IntN(80))
		most := 1 + rng.IntN(40)
		for _, o := range Orders() {
			w := NewWorst(most, Order(o))
			for _, p := range list {
				w.Add(Row{Place: p, Record: &record.Record{}})
				require.LessOrEqual(t, len(w.kept.list), most, "no more is kept than is wanted")
			}
			var got []Place
			for _, r := range w.List() {
				got = append(got, r.Place)
			}
			want := slices.SortedFunc(slices.Values(list), Order(o).Compare)
			assert.Equal(t, want[:min(most, len(want))], got)
		}
	}
}
