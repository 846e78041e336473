package accord

import (
	"assize/cmd/assize/internal/agreement"
	"assize/rubric"
)

// Judged lists what judges are compared on, the scores first.
func Judged() []string {
	var names []string
	for _, c := range rubric.Criteria() {
		names = append(names, c.String())
	}
	return append(names, Overall, Average, Satisfaction)
}

// numLevelled is how many of these have levels.
const numLevelled = rubric.NumCriteria + 1

// values gives what a judge, by its place, said of every dialogue, in the measure's own units.
func values(sittings []sitting, judge, measure int) []float64 {
	list := make([]float64, len(sittings))
	for i, s := range sittings {
		switch c := s.cases[judge]; Judged()[measure] {
		case Overall:
			list[i] = float64(c.Overall)
		case Average:
			list[i] = float64(c.Average) / 100
		case Satisfaction:
			list[i] = float64(c.Satisfaction) / 100
		default:
			list[i] = float64(c.Scores[measure])
		}
	}
	return list
}

// pairGauges measures two judges.
func pairGauges(sittings []sitting) (gauges []*gauge, _ []Confusion) {
	for m, name := range Judged() {
		a, b := values(sittings, 0, m), values(sittings, 1, m)
		var g *gauge
		if pairs := agreement.NewPairs(b, a); m < numLevelled {
			g = levelled(name, pairs, a, b)
		} else {
			apart := make([]float64, len(a))
			for i := range a {
				apart[i] = b[i] - a[i]
			}
			g = newGauge("", name, len(a), func(times []int, into []float64) {
				into[0], into[1] = pairs.Spearman(times), agreement.Mean(apart, times)
			}, Spearman, MeanDifference)
		}
		g.few(pairedDialogues)
		g.because(same(a), "the first judge gives every dialogue the same", Spearman)
		g.because(same(b), "the other judge gives every dialogue the same", Spearman)
		gauges = append(gauges, g)
	}
	return gauges, nil
}

// levelled measures two judges on what has levels.
func levelled(name string, pairs *agreement.Pairs, a, b []float64) *gauge {
	la, lb := make([]int, len(a)), make([]int, len(a))
	exact, within := make([]float64, len(a)), make([]float64, len(a))
	for i := range a {
		la[i], lb[i] = nearest(a[i]/20), nearest(b[i]/20)
		if la[i] == lb[i] {
			exact[i] = 1
		}
		if la[i]-lb[i] <= 1 && lb[i]-la[i] <= 1 {
			within[i] = 1
		}
	}
	levels := agreement.NewLevels(lb, la, numLevels)
	g := newGauge("", name, len(a), func(times []int, into []float64) {
		into[0], into[1] = agreement.Mean(exact, times), agreement.Mean(within, times)
		into[2], into[3] = levels.Kappa(times), pairs.Spearman(times)
	}, Exact, Within, Kappa, Spearman)
	g.because(len(a) >= Fewest && same(la) && same(lb), "both give one and the same level throughout", Kappa)
	return g
}

// togetherGauges measures how stable what several judges say is.
func togetherGauges(judges int) func([]sitting) ([]*gauge, []Confusion) {
	return func(sittings []sitting) (gauges []*gauge, _ []Confusion) {
		for m, name := range Judged() {
			units := make([][]float64, len(sittings))
			changed := make([]float64, len(sittings))
			for j := range judges {
				for i, v := range values(sittings, j, m) {
					units[i] = append(units[i], v)
					if v != units[i][0] {
						changed[i] = 1
					}
				}
			}
			r := agreement.NewReliability(units)
			g := newGauge("", name, len(sittings), func(times []int, into []float64) {
				into[0] = agreement.Mean(changed, times)
				into[1], into[2] = r.Alpha(agreement.Ordinal, times), r.Alpha(agreement.IntervalScale, times)
			}, Changed, AlphaOrdinal, AlphaInterval)
			g.few(commonDialogues)
			g.because(uniform(units), "all judges give every dialogue the same", AlphaOrdinal, AlphaInterval)
			gauges = append(gauges, g)
		}
		return gauges, nil
	}
}
