package rubric

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric/dialogue"
)

// actor plays both agents with fixed answers.
type actor struct {
	card        Scorecard
	evaluateErr error
	critiqueErr error
	got         *Case
}

func (a actor) Evaluate(_ context.Context, c Case) (Scorecard, error) {
	if a.got != nil {
		*a.got = c
	}
	return a.card, a.evaluateErr
}

func (a actor) Critique(context.Context, Case, Scorecard) (Critique, error) {
	return Critique{}, a.critiqueErr
}

func TestJudge(t *testing.T) {
	want := bookingTrial(t)
	var got Case
	a := actor{card: want.Evaluator, got: &got}
	signals := []Signal{{ID: "x", Turn: 1}}
	p := Panel{Rubric: protocol(), Evaluator: a, Critic: a,
		Observe: func(dialogue.Dialogue) ([]Signal, error) { return signals, nil }}
	e, err := p.Judge(context.Background(), booking())
	require.NoError(t, err)
	assert.Equal(t, Case{booking(), signals}, got, "agents see the dialogue and the signals")
	assert.Equal(t, want.Evaluator, e.Final, "a silent Critic changes nothing")
	assert.Equal(t, want.EvaluatorAverage, e.Average)
	assert.Equal(t, Score(80), e.Overall)
}

func TestJudgeRefuses(t *testing.T) {
	say := func(role dialogue.Role, texts ...string) (turns []dialogue.Turn) {
		for _, text := range texts {
			turns = append(turns, dialogue.Turn{Role: role, Text: text})
		}
		return turns
	}
	both := append(say(dialogue.User, "hello"), say(dialogue.System, "hello")...)
	boom := errors.New("boom")
	card := bookingTrial(t).Evaluator
	for _, tt := range []struct {
		name     string
		turns    []dialogue.Turn
		observe  error
		agent    actor
		want     string
		unscored bool
	}{
		{"nothing", nil, nil, actor{}, "unscored: the dialogue has no USER turn with words in it",
			true},
		{"no user", say(dialogue.System, "hello"), nil, actor{},
			"unscored: the dialogue has no USER turn with words in it", true},
		{"no system", say(dialogue.User, "hello"), nil, actor{},
			"unscored: the dialogue has no SYSTEM turn with words in it", true},
		{"a tool is nobody", append(say(dialogue.User, "hello"), say(dialogue.Other, "hello")...),
			nil, actor{}, "unscored: the dialogue has no SYSTEM turn with words in it", true},
		{"wordless user", append(say(dialogue.User, "", "?!", "👍"), say(dialogue.System,
			"hello")...), nil, actor{}, "unscored: the dialogue has no USER turn with words in it",
			true},
		{"detectors decline", both, &Unscored{Reason: "mostly not in English"}, actor{},
			"detectors: unscored: mostly not in English", true},
		{"detectors fail", both, boom, actor{}, "detectors: boom", false},
		{"evaluator fails", both, nil, actor{evaluateErr: boom}, "evaluator: boom", false},
		{"evaluator forgets", both, nil, actor{},
			"evaluator: TaskSuccess is not scored; want 20, 40, 60, 80 or 100", false},
		{"critic fails", both, nil, actor{card: card, critiqueErr: &Unscored{Reason: "no answer"}},
			"critic: unscored: no answer", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := Panel{Rubric: protocol(), Evaluator: tt.agent, Critic: tt.agent,
				Observe: func(dialogue.Dialogue) ([]Signal, error) { return nil, tt.observe }}
			e, err := p.Judge(context.Background(), dialogue.Dialogue{Turns: tt.turns})
			assert.Nil(t, e)
			require.EqualError(t, err, tt.want)
			var unscored *Unscored
			assert.Equal(t, tt.unscored, errors.As(err, &unscored))
		})
	}
}
