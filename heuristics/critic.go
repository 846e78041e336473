package heuristics

import (
	"context"
	"strings"

	"assize/rubric"
)

// critic is the Critic by rules. It looks for later turns that contradict the Evaluator's claims,
// and for demands of the rubric that no detector found met. For a model's scores it also looks for
// faults and merits that the ladders find and the model missed. If there is no turn to quote, it
// agrees.
type critic struct {
	*Agents
	caps
}

// Critic returns the Critic (Agent B) that judges by rules.
func (a *Agents) Critic(r rubric.Rubric) rubric.Critic { return critic{a, a.capsOf(r)} }

func (k critic) Critique(
	_ context.Context, c rubric.Case, card rubric.Scorecard,
) (rubric.Critique, error) {
	var critique rubric.Critique
	s, q := newSighting(c, k.index), newQuoter(c, k.Vocabulary())
	for _, criterion := range rubric.Criteria() {
		rating, l := card[criterion], &k.ladders[criterion]
		v := l.review(s)
		v.score = min(max(v.score, rating.Score.Step(-2)), rating.Score.Step(2))
		var better rubric.Rating
		if limit, by := k.most(s, criterion); by != nil && v.score > limit {
			better, v.favour = k.capped(q, criterion, limit, *by), false
		} else if v.score != rating.Score {
			better = k.rate(s, q, l, v, k.rubric)
		}
		o := object(rating.Score, better, v.favour)
		if o.Suggested == 0 {
			o = k.miss(c, criterion, rating)
		}
		critique[criterion] = o
	}
	return critique, nil
}

// object returns the objection that a rating is better, if its evidence points in that direction.
func object(score rubric.Score, better rubric.Rating, favour bool) (o rubric.Objection) {
	if better.Score == score || len(better.Quotes) == 0 || favour != (better.Score > score) {
		return o
	}
	return rubric.Objection{
		Suggested: better.Score,
		Kind:      rubric.Contradicts,
		Claim:     better.Claim,
		Quotes:    better.Quotes,
		By:        "rules",
	}
}

// miss objects to a score for which the rubric demands something that no detector found. It quotes
// what was found instead.
func (k critic) miss(
	c rubric.Case, criterion rubric.Criterion, rating rubric.Rating,
) (o rubric.Objection) {
	score := rating.Score
	demands := k.rubric.Demands[criterion][score.Level()]
	if score == rubric.Scale[0] || len(demands) == 0 || c.Fired(demands...) {
		return o
	}
	var wanted []string
	for _, id := range demands {
		if i, known := k.index[id]; known {
			wanted = append(wanted, k.detectors[i].Title)
		}
	}
	return rubric.Objection{
		Suggested: score.Step(-1),
		Kind:      rubric.MissingEvidence,
		Claim: "nothing shows what the rubric demands for " + score.String() + ", one of these: " +
			strings.Join(wanted, "; "),
		Quotes: rating.Quotes,
		By:     "rules",
	}
}
