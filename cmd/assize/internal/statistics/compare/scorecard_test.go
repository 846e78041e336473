package compare

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
)

// asked returns a run of dialogues with the given checklists, which are answers to the questions.
func asked(questions []rubric.Question, answers ...[]rubric.Answer) *Run {
	h := header()
	h.Basis.Rubric.Questions = questions
	r := many(len(answers), always(80))
	for i, given := range answers {
		list := &rubric.Checklist{}
		good, n := 0, 0
		for k, a := range given {
			list.Answers = append(list.Answers, rubric.Judged{Question: questions[k].ID, Answer: a})
			if a == rubric.Yes || a == rubric.No {
				if n++; a == questions[k].GoodAnswer() {
					good++
				}
			}
		}
		if n > 0 {
			score := rubric.Hundredths(10000 * good / n)
			list.Score = &score
		}
		r.Rows[i].Checklist = list
	}
	r.Header = *h
	return r
}

func TestScorecards(t *testing.T) {
	const yes, no, na = rubric.Yes, rubric.No, rubric.NotApplicable
	verified := rubric.Question{ID: "verified"}
	pushed := rubric.Question{ID: "pushed", Good: no}
	bad, good, mixed := []rubric.Answer{no, yes}, []rubric.Answer{yes, no}, []rubric.Answer{na, yes}
	a := asked([]rubric.Question{verified, pushed}, bad, bad, bad, bad, bad, bad, bad, mixed)
	b := asked([]rubric.Question{verified, pushed}, good, good, good, good, good, good, bad, good)
	c := New(a, b, usual)
	require.Equal(t, Paired, c.Mode)
	require.Len(t, c.All, numMeasures+3)
	for i, want := range []struct {
		name            string
		n, rose, stayed int
		a, b            string
	}{{"checklist", 8, 7, 1, "0.00", "87.50"}, {"percent_good verified", 7, 6, 1, "0.00", "85.71"},
		{"percent_good pushed", 8, 7, 1, "0.00", "87.50"}} {
		f := c.All[numMeasures+i]
		assert.Equal(t, want.name, f.Measure.name)
		assert.Equal(t, []int{want.n, want.n, want.rose, 0, want.stayed},
			[]int{f.NA, f.NB, f.Rose, f.Fell, f.Stayed}, want.name)
		assert.Equal(t, []string{want.a, want.b}, []string{f.A.String(), f.B.String()}, want.name)
		assert.True(t, f.isSignificant(), want.name)
	}
	var text bytes.Buffer
	page := ui.NewPage(&text, false)
	c.Text(&page)
	require.NoError(t, page.Send(&text))
	assert.Contains(t, text.String(),
		"Figures of the scorecard that rose: checklist, % good, verified, % good, pushed")

	other := pushed
	other.Good = yes
	for _, tt := range []struct {
		reason string
		b      *Run
		more   []string
	}{
		{"B has no scorecard", many(8, always(80)), nil},
		{"B has one of the questions", asked([]rubric.Question{pushed}, bad[1:], bad[1:]),
			[]string{"checklist", "percent_good pushed"}},
		{"the good answer is another", asked([]rubric.Question{verified, other}, bad, bad),
			[]string{"checklist", "percent_good verified"}},
		{"a question that nobody answered", asked([]rubric.Question{verified},
			[]rubric.Answer{na}, []rubric.Answer{na}), nil},
	} {
		c := New(a, tt.b, usual)
		var more []string
		for _, f := range c.All[numMeasures:] {
			more = append(more, f.Measure.name)
			assert.Nil(t, f.Interval, "two are too few")
		}
		assert.Equal(t, tt.more, more, tt.reason)
	}
}
