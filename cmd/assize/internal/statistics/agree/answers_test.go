package agree

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

// pairs returns rated dialogues with people's and the scorecard's answers to one question. Each
// pair occurs the given number of times.
func pairs(t *testing.T, times map[[2]rubric.Answer]int, order ...[2]rubric.Answer,
) (list []ratings.Rated) {
	for _, p := range order {
		for range times[p] {
			row := rowOf(said(t, "a.txt", len(list)+1, 80, 400), len(list))
			row.Checklist = &rubric.Checklist{
				Answers: []rubric.Judged{{Question: "verified", Answer: p[1]}}}
			r := ratings.Rated{Row: row}
			if p[0] != "" {
				r.Answers = map[string]rubric.Answer{"verified": p[0]}
			}
			if p[0] == tied {
				r.Answers["verified"] = ""
			}
			list = append(list, r)
		}
	}
	return list
}

// tied are people's answers of which as many are yes as no.
const tied = "tied"

func TestAnswers(t *testing.T) {
	const yes, no, na, open = rubric.Yes, rubric.No, rubric.NotApplicable, rubric.Open
	order := [][2]rubric.Answer{{yes, yes}, {yes, no}, {no, yes}, {no, no}, {na, na}, {na, yes},
		{yes, open}, {"", yes}, {tied, yes}, {tied, na}}
	for _, tt := range []struct {
		reason      string
		times       [10]int // in that order
		same, kappa float64
		n           int
		oneSided    int
		why         string
	}{
		// Cohen (1960) of a table 20 5 10 15: (.7 - .5) / (1 - .5)
		{"a table of a textbook", [10]int{20, 5, 10, 15}, .7, .4, 50, 0, ""},
		{"other answers do not count", [10]int{20, 5, 10, 15, 7, 3, 2, 9, 4, 2}, .7, .4, 50, 5, ""},
		{"always the same", [10]int{20, 0, 0, 0}, 1, nan, 20, 0,
			"both sides give one and the same answer throughout"},
		{"too few", [10]int{10, 0, 0, 9}, nan, nan, 19, 0,
			"there are fewer than 20 dialogues with a yes or no on both sides"},
	} {
		times := map[[2]rubric.Answer]int{}
		for i, n := range tt.times {
			times[order[i]] = n
		}
		rep := New(t.Context(), pairs(t, times, order...), Options{Scale: ratings.DefaultScale,
			Worst: .2, Draws: 200, Seed: 1})
		require.Len(t, rep.Answers, 1, tt.reason)
		a := rep.Answers[0]
		assert.Equal(t, answerCounts{"verified", tt.times[0], tt.times[3], tt.times[2],
			tt.times[1], tt.oneSided, tt.times[8] + tt.times[9]}, a, tt.reason)
		assert.Equal(t, tt.n, a.n(), tt.reason)
		same := rep.Of(rep.Mean, Key{"verified", answered, sameAnswer})
		kappa := rep.Of(rep.Mean, Key{"verified", answered, answerKappa})
		if math.IsNaN(tt.kappa) {
			assert.True(t, math.IsNaN(kappa.Value), tt.reason)
			assert.Equal(t, tt.why, kappa.Warning, tt.reason)
		} else {
			assert.InDelta(t, tt.kappa, kappa.Value, 1e-12, tt.reason)
			assert.Less(t, kappa.Low, kappa.Value, tt.reason)
			assert.Greater(t, kappa.High, kappa.Value, tt.reason)
		}
		if !math.IsNaN(tt.same) {
			assert.InDelta(t, tt.same, same.Value, 1e-12, tt.reason)
			assert.Equal(t, tt.n, same.N, tt.reason)
		}
		data, err := json.Marshal(rep.Answers)
		require.NoError(t, err)
		assert.Contains(t, string(data), `"question":"verified","both_yes":`)

		var text bytes.Buffer
		page := ui.NewPage(&text, false)
		rep.Text(&page)
		require.NoError(t, page.Send(&text))
		assert.Contains(t, text.String(), "Answers to the scorecard", tt.reason)
		assert.Contains(t, text.String(), "only people say no;", tt.reason)
		assert.Contains(t, text.String(), "one side  tied\n", tt.reason)
		assert.NotContains(t, text.String(), "judge", tt.reason)
		assert.NotContains(t, text.String(), "annotator", "nobody rated anything: "+tt.reason)
	}
}

// Without an answer by people, the report has no place for answers.
func TestNoAnswers(t *testing.T) {
	rated := crowd(t, "a.txt", 30, 2, .5)
	for i := range rated {
		rated[i].Row.Checklist = &rubric.Checklist{
			Answers: []rubric.Judged{{Question: "verified", Answer: rubric.Yes}}}
	}
	rep := New(t.Context(), rated, Options{Scale: ratings.DefaultScale, Worst: .2})
	assert.Empty(t, rep.Answers)
	for _, f := range rep.Mean {
		assert.NotEqual(t, answered, f.Measure)
	}
}
