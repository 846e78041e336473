package localllm

import (
	"math"
	"testing"

	"github.com/ollama/ollama/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric"
)

func TestQuestionsThatAreRefused(t *testing.T) {
	one := "- {id: a, criterion: Fluency, ask: Is it fluent?, good: yes}\n"
	for _, tt := range []struct{ file, says string }{
		{"- {id: A b, criterion: Fluency, ask: x, good: yes}",
			`question 1 has the id "A b"; want a word such as solved`},
		{one + one, "two questions have the id a"},
		{"- {id: a, criterion: Charm, ask: x, good: yes}", "a: "},
		{"- {id: a, criterion: Fluency, good: yes}", "a has no question; want ask with a question"},
		{"- {id: a, criterion: Fluency, ask: x, good: maybe}",
			`a has the good answer "maybe"; want yes or no`},
		{"- {id: a, criterion: Fluency, ask: x, good: yes, weight: 2}", "unknown field"},
		{one, "no question is about TaskSuccess; want one or more for each criterion"},
	} {
		_, err := parseQuestions([]byte(tt.file))
		assert.ErrorContains(t, err, tt.says)
	}
}

func TestReadYes(t *testing.T) {
	likely := func(pairs ...any) (list []candidate) {
		for i := 0; i < len(pairs); i += 2 {
			list = append(list, candidate{pairs[i].(string), math.Log(pairs[i+1].(float64))})
		}
		return list
	}
	for _, tt := range []struct {
		list []candidate
		yes  int
		want FailureKind
	}{
		{likely("Yes", .6, "No", .2), 750, ""},
		{likely(" yes", .3, "YES.", .3, "no", .1, "**No", .1), 750, ""}, // in any spelling
		{likely("Yes", 1.0), 1000, ""},
		{likely("No", .5), 0, ""},
		{likely("Yes", .2, "No", .2, "The", .5), 0, NoAnswer},
		{likely("Not", .9), 0, NoAnswer},
		{nil, 0, BadProbabilities},
		{[]candidate{{"Yes", math.NaN()}}, 0, BadProbabilities},
		{[]candidate{{"Yes", math.Inf(1)}}, 0, BadProbabilities},
		{[]candidate{{"Yes", math.Inf(-1)}, {"No", 0}}, 0, ""},
		{[]candidate{{"Yes", .5}}, 0, BadProbabilities},
		{likely("Yes", .9, "No", .9), 0, BadProbabilities},
	} {
		yes, f := readYes(tt.list)
		if tt.want == "" {
			require.Nil(t, f, "%v", tt.list)
		} else {
			require.NotNil(t, f, "%v", tt.list)
			assert.Equal(t, tt.want, f.Kind, "%v", tt.list)
		}
		assert.Equal(t, tt.yes, yes, "%v", tt.list)
	}
}

func TestCandidates(t *testing.T) {
	assert.Empty(t, candidates(nil))
	first := api.Logprob{TopLogprobs: make([]api.TokenLogprob, 500)}
	assert.Len(t, candidates([]api.Logprob{first, first}), maxCandidates)
}

// For any server response, nothing panics, and an accepted probability is in range.
func FuzzReadYes(f *testing.F) {
	f.Add("Yes", -.1, "No", -2.3)
	f.Add(" yes", math.Inf(-1), "\xff", math.NaN())
	f.Fuzz(func(t *testing.T, a string, p float64, b string, q float64) {
		yes, failed := readYes([]candidate{{a, p}, {b, q}})
		if failed == nil {
			assert.True(t, yes >= 0 && yes <= 1000)
		}
	})
}

func TestScale(t *testing.T) {
	s := Scale{Cuts: [4]int{0, 300, 301, 1001}}
	for goodness, want := range map[int]rubric.Score{1: 40, 299: 40, 300: 60, 301: 80, 1000: 80} {
		assert.Equal(t, want, s.Score(goodness), goodness)
	}
	assert.Equal(t, rubric.Score(60), DefaultScale.Score(599))
}

// Goodness is the mean over questions, and over windows weighted by turns; for TaskSuccess only the
// last window is asked.
func TestGoodness(t *testing.T) {
	id := Identity{Questions: []Question{
		{ID: "solved", Criterion: rubric.TaskSuccess, Good: "yes"},
		{ID: "open", Criterion: rubric.TaskSuccess, Good: "no"},
		{ID: "warm", Criterion: rubric.Empathy, Good: "yes"},
	}}
	call := func(question string, yes, window int) Call {
		return Call{Purpose: ForQuestion, Question: question, Yes: &yes, Window: window}
	}
	g, ok := id.Goodness(&Account{Calls: []Call{call("solved", 700, 0), call("open", 200, 0),
		{Purpose: ForQuestion, Question: "warm"}}})
	assert.True(t, ok)
	assert.Equal(t, Goodness{750, 0, 0, 0, 0, 0}, g, "what is unanswered counts for nothing")
	g, ok = id.Goodness(&Account{
		Windows: []Window{{1, 30}, {25, 34}},
		Calls:   []Call{call("warm", 900, 1), call("solved", 100, 2), call("warm", 500, 2)},
	})
	assert.True(t, ok)
	assert.Equal(t, Goodness{100, 0, 0, 0, 800, 0}, g)
	for _, bad := range []Call{call("other", 1, 0), call("warm", 1001, 0), call("warm", -1, 0),
		call("warm", 1, 1), call("warm", 1, -1)} {
		_, ok = id.Goodness(&Account{Calls: []Call{bad}})
		assert.False(t, ok, "%+v", bad)
	}
	_, ok = id.Goodness(&Account{})
	assert.False(t, ok)
}
