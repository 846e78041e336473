package fit

import (
	"fmt"
	"strings"

	"assize/cmd/assize/internal/ratings"
	"assize/cmd/assize/internal/stats"
	"assize/heuristics"
	"assize/rubric"
)

// learnCriteria learns from dialogues that nobody rated as a whole. Satisfaction stays that of the default profile.
// It gives the points of all rated dialogues.
func (res *Result) learnCriteria(all []Dialogue, rated []ratings.Rated) (points []point, err error) {
	res.Dialogues, res.Used = len(rated), ruleMap.String()
	res.Decisions = []string{"Satisfaction stays the rules' estimate: the dialogues are rated by criterion only, and none " +
		"as a whole."}
	res.Raters, res.Alpha, res.Mean, res.Deviation = unknown, unknown, unknown, unknown
	res.Limit, res.Spearman = Limit{unknown, unknown, unknown}, unknownGain
	res.Error.Constant.MAE, res.Error.Default.MAE, res.Error.Profile.MAE = unknown, unknown, unknown
	res.Gain.OverConstant, res.Gain.OverDefault = unknownGain, unknownGain
	if err := res.estimateCriteria(all, rated); err != nil {
		return nil, err
	}
	if res.Profile.Criteria == nil {
		return nil, fmt.Errorf("nothing is learnt: no dialogue is rated as a whole. %s", strings.Join(res.Warnings, " "))
	}
	for i := range rated {
		points = append(points, point{Dialogue: &all[rated[i].Row.Place]})
		for _, given := range rated[i].Criteria {
			res.Ratings += ratings.Count(given)
		}
	}
	return points, nil
}

// estimateCriteria learns how people rate single criteria, as it is learnt how they rate dialogues as a whole. A
// criterion of which neither the rules' input nor weights tell anything has no estimate.
func (res *Result) estimateCriteria(all []Dialogue, rated []ratings.Rated) error {
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
		l := learner{Options: res.options, base: base}
		d, err := l.tryAll(points, 0, false)
		if err != nil {
			return err
		}
		lesson := l.learn(points, whole)
		learnt := heuristics.Criterion{Line: *lesson.profile.Line}
		at, rating := columns(points)
		by, rho := "the rules' line", stats.Spearman(at, rating)
		switch t := lesson.chosen; {
		case t.share == 1:
			if learnt, _, err = d.weigh(t, 0, lesson.rules); err != nil {
				return err
			}
			by, rho = t.kind.String(), t.rhos[t.kind]
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
