package agree

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/compare"
	"assize/rubric"
)

// judge makes a judge of n dialogues, each with the score and the satisfaction that says gives.
func judge(t testing.TB, name string, n int, says func(int) (rubric.Score, rubric.Hundredths)) *compare.Run {
	j := compare.NewRun(name)
	for i := range n {
		score, satisfaction := says(i)
		j.Add(said(t, "calls.txt", i+1, score, satisfaction).Row(i+1), nil)
	}
	return j
}

func plainly(i int) (rubric.Score, rubric.Hundredths) {
	return rubric.Scale[i%5], rubric.Hundredths(100 + 4*(i%100))
}

func TestJudgesAgree(t *testing.T) {
	stricter := func(i int) (rubric.Score, rubric.Hundredths) {
		score, satisfaction := plainly(i)
		if i%4 == 0 && score > 20 { // 16 of 80: of every 20 dialogues five are asked for, and one of them is at the bottom
			score -= 20
		}
		return score, satisfaction - 10
	}
	js := NewJudges(context.Background(), judge(t, "a", 80, plainly), []*compare.Run{judge(t, "b", 90, stricter)}, options())
	require.Len(t, js.Against, 1)
	assert.Nil(t, js.Together)
	o := &js.Against[0]
	at := func(measure string, s Statistic) float64 { return o.Of(o.Mean, Key{"", measure, s}).Value }
	assert.Equal(t, 80, o.Dialogues)
	for _, m := range append([]string{Overall}, "Empathy", "Fluency") {
		assert.InDelta(t, .8, at(m, Exact), 1e-12, m)
		assert.Equal(t, 1.0, at(m, Within), m)
		assert.InDelta(t, kappaByHand(80, plainly, stricter), at(m, Kappa), 1e-12, m)
		assert.Less(t, at(m, Spearman), 1.0)
	}
	assert.InDelta(t, -.1, at(Satisfaction, MeanDifference), 1e-12)
	assert.Equal(t, 1.0, at(Satisfaction, Spearman))
	assert.InDelta(t, -4, at(Average, MeanDifference), 1e-12, "20 points in a fifth of the dialogues")
	assert.Equal(t, "The two give 80.0 % of the dialogues the same OverallExperience, and 100.0 % one that is no more than a level away.", o.Answer)
	assert.Contains(t, o.Notes, "Dialogues left out: 0 only in the first run, 10 only in the other, 0 that one judge alone scored.")
}

// kappaByHand is the textbook's sum over the table of levels.
func kappaByHand(n int, a, b func(int) (rubric.Score, rubric.Hundredths)) float64 {
	var table [5][5]float64
	for i := range n {
		x, _ := a(i)
		y, _ := b(i)
		table[x.Level()][y.Level()]++
	}
	var seen, chance float64
	for i := range 5 {
		for j := range 5 {
			var row, column float64
			for k := range 5 {
				row, column = row+table[i][k], column+table[k][j]
			}
			w := float64((i - j) * (i - j))
			seen, chance = seen+w*table[i][j], chance+w*row*column/float64(n)
		}
	}
	return 1 - seen/chance
}

func TestJudgesWhoSayTheSame(t *testing.T) {
	js := NewJudges(context.Background(), judge(t, "a", 40, plainly), []*compare.Run{judge(t, "b", 40, plainly)}, options())
	assert.Equal(t, "The two say the same of every dialogue that both scored.", js.Against[0].Answer)
}

func TestStabilityOverRepeats(t *testing.T) {
	wavers := func(run int) func(int) (rubric.Score, rubric.Hundredths) {
		return func(i int) (rubric.Score, rubric.Hundredths) {
			score, satisfaction := plainly(i)
			if i%10 == 2*run { // each repeat changes another tenth; levels there are 20, 60 and 100
				score = 80
			}
			return score, satisfaction
		}
	}
	first := judge(t, "0", 50, plainly)
	js := NewJudges(context.Background(), first, []*compare.Run{judge(t, "1", 50, wavers(1)), judge(t, "2", 50, wavers(2))}, options())
	require.NotNil(t, js.Together)
	f := js.Together.Of(js.Together.Mean, Key{"", Overall, Changed})
	assert.InDelta(t, .2, f.Value, 1e-12)
	assert.False(t, math.IsNaN(f.Low))
	assert.Regexp(t, `^Over the 3 judges the OverallExperience changes in 20\.0 % of the dialogues\.$`, js.Together.Answer)
	alpha := js.Together.Of(js.Together.Mean, Key{"", Satisfaction, AlphaInterval})
	assert.Equal(t, 1.0, alpha.Value)
}

func TestJudgesOfTooLittle(t *testing.T) {
	js := NewJudges(context.Background(), judge(t, "a", 5, plainly), []*compare.Run{judge(t, "b", 5, plainly)}, options())
	assert.Equal(t, "How the two agree cannot be told: there are fewer than 20 dialogues that both scored.", js.Against[0].Answer)
	for _, f := range js.Against[0].Mean {
		assert.True(t, math.IsNaN(f.Value))
	}
	elsewhere := compare.NewRun("c")
	elsewhere.Add(said(t, "other.txt", 1, 80, 300).Row(1), nil)
	js = NewJudges(context.Background(), judge(t, "a", 5, plainly), []*compare.Run{elsewhere}, options())
	assert.Equal(t, "How the two agree cannot be told: there are no dialogues that both scored.", js.Against[0].Answer)
	assert.Equal(t, 0, js.Against[0].Dialogues)
}
