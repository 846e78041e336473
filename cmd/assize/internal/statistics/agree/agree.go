// Package agree measures how well a judge's scores agree with people's ratings.
//
// Every figure is computed within groups, by default the input files, and the headline is their
// unweighted mean: a figure over all dialogues at once would give a judge credit for distinguishing
// the files. It has reference values, measured in the same way: a constant, one person against the
// others, and the ceiling √ICC(k). `assize help agreement` and `assize explain` describe them.
//
// The people's value of a dialogue is the mean of its ratings, on the scale from 1 to 5; their
// level is the value rounded, halves up. Levels of satisfaction without cuts, and those of the
// average, are made as frequent as people's. Errors are in points of 100.
//
// The one annotator is each position among the raters in turn, compared with the mean of the
// others. The judge in an annotator's place is compared with those same others. Intervals are
// bootstrap intervals (Efron 1979) with the levels, cuts, worst dialogues and constant of the full
// sample.
package agree

import (
	"cmp"
	"context"
	"math"
	"path"
	"slices"
	"strings"

	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/statistics/sample"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

// OverallRating names ratings of the whole dialogue.
const OverallRating = "overall"

// The measures other than the six criteria, and the reference values.
const (
	Satisfaction = "satisfaction"
	Average      = "numeric_weighted_average"
	overall      = "OverallExperience"

	OneAnnotator   = "one_annotator"
	constantAnswer = "constant"
	Ahead          = "satisfaction_minus_average" // their difference, with an interval of its own
	Raters         = "raters"
)

// MeasuresOf returns the measures to compare with ratings of OverallRating or a criterion.
func MeasuresOf(rated string) []string {
	if rated == OverallRating {
		return []string{Satisfaction, Average, overall}
	}
	return []string{rated}
}

// Label returns a short name of a measure for readers.
func Label(measure string) string {
	short := map[string]string{Average: "average", overall: "overall", OneAnnotator: "annotator",
		Ahead: "sat - average"}
	return cmp.Or(short[measure], measure)
}

// Options control how agreement is measured.
type Options struct {
	Scale ratings.Scale `json:"scale"` // the scale of the ratings
	// Worst is the quantile of people's values, 0 to 1, below which dialogues are the worst.
	Worst float64 `json:"worst"`
	Draws int     `json:"draws"` // bootstrap draws; 0 computes no intervals
	Seed  uint64  `json:"seed"`  // of the bootstrap
	// Questions measures all questions of the scorecard, and nothing else.
	Questions bool `json:"-"`
}

// Report is the agreement of a judge with people.
type Report struct {
	Version int      `json:"assize_agreement"`
	Answer  []string `json:"answer"`  // what the figures mean, one sentence each
	Ratings string   `json:"ratings"` // the ratings file; empty for ratings in the runs
	Options
	// Lowest is the share of dialogues, ranked lowest, among which precision counts the worst. It
	// is half of Worst, since nobody reads on once a list yields few bad dialogues.
	Lowest   float64 `json:"precision_at"`
	Unscored int     `json:"unscored"` // dialogues that no agent could judge

	Dialogues int      `json:"dialogues"`
	Given     int      `json:"-"`    // ratings, of whole dialogues and of criteria
	By        string   `json:"by"`   // "file" or "all"
	Mean      figures  `json:"mean"` // unweighted mean of the groups that have a figure
	Groups    []group  `json:"groups"`
	Notes     []string `json:"notes"` // what a reader must know, one sentence each
	// the dialogues on which people differ, or satisfaction from them, and a sentence about each
	Splits []ratings.Split `json:"people_differ"`
	Missed []ratings.Split `json:"scores_differ"`
	Differ []string        `json:"-"`
	Rated  []string        `json:"-"` // OverallRating and the criteria, if anybody rated them
	// Corrected contains what people would rate on average, if they rated a random sample.
	Corrected []sample.Figure `json:"corrected"`
	// Answers counts the answers to each question of a scorecard that people answered.
	Answers []answerCounts `json:"answers,omitempty"`
}

// New measures how well the judge agrees with the people. If ctx ends early, it is incomplete.
func New(ctx context.Context, rated []ratings.Rated, opt Options) *Report {
	rep := &Report{Version: 1, Options: opt, Lowest: opt.Worst / 2}
	for _, name := range append([]string{OverallRating}, run.ScoreNames()...) {
		if !opt.Questions && slices.ContainsFunc(rated,
			func(r ratings.Rated) bool { return ratingsOf(&r, name) != nil }) {
			rep.Rated = append(rep.Rated, name)
		}
	}
	rep.countAnswers(rated)
	rep.divide(rated)
	rep.measure(ctx)
	if len(rep.Rated) > 0 && rep.Rated[0] == OverallRating {
		rep.Answer = append(rep.doubleRated(), rep.answer())
		rep.Splits, rep.Differ = ratings.Splits(ui.Each(rated, ratings.Rated.Split), opt.Scale)
		missed, says := ratings.Missed(rated, opt.Scale)
		rep.Missed, rep.Differ = missed, append(rep.Differ, says...)
	}
	return rep
}

// ratingsOf returns the ratings of a dialogue as a whole or on a criterion, or nil.
func ratingsOf(r *ratings.Rated, rated string) []float64 {
	if rated == OverallRating {
		return r.Overall
	}
	c, _ := rubric.ParseCriterion(rated)
	return r.On(c)
}

// The ways to group dialogues: by input file or, if no file has enough for a figure, all together.
const (
	byFile = "file"
	byAll  = "all"
)

// group is a group of dialogues.
type group struct {
	Name      string  `json:"name"`
	Dialogues int     `json:"dialogues"`
	Figures   figures `json:"figures"`

	rated []ratings.Rated
}

// Of returns the figure for k among those of a group or the means. A missing figure has no value.
func (rep *Report) Of(figures []Figure, k Key) Figure {
	for _, f := range figures {
		if f.Key == k {
			return f
		}
	}
	return MissingFigure("nobody rated it")
}

// GroupNames returns the names of the groups: of files without folders, unless two would be equal.
func (rep *Report) GroupNames() []string {
	full := ui.Each(rep.Groups, func(g group) string { return ui.Visible(g.Name) })
	short := ui.Each(full,
		func(name string) string { return path.Base(strings.ReplaceAll(name, `\`, "/")) })
	if len(ui.Distinct(short)) < len(short) {
		return full
	}
	return short
}

// calculator computes the figures of a group, repeatedly for resampling.
type calculator struct {
	opt *Options
	// figures have no values yet, only keys, numbers of dialogues, and reasons.
	figures figures
	compute []func(times []int) []float64 // times counts each dialogue of the group
	scratch []int                         // times of some dialogues of the group
}

// What N counts, as used in messages.
const (
	ratedDialogues  = "rated dialogues"
	multipleRatings = "dialogues with two ratings or more"
	// both by people and by the scorecard
	answeredDialogues = "dialogues with a yes or no on both sides"
	ratedAnswers      = "rated dialogues with a yes or no"
)

// add adds figures of the n dialogues at places, computed by take from the number of times each
// counts. what names the dialogues in messages. If n is below [stats.MinRated], all are NaN.
func (m *calculator) add(places []int, keys []Key, n int, what string,
	take func(times []int) []float64) {
	why := ""
	if n < stats.MinRated {
		none := slices.Repeat([]float64{math.NaN()}, len(keys))
		take, why = func([]int) []float64 { return none }, texts.Text("few", stats.MinRated, what)
	}
	for _, k := range keys {
		m.figures = append(m.figures, Figure{Key: k, Figure: stats.Figure{N: n,
			Decimals: k.Statistic.decimals + 2, Warning: why}})
	}
	m.compute = append(m.compute, func(times []int) []float64 {
		m.scratch = m.scratch[:0]
		for _, at := range places {
			m.scratch = append(m.scratch, times[at])
		}
		return take(m.scratch)
	})
}

// divide groups rated dialogues by file, in order of first appearance.
func (rep *Report) divide(rated []ratings.Rated) {
	rep.Dialogues, rep.By = len(rated), byFile
	at := map[string]int{}
	for _, r := range rated {
		for _, name := range rep.Rated {
			rep.Given += ratings.Count(ratingsOf(&r, name))
		}
		if _, known := at[r.Row.File]; !known {
			at[r.Row.File] = len(rep.Groups)
			rep.Groups = append(rep.Groups, group{Name: r.Row.File})
		}
		g := &rep.Groups[at[r.Row.File]]
		g.Dialogues++
		g.rated = append(g.rated, r)
	}
	left := rep.small()
	switch {
	case len(left) == len(rep.Groups) && len(left) > 1 && len(rated) >= stats.MinRated:
		rep.By, rep.Groups = byAll, []group{{Name: byAll, Dialogues: len(rated), rated: rated}}
		rep.Notes = texts.List("together", map[string]int{"Fewest": stats.MinRated,
			"Files": len(left), "Dialogues": len(rated)})
	case len(left) > 0:
		rep.Notes = []string{texts.Say("left out", map[string]any{"Fewest": stats.MinRated,
			"Files": ui.First(left, 5)})}
	}
}

// small returns the names of the groups with too few dialogues for figures.
func (rep *Report) small() (names []string) {
	for i, name := range rep.GroupNames() {
		if rep.Groups[i].Dialogues < stats.MinRated {
			names = append(names, name)
		}
	}
	return names
}

// newCalculator prepares the figures of a group. For an empty group it contains only their keys.
func (rep *Report) newCalculator(group []ratings.Rated) *calculator {
	m := &calculator{opt: &rep.Options}
	for _, name := range rep.Rated {
		newTarget(name, group).measure(m)
	}
	for i := range rep.Answers {
		measureAnswers(m, rep.Answers[i].Question, group)
	}
	return m
}

// measure computes the figures of each group and their means, in all samples.
func (rep *Report) measure(ctx context.Context) {
	rep.Mean = rep.newCalculator(nil).figures
	sums := make([][]float64, 1+rep.Draws) // over the groups that have a figure, for each sample
	for d := range sums {
		sums[d] = make([]float64, len(rep.Mean))
	}
	for at := 0; at < len(rep.Groups) && ctx.Err() == nil; at++ {
		g := &rep.Groups[at]
		m := rep.newCalculator(g.rated)
		g.Figures, g.rated = m.figures, nil
		// The seeds of consecutive groups differ by the odd number next to 2⁶⁴ over the golden
		// ratio, so that no two groups share draws.
		seed := rep.Seed + uint64(at)*0x9e3779b97f4a7c15
		var samples [][]float64
		rep.setEstimates(g.Figures,
			stats.Bootstrap(g.Dialogues, rep.Draws, seed, func(times []int) []float64 {
				var values []float64
				for _, take := range m.compute {
					values = append(values, take(times)...)
				}
				samples = append(samples, values)
				return values
			}))
		for i, f := range g.Figures {
			mean := &rep.Mean[i]
			if math.IsNaN(f.Value) {
				if at == 0 {
					mean.Warning = f.Warning
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
			values[i] /= float64(rep.Mean[i].Groups) // NaN without groups
		}
	}
	rep.setEstimates(rep.Mean, stats.Estimates(sums))
}

// setEstimates stores values and intervals. A figure without a value has the reason, or keeps it.
func (o *Options) setEstimates(figures []Figure, estimates []stats.Figure) {
	for i, e := range estimates {
		f := &figures[i]
		f.Value, f.Low, f.High = e.Value, e.Low, e.High
		switch why := f.Statistic.undefined; {
		case math.IsNaN(f.Value):
			f.Low, f.High = f.Value, f.Value
			if f.Warning == "" && why != "" {
				f.Warning = texts.Say(why, nil)
			}
		case math.IsNaN(f.Low) && o.Draws > 0:
			f.Warning = texts.Say("no interval", nil)
		default:
			f.Warning = ""
		}
	}
}
