package triage

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// evaluation makes one of lines such as "USER words" with all scores at 100.
func evaluation(lines ...string) *rubric.Evaluation {
	e := &rubric.Evaluation{Rubric: rubric.Default()}
	for _, line := range lines {
		name, text, _ := strings.Cut(line, " ")
		role, err := dialogue.ParseRole(name)
		if err != nil {
			panic(err)
		}
		e.Dialogue.Turns = append(e.Dialogue.Turns, dialogue.Turn{Role: role, Text: text})
	}
	for i := range e.Final {
		e.Final[i].Score = 100
	}
	return e
}

func said(turn int, text string) rubric.Quote { return rubric.Quote{Turn: turn, Text: text} }

func TestFailed(t *testing.T) {
	for _, tt := range []struct {
		reason string
		scores [rubric.NumCriteria]rubric.Score
		want   rubric.Criterion
		none   bool
	}{
		{"what cost most points: 40 percent of 20 are 8", [6]rubric.Score{80, 100, 100, 100, 40, 100}, rubric.TaskSuccess, false},
		{"10 percent of 80 are 8, and the lower score comes first", [6]rubric.Score{80, 100, 100, 100, 20, 100}, rubric.Empathy, false},
		{"15 percent of 60 are 9", [6]rubric.Score{80, 100, 40, 100, 20, 100}, rubric.Accuracy, false},
		{"of equals the first", [6]rubric.Score{100, 60, 60, 100, 100, 100}, rubric.Helpfulness, false},
		{"nothing failed", [6]rubric.Score{100, 100, 100, 100, 100, 100}, 0, true},
	} {
		e := evaluation()
		for i, s := range tt.scores {
			e.Final[i].Score = s
		}
		got, ok := failed(e)
		assert.Equal(t, !tt.none, ok, tt.reason)
		assert.Equal(t, tt.want, got, tt.reason)
	}
}

func TestEvidence(t *testing.T) {
	chat := []string{
		"USER I need a room with a bath for two nights.",
		"SYSTEM There is one at the Bell, with a shower.",
		"USER No, I want one with a bath.",
		"SYSTEM I am afraid there is none.",
		"USER No.",
		"SYSTEM Anything else I can do?",
		"USER No, that is all.",
	}
	task, empathy := rubric.SetOf(rubric.TaskSuccess), rubric.SetOf(rubric.Empathy)
	for _, tt := range []struct {
		reason  string
		signals []rubric.Signal
		claimed []rubric.Quote // by the final rating of TaskSuccess
		want    []rubric.Quote
	}{
		{
			"the heaviest turn and the next, in the order of the turns",
			[]rubric.Signal{{Turn: 3, Points: -100, Criteria: task}, {Turn: 4, Points: -250, Criteria: task}}, nil,
			[]rubric.Quote{said(3, "No, I want one with a bath."), said(4, "I am afraid there is none.")},
		}, {
			"a second that weighs less than a point says too little",
			[]rubric.Signal{{Turn: 3, Points: -250, Criteria: task}, {Turn: 4, Points: -75, Criteria: task}}, nil,
			[]rubric.Quote{said(3, "No, I want one with a bath.")},
		}, {
			"the signals of a turn add up",
			[]rubric.Signal{{Turn: 3, Points: -60, Criteria: task}, {Turn: 3, Points: -60, Criteria: task}, {Turn: 4, Points: -100, Criteria: task}}, nil,
			[]rubric.Quote{said(3, "No, I want one with a bath."), said(4, "I am afraid there is none.")},
		}, {
			"the criterion that failed comes first, however heavy another",
			[]rubric.Signal{{Turn: 2, Points: -300, Criteria: empathy}, {Turn: 3, Points: -300, Criteria: empathy}, {Turn: 4, Points: -50, Criteria: task}}, nil,
			[]rubric.Quote{said(3, "No, I want one with a bath."), said(4, "I am afraid there is none.")},
		}, {
			"another speaks where nothing is against the one that failed",
			[]rubric.Signal{{Turn: 2, Points: -50, Criteria: empathy}, {Turn: 4, Points: 200, Criteria: task}}, nil,
			[]rubric.Quote{said(2, "There is one at the Bell, with a shower.")},
		}, {
			"a bare no says little by itself",
			[]rubric.Signal{{Turn: 3, Points: -200, Criteria: task}, {Turn: 5, Points: -350, Criteria: task}}, nil,
			[]rubric.Quote{said(3, "No, I want one with a bath."), said(5, "No.")},
		}, {
			"of equals the later one",
			[]rubric.Signal{{Turn: 2, Points: -90, Criteria: task}, {Turn: 4, Points: -90, Criteria: task}}, nil,
			[]rubric.Quote{said(4, "I am afraid there is none.")},
		}, {
			"what is mute is no evidence",
			[]rubric.Signal{{ID: "mute", Turn: 7, Points: -400, Criteria: task}, {Turn: 4, Points: -75, Criteria: task}}, nil,
			[]rubric.Quote{said(4, "I am afraid there is none.")},
		}, {
			"what speaks to no criterion speaks against nothing",
			[]rubric.Signal{{Turn: 1, Points: -400}}, []rubric.Quote{said(4, "I am afraid")},
			[]rubric.Quote{said(4, "I am afraid")},
		}, {
			"the words of the rating are taken where it has some there",
			[]rubric.Signal{{Turn: 3, Points: -250, Criteria: task}}, []rubric.Quote{said(3, "one with a bath")},
			[]rubric.Quote{said(3, "one with a bath")},
		}, {
			"but not where nobody said them",
			[]rubric.Signal{{Turn: 3, Points: -250, Criteria: task}}, []rubric.Quote{said(3, "one with a view")},
			[]rubric.Quote{said(3, "No, I want one with a bath.")},
		}, {
			"without a signal, what the rating rests on",
			nil, []rubric.Quote{said(4, "I am afraid"), said(9, "of no turn"), said(6, "Anything else"), said(2, "at the Bell")},
			[]rubric.Quote{said(4, "I am afraid"), said(6, "Anything else")},
		},
		{"and without that nothing", nil, nil, nil},
	} {
		e := evaluation(chat...)
		e.Signals = tt.signals
		e.Final[rubric.TaskSuccess] = rubric.Rating{Score: 40, Quotes: tt.claimed}
		got := Explain(e, map[string]bool{"mute": true}).Evidence
		assert.Equal(t, tt.want, got, tt.reason)
		for _, q := range got {
			assert.True(t, q.Verify(e.Dialogue), tt.reason)
		}
	}
	assert.Nil(t, Explain(evaluation(chat...), nil).Evidence, "nothing failed")
}
