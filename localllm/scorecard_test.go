package localllm_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/localllm"
	"assize/localllm/fakeollama"
	"assize/rubric"
)

var twoQuestions = []rubric.Question{
	{ID: "sold", Ask: "Did SYSTEM sell anything?", By: rubric.ByModel},
	{ID: "greeted", Ask: "Did SYSTEM say goodbye?", By: rubric.ByModel},
}

// The questions of a scorecard are asked after all others and change no score.
func TestAskScorecard(t *testing.T) {
	s := serve(t, fakeollama.Tiny())
	s.Answer(func(r fakeollama.Request) string {
		switch {
		case strings.Contains(r.User, "sell anything"):
			return "0.123"
		case strings.Contains(r.User, "say goodbye"):
			return "0.9"
		}
		return fakeollama.Valid(r)
	})
	m := open(t, options(s))
	judge := func(list []rubric.Question) (rubric.Scorecard, localllm.Account) {
		h := m.Session(rubric.AllCriteria, 0)
		card, err := h.Evaluate(context.Background(), booking())
		require.NoError(t, err)
		require.NoError(t, h.AskScorecard(context.Background(), booking(), list))
		return card, h.Account()
	}
	without, alone := judge(nil)
	with, a := judge(twoQuestions)
	assert.Equal(t, without, with)
	assert.Nil(t, alone.Scorecard())
	assert.Equal(t, map[string]int{"sold": 123, "greeted": 900}, a.Scorecard())
	last := a.Calls[len(a.Calls)-1]
	assert.Equal(t, localllm.ForScorecard, last.Purpose)
	assert.Nil(t, last.Criterion)
	id := m.Identity()
	before, _ := id.Goodness(&alone)
	after, ok := id.Goodness(&a)
	assert.True(t, ok)
	assert.Equal(t, before, after)
}

// A session that judges nothing else can ask them too.
func TestAskScorecardAlone(t *testing.T) {
	s := serve(t, fakeollama.Tiny())
	m := open(t, options(s))
	h := m.Session(0, 0)
	require.NoError(t, h.AskScorecard(context.Background(), booking(), twoQuestions))
	a := h.Account()
	assert.Len(t, a.Scorecard(), 2)
	_, ok := h.Scores()
	assert.False(t, ok)
}

// A question without an answer is recorded, and the others are still asked; a server that has no
// probabilities is not asked at all.
func TestScorecardWithoutAnswers(t *testing.T) {
	for _, failure := range []string{"no-probabilities", "neither", "positive", "nan"} {
		s := serve(t, fakeollama.Tiny())
		m := open(t, options(s))
		s.Fail(failure, 100)
		h := m.Session(0, 0)
		require.NoError(t, h.AskScorecard(context.Background(), booking(), twoQuestions), failure)
		a := h.Account()
		assert.Nil(t, a.Scorecard(), failure)
		assert.NotEmpty(t, a.Calls, failure)
		for _, call := range a.Calls {
			assert.NotEmpty(t, call.Failure, failure)
		}
	}
}

func TestAskScorecardStops(t *testing.T) {
	s := serve(t, fakeollama.Tiny())
	h := open(t, options(s)).Session(0, 0)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	assert.ErrorIs(t, h.AskScorecard(ctx, booking(), twoQuestions), context.Canceled)
}

// In a long dialogue, what happens in any part counts.
func TestScorecardOfWindows(t *testing.T) {
	high, low, invalid := 800, 200, 1200
	a := localllm.Account{Calls: []localllm.Call{
		{Purpose: localllm.ForScorecard, Question: "a", Yes: &low, Window: 1},
		{Purpose: localllm.ForScorecard, Question: "a", Yes: &high, Window: 2},
		{Purpose: localllm.ForScorecard, Question: "b", Yes: &invalid},
		{Purpose: localllm.ForQuestion, Question: "solved", Yes: &high},
		{Purpose: localllm.ForScorecard, Question: "c", Failure: localllm.NoAnswer},
	}}
	assert.Equal(t, map[string]int{"a": 800}, a.Scorecard())
	assert.Nil(t, (*localllm.Account)(nil).Scorecard())
}
