package agree

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/cmd/assize/internal/stats"
)

// stated returns a report with only the figures of a sentence.
func stated(rho, seat, lead, one, ceiling Figure) *Report {
	rep := &Report{Rated: []string{OverallRating}}
	for _, f := range []struct {
		measure string
		Statistic
		Figure
	}{
		{Satisfaction, Spearman, rho}, {Satisfaction, asAnnotator, seat},
		{Satisfaction, leadOverAnnotator, lead},
		{OneAnnotator, Spearman, one}, {Raters, Ceiling, ceiling}, {Raters, ratingsEach, seat},
	} {
		f.Figure.Key = overallKey(f.measure, f.Statistic)
		rep.Mean = append(rep.Mean, f.Figure)
	}
	return rep
}

func figure(value, low, high float64) Figure {
	return Figure{Figure: stats.Figure{Value: value, Low: low, High: high}}
}

func TestTheSentenceFollowsFromTheFigures(t *testing.T) {
	rho, seat, one, ceiling := figure(.42, .39, .45), figure(.38, .35, .41), figure(.31, .29, .34),
		figure(.7, .66, .72)
	missing := MissingFigure("there are fewer than 20 dialogues with two ratings or more")
	shapeless := MissingFigure("ICC(k) is not above zero")
	unstable := MissingFigure(
		"there is no interval, because more than 5 % of the draws have no such figure")
	unstable.Value = .3
	lonely := stated(rho, missing, missing, missing, missing)
	bare := stated(figure(.42, nan, nan), figure(.38, nan, nan), figure(.07, nan, nan),
		figure(.31, nan, nan), figure(.7, nan, nan))
	for _, tt := range []struct {
		reason string
		rep    *Report
		want   string
	}{
		{"the whole interval is ahead", stated(rho, seat, figure(.07, .03, .11), one, ceiling),
			"Satisfaction agrees with people by .42 (Spearman). With the mean of the other " +
				"annotators, one annotator agrees by .31 and satisfaction by .38: satisfaction is better, by .03 to .11. Because people's ratings vary, no scorer can be expected above .70."},
		{"it only touches zero", stated(rho, seat, figure(.07, 0, .11), one, ceiling),
			"Satisfaction agrees with people by .42 (Spearman). With the mean of the other " +
				"annotators, one annotator agrees by .31 and satisfaction by .38: the difference, " +
				"satisfaction minus annotator, is .00 to .11, and may be chance. Because people's " +
				"ratings vary, no scorer can be expected above .70."},
		{"the whole interval is behind", stated(rho, figure(.2, .1, .3), figure(-.11, -.2, -.02),
			one, ceiling),
			"Satisfaction agrees with people by .42 (Spearman). With the mean of the other " +
				"annotators, one annotator agrees by .31 and satisfaction by .20: satisfaction is worse, by .02 to .20. Because people's ratings vary, no scorer can be expected above .70."},
		{"a lead over people who do not agree is no agreement",
			stated(figure(.04, -.02, .1), figure(.04, -.02, .1), figure(.1, .05, .15),
				figure(-.06, -.1, 0), shapeless),
			"No agreement of satisfaction with people is proven: Spearman .04 (-.02 to .10), an interval that includes 0. The limit for any " +
				"scorer cannot be determined: ICC(k) is not above zero."},
		{"a lead over people who hardly agree is little",
			stated(rho, seat, figure(.3, .2, .4), figure(.08, -.1, .2), unstable),
			"Satisfaction agrees with people by .42 (Spearman). With the mean of the other " +
				"annotators, one annotator agrees by .08 and satisfaction by .38: satisfaction is better, by .20 to .40. The limit for any scorer, .30, is unreliable: " +
				"there is no interval, because more than 5 % of the draws have no such figure."},
		{"one rating a dialogue leaves no limit, and says nothing of how annotators agree", lonely,
			"Satisfaction agrees with people by a Spearman of .42 (.39 to .45); whether one more annotator would do " +
				"better cannot be determined: there are fewer than 20 dialogues with two ratings or more. " +
				"For the same reason, the limit for any scorer is unknown."},
		{"no limit is passed", stated(rho, seat, figure(.07, .03, .11), one, figure(.35, .3, .4)),
			"Satisfaction agrees with people by .42 (Spearman). With the mean of the other " +
				"annotators, one annotator agrees by .31 and satisfaction by .38: satisfaction is better, by .03 to .11. " +
				"The limit for any scorer is unknown: its estimate, .35 (.30 to .40), is below the .42 of satisfaction."},
		{"the other way round", stated(figure(-.3, -.4, -.2), seat, figure(-.5, -.6, -.4), one,
			ceiling),
			"People's ratings are lower where satisfaction is higher: Spearman -.30 (-.40 to -.20). Check that " +
				"the ratings belong to these dialogues, and that --scale has the worst end first. " +
				"Because people's ratings vary, no scorer can be expected above .70."},
		{"no figure at all", stated(MissingFigure("there are fewer than 20 rated dialogues"), missing,
			missing, missing, missing),
			"How satisfaction agrees with people cannot be determined: there are fewer than 20 rated " +
				"dialogues."},
		{"no intervals", bare,
			"Satisfaction agrees with people by a Spearman of .42; whether one more annotator would do better cannot be " +
				"determined: there are no intervals. Because people's ratings vary, no scorer can be expected above .70."},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			assert.Equal(t, tt.want, tt.rep.answer())
		})
	}
}

func TestAGoodJudgeBeatsOneAnnotatorAndABlindOneDoesNot(t *testing.T) {
	good := New(context.Background(), crowd(t, "a.txt", 200, 3, .1), options())
	assert.Contains(t, good.Answer[0], "better, by")
	rated := crowd(t, "a.txt", 200, 3, 0)
	for i := range rated { // shift each value to another dialogue
		rated[i].Row.Satisfaction = rated[(i*77+13)%200].Row.Satisfaction
	}
	blind := New(context.Background(), rated, options())
	assert.Regexp(t, "^No agreement|less well", blind.Answer[0])
}
