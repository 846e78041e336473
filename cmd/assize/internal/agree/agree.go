// Package agree measures how what a judge says of dialogues agrees with what people say of them.
//
// Every figure has its yardsticks, measured in the same way on the same dialogues: a constant, one person against the
// others, and the ceiling √ICC(k), above which nobody can be expected, since the ratings themselves are only so
// reliable. Figures are taken within groups, by default the files that the dialogues come from, and the headline is
// their mean, every group counting the same: a figure over all dialogues at once would give a judge credit for telling
// one file from another.
//
// People's value of a dialogue is the mean of its ratings, on the scale from 1 to 5. Rank correlation, AUC and
// precision compare it with the judge's value as it is. The worst are the dialogues strictly below a quantile of
// people's values in the group. Errors are in points of 100, of which a rating from 1 to 5 has 20 to 100.
//
// People's level is their value rounded to 1 … 5, halves up. The level of a score is a fifth of a hundred each. That
// of satisfaction is the profile's, if it has cuts; without cuts, and for the average, levels are given so that each
// is as frequent as people's, which makes kappa a little too good.
//
// One annotator is each position among the raters in turn, compared with the mean of the others: every figure is the
// mean over the positions, each counting as many times as it has dialogues. The judge in an annotator's seat is
// compared with those same others; its lead is its correlation less the annotator's. Intervals are 95 % bootstrap
// intervals: dialogues are drawn anew within each group (Efron 1979), with levels, cuts, the worst and the constant as
// they are in all.
package agree

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"assize/cmd/assize/internal/ratings"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/ui"
	"assize/rubric"
)

// OverallRating is what people rated when they rated the whole dialogue.
const OverallRating = "overall"

// The measures besides the six criteria, and the yardsticks.
const (
	Satisfaction = "satisfaction"
	Average      = "numeric_weighted_average"
	Overall      = "OverallExperience"

	OneAnnotator = "one_annotator"
	Constant     = "constant"
	Raters       = "raters"
)

// MeasuresOf lists the measures that are compared with what people rated: OverallRating or a criterion.
func MeasuresOf(rated string) []string {
	if rated == OverallRating {
		return []string{Satisfaction, Average, Overall}
	}
	return []string{rated}
}

// Label is a short name of a measure, for people.
func Label(measure string) string {
	switch measure {
	case Average:
		return "average"
	case Overall:
		return "overall"
	case OneAnnotator:
		return "annotator"
	}
	return measure
}

// Options say how agreement is measured.
type Options struct {
	Scale ratings.Scale `json:"scale"` // on which people rated
	Worst float64       `json:"worst"` // the part of the dialogues, from 0 to 1, below whose quantile the worst lie
	Draws int           `json:"draws"` // of the bootstrap; 0 gives no intervals
	Seed  uint64        `json:"seed"`  // of the bootstrap
}

// Report is how a judge agrees with people.
type Report struct {
	Version int      `json:"assize_agreement"`
	Answer  []string `json:"answer"`  // what the figures mean, a sentence each
	Ratings string   `json:"ratings"` // the file; empty for those in the runs
	Options
	// The part of the dialogues, ranked lowest, among which the worst are counted: half as many as the worst are meant
	// to be, since nobody reads on where the list has run dry.
	Lowest   float64 `json:"precision_at"`
	Unscored int     `json:"unscored"` // dialogues of the runs that no agent could judge

	Dialogues int      `json:"dialogues"`
	By        string   `json:"by"`   // "file" or "all"
	Mean      Figures  `json:"mean"` // of the groups that have a figure, every one counting the same
	Groups    []Group  `json:"groups"`
	Notes     []string `json:"notes"` // what a reader must know, a sentence each
	Rated     []string `json:"-"`     // OverallRating and the criteria, as far as anybody rated them
}

// New measures how the judge of the rated dialogues agrees with those who rated them. Where ctx ends early, figures are
// missing from the report.
func New(ctx context.Context, rated []ratings.Rated, opt Options) *Report {
	rep := &Report{Version: 1, Answer: []string{}, Options: opt, Lowest: opt.Worst / 2}
	names := []string{OverallRating}
	for _, c := range rubric.Criteria() {
		names = append(names, c.String())
	}
	for _, name := range names {
		if slices.ContainsFunc(rated, func(r ratings.Rated) bool { return given(&r, name) != nil }) {
			rep.Rated = append(rep.Rated, name)
		}
	}
	rep.divide(rated)
	rep.measure(ctx)
	if len(rep.Rated) > 0 && rep.Rated[0] == OverallRating {
		rep.Answer = []string{rep.ranking() + rep.limit()}
	}
	return rep
}

// given gives the ratings of a dialogue as a whole or by a criterion; nil where nobody rated it.
func given(r *ratings.Rated, rated string) []float64 {
	if c, err := rubric.ParseCriterion(rated); err == nil {
		return r.Criteria[c]
	}
	return r.Overall
}

// The ways to group: by the files that the dialogues come from or, where no file holds enough for a figure, all
// together.
const (
	byFile = "file"
	byAll  = "all"
)

// Group is a group of dialogues.
type Group struct {
	Name      string  `json:"name"`
	Dialogues int     `json:"dialogues"`
	Figures   Figures `json:"figures"`
	Confusion [][]int `json:"confusion,omitempty"` // a row for each level of people, a column for each of satisfaction

	rated []ratings.Rated
}

// Of finds a figure among those of a group, or among their means. A figure that is not there has no value.
func (rep *Report) Of(figures []Figure, k Key) Figure {
	for _, f := range figures {
		if f.Key == k {
			return f
		}
	}
	return None("nobody rated it")
}

// Confusion adds up the tables of levels over the groups, each with levels of its own.
func (rep *Report) Confusion() [][]int {
	sum := confusion(nil, nil)
	for _, g := range rep.Groups {
		for l, row := range g.Confusion {
			for k, n := range row {
				sum[l][k] += n
			}
		}
	}
	return sum
}

// GroupNames gives the groups the names that a table shows: of files without folders, unless two are then the same.
func (rep *Report) GroupNames() []string {
	full, short, taken := make([]string, len(rep.Groups)), make([]string, len(rep.Groups)), map[string]bool{}
	for i, g := range rep.Groups {
		full[i] = ui.Visible(g.Name)
		short[i] = path.Base(strings.ReplaceAll(full[i], `\`, "/"))
		taken[short[i]] = true
	}
	if len(taken) < len(short) {
		return full
	}
	return short
}

// meter measures the figures of a group. Resampling asks for them again and again.
type meter struct {
	opt *Options
	// figures are without values: they say what is measured, of how many dialogues, and why there may be no value.
	figures   Figures
	takes     []func(times []int) []float64 // times says how often each dialogue of the group counts
	confusion [][]int                       // see [Group]; nil for none
}

// Fewest is how many dialogues a group must have for any figure.
const Fewest = 20

// What is counted.
const (
	ratedDialogues = "rated dialogues"
	severalRatings = "dialogues with two ratings or more"
)

// add adds figures of n dialogues, which what names, measured from how often each dialogue at the places counts. Too few
// give NaN.
func (m *meter) add(places []int, keys []Key, n int, what string, take func(times []int) []float64) {
	why, own := "", make([]int, len(places))
	if n < Fewest {
		none := slices.Repeat([]float64{math.NaN()}, len(keys))
		take, why = func([]int) []float64 { return none }, fmt.Sprintf("there are fewer than %d %s", Fewest, what)
	}
	for _, k := range keys {
		m.figures = append(m.figures, Figure{Key: k, N: n, Why: cmp.Or(why, statistics[k.Statistic].undefined)})
	}
	m.takes = append(m.takes, func(times []int) []float64 {
		for i, at := range places {
			own[i] = times[at]
		}
		return take(own)
	})
}

// divide puts rated dialogues into groups, by files in the order in which these first come.
func (rep *Report) divide(rated []ratings.Rated) {
	rep.Dialogues, rep.By, rep.Groups, rep.Notes = len(rated), byFile, []Group{}, []string{}
	at := map[string]int{}
	for _, r := range rated {
		if _, known := at[r.Row.File]; !known {
			at[r.Row.File] = len(rep.Groups)
			rep.Groups = append(rep.Groups, Group{Name: r.Row.File})
		}
		g := &rep.Groups[at[r.Row.File]]
		g.rated, g.Dialogues = append(g.rated, r), g.Dialogues+1
	}
	left := small(rep.Groups)
	switch {
	case left == len(rep.Groups) && left > 1 && len(rated) >= Fewest:
		rep.By, rep.Groups = byAll, []Group{{Name: byAll, Dialogues: len(rated), rated: rated}}
		rep.Notes = append(rep.Notes, fmt.Sprintf("No file holds %d %s, so all are taken together, and the figures also "+
			"give credit for telling one file from another.", Fewest, ratedDialogues))
	case left > 0:
		rep.Notes = append(rep.Notes, fmt.Sprintf("Left out of the figures: %s with fewer than %d %s.",
			ui.Counted(left, "group"), Fewest, ratedDialogues))
	}
}

// small is how many groups have too few dialogues for figures.
func small(groups []Group) (n int) {
	for _, g := range groups {
		if g.Dialogues < Fewest {
			n++
		}
	}
	return n
}

// meter prepares the figures of a group. For a group without dialogues it has their keys.
func (rep *Report) meter(group []ratings.Rated) *meter {
	m := &meter{opt: &rep.Options}
	for _, name := range rep.Rated {
		newTarget(name, group).measure(m)
	}
	return m
}

// measure measures group by group, as they are and in every draw of the bootstrap.
func (rep *Report) measure(ctx context.Context) {
	rep.Mean = rep.meter(nil).figures
	sums := make([][]float64, 1+rep.Draws) // over the groups that have a figure
	for d := range sums {
		sums[d] = make([]float64, len(rep.Mean))
	}
	for at := 0; at < len(rep.Groups) && ctx.Err() == nil; at++ {
		g := &rep.Groups[at]
		m := rep.meter(g.rated)
		g.Figures, g.Confusion, g.rated = m.figures, m.confusion, nil
		// The seeds of two groups are apart by the odd number next to 2⁶⁴ over the golden ratio: no two draw alike.
		seed := rep.Seed + uint64(at)*0x9e3779b97f4a7c15
		var samples [][]float64
		rep.settle(g.Figures, stats.Bootstrap(g.Dialogues, rep.Draws, seed, func(times []int) []float64 {
			var values []float64
			for _, take := range m.takes {
				values = append(values, take(times)...)
			}
			samples = append(samples, values)
			return values
		}))
		for i, f := range g.Figures {
			mean := &rep.Mean[i]
			if math.IsNaN(f.Value) {
				if at == 0 {
					mean.Why = f.Why
				}
				continue
			}
			mean.N, mean.Groups = mean.N+f.N, mean.Groups+1
			for d, values := range samples {
				sums[d][i] += values[i]
			}
		}
	}
	for _, values := range sums {
		for i := range values {
			values[i] /= float64(rep.Mean[i].Groups) // NaN for none
		}
	}
	rep.settle(rep.Mean, stats.Estimates(sums))
}

// settle enters values and intervals. A figure without a value keeps its reason.
func (o *Options) settle(figures []Figure, estimates []stats.Estimate) {
	for i, e := range estimates {
		f := &figures[i]
		if f.Estimate = e; math.IsNaN(f.Value) {
			f.Interval = stats.Unknown.Interval
		} else if f.Why = ""; math.IsNaN(f.Low) && o.Draws > 0 {
			f.Why = "there is no interval, since it is not defined in more than 5 % of the draws"
		}
	}
}
