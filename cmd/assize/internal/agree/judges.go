package agree

import (
	"context"
	"fmt"

	"assize/cmd/assize/internal/compare"
	"assize/cmd/assize/internal/ratings"
	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/ui"
	"assize/rubric"
)

// Judges is how judges of the same dialogues agree.
type Judges struct {
	First    *compare.Run // with which the others are compared
	Options  Options
	Against  []Opponent
	Together *Table // what all of them said of the dialogues that all scored; nil for one opponent
}

// Opponent is another judge beside the first. In the comparison, A is the first.
type Opponent struct {
	Table
	*compare.Comparison
}

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

// NewJudges measures how judges agree with the first of them. Dialogues are matched by what was said in them. Where ctx
// ends early, groups are missing from the tables.
func NewJudges(ctx context.Context, first *compare.Run, others []*compare.Run, opt Options) *Judges {
	js := &Judges{First: first, Options: opt}
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
		js.Against = append(js.Against, Opponent{tabulateJudges(ctx, pairedDialogues, pairs, opt, pairGauges), c})
	}
	if len(others) > 1 {
		var common [][]*run.Row
		for _, rows := range all {
			if len(rows) == len(others)+1 {
				common = append(common, rows)
			}
		}
		t := tabulateJudges(ctx, commonDialogues, common, opt, togetherGauges)
		js.Together = &t
	}
	return js
}

// tabulateJudges measures dialogues, each given by the rows of its judges, the first judge first.
func tabulateJudges(ctx context.Context, what string, all [][]*run.Row, opt Options,
	gauges func([][]*run.Row) []*gauge) Table {
	rows := make([]*run.Row, len(all))
	for i := range all {
		rows[i] = all[i][0]
	}
	return tabulate(ctx, what, rows, opt, func(group []int) []*gauge { return gauges(chosen(all, group)) })
}

// chosen gives the elements at some places.
func chosen[T any](all []T, places []int) []T {
	list := make([]T, len(places))
	for i, at := range places {
		list[i] = all[at]
	}
	return list
}

// values gives what a judge, by its place, said of every dialogue, in the measure's own units.
func values(list [][]*run.Row, judge int, measure string) []float64 {
	all := make([]float64, len(list))
	for i, rows := range list {
		if all[i] = points(rows[judge], measure); measure == Satisfaction {
			all[i] = float64(rows[judge].Satisfaction) / 100
		}
	}
	return all
}

// pairGauges measures two judges.
func pairGauges(list [][]*run.Row) (gauges []*gauge) {
	n := len(list)
	for m, name := range Judged() {
		a, b := values(list, 0, name), values(list, 1, name)
		pairs := stats.NewPairs(b, a)
		g := &gauge{n: n, why: few(n, pairedDialogues)}
		gauges = append(gauges, g)
		if m >= numLevelled {
			apart := make([]float64, n)
			for i := range a {
				apart[i] = b[i] - a[i]
			}
			g.keys = keys("", name, Spearman, MeanDifference)
			g.take = func(times []int, into []float64) {
				into[0], into[1] = pairs.Spearman(times), stats.Mean(apart, times)
			}
			continue
		}
		la, lb := make([]int, n), make([]int, n)
		exact, within := make([]float64, n), make([]float64, n)
		for i := range a {
			la[i], lb[i] = nearest(a[i]/20), nearest(b[i]/20)
			apart := lb[i] - la[i]
			exact[i], within[i] = part(apart == 0), part(-1 <= apart && apart <= 1)
		}
		levels := stats.NewLevels(lb, la, numLevels)
		g.keys = keys("", name, Exact, Within, Kappa, Spearman)
		g.take = func(times []int, into []float64) {
			into[0], into[1] = stats.Mean(exact, times), stats.Mean(within, times)
			into[2], into[3] = levels.Kappa(times), pairs.Spearman(times)
		}
	}
	return gauges
}

// togetherGauges measures how stable what several judges say is.
func togetherGauges(list [][]*run.Row) (gauges []*gauge) {
	for _, name := range Judged() {
		units, changed := make([][]float64, len(list)), make([]float64, len(list))
		for i := range list {
			for judge := range list[i] {
				units[i] = append(units[i], values(list[i:i+1], judge, name)[0])
			}
			changed[i] = part(!same(units[i]))
		}
		r := stats.NewReliability(units)
		take := func(times []int, into []float64) {
			into[0] = stats.Mean(changed, times)
			into[1], into[2] = r.Alpha(stats.Ordinal, times), r.Alpha(stats.IntervalScale, times)
		}
		own := keys("", name, Changed, AlphaOrdinal, AlphaInterval)
		gauges = append(gauges, &gauge{own, len(list), few(len(list), commonDialogues), take, nil})
	}
	return gauges
}

// Sentence says how an opponent agrees with the first judge.
func (o *Opponent) Sentence() string {
	at := func(measure string, s Statistic) Figure { return o.Of(o.Mean, Key{"", measure, s}) }
	exact := at(Overall, Exact)
	switch {
	case exact.Groups == 0:
		return fmt.Sprintf("How the two agree cannot be told: %s.", exact.Why)
	case o.Matched.Changed == 0:
		return "The two say the same of every dialogue that both scored."
	}
	return fmt.Sprintf("The two give %.1f %% of the dialogues the same OverallExperience, and %.1f %% one that is "+
		"no more than a level away.",
		100*exact.Value, 100*at(Overall, Within).Value)
}

// Stability says how often a score changes from one judge to the next.
func (js *Judges) Stability() string {
	changed := js.Together.Of(js.Together.Mean, Key{"", Overall, Changed})
	if changed.Groups == 0 {
		return fmt.Sprintf("How stable the %d judges are together cannot be told: %s.", len(js.Against)+1, changed.Why)
	}
	return fmt.Sprintf("Over the %d judges the OverallExperience changes in %.1f %% of the dialogues.",
		len(js.Against)+1, 100*changed.Value)
}

// Caveats are what a reader must know of a comparison of judges, a sentence each.
func (o *Opponent) Caveats() (list []string) {
	for _, left := range []struct {
		n    int
		what string
	}{
		{len(o.OnlyA), "only in the first run and left out"}, {len(o.OnlyB), "only in the other run and left out"},
		{len(o.Lost) + len(o.Gained), "scored by one judge alone and left out"},
	} {
		if left.n > 0 {
			list = append(list, fmt.Sprintf("%s %s.", ui.Counted(left.n, "dialogue"), left.what))
		}
	}
	if o.Dialogues >= Fewest {
		list = append(list, o.Warnings...)
	}
	return append(list, o.Notes...)
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
	t := tabulate(ctx, pairedDialogues, a, opt, func(group []int) (gauges []*gauge) {
		for _, measure := range []string{Satisfaction, Average} {
			pairs := func(rows []*run.Row) *stats.Pairs {
				var said []float64
				for _, r := range chosen(rows, group) {
					said = append(said, points(r, measure))
				}
				return stats.NewPairs(said, chosen(people, group))
			}
			before, after := pairs(a), pairs(b)
			take := func(times []int, into []float64) { into[0] = after.Spearman(times) - before.Spearman(times) }
			own := keys(OverallRating, measure, Gain)
			gauges = append(gauges, &gauge{own, len(group), few(len(group), pairedDialogues), take, nil})
		}
		return gauges
	})
	return &t
}
