package check

import (
	"assize/rubric"
)

// examineDebate looks at a document of the three-agent protocol.
func (x *exam) examineDebate() {
	evaluator, final := x.card(x.root.get("evaluator"), "/evaluator"), x.card(x.root.get("referee_final"), "/referee_final")
	audit := x.root.get("audit")
	x.average(&evaluator)
	x.average(&final)
	x.overall(final.node.get("OverallExperience"), "/referee_final/OverallExperience", &final, final.node.get("numeric_weighted_average"))
	x.calc(audit.get("weighted_calc"), &final, &evaluator)
	x.mapping(audit.get("mapping_rule"), &final)

	c := x.critique()
	x.disagreements(&c, &evaluator)
	x.decisions(&c, &evaluator, &final)

	x.justifications(&evaluator, Error)
	x.objections(&c, &evaluator)
	x.justifications(&final, Warning)
	x.audit(audit)
}

// examineSingle looks at a document of the single-pass evaluator.
func (x *exam) examineSingle() {
	card := x.card(x.root, "")
	x.justifications(&card, Warning)
	overall := x.root.get("OverallExperience")
	x.overall(overall.get("score"), "/OverallExperience/score", &card, nil)
	x.reason(overall, &card)
}

// decisions holds the final scores against what the agents proposed and against the referee's rulings.
func (x *exam) decisions(c *critique, evaluator, final *card) {
	if !c.listed || c.doubled {
		return // nobody can tell what was proposed
	}
	far := x.far(c, evaluator)
	verdicts := x.decide(c, evaluator)
	for i := range final.ratings {
		o, before, after := &c.opinions[i], evaluator.ratings[i].score, final.ratings[i].score
		switch {
		case before == 0 || after == 0:
		case after != before && after != o.suggested:
			x.unproposed(o, before, &final.ratings[i])
		case far && abs(after.Level()-before.Level()) > 2:
			x.strays(rubric.Ruling{ID: rubric.Ambiguous, Ground: rubric.TooFar, After: before}, &final.ratings[i], Error)
		case verdicts != nil:
			x.follows(verdicts, i, &final.ratings[i])
		}
	}
}

func abs(n int) int { return max(n, -n) }

// far reports whether a suggestion that is more than two levels away must be kept out whatever was said: R5 takes
// three objections, all of them on the scale.
func (x *exam) far(c *critique, evaluator *card) bool {
	objections, off := 0, false
	for i := range c.opinions {
		if o := &c.opinions[i]; o.objects(evaluator.ratings[i].score) {
			objections++
			off = off || o.suggested == offScale
		}
	}
	return objections < 3 || off
}

// scoreOf gives the score of a rating as it stands in the document.
func (x *exam) scoreOf(r *rating) *node {
	card := x.root.get("referee_final")
	return card.get(r.path[len("/referee_final/"):]).get("score")
}

// unproposed tells of a final score that is neither agent's.
func (x *exam) unproposed(o *opinion, before rubric.Score, r *rating) {
	f := Finding{ID: "final-unproposed", Severity: Error, Path: r.path + "/score", Want: before.String()}
	switch {
	case !o.objects(before):
		f.Message = "nobody proposed " + r.score.String() + ": the evaluator gave " + before.String() + ", and without an objection R1-agreed keeps that"
	case o.suggested == offScale:
		f.Message = "nobody proposed " + r.score.String() + ": the evaluator gave " + before.String() + ", and what the critic suggests is not on the scale"
	default:
		f.Message = "nobody proposed " + r.score.String() + ": the evaluator gave " + before.String() + ", the critic suggests " + o.suggested.String()
		f.Want += " or " + o.suggested.String()
	}
	x.addNode(x.scoreOf(r), f)
}
