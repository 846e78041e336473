package fit

import (
	"fmt"
	"math"
	"strings"

	"assize/rubric"
)

// fewish is how many rated dialogues there should be: with fewer the errors on folds are themselves a guess.
const fewish = 20

// decide says what was decided and why.
func (res *Result) decide(final *lesson, o Options) {
	say := func(format string, a ...any) { res.Decisions = append(res.Decisions, fmt.Sprintf(format, a...)) }
	if res.Profile.Line != nil {
		say("%s", final.slope.told(res.unit()))
	}
	switch {
	case res.Profile.Knots != nil:
		say("The map is a curve through %d knots: on folds within it errs by %.2f, the line by %.2f.", final.knots, final.curve, final.line)
	case final.knots > 0:
		say("The map is a line: on folds within it errs by %.2f, a curve through %d knots by %.2f.", final.line, final.knots, final.curve)
	case res.Dialogues >= enough:
		say("The map is a line: no curve that rises fits the ratings.")
	default:
		say("The map is a line: a curve competes with it from %d rated dialogues on.", enough)
	}
	if o.Weights {
		say("%s", res.Weights.told(res.Dialogues))
	}
	if res.Model != nil {
		say("%s", res.Model.told())
	}
	c := res.Profile.Cuts
	say("Levels 2 to 5 begin at %s, %s, %s and %s, so that each is as frequent as among people's mean ratings, rounded with halves up.", c[0], c[1], c[2], c[3])
	if t := res.Profile.Triage; t != nil {
		say("Flagged is a satisfaction of %s or less: %d of %d dialogues, %.1f %%, where %s %% are wanted.", t.Cut, res.Flags, res.Traffic,
			100*float64(res.Flags)/float64(res.Traffic), 100*t.Rate)
	}
}

// unit is what the slope of the map is counted by.
func (res *Result) unit() string {
	if res.Profile.Weights != nil {
		return "point of the weighted score"
	}
	return "point of reaction"
}

func (s *slope) told(unit string) string {
	switch {
	case s.learnt:
		return fmt.Sprintf("The slope is learnt: %.4g a %s, 95 %% interval %.4g to %.4g, which lies above 0.", s.used.Float(), unit, s.low, s.high)
	case math.IsNaN(s.found):
		return fmt.Sprintf("The slope stays as it is known, %s a %s, and only the intercept is moved: all dialogues have the same score.", s.used, unit)
	}
	return fmt.Sprintf("The slope stays as it is known, %s a %s, and only the intercept is moved: the ratings give %.4g, 95 %% interval %.4g to %.4g, which does not lie above 0.", s.used, unit, s.found, s.low, s.high)
}

func (w *Weights) told(dialogues int) string {
	if w == nil {
		return fmt.Sprintf("The weights stay as specified: others are learnt from %d rated dialogues on, and there are %d.", leastWeights, dialogues)
	}
	var list []string
	for c, percent := range w.Learnt {
		list = append(list, fmt.Sprintf("%s %d", rubric.Criterion(c), percent))
	}
	measured := fmt.Sprintf("on folds they rank with %.3f, the specified ones with %.3f, the reaction score with %.3f (Spearman)", w.Spearman.Value, w.Average.Value, w.Reactions.Value)
	if w.Kept {
		return fmt.Sprintf("The input of the map is the scores, weighted by %s: %s. The six scores and the OverallExperience stay as they are.", strings.Join(list, ", "), measured)
	}
	return fmt.Sprintf("The weights stay as specified. The ratings would have them %s: %s. They must gain %.2f over both, and fall short by %.3f.",
		strings.Join(list, ", "), measured, leastGain, leastGain-min(w.OverAverage.Value, w.OverReactions.Value))
}

// warn says what to mind.
func (res *Result) warn(final *lesson, points []point, rated int) {
	say := func(is bool, format string, a ...any) {
		if is {
			res.Warnings = append(res.Warnings, fmt.Sprintf(format, a...))
		}
	}
	s := &final.slope
	same := len(points) > 0
	for _, pt := range points {
		same = same && pt.rating == points[0].rating
	}
	say(rated > len(points), "Left out are dialogues that are rated by criterion only: %d.", rated-len(points))
	say(len(points) < fewish, "Only %d dialogues are rated; errors on folds of so few are a guess. 50 make a profile that can be trusted.", len(points))
	say(same, "All dialogues are rated %.2f; nothing but that can be learnt.", res.Mean)
	say(math.IsNaN(s.found), "All dialogues have the same score; nothing tells one from another.")
	say(res.Ratings == len(points), "One person rated each dialogue; how much of the error is that person's own cannot be told.")
	say(!same && s.high < 0, "The ratings fall as the score rises; see that the ratings belong to these dialogues, and that --scale has the worst end first.")
	say(!same && s.high >= 0 && !s.learnt && s.used.Float() > s.high, "The ratings speak against the slope that is kept; they hardly follow the score.")
	say(res.OverBefore.High < 0, "On folds the default profile errs less, %.2f against %.2f points of 100; these ratings are too few to improve on it.", res.Before.MAE, res.After.MAE)
	say(res.OverConstant.Value <= 0, "On folds the profile errs no less than the mean rating alone, %.2f against %.2f points of 100.", res.After.MAE, res.Constant.MAE)
	say(final.flagless, "Nobody is flagged: the satisfactions are too much alike to part off the share that is wanted.")
}
