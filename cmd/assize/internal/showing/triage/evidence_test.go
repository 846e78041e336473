package triage

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// evaluation returns one with lines such as "USER words" and all scores at 100.
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

// The evidence consists of the valid quotes of the final rating that cost most.
func TestEvidence(t *testing.T) {
	chat := []string{
		"USER I need a room with a bath for two nights.",
		"SYSTEM There is one at the Bell, with a shower.",
		"USER No, I want one with a bath.",
		"SYSTEM I am afraid there is none.",
	}
	for _, tt := range []struct {
		reason  string
		claimed []rubric.Quote // by the final rating of TaskSuccess
		want    []rubric.Quote
	}{
		{"as the rating quotes them", []rubric.Quote{said(3, "one with a bath")}, []rubric.Quote{said(3,
			"one with a bath")}},
		{"nothing that nobody said", []rubric.Quote{said(3, "one with a view"), said(9, "of no turn")},
			nil},
		{
			"two at most",
			[]rubric.Quote{said(4, "I am afraid"), said(3, "No"), said(2, "at the Bell")},
			[]rubric.Quote{said(4, "I am afraid"), said(3, "No")},
		},
	} {
		e := evaluation(chat...)
		e.Final[rubric.TaskSuccess] = rubric.Rating{Score: 40, Claim: "the request failed",
			Quotes: tt.claimed}
		got := Explain(e)
		assert.Equal(t, tt.want, got.Evidence, tt.reason)
		assert.Equal(t, "The request failed.", got.Claim, tt.reason)
	}
	assert.Zero(t, Explain(evaluation(chat...)).Score, "nothing failed")
}

func TestFinding(t *testing.T) {
	for _, tt := range []struct{ reason, claim, want string }{
		{"a rule's claim", "The request failed: the USER gives up (in 3 turns).",
			"the USER gives up (in 3 turns)"},
		{"no finding", "Not shown: nothing that could be checked.",
			"Not shown: nothing that could be checked"},
		{"a model's claim", "The agent promised: a refund.", "The agent promised: a refund"},
		{"none", "", ""},
	} {
		assert.Equal(t, tt.want, (&Explanation{Claim: tt.claim}).Finding(), tt.reason)
	}
}

// The finding is in plain words, but a quote is what was said.
func TestReasonKeepsQuotes(t *testing.T) {
	x := Explanation{Criterion: rubric.TaskSuccess, Score: 20, Claim: "It failed: the USER gives up.",
		Evidence: []rubric.Quote{{Turn: 1, Text: "The SYSTEM is down."}}}
	assert.Equal(t, "“The SYSTEM is down.” Task success 20: the customer gives up", x.Reason())
}
