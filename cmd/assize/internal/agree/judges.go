package agree

import (
	"context"
	"fmt"
	"math"
	"slices"

	"assize/cmd/assize/internal/compare"
	"assize/cmd/assize/internal/ratings"
	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/stats"
)

// Judges is how judges of the same dialogues agree.
type Judges struct {
	Version  int        `json:"assize_judges"`
	First    Judge      `json:"judge"` // with which the others are compared
	Draws    int        `json:"draws"`
	Seed     uint64     `json:"seed"`
	Against  []Opponent `json:"against"`
	Together *Opponent  `json:"together,omitempty"` // all of them, of what all scored; nil for one opponent
}

// Opponent is another judge beside the first, or all judges together.
type Opponent struct {
	Judge     *Judge       `json:"judge,omitempty"` // nil for all
	Answer    string       `json:"answer"`
	Different []Difference `json:"made_differently,omitzero"`
	Table
}

// Judge is a run.
type Judge struct {
	File         string    `json:"file"`
	Dialogues    int       `json:"dialogues"`
	Scored       int       `json:"scored"`
	Fingerprints []*string `json:"fingerprints"`
	Alone        int       `json:"-"` // dialogues that the first run does not hold
}

func newJudge(r *compare.Run) Judge {
	return Judge{r.File, r.Dialogues, r.Scored, r.Fingerprints, r.Only}
}

// Difference is something in which the runs of two judges were made differently.
type Difference struct {
	What string `json:"what"`
	A    string `json:"first"`
	B    string `json:"other"`
}

// judged lists what judges are compared on: the scores, which have levels, and then the rest.
func judged() []string { return append(criteria(), Overall, Average, Satisfaction) }

// NewJudges measures how judges agree with the first of them. Dialogues are matched by what was said in them. Where ctx
// ends early, groups are missing from the tables.
func NewJudges(ctx context.Context, first *compare.Run, others []*compare.Run, opt Options) *Judges {
	js := &Judges{Version: 1, First: newJudge(first), Draws: opt.Draws, Seed: opt.Seed}
	all := make([][]*run.Row, len(first.Rows)) // each dialogue by those that all have scored it so far
	for i, r := range first.Rows {
		all[i] = []*run.Row{r}
	}
	for n, other := range others {
		c := compare.New(first, other, compare.Options{Mode: compare.Paired})
		pairs := make([][]*run.Row, len(c.Both))
		for i, p := range c.Both {
			pairs[i] = []*run.Row{first.Rows[p.A], other.Rows[p.B]}
			if len(all[p.A]) == n+1 {
				all[p.A] = append(all[p.A], other.Rows[p.B])
			}
		}
		js.Against = append(js.Against, newOpponent(c, tabulateJudges(ctx, pairedDialogues, pairs, opt, pairGauge)))
	}
	if len(others) > 1 {
		all = slices.DeleteFunc(all, func(rows []*run.Row) bool { return len(rows) <= len(others) })
		t := tabulateJudges(ctx, commonDialogues, all, opt, stabilityGauge)
		changed := t.Of(t.Mean, Key{"", Overall, Changed})
		answer := fmt.Sprintf("Over the %d judges the OverallExperience changes in %.1f %% of the dialogues.",
			len(others)+1, 100*changed.Value)
		if math.IsNaN(changed.Value) {
			answer = fmt.Sprintf("How stable the %d judges are together cannot be told: %s.", len(others)+1, changed.Why)
		}
		js.Together = &Opponent{Answer: answer, Table: t}
	}
	return js
}

// newOpponent says how the second judge of a comparison agrees with the first, and what a reader must know of it.
func newOpponent(c *compare.Comparison, t Table) Opponent {
	other := newJudge(&c.B)
	o := Opponent{Judge: &other, Different: []Difference{}, Table: t}
	for _, d := range c.Different {
		o.Different = append(o.Different, Difference{d.What, d.A, d.B})
	}
	exact, near := t.Of(t.Mean, Key{"", Overall, Exact}), t.Of(t.Mean, Key{"", Overall, Within})
	switch {
	case math.IsNaN(exact.Value):
		o.Answer = fmt.Sprintf("How the two agree cannot be told: %s.", exact.Why)
	case c.Matched.Changed == 0:
		o.Answer = "The two say the same of every dialogue that both scored."
	default:
		o.Answer = fmt.Sprintf("The two give %.1f %% of the dialogues the same OverallExperience, and %.1f %% one that is "+
			"no more than a level away.", 100*exact.Value, 100*near.Value)
	}
	notes := c.Warnings
	if alone := len(c.Lost) + len(c.Gained); len(c.OnlyA)+len(c.OnlyB)+alone > 0 {
		notes = append([]string{fmt.Sprintf("Dialogues left out: %d only in the first run, %d only in the other, %d that one "+
			"judge alone scored.", len(c.OnlyA), len(c.OnlyB), alone)}, notes...)
	}
	o.Notes = slices.Insert(o.Notes, 0, notes...)
	return o
}

// tabulateJudges measures dialogues, each given by the rows of its judges, the first judge first. toGauge makes the gauge
// of a measure from what each judge says of each dialogue, in points of 100.
func tabulateJudges(ctx context.Context, what string, all [][]*run.Row, opt Options,
	toGauge func(measure string, said [][]float64) gauge) Table {
	var rows []*run.Row
	for _, judges := range all {
		rows = append(rows, judges[0])
	}
	return tabulate(ctx, what, rows, opt, func(group []int) (gauges []gauge) {
		for _, measure := range judged() {
			var said [][]float64
			for _, judges := range chosen(all, group) {
				said = append(said, pointsOf(judges, measure))
			}
			gauges = append(gauges, toGauge(measure, said))
		}
		return gauges
	})
}

// pairGauge measures two judges.
func pairGauge(measure string, said [][]float64) gauge {
	n := len(said)
	a, b, apart := make([]float64, n), make([]float64, n), make([]float64, n)
	levelsA, levelsB := make([]int, n), make([]int, n)
	exact, near := make([]float64, n), make([]float64, n)
	for i, s := range said {
		a[i], b[i], apart[i] = s[0], s[1], s[1]-s[0]
		levelsA[i], levelsB[i] = nearest(s[0]/20), nearest(s[1]/20)
		exact[i], near[i] = part(apart[i] == 0), part(math.Abs(apart[i]) <= 20)
		if measure == Satisfaction {
			apart[i] /= 20 // a rating from 1 to 5
		}
	}
	pairs := stats.NewPairs(b, a)
	if measure == Average || measure == Satisfaction {
		return newGauge(keys("", measure, Spearman, MeanDifference), n, pairedDialogues, func(times []int) []float64 {
			return []float64{pairs.Spearman(times), stats.Mean(apart, times)}
		})
	}
	own := keys("", measure, Exact, Within, Kappa, Spearman)
	return newGauge(own, n, pairedDialogues, func(times []int) []float64 {
		return []float64{stats.Mean(exact, times), stats.Mean(near, times), stats.Kappa(levelsB, levelsA, times),
			pairs.Spearman(times)}
	})
}

// part is what a dialogue adds to a part of all: 1 where it is one of them.
func part(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// stabilityGauge measures how stable what several judges say is.
func stabilityGauge(measure string, said [][]float64) gauge {
	var changed []float64
	for _, s := range said {
		changed = append(changed, part(slices.Min(s) < slices.Max(s)))
	}
	r := stats.NewReliability(said)
	own := keys("", measure, Changed, AlphaOrdinal, AlphaInterval)
	return newGauge(own, len(said), commonDialogues, func(times []int) []float64 {
		return []float64{stats.Mean(changed, times), r.Alpha(stats.Ordinal, times), r.Alpha(stats.IntervalScale, times)}
	})
}

// NewGain measures by how much the other judge ranks dialogues more as people do than the first: the difference of
// their rank correlations with people's overall rating, for satisfaction and for the weighted average. Both are taken on
// the dialogues that both scored, and every draw of the bootstrap draws the same dialogues for both, so that the interval
// is that of the difference and not of two figures.
func NewGain(ctx context.Context, first, other []ratings.Rated, opt Options) *Table {
	others := map[run.Identity]*run.Row{}
	for i := range other {
		others[other[i].Row.Identity] = other[i].Row
	}
	var a, b []*run.Row
	var people []float64
	for i := range first {
		if o := others[first[i].Row.Identity]; o != nil && first[i].Overall != nil {
			a, b, people = append(a, first[i].Row), append(b, o), append(people, first[i].Mean())
		}
	}
	t := tabulate(ctx, pairedDialogues, a, opt, func(group []int) (gauges []gauge) {
		for _, measure := range []string{Satisfaction, Average} {
			before := stats.NewPairs(pointsOf(chosen(a, group), measure), chosen(people, group))
			after := stats.NewPairs(pointsOf(chosen(b, group), measure), chosen(people, group))
			gauges = append(gauges, newGauge(keys(OverallRating, measure, Gain), len(group), pairedDialogues,
				func(times []int) []float64 { return []float64{after.Spearman(times) - before.Spearman(times)} }))
		}
		return gauges
	})
	return &t
}
