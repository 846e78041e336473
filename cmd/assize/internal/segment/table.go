package segment

import (
	"cmp"
	"math"
	"slices"

	"assize/cmd/assize/internal/agreement"
	"assize/rubric"
)

// Few is how many scored dialogues a group needs before its figures tell anything.
const Few = 20

// None is what the group of the dialogues without the column is called.
const None = "(none)"

// Table is the figures of all groups: those with enough dialogues come first, then those with too few, and last the
// dialogues without the column. Within that the lowest satisfaction comes first, then the lowest average, then the
// name.
type Table struct {
	By     string // the column, as it was asked for
	Groups []Group
}

// Group is the figures of one group.
type Group struct {
	Name             string // the value of the column; None where there is none
	None             bool   // the dialogues have no such column
	Scored, Unscored int
	Average          Mean // of the weighted averages
	Satisfaction     Mean // of the estimated ratings
	Below            int  // scored dialogues whose OverallExperience is below [Low]
	TooFew           bool // fewer than [Few] are scored
}

// Mean is the mean over the scored dialogues of a group, to the nearest hundredth. Its interval holds 95 % of the
// means of as many dialogues that are drawn from the group with replacement (the percentile bootstrap, Efron 1979).
type Mean struct {
	Value     rubric.Hundredths
	Low, High rubric.Hundredths
	Ranges    bool // there is an interval, which takes two dialogues
}

// Share is the part of the scored dialogues that are below [Low]; 0 where none is scored.
func (g *Group) Share() float64 {
	if g.Scored == 0 {
		return 0
	}
	return float64(g.Below) / float64(g.Scored)
}

// compare orders groups as [Table] has them.
func (g Group) compare(h Group) int {
	rank := func(g *Group) int {
		switch {
		case g.None:
			return 2
		case g.TooFew:
			return 1
		}
		return 0
	}
	return cmp.Or(
		cmp.Compare(rank(&g), rank(&h)),
		cmp.Compare(min(h.Scored, 1), min(g.Scored, 1)), // what has no mean is behind what has
		cmp.Compare(g.Satisfaction.Value, h.Satisfaction.Value),
		cmp.Compare(g.Average.Value, h.Average.Value),
		cmp.Compare(g.Name, h.Name),
	)
}

// The draws of the bootstrap. The seed is the same for every group, so that the interval of one depends on no other.
const (
	draws = 1000
	seed  = 1
)

// figures takes the figures of a group.
func (m *members) figures(k key) Group {
	g := Group{
		Name: k.value, None: k.none, Scored: len(m.scored), Unscored: m.unscored, Below: m.below,
		TooFew: len(m.scored) < Few,
	}
	if k.none {
		g.Name = None
	}
	if g.Scored == 0 {
		return g
	}
	// What is drawn must not depend on the order in which the dialogues came.
	slices.SortFunc(m.scored, func(a, b scored) int {
		return cmp.Or(cmp.Compare(a.satisfaction, b.satisfaction), cmp.Compare(a.average, b.average))
	})
	once := m.sums(slices.Repeat([]int{1}, g.Scored))
	g.Average.Value, g.Satisfaction.Value = g.mean(once[0]), g.mean(once[1])
	intervals := agreement.Bootstrap(g.Scored, draws, seed, m.sums)
	g.Average.within(intervals[0], g.Scored)
	g.Satisfaction.within(intervals[1], g.Scored)
	return g
}

// sums adds the averages and the satisfactions up, each as often as its dialogue was drawn.
func (m *members) sums(times []int) []float64 {
	var average, satisfaction int
	for i, n := range times {
		average += n * int(m.scored[i].average)
		satisfaction += n * int(m.scored[i].satisfaction)
	}
	return []float64{float64(average), float64(satisfaction)}
}

// mean rounds to the nearest hundredth; halves go up.
func (g *Group) mean(sum float64) rubric.Hundredths { return nearest(sum, g.Scored) }

func nearest(sum float64, n int) rubric.Hundredths {
	return rubric.Hundredths(math.Floor(sum/float64(n) + 0.5))
}

// within takes the interval of a sum over n dialogues.
func (m *Mean) within(sum agreement.Interval, n int) {
	if m.Ranges = !math.IsNaN(sum.Low); m.Ranges {
		m.Low, m.High = nearest(sum.Low, n), nearest(sum.High, n)
	}
}
