package rubric

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCrossCheck(t *testing.T) {
	same := [NumCriteria]Score{60, 60, 60, 60, 60, 60}
	for _, tt := range []struct {
		reason       string
		model, rules [NumCriteria]Score
		want         Hundredths
		agree        int
		doubt        int
		contradict   int
	}{
		{"the same scores", same, same, 0, 6, 0, 0},
		{"TaskSuccess weighs .40: one level", [NumCriteria]Score{80, 60, 60, 60, 60, 60}, same, 40,
			5, 1, 0},
		{"it counts alike downwards", [NumCriteria]Score{40, 60, 60, 60, 60, 60}, same, 40, 5, 1,
			0},
		{"ups and downs do not cancel out: .40 + .15", [NumCriteria]Score{80, 40, 60, 60, 60, 60},
			same, 55, 4, 2, 0},
		{"Empathy weighs .10: two levels", [NumCriteria]Score{60, 60, 60, 60, 100, 60}, same, 20, 5,
			0, 1},
		{"the ends of the scale", [NumCriteria]Score{100, 100, 100, 100, 100, 100},
			[NumCriteria]Score{20, 20, 20, 20, 20, 20}, 400, 0, 0, 6},
	} {
		check, err := Default().CrossCheck(tt.model, tt.rules)
		require.NoError(t, err, tt.reason)
		assert.Equal(t, tt.want, check.Disagreement, tt.reason)
		assert.Equal(t, []int{tt.agree, tt.doubt, tt.contradict},
			[]int{check.Count(Agree), check.Count(Doubt), check.Count(Contradict)}, tt.reason)
		swapped, err := Default().CrossCheck(tt.rules, tt.model)
		require.NoError(t, err, tt.reason)
		assert.Equal(t, check.Disagreement, swapped.Disagreement, "%s: the figure has no direction",
			tt.reason)
		for i, c := range check.Criteria {
			assert.Equal(t, -c.Levels(), swapped.Criteria[i].Levels(), "%s: the levels have one",
				tt.reason)
			assert.Equal(t, c.Verdict(), swapped.Criteria[i].Verdict(), tt.reason)
		}
	}
}

func TestCrossCheckNeedsScores(t *testing.T) {
	for _, bad := range []Score{0, 50, 120} {
		scores := [NumCriteria]Score{60, 60, 60, 60, 60, 60}
		wrong := scores
		wrong[Accuracy] = bad
		for _, pair := range [][2][NumCriteria]Score{{wrong, scores}, {scores, wrong}} {
			check, err := Default().CrossCheck(pair[0], pair[1])
			require.Error(t, err)
			assert.Contains(t, err.Error(), "Accuracy")
			assert.Zero(t, check)
		}
	}
}

func TestVerdictNames(t *testing.T) {
	assert.Equal(t, []string{"agree", "doubt", "contradict"},
		[]string{Agree.String(), Doubt.String(), Contradict.String()})
}
