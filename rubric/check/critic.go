package check

import (
	"strings"

	"assize/rubric"
)

// disagreements holds what the critic says against the evaluator's scores.
func (x *exam) disagreements(c *critique, evaluator *card) {
	var silent []string
	for i := range c.opinions {
		o := &c.opinions[i]
		if o.node == nil {
			silent = append(silent, criteria[i])
			continue
		}
		x.suggestion(o, evaluator.ratings[i].score)
	}
	if c.listed && len(silent) > c.astray {
		n := x.root.get("critic")
		x.add(n.start, Finding{ID: "critic-silent", Severity: Warning, Path: "/critic", Message: "the critic says nothing of " + strings.Join(silent, ", ")})
	}
}

// suggestion holds an opinion's word, agree or not, against the score that it suggests.
func (x *exam) suggestion(o *opinion, score rubric.Score) {
	flag, suggested := o.node.get("agree"), o.node.get("suggested_score")
	agree, said := flag.truth()
	if o.suggested == offScale {
		x.addNode(suggested, Finding{
			ID: "score-off-scale", Severity: Warning, Path: o.path + "/suggested_score", Want: scoreList,
			Message: "the critic suggests a score that is not on the scale, which can never be accepted",
		})
	}
	f := Finding{Severity: Error, Path: o.path + "/agree"}
	switch {
	case !said || suggested != nil && suggested.kind != null && suggested.kind != number:
		return // as the structure tells
	case !agree && o.suggested == 0:
		f.ID, f.Message = "disagreement-unscored", "the critic disagrees and suggests no score"
		f.Path = o.path + "/suggested_score"
		x.add(o.node.start, f)
		return
	case score == 0:
		return
	case !agree && o.suggested == score:
		f.ID, f.Want = "disagreement-unchanged", "true"
		f.Message = "the critic disagrees and suggests " + score.String() + ", the score that the evaluator gave"
	case agree && o.objects(score):
		f.ID, f.Want = "agreement-changes", "false"
		f.Message = "the critic agrees and suggests " + scalar(suggested) + ", where the evaluator gave " + score.String()
	default:
		return
	}
	x.addNode(flag, f)
	x.replace(flag, f.Path, f.Want)
}
