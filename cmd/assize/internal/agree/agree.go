// Package agree measures how what a judge says of dialogues agrees with what people, or another judge, say of them.
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
	"context"
	"fmt"
	"math"
	"slices"

	"assize/cmd/assize/internal/ratings"
	"assize/cmd/assize/internal/run"
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
	Jobs  int           `json:"-"`     // how many groups are measured at once; it changes no figure
}

// Report is how a judge agrees with people, or with another judge in their place.
type Report struct {
	Version int      `json:"assize_agreement"`
	Answer  []string `json:"answer"`            // what the figures mean, a sentence each
	Ratings string   `json:"ratings"`           // the file; empty for those in the runs
	Against string   `json:"against,omitempty"` // the run of the other judge; empty where people rated
	Options
	// The part of the dialogues, ranked lowest, among which the worst are counted: half as many as the worst are meant
	// to be, since nobody reads on where the list has run dry.
	Lowest   float64 `json:"precision_at"`
	Unscored int     `json:"unscored"` // dialogues of the runs that no agent could judge
	Table
	Rated []string `json:"-"` // OverallRating and the criteria, as far as anybody rated them
}

// New measures how the judge of the rated dialogues agrees with those who rated them. Where ctx ends early, groups are
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
	rows := make([]*run.Row, len(rated))
	for i := range rated {
		rows[i] = rated[i].Row
	}
	rep.Table = tabulate(ctx, ratedDialogues, rows, opt, func(group []int) (gauges []gauge) {
		for _, name := range rep.Rated {
			gauges = append(gauges, newTarget(name, chosen(rated, group), &opt).gauges()...)
		}
		return gauges
	})
	if len(rep.Rated) > 0 && rep.Rated[0] == OverallRating {
		rep.Answer = []string{rep.ranking() + rep.limit()}
	}
	return rep
}

// NewAgainst measures how a judge agrees with another, whose scores stand in the place of people's ratings: a level for
// each criterion, and the OverallExperience for the dialogue. Dialogues are the same where the same was said in them.
func NewAgainst(ctx context.Context, rows, other []run.Row, opt Options) *Report {
	theirs := map[run.Key]*run.Row{}
	for i := range other {
		theirs[other[i].Said] = &other[i]
	}
	opt.Scale = ratings.DefaultScale
	var rated []ratings.Rated
	for i := range rows {
		t := theirs[rows[i].Said]
		if t == nil {
			continue
		}
		one := ratings.Rated{Row: &rows[i], Overall: []float64{float64(t.Overall) / 20}}
		for c, score := range t.Final {
			one.Criteria[c] = []float64{float64(score) / 20}
		}
		rated = append(rated, one)
	}
	rep := New(ctx, rated, opt)
	kappa := rep.mean(OverallRating, Overall, Kappa)
	rep.Answer = []string{fmt.Sprintf("The two agree on the OverallExperience by a kappa of %s.", kappa)}
	if math.IsNaN(kappa.Value) {
		rep.Answer = []string{fmt.Sprintf("How the two agree on the OverallExperience cannot be told: %s.", kappa.Why)}
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

// chosen gives the elements at some places.
func chosen[T any](all []T, places []int) []T {
	list := make([]T, len(places))
	for i, at := range places {
		list[i] = all[at]
	}
	return list
}
