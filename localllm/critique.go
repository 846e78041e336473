package localllm

import (
	"cmp"
	"context"

	"assize/rubric"
)

// minGap is the minimum distance in levels between the model and a score for an objection to a
// score that nothing shows. One level may be chance, since a harmless change of the prompt moves a
// small model by as much.
const minGap = 2

// Reasons are what the rules give for their scores: the claims of each criterion, the one that
// decides first, and what is left if none of them holds.
type Reasons struct {
	Claims [rubric.NumCriteria][]rubric.Claim
	Rest   rubric.Scorecard
	Closed rubric.Set // the criteria on which the closed questions may object
}

// Critique acts as the Critic of the session's criteria. The model does not see the scores, because
// it agrees with what it sees. For each claim that decides a score it is asked whether the quotes
// show it and whether it is true. If it probably does not hold, the next candidate is asked, and
// Critique objects with the rating to which the ladder comes without it. To a score that nothing
// shows it objects, by one level, if its answers to the closed questions are two or more away. It
// never objects if a turn is flagged as an attack, since the model has not read the whole
// dialogue. The error is as for Evaluate.
func (s *Session) Critique(ctx context.Context, c rubric.Case, card rubric.Scorecard,
	of Reasons) (critique rubric.Critique, err error) {
	scales := s.m.o.Claims
	err = s.alone(ctx, func() *Failure {
		o, f := s.askAll(ctx, c)
		if f != nil || len(s.account.Suspicious) > 0 {
			return f
		}
		for _, k := range rubric.Criteria() {
			switch {
			case !s.criticises.Has(k) || !card[k].Score.Valid():
			case len(of.Claims[k]) > 0:
				if scales != nil && !scales.of(k, of.Claims[k][0].Favour).Vote {
					continue // its doubts are known to be no better than chance
				}
				if critique[k], f = s.doubt(ctx, c, o, k, of); f != nil {
					return f
				}
			case card[k].Unshown() && of.Closed.Has(k):
				critique[k] = o.differs(k, card[k])
			}
		}
		return nil
	})
	return critique, err
}

// doubt asks about the claims of a criterion until one holds, and returns the objection that
// follows if the first does not.
func (s *Session) doubt(ctx context.Context, c rubric.Case, o *judgement, k rubric.Criterion,
	of Reasons) (objection rubric.Objection, f *Failure) {
	claims := of.Claims[k]
	first, says := claims[0], ""
	for i, claim := range claims {
		v, f := s.verify(ctx, c, o, k, claim)
		if f != nil {
			return objection, f
		}
		if v.Led != LedToObjection {
			break
		}
		next := of.Rest[k]
		if i+1 < len(claims) {
			next = claims[i+1].Rating
		}
		if i == 0 {
			says = finds(*v.Holds, first.Text)
		}
		score := min(max(next.Score, first.Score.Step(-2)), first.Score.Step(2))
		objection = rubric.Objection{Suggested: score, By: "model", Quotes: next.Quotes,
			Claim: says + "; without that, " + next.Claim}
		if score < first.Score && next.Unshown() {
			objection.Kind = rubric.MissingEvidence
		}
	}
	if !objection.Against(first.Score) {
		return rubric.Objection{}, nil
	}
	return objection, nil
}

// differs returns the objection to a score that nothing shows.
func (o *judgement) differs(k rubric.Criterion, rating rubric.Rating) (objection rubric.Objection) {
	gap := o.scores[k].Level() - rating.Score.Level()
	if o.scores[k] == 0 || max(gap, -gap) < minGap {
		return objection
	}
	return rubric.Objection{Suggested: rating.Score.Step(cmp.Compare(gap, 0)),
		Kind: rubric.Contradicts, Claim: o.says[k], Quotes: rating.Quotes, By: "model"}
}
