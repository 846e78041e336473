package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// group is a set of rated dialogues with three measures of the judge. It has the size of the rated
// sets and as many distinct values: about 400 for the weighted average, 80 for satisfaction, five
// levels overall.
type group struct {
	pairs      []*Pairs
	levels     [][2][]int // the judge's and people's
	worst      []bool
	raters     *Reliability
	withJudges []*Reliability
}

func newGroup(n int, chance *rand.Rand) group {
	var g group
	units, people := make([][]float64, n), make([]float64, n)
	for u := range units {
		liking := chance.NormFloat64()
		for range 3 + chance.IntN(3) {
			units[u] = append(units[u],
				math.Round(min(5, max(1, 3.2+0.3*liking+0.6*chance.NormFloat64()))))
		}
		people[u] = Mean(units[u], nil)
	}
	g.worst = below(people, Quantile(people, 0.2))
	g.raters = NewReliability(units)
	for _, step := range []float64{0.01, 0.05, 1} {
		var judge []float64
		var x, y []int
		with := make([][]float64, n)
		for u, p := range people {
			v := math.Round(min(5, max(1, p+0.7*chance.NormFloat64()))/step) * step
			judge = append(judge, v)
			x, y = append(x, int(math.Round(v))-1), append(y, int(math.Round(p))-1)
			with[u] = append(append([]float64{}, units[u]...), v)
		}
		g.pairs, g.levels = append(g.pairs, NewPairs(judge, people)),
			append(g.levels, [2][]int{x, y})
		g.withJudges = append(g.withJudges, NewReliability(with))
	}
	return g
}

// figures computes all figures of a group.
func (g group) figures(times []int) []float64 {
	var all []float64
	for m, p := range g.pairs {
		l := g.levels[m]
		all = append(all, p.Spearman(times),
			p.AUC(g.worst, times), p.PrecisionAt(0.1, g.worst, times), Kappa(l[0], l[1], times))
	}
	for _, r := range append([]*Reliability{g.raters}, g.withJudges...) {
		all = append(all, r.Alpha(Ordinal, times), r.Alpha(IntervalScale, times))
	}
	single, mean := g.raters.ICC(times)
	return append(all, single, mean)
}

// All figures for 2,800 dialogues in four groups: an operation is one draw, and the program makes a
// thousand. It must stay under 2.5 ms.
func BenchmarkBootstrapOfEverything(b *testing.B) {
	chance := rand.New(rand.NewPCG(1, 1))
	var groups []group
	for _, n := range []int{400, 800, 800, 800} {
		groups = append(groups, newGroup(n, chance))
	}
	b.ReportAllocs()
	b.ResetTimer()
	for _, g := range groups {
		Bootstrap(len(g.worst), b.N, 1, g.figures)
	}
}

func BenchmarkNewGroup(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		newGroup(800, rand.New(rand.NewPCG(1, 1)))
	}
}

func BenchmarkFigures(b *testing.B) {
	g := newGroup(800, rand.New(rand.NewPCG(1, 1)))
	times := ones(800)
	p, l := g.pairs[0], g.levels[0]
	for _, f := range append(figures(p, g.worst),
		figure{"Kappa", func(times []int) float64 { return Kappa(l[0], l[1], times) }},
		figure{"AlphaOrdinal",
			func(times []int) float64 { return g.withJudges[0].Alpha(Ordinal, times) }},
		figure{"AlphaInterval",
			func(times []int) float64 { return g.withJudges[0].Alpha(IntervalScale, times) }},
		figure{"ICC",
			func(times []int) float64 { single, _ := g.raters.ICC(times); return single }}) {
		b.Run(f.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f.of(times)
			}
		})
	}
}
