package accord

import (
	"fmt"
	"slices"

	"assize/cmd/assize/internal/agreement"
	"assize/cmd/assize/internal/ratings"
	"assize/cmd/assize/internal/record"
	"assize/rubric"
)

// target is what people rated in a group: the whole dialogues, or one criterion of them.
type target struct {
	name    string
	group   *subset     // the dialogues that are rated
	given   [][]float64 // what each of them was given
	people  []float64   // their means, in points of 100
	levels  []int
	worst   []bool
	opt     *Options
	against []standing
}

// standing is a measure of the judge that is held against the target.
type standing struct {
	name   string
	points []float64 // of 100
	levels []int
	rating []float64 // as one more rater, on the scale from 1 to 5
}

// newTarget takes from the dialogues of a group those that were rated. given picks the ratings of one.
func newTarget(name string, group []ratings.Rated, opt *Options, given func(*ratings.Rated) []float64) *target {
	t := &target{name: name, opt: opt}
	var units []int
	var records []*record.Record
	for i := range group {
		if g := given(&group[i]); g != nil {
			units = append(units, i)
			records = append(records, group[i].Record)
			t.given = append(t.given, g)
			t.people = append(t.people, 20*ratings.Mean(g))
			t.levels = append(t.levels, nearest(ratings.Mean(g)))
		}
	}
	t.group = newSubset(units)
	t.worst = below(t.people, opt.Worst)
	for _, m := range MeasuresOf(name) {
		t.against = append(t.against, t.standing(m, records))
	}
	return t
}

// MeasuresOf lists the measures that are held against what people rated.
func MeasuresOf(rated string) []string {
	if rated == OverallRating {
		return []string{Satisfaction, Average, Overall}
	}
	return []string{rated}
}

// below says which values lie strictly below their quantile.
func below(values []float64, quantile float64) []bool {
	cut := agreement.Quantile(values, quantile)
	is := make([]bool, len(values))
	for i, v := range values {
		is[i] = v < cut
	}
	return is
}

// standing takes a measure from the records.
func (t *target) standing(measure string, records []*record.Record) standing {
	s := standing{name: measure, points: make([]float64, len(records)), rating: make([]float64, len(records))}
	placed := measure == Satisfaction // the profile gives levels
	for i, r := range records {
		s.points[i] = points(r, measure)
		s.rating[i] = choice(s.points[i]/20, t.opt.Scale)
		placed = placed && r.Level != 0
	}
	switch {
	case placed:
		s.levels = make([]int, len(records))
		for i, r := range records {
			s.levels[i], s.rating[i] = r.Level-1, float64(r.Level)
		}
	case measure == Satisfaction || measure == Average:
		s.levels = alike(s.points, t.levels)
	default:
		s.levels = make([]int, len(records))
		for i, p := range s.points {
			s.levels[i] = nearest(p / 20)
		}
	}
	return s
}

// points gives what a record says by a measure, in points of 100.
func points(r *record.Record, measure string) float64 {
	switch measure {
	case Satisfaction:
		return float64(r.Satisfaction) / 5
	case Average:
		return float64(r.Evaluation.Average) / 100
	case Overall:
		return float64(r.Evaluation.Overall)
	}
	c, err := rubric.ParseCriterion(measure)
	if err != nil {
		panic(err) // measures are named here
	}
	return float64(r.Evaluation.Final[c].Score)
}

// gauges lists what is measured.
func (t *target) gauges() []*gauge {
	var list []*gauge
	for i := range t.against {
		s := &t.against[i]
		g := t.agreement(s)
		list = append(list, g, t.joined(s, g.n))
	}
	list = append(list, t.seats(), t.reliability(), t.constant())
	for _, g := range list {
		g.because(len(t.people) == 0, "nobody rated it")
	}
	return list
}

// Fewest is how many dialogues a group must have for any figure.
const Fewest = 20

// What is counted.
const (
	ratedDialogues  = "rated dialogues"
	sharedDialogues = "dialogues with two ratings or more"
	pairedDialogues = "dialogues that both scored"
	commonDialogues = "dialogues that all scored"
)

// few notes that there are too few dialogues for figures, for any where none is named.
func (g *gauge) few(what string, statistics ...Statistic) {
	g.because(g.n == 0, "there are no "+what, statistics...)
	g.because(g.n < Fewest, fmt.Sprintf("there are fewer than %d %s", Fewest, what), statistics...)
}

func same[T comparable](list []T) bool {
	return !slices.ContainsFunc(list, func(v T) bool { return v != list[0] })
}
