package heuristics

import (
	"context"

	"assize/rubric"
)

// evaluator is the Evaluator by rules. It rates each criterion by its ladder, with the signals of
// both sides.
type evaluator struct {
	*Agents
	caps
}

// Evaluator returns the Evaluator (Agent A) that judges by rules.
func (a *Agents) Evaluator(r rubric.Rubric) rubric.Evaluator { return evaluator{a, a.capsOf(r)} }

func (e evaluator) Evaluate(_ context.Context, c rubric.Case) (rubric.Scorecard, error) {
	var card rubric.Scorecard
	s, q := newSighting(c, e.index), &quoter{c: c}
	for _, criterion := range quoting {
		l := &e.ladders[criterion]
		v := l.judge(s, false)
		if limit, by := e.most(s, criterion); by != nil && v.score >= limit {
			card[criterion] = e.capped(q, criterion, limit, *by)
			continue
		}
		card[criterion] = e.rate(s, q, l, v, e.rubric)
		if len(card[criterion].Quotes) == 0 {
			card[criterion] = rubric.Rating{Score: v.score, Claim: l.Unshown,
				Quotes: q.plain(l.Rungs[v.score.Level()].kind)}
		}
	}
	return card, nil
}

// quoting is the order in which criteria choose their quotes. Empathy is first, because fewer words
// are evidence for it than for the others.
var quoting = [...]rubric.Criterion{
	rubric.Empathy, rubric.TaskSuccess, rubric.Helpfulness, rubric.Accuracy, rubric.Understanding,
	rubric.Fluency,
}
