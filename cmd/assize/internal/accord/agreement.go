package accord

import (
	"fmt"
	"slices"

	"assize/cmd/assize/internal/agreement"
)

// The statistics of whoever is held against people, in the order in which the gauges take them.
var common = []Statistic{Spearman, Kendall, Pearson, AUC, Precision, MAE, RMSE, Kappa, UAR}

// reading is one side beside people's, ready to be measured.
type reading struct {
	pairs     *agreement.Pairs
	levels    *agreement.Levels
	worst     []bool
	precision float64
}

func newReading(points, people []float64, own, theirs []int, worst []bool, opt *Options) reading {
	return reading{agreement.NewPairs(points, people), agreement.NewLevels(own, theirs, numLevels), worst, opt.Precision()}
}

// take takes the common statistics.
func (r *reading) take(times []int, into []float64) {
	into[0] = r.pairs.Spearman(times)
	into[1] = r.pairs.Kendall(times)
	into[2] = r.pairs.Pearson(times)
	into[3] = r.pairs.AUC(r.worst, times)
	into[4] = r.pairs.PrecisionAt(r.precision, r.worst, times)
	into[5] = r.pairs.MAE(times)
	into[6] = r.pairs.RMSE(times)
	into[7] = r.levels.Kappa(times)
	into[8] = r.levels.UAR(times)
}

// agreement measures how a measure agrees with people.
func (t *target) agreement(s *standing) *gauge {
	r := newReading(s.points, t.people, s.levels, t.levels, t.worst, t.opt)
	g := newGauge(t.name, s.name, len(s.points), func(times []int, into []float64) { r.take(t.group.of(times), into) }, common...)
	g.few(ratedDialogues)
	g.because(same(s.points), "it is the same for every dialogue", Spearman, Kendall, Pearson)
	t.unvaried(g)
	g.because(same(t.levels) && same(s.levels), "it and people gave one and the same level throughout", Kappa)
	return g
}

// unvaried notes what cannot be had because people's ratings are too much alike.
func (t *target) unvaried(g *gauge) {
	g.because(same(t.people), "people's mean is the same for every dialogue", Spearman, Kendall, Pearson)
	g.because(!slices.Contains(t.worst, true), t.noWorst(), AUC, Precision)
	g.because(same(t.levels), "all of people's means round to one level", UAR)
}

func (t *target) noWorst() string {
	return fmt.Sprintf("no dialogue is strictly below the %s quantile of people's means, so many share the lowest", Percent(t.opt.Worst))
}

// joined measures how well the raters and the measure agree, all as equals.
func (t *target) joined(s *standing, n int) *gauge {
	units := make([][]float64, len(t.given))
	for i, g := range t.given {
		units[i] = append(append(make([]float64, 0, len(g)+1), g...), s.rating[i])
	}
	r := agreement.NewReliability(units)
	g := newGauge(t.name, s.name, n, func(times []int, into []float64) { alphas(r, t.group.of(times), into) }, AlphaNominal, AlphaOrdinal, AlphaInterval)
	g.few(ratedDialogues)
	g.because(uniform(units), "all ratings are the same")
	return g
}

func alphas(r *agreement.Reliability, times []int, into []float64) {
	into[0] = r.Alpha(agreement.Nominal, times)
	into[1] = r.Alpha(agreement.Ordinal, times)
	into[2] = r.Alpha(agreement.IntervalScale, times)
}

// constant measures what a judge gets who says the same of every dialogue: people's median for the absolute error and
// their mean for the squared one, both of the other dialogues; for the rest it does not matter what.
func (t *target) constant() *gauge {
	pairs := agreement.NewPairs(t.people, t.people)
	levels := 0
	var seen [numLevels]bool
	for _, l := range t.levels {
		if !seen[l] {
			seen[l] = true
			levels++
		}
	}
	worst := make([]float64, len(t.worst))
	for i, is := range t.worst {
		if is {
			worst[i] = 1
		}
	}
	g := newGauge(t.name, Constant, len(t.people), func(times []int, into []float64) {
		times = t.group.of(times)
		into[0], into[1], into[2], into[3] = 0, 0, 0, .5
		into[4] = agreement.Mean(worst, times)
		into[5] = pairs.ConstantMAE(times)
		into[6] = constantRMSE(t.people, times)
		into[7], into[8] = 0, 1/float64(levels)
	}, common...)
	g.few(ratedDialogues)
	t.unvaried(g)
	g.because(same(t.levels), "all of people's means round to one level", Kappa)
	return g
}
