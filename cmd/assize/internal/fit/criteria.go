package fit

import (
	"fmt"

	"assize/cmd/assize/internal/ratings"
	"assize/cmd/assize/internal/stats"
	"assize/heuristics"
	"assize/rubric"
)

// estimateCriteria learns how people rate single criteria, as it is learnt how they rate dialogues as a whole. A
// criterion of which neither the rules' input nor weights tell anything has no estimate.
func (res *Result) estimateCriteria(all []Dialogue, rated []ratings.Rated) error {
	o := &res.options
	base := heuristics.DefaultProfile()
	base.Line = &heuristics.Line{} // nothing is known of the slope
	for _, c := range rubric.Criteria() {
		points, err := gather(all, rated, "on "+c.String(), func(r *ratings.Rated) []float64 { return r.Criteria[c] })
		if len(points) == 0 {
			continue
		}
		if err != nil {
			res.Warnings = append(res.Warnings, fmt.Sprintf("No estimate of people's ratings of %s: %v.", c, err))
			continue
		}
		if len(points) > mostPoints {
			res.Warnings = append(res.Warnings, fmt.Sprintf("What people give %s is learnt from the first %d rated dialogues.",
				c, mostPoints))
			points = points[:mostPoints]
		}
		l := learner{Options: *o, base: base}
		var d *design
		if different(points) >= leastLinear {
			if d = newDesign(points, o.IsName); len(d.features) > 0 {
				if l.trials, err = d.tryAll(o, 0, false); err != nil {
					return err
				}
			}
		}
		lesson := l.learn(points, whole)
		learnt := heuristics.Criterion{Line: *lesson.profile.Line}
		at, rating := columns(points)
		by, rho := "the rules' line", stats.Spearman(at, rating)
		switch t := lesson.chosen; {
		case t != nil:
			line, linear, _, err := d.weigh(t, 0)
			if err != nil {
				return err
			}
			by, rho = t.kind.String(), lesson.rhos[t.kind]
			learnt = heuristics.Criterion{Line: *line, Linear: linear}
		case !lesson.slope.learnt:
			res.Warnings = append(res.Warnings, fmt.Sprintf("No estimate of people's ratings of %s: on folds, neither the "+
				"rules nor weights are proven to tell anything of them.", c))
			continue
		}
		if res.Profile.Criteria == nil {
			res.Profile.Criteria = map[string]heuristics.Criterion{}
		}
		res.Profile.Criteria[c.String()] = learnt
		res.Decisions = append(res.Decisions, fmt.Sprintf("People's rating of %s is estimated beside the panel's score "+
			"(people_estimate), by %s learnt from %d dialogues: Spearman %.2f.", c, by, len(points), rho))
	}
	return nil
}
