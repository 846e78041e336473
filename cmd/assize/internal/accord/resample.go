package accord

import (
	"context"
	"iter"
	"math"
	"slices"

	"assize/cmd/assize/internal/agreement"
	pool "assize/cmd/assize/internal/run"
)

// panel is the gauges of one group.
type panel struct {
	name   string
	n      int // dialogues
	gauges []*gauge

	confusion []Confusion
}

// taken are the figures of a group as they were taken.
type taken struct {
	*panel
	figures []Figure
	drawn   [][]float64 // by draw
}

// resample takes the figures of every group and the mean over the groups, each counting the same. Groups that cannot
// have a figure take no part in its mean. Only the draws of a few groups are held at once.
func (o *Options) resample(ctx context.Context, groups iter.Seq[*panel], keys []Key, each func(*panel, []Figure)) []Figure {
	mean := newMean(keys, o.Draws)
	seeded := func(yield func(seededPanel) bool) {
		seed := o.Seed
		for p := range groups {
			if !yield(seededPanel{p, seed}) {
				return
			}
			seed += step
		}
	}
	for t := range pool.Ordered(ctx, max(1, o.Jobs), seeded, func(_ context.Context, s seededPanel) taken { return s.take(o.Draws) }) {
		mean.add(t.figures, t.drawn)
		each(t.panel, t.figures)
	}
	return mean.figures()
}

// step parts the seeds of two groups (the odd number next to 2⁶⁴ over the golden ratio), so that no two draw alike.
const step = 0x9e3779b97f4a7c15

type seededPanel struct {
	*panel
	seed uint64
}

// take takes the figures of a group, with intervals.
func (s seededPanel) take(draws int) taken {
	t := taken{panel: s.panel}
	size := 0
	for _, g := range s.gauges {
		size += len(g.keys)
	}
	point := s.read(nil, make([]float64, size))
	intervals := slices.Repeat([]agreement.Interval{noInterval}, size)
	if draws > 0 && s.measurable() {
		intervals = agreement.Bootstrap(s.n, draws, s.seed, func(times []int) []float64 {
			t.drawn = append(t.drawn, s.read(times, make([]float64, size)))
			return t.drawn[len(t.drawn)-1]
		})
	}
	at := 0
	for _, g := range s.gauges {
		for i := range g.keys {
			f := Figure{Value: point[at], Interval: intervals[at], N: g.n, Why: g.why[i], Groups: 1}
			t.figures = append(t.figures, f.explained(draws))
			at++
		}
	}
	return t
}

// read takes every figure once.
func (p *panel) read(times []int, into []float64) []float64 {
	at := 0
	for _, g := range p.gauges {
		g.read(times, into[at:at+len(g.keys)])
		at += len(g.keys)
	}
	return into
}

// measurable reports whether there is any figure to be had.
func (p *panel) measurable() bool {
	return slices.ContainsFunc(p.gauges, func(g *gauge) bool { return slices.Contains(g.why, "") })
}

// explained gives a reason to what is missing without one.
func (f Figure) explained(draws int) Figure {
	switch {
	case f.Why != "":
	case math.IsNaN(f.Value):
		f.Why = "it is not defined for these dialogues"
		f.Interval = noInterval
	case math.IsNaN(f.Low) && draws > 0:
		f.Why = "in more than 5 % of the draws it is not defined"
	}
	return f
}

// mean gathers the mean over groups.
type mean struct {
	keys  []Key
	sum   []Figure
	drawn [][]float64 // sums by draw
}

func newMean(keys []Key, draws int) *mean {
	m := &mean{keys: keys, sum: make([]Figure, len(keys)), drawn: make([][]float64, draws)}
	for d := range m.drawn {
		m.drawn[d] = make([]float64, len(keys))
	}
	return m
}

// add adds a group. A draw that leaves a figure undefined leaves it so in the mean.
func (m *mean) add(figures []Figure, drawn [][]float64) {
	for i, f := range figures {
		s := &m.sum[i]
		if math.IsNaN(f.Value) {
			if s.Why == "" {
				s.Why = f.Why
			}
			continue
		}
		s.Value += f.Value
		s.N += f.N
		s.Groups++
		for d, values := range drawn {
			m.drawn[d][i] += values[i]
		}
	}
}

func (m *mean) figures() []Figure {
	for i := range m.sum {
		s := &m.sum[i]
		s.Interval = noInterval
		if s.Groups == 0 {
			s.Value = math.NaN()
			continue
		}
		n := float64(s.Groups)
		s.Why = ""
		s.Value /= n
		values := make([]float64, 0, len(m.drawn))
		for _, drawn := range m.drawn {
			values = append(values, drawn[i]/n)
		}
		s.Interval = interval(values)
		*s = s.explained(len(m.drawn))
	}
	return m.sum
}

// interval is the 95 % percentile interval of draws, as [agreement.Bootstrap] has it.
func interval(drawn []float64) agreement.Interval {
	defined := slices.DeleteFunc(slices.Clone(drawn), math.IsNaN)
	if len(drawn) == 0 || 20*(len(drawn)-len(defined)) > len(drawn) {
		return noInterval
	}
	return agreement.Interval{Low: agreement.Quantile(defined, .025), High: agreement.Quantile(defined, .975)}
}
