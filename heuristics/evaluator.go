package heuristics

import (
	"context"
	"slices"

	"assize/rubric"
	"assize/rubric/dialogue"
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
	s, q := newSighting(c, e.index), newQuoter(c, e.Vocabulary())
	for _, criterion := range quoting {
		l := &e.ladders[criterion]
		v := l.judge(s, false)
		if limit, by := e.most(s, criterion); by != nil && v.score >= limit {
			card[criterion] = e.capped(q, criterion, limit, *by)
			continue
		}
		card[criterion] = e.quoted(s, q, l, v, e.rubric)
	}
	return card, nil
}

// quoted is like rate. If nothing can be quoted for the verdict, nothing shows the score.
func (a *Agents) quoted(s *sighting, q *quoter, l *Ladder, v verdict, r rubric.Rubric,
) rubric.Rating {
	rating := a.rate(s, q, l, v, r)
	if len(rating.Quotes) == 0 {
		kind := l.Rungs[v.score.Level()].kind
		rating = rubric.Rating{Score: v.score, Claim: l.Unshown, Quotes: q.plain(kind)}
		if l.Silent != "" && len(rating.Quotes) > 0 {
			if shown := newCandidate(rating.Quotes[0], dialogue.System); !q.says(&shown, kind) {
				rating.Claim = l.Silent
			}
		}
	}
	return rating
}

// MaxClaims is the maximum number of claims for one criterion.
const MaxClaims = 3

// Claims returns for each criterion the claim that decides its score and the next candidates: each
// is the one to which the ladder comes if those before it do not hold. The rest is what is left if
// none of them holds. A criterion that is capped, or for which nothing was found, has no claims.
func (a *Agents) Claims(c rubric.Case, r rubric.Rubric) (
	claims [rubric.NumCriteria][]rubric.Claim, rest rubric.Scorecard,
) {
	all, q, k := newSighting(c, a.index), newQuoter(c, a.Vocabulary()), a.capsOf(r)
	for _, criterion := range quoting {
		l, s := &a.ladders[criterion], all
		v := l.judge(s, false)
		if limit, by := k.most(s, criterion); by != nil && v.score >= limit {
			continue
		}
		for ; v.found != nil && len(claims[criterion]) < MaxClaims; v = l.judge(s, false) {
			rating := a.quoted(s, q, l, v, r)
			shown, _ := q.best(s, v, l.Rungs[v.score.Level()].kind)
			det := a.detectors[s.detectors[shown]]
			claims[criterion] = append(claims[criterion],
				rubric.Claim{Rating: rating, Detector: det.ID, Text: det.Title, Favour: v.favour})
			kept := slices.DeleteFunc(slices.Clone(s.Signals),
				func(sig rubric.Signal) bool { return sig.ID == det.ID })
			s = newSighting(rubric.Case{Dialogue: c.Dialogue, Signals: kept}, a.index)
		}
		rest[criterion] = a.quoted(s, q, l, v, r)
	}
	return claims, rest
}

// quoting is the order in which criteria choose their quotes. Empathy is first, because fewer words
// are evidence for it than for the others.
var quoting = [...]rubric.Criterion{
	rubric.Empathy, rubric.TaskSuccess, rubric.Helpfulness, rubric.Accuracy, rubric.Understanding,
	rubric.Fluency,
}
