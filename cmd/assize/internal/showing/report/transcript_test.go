package report

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/run"
	"assize/heuristics/satisfaction"
	"assize/rubric"
)

// Claims that the Referee rejected are marked, and every quote is in the turn that it names.
func TestTranscript(t *testing.T) {
	text, err := os.ReadFile("../../../../../testdata/mended.txt") // the Critic objects
	require.NoError(t, err)
	got := NewTranscript(judged(t, 7, string(text)), "")
	require.Len(t, got.Scores, rubric.NumCriteria)
	overruled := 0
	for _, j := range got.Scores {
		for _, s := range j.Says {
			for _, q := range s.Quotes {
				assert.Contains(t, got.Turns[q.Turn-1].Text, strings.TrimSuffix(q.Text, "…"),
					j.Criterion)
			}
			if !s.Followed {
				overruled++
			}
		}
		assert.Equal(t, j.Before != j.After, len(j.Says) == 2 && j.Says[1].Followed,
			"a change has a Critic")
	}
	assert.Positive(t, overruled)
	assert.Negative(t, int(got.Turns[1].Points), "the friction map is about the SYSTEM's turn")
	assert.Equal(t, "a␛\n b", shown("a\x1b\r\n\tb"), "control signs are shown, line breaks kept")
}

// The page stays small for any dialogues; of those that do not fit, the figures remain.
func TestPageIsFull(t *testing.T) {
	r := judged(t, 1,
		"USER: I want a taxi\nSYSTEM: Which one?\n"+strings.Repeat(
			"USER: The "+strings.Repeat("long ", 1000)+"one.\nSYSTEM: I see.\n", 35))
	p := New(100, 0)
	for i := range 60 {
		r.Keys = &run.Keys{Said: run.Key{byte(i)}, Copy: run.Key{byte(i), 1}}
		p.Add(&run.Line{File: "run.jsonl", Header: &run.Header{Basis: run.DefaultBasis()}}, r)
	}
	page := written(t, p)
	kept := strings.Count(page, `<details class="static"`)
	assert.Greater(t, kept, 15)
	assert.Less(t, kept, 30)
	assert.Less(t, len(page), 8<<20)
	assert.Contains(t, page, "The numbers of all 60 dialogues are here.")
}

// The reasons that lowered and raised satisfaction come first, with quotes, and untrusted text
// stays text.
func TestTranscriptSaysWhy(t *testing.T) {
	r := judged(t, 7, harmful)
	words := strings.TrimSuffix(r.Dialogue.Turns[0].Text, " ")
	r.Reasons = []satisfaction.Reason{{Points: -12, Turn: 1, What: "harm", Quote: words},
		{Points: 5, Turn: 3, What: "no", Quote: "No"}}
	got := NewTranscript(r, "")
	require.Len(t, got.Because, 2)
	assert.Equal(t, "Satisfaction lowered by 0.12 (harm).", got.Because[0].Claim)
	assert.Equal(t, "Satisfaction raised by 0.05 (no).", got.Because[1].Claim)
	assert.Equal(t, []quote{{1, "t1", "customer", words}}, got.Because[0].Quotes)
	page := written(t, pageOf(r))
	assert.Contains(t, page, `<p class="says">Satisfaction lowered by 0.12 (harm).`)
	assert.NotContains(t, page, "<script>harm()")
}

// The scorecard is shown with its quotes, which are marked in their turns, and its questions are
// menus of the list.
func TestScorecard(t *testing.T) {
	r := judged(t, 1, lost)
	r.Evaluation.Rubric.Questions = []rubric.Question{
		{ID: "sorry", Ask: "Did SYSTEM say <b>sorry</b>?"},
		{ID: "sold", Ask: "Did SYSTEM sell?", Good: rubric.No},
		{ID: "solved", Ask: "Is it solved?", By: rubric.ByModel},
		{ID: "refunded", Ask: "Is it refunded?"}}
	score := rubric.Hundredths(5000)
	r.Checklist = &rubric.Checklist{Score: &score, Answers: []rubric.Judged{
		{Question: "sorry", Answer: rubric.Yes, By: rubric.ByRules, Turn: 4, Quote: "I am sorry"},
		{Question: "sold", Answer: rubric.Yes, By: rubric.ByRules},
		{Question: "solved", Answer: rubric.Open, By: rubric.ByModel, Why: "no model answered"},
		{Question: "refunded", Answer: rubric.NotApplicable, By: rubric.ByRules}}}
	p := New(20, 10)
	header := &run.Header{Basis: run.DefaultBasis()}
	header.Basis.Rubric = r.Evaluation.Rubric
	for i, r := range []*run.Record{r, judged(t, 2, found)} {
		if i > 0 {
			r.Checklist = nil
		}
		p.Add(&run.Line{File: "run.jsonl", Header: header}, r)
	}
	page := written(t, p)
	for _, words := range []string{"Checklist of the scorecard: 50.00 %", "Did SYSTEM say &lt;b&gt;sorry&lt;/b&gt;?",
		`title="good">&nbsp;✓&nbsp;yes`, `title="bad">&nbsp;✗&nbsp;yes`,
		`class="ruling">open</span>`, "no model answered", `class="ruling">n/a</span>`,
		`">I am sorry</mark>`, `t4" dir="auto">“I am sorry”</a>`,
		`sold: Did SYSTEM sell?</a></th><td>0</td><td>1</td><td>0</td><td>1</td><td>0.0 % `,
		`<a href="#%3F&#43;sold=yes">`} {
		assert.Contains(t, page, words)
	}
	assert.Contains(t, dataOf(t, page), `{"key":"? sold"}`)
	var b strings.Builder
	require.NoError(t, p.Markdown(&b))
	assert.Contains(t, b.String(), "### Scorecard")
}

// A quote of a score for which nothing was found is marked, but as neither good nor bad.
func TestQuotesThatShowNothingHaveNoColour(t *testing.T) {
	r := judged(t, 1, "USER: Where is my order?\n"+
		"SYSTEM: Please send your order number.\nUSER: 4471.\n"+
		"SYSTEM: Please provide your order number.\nUSER: I have just given it: 4471.\n"+
		"SYSTEM: Please provide your order number.\n")
	got := NewTranscript(r, "")
	plain := 0
	for _, turn := range got.Turns {
		for _, p := range turn.Pieces {
			if turn.Role == "agent" {
				assert.NotContains(t, []string{"s80", "s100"}, p.Class, "turn %d", turn.Number)
			}
			if p.Class == "s0" {
				plain++
			}
		}
	}
	assert.Positive(t, plain)
	assert.True(t, r.Evaluation.Evaluator[rubric.Fluency].Unfounded())
	assert.EqualValues(t, 100, got.Scores[rubric.Fluency].After)
}
