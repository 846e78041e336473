package heuristics

import (
	"context"
	"slices"
	"strings"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// critic is the rule Critic. It reads the USER's reactions, which the Evaluator does not, and moves a score by
// the levels that they call for, up or down; without a turn that is worth quoting it stays silent. Where the
// reactions say nothing, it objects to a score that lacks what the rubric demands for it.
type critic struct {
	*Agents
	rubric rubric.Rubric
}

// Critic plays Agent B by rules.
func (a *Agents) Critic(r rubric.Rubric) rubric.Critic { return critic{a, r} }

func (k critic) Critique(_ context.Context, c rubric.Case, card rubric.Scorecard) (rubric.Critique, error) {
	var critique rubric.Critique
	readings := readUser(c)
	for _, criterion := range rubric.Criteria() {
		o := k.react(c, criterion, card[criterion], readings[criterion])
		if o.Suggested == 0 {
			o = k.miss(c, criterion, card[criterion])
		}
		critique[criterion] = o
	}
	return critique, nil
}

// react objects where the USER's reactions call for another level and a turn can be quoted for it.
func (k critic) react(c rubric.Case, criterion rubric.Criterion, rating rubric.Rating, rd reading) (o rubric.Objection) {
	rd.forget(counted(c, criterion))
	score := rating.Score
	shift := k.levels.of[criterion].shift(rd.mean())
	if shift == 0 || score.Step(shift) == score {
		return o
	}
	direction := 1
	if shift < 0 {
		direction = -1
	}
	turn, points := rd.strongest(direction)
	if points*direction < int(k.levels.Quotable) {
		return o
	}
	sig := k.weightiest(signalsAt(c, turn), criterion, direction)
	evidence := quotes(c, sig)
	if sig.ID == "" || len(evidence) == 0 {
		return o // nothing that may be quoted, or no word that can
	}
	return rubric.Objection{
		Suggested: score.Step(shift),
		Kind:      rubric.Contradicts,
		Claim:     k.title(sig.ID) + k.levels.of[criterion].bearing(direction),
		Quotes:    evidence,
		By:        "rules",
	}
}

// counted gives the USER's turns that complain of what a signal at the SYSTEM's turn already counts: the correction
// of a misheard value is the same incident, and no second one.
func counted(c rubric.Case, criterion rubric.Criterion) (turns []int) {
	for _, s := range c.Signals {
		if s.About == 0 {
			continue
		}
		if t, _ := c.Dialogue.Turn(s.Turn); t.Role != dialogue.User {
			continue
		}
		blamed := func(of rubric.Signal) bool { return of.Points < 0 && of.Criteria.Has(criterion) }
		if slices.ContainsFunc(signalsAt(c, s.About), blamed) {
			turns = append(turns, s.Turn)
		}
	}
	return turns
}

// miss objects to a score for which the rubric demands what no detector saw. It quotes what there is instead.
func (k critic) miss(c rubric.Case, criterion rubric.Criterion, rating rubric.Rating) (o rubric.Objection) {
	score := rating.Score
	demands := k.rubric.Demands[criterion][score.Level()]
	if len(demands) == 0 || score == rubric.Scale[0] || c.Fired(demands...) {
		return o
	}
	return rubric.Objection{
		Suggested: score.Step(-1),
		Kind:      rubric.MissingEvidence,
		Claim:     "no sign is there that the rubric demands for " + score.String() + " (" + strings.Join(demands, ", ") + "), only this",
		Quotes:    rating.Quotes,
		By:        "rules",
	}
}

// weightiest gives the signal that weighs most in a direction for a criterion, the first of equals, but one that
// names the other turn that it is about before all others, since both can then be quoted; the zero Signal where
// there is none that may be.
func (k critic) weightiest(signals []rubric.Signal, criterion rubric.Criterion, direction int) (best rubric.Signal) {
	for _, s := range signals {
		if !s.Criteria.Has(criterion) || int(s.Points)*direction <= 0 || k.mute(s.ID) {
			continue
		}
		both, had := s.About != 0, best.About != 0
		if both && !had || both == had && int(s.Points)*direction > int(best.Points)*direction {
			best = s
		}
	}
	return best
}

// mute reports whether a detector's signals must not be quoted.
func (k critic) mute(id string) bool {
	i, known := k.index[id]
	return known && k.detectors[i].Mute
}
