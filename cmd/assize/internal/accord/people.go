package accord

import (
	"context"

	"assize/cmd/assize/internal/ratings"
	"assize/rubric"
)

// Report is how a judge agrees with people.
type Report struct {
	Table
	Options Options
	Rated   []string // OverallRating and the criteria, as far as anybody rated them
}

// New measures how the judge of the rated dialogues agrees with those who rated them.
func New(ctx context.Context, rated []ratings.Rated, opt Options) *Report {
	rep := &Report{Options: opt, Rated: whatIsRated(rated)}
	rep.Table = tabulate(ctx, ratedDialogues, rated, originOf, opt, rep.panel)
	return rep
}

func originOf(r *ratings.Rated) origin {
	return origin{r.Record.Source.File, string(r.Record.Source.Format)}
}

// panel makes the gauges of a group.
func (rep *Report) panel(members []ratings.Rated) ([]*gauge, []Confusion) {
	var gauges []*gauge
	var confusion []Confusion
	for _, what := range rep.Rated {
		t := newTarget(what, members, &rep.Options, givenFor(what))
		gauges = append(gauges, t.gauges()...)
		confusion = append(confusion, t.confusions()...)
	}
	return gauges, confusion
}

// whatIsRated lists what people rated.
func whatIsRated(rated []ratings.Rated) []string {
	var overall bool
	var criteria [rubric.NumCriteria]bool
	for i := range rated {
		overall = overall || rated[i].Overall != nil
		for c := range criteria {
			criteria[c] = criteria[c] || rated[i].Criteria[c] != nil
		}
	}
	var list []string
	if overall {
		list = append(list, OverallRating)
	}
	for c, is := range criteria {
		if is {
			list = append(list, rubric.Criterion(c).String())
		}
	}
	return list
}

// givenFor picks what a dialogue was given.
func givenFor(what string) func(*ratings.Rated) []float64 {
	if what == OverallRating {
		return func(r *ratings.Rated) []float64 { return r.Overall }
	}
	c, err := rubric.ParseCriterion(what)
	if err != nil {
		panic(err) // it is the name of one
	}
	return func(r *ratings.Rated) []float64 { return r.Criteria[c] }
}

// confusions counts the levels of every measure.
func (t *target) confusions() []Confusion {
	var list []Confusion
	for i := range t.against {
		s := &t.against[i]
		table := make([][]int, numLevels)
		for l := range table {
			table[l] = make([]int, numLevels)
		}
		for u, l := range t.levels {
			table[l][s.levels[u]]++
		}
		list = append(list, Confusion{t.name, s.name, table})
	}
	return list
}
