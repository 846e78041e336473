package accord

import (
	"context"

	"assize/cmd/assize/internal/agreement"
	"assize/cmd/assize/internal/ratings"
	"assize/cmd/assize/internal/record"
)

// Gain is the statistic of [NewGain]: by how much a rank correlation with people is higher than another judge's.
const Gain Statistic = "gain"

// contest is a rated dialogue with what two judges said of it.
type contest struct {
	first, other *record.Record
	people       float64 // their mean
}

// NewGain measures by how much the other judge ranks dialogues more as people do than the first: the difference of
// their rank correlations with people's overall rating, for satisfaction and for the weighted average. Both are taken on
// the dialogues that both scored, and every draw of the bootstrap draws the same dialogues for both, so that the interval
// is that of the difference and not of two figures.
func NewGain(ctx context.Context, first, other []ratings.Rated, opt Options) *Table {
	t := tabulate(ctx, pairedDialogues, contests(first, other), func(c *contest) origin {
		return origin{c.first.Source.File, string(c.first.Source.Format)}
	}, opt, gains)
	return &t
}

// contests pairs the same dialogues: those that have the same name in the same file, and in which the same was said.
func contests(first, other []ratings.Rated) (list []contest) {
	type key struct {
		file, source, digest string
		id                   int
	}
	of := func(r *record.Record) key {
		return key{r.Source.File, r.Source.ID, r.Source.Digest, r.Dialogue.ID}
	}
	others := map[key]*record.Record{}
	for i := range other {
		others[of(other[i].Record)] = other[i].Record
	}
	for i := range first {
		if o := others[of(first[i].Record)]; o != nil && first[i].Overall != nil {
			list = append(list, contest{first[i].Record, o, first[i].Mean()})
		}
	}
	return list
}

// gains makes the gauges of a group.
func gains(group []contest) (gauges []*gauge, _ []Confusion) {
	people := make([]float64, len(group))
	for i, c := range group {
		people[i] = c.people
	}
	for _, measure := range []string{Satisfaction, Average} {
		first, other := make([]float64, len(group)), make([]float64, len(group))
		for i, c := range group {
			first[i], other[i] = points(c.first, measure), points(c.other, measure)
		}
		a, b := agreement.NewPairs(first, people), agreement.NewPairs(other, people)
		g := newGauge(OverallRating, measure, len(group), func(times []int, into []float64) {
			into[0] = b.Spearman(times) - a.Spearman(times)
		}, Gain)
		g.few(pairedDialogues)
		g.because(same(first), "the first judge gives every dialogue the same")
		g.because(same(other), "the other judge gives every dialogue the same")
		g.because(same(people), "people's mean is the same for every dialogue")
		gauges = append(gauges, g)
	}
	return gauges, nil
}
