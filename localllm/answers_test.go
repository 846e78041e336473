package localllm_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/localllm"
	"assize/localllm/fakeollama"
	"assize/rubric"
)

// Answers of a model to the question about Helpfulness for the booking dialogue, in which turns 2,
// 4 and 7 are the SYSTEM's, turn 6 is the USER's and turn 5 a tool's, on a server without
// probabilities. An unusable answer leaves the dialogue unscored.
func TestAnswers(t *testing.T) {
	s := serve(t, old())
	m := open(t, options(s))
	for _, tt := range []struct {
		answer string
		want   localllm.FailureKind
		reason string
	}{
		{`{"Helpfulness":{"turn":4,"score":60}}`, "", "what is asked for"},
		{`{"Helpfulness":{"score":60,"turn":4}}`, "",
			"the order is for the model, which is to look before it scores"},
		{"{\n  \"Helpfulness\"\n: {\"turn\":4,\"score\": 60}\n\n}\n", "",
			"white space, as SmolLM2-135M writes it"},
		{"```json\n{\"Helpfulness\":{\"turn\":4,\"score\":60}}\n```", "",
			"a server that ignores the schema"},
		{`{"Helpfulness":{"turn":"4","score":"60"}}`, "", "the same numbers in quotation marks"},
		{`{"Helpfulness":{"turn":4,"score":60},"OverallExperience":100,"agree":true}`, "",
			"members that nobody asked for"},
		{"  \n \n", localllm.EmptyAnswer, "white space alone"},
		{"[8] USER: I like it.\n[9] SYSTEM: Great!", localllm.NotJSON,
			"as from a model without a chat template"},
		{"System: no\n\nThe USER's goal is fulfilled.", localllm.NotJSON,
			"as where the server dropped the grammar"},
		{`{"Helpfulness":{"turn":4,"score":6`, localllm.NotJSON,
			"half of an answer that does not say that it was cut"},
		{`[4,60]`, localllm.NotJSON, "a list in place of an object"},
		{`null`, localllm.NotJSON, "null is JSON and says nothing"},
		{`{"Helpfulness":{"turn":4,"score":60}} {"Helpfulness":{"turn":4,"score":60}}`,
			localllm.NotJSON, "two answers"},
		{`{"Accuracy":{"turn":4,"score":60}}`, localllm.MissingCriterion, "another criterion"},
		{`{"helpfulness":{"turn":4,"score":60}}`, localllm.MissingCriterion,
			"criteria of another rubric"},
		{`{"Helpfulness":60}`, localllm.MissingCriterion, "a number where turn and score belong"},
		{`{"Helpfulness":null}`, localllm.MissingCriterion, "null is nothing"},
		{`{"Helpfulness":{"turn":null,"score":60}}`, localllm.MissingCriterion, "null is no turn"},
		{`{"Helpfulness":{"turn":4}}`, localllm.MissingCriterion, "a turn without a score"},
		{`{"Helpfulness":{"turn":4,"score":90}}`, localllm.OffScale,
			"90 is not on the scale, and is not rounded"},
		{`{"Helpfulness":{"turn":4,"score":80.5}}`, localllm.OffScale, "80.5 is not on the scale"},
		{`{"Helpfulness":{"turn":4,"score":5}}`, localllm.OffScale,
			"a five-point scale is another one"},
		{`{"Helpfulness":{"turn":4,"score":0}}`, localllm.OffScale, "zero is no low score"},
		{`{"Helpfulness":{"turn":4,"score":-80}}`, localllm.OffScale, "below the scale"},
		{`{"Helpfulness":{"turn":4,"score":336}}`, localllm.OffScale,
			"336 is not 80, its last byte"},
		{`{"Helpfulness":{"turn":9,"score":60}}`, localllm.NoSuchTurn, "turn 9 of 7"},
		{`{"Helpfulness":{"turn":0,"score":60}}`, localllm.NoSuchTurn, "turns are counted from 1"},
		{`{"Helpfulness":{"turn":99999999999999999999999,"score":60}}`, localllm.NoSuchTurn,
			"a number beyond all turns"},
		{`{"Helpfulness":{"turn":5,"score":60}}`, localllm.NoSuchTurn,
			"a tool's turn is no evidence"},
		{`{"Helpfulness":{"turn":6,"score":60}}`, localllm.NoSuchTurn,
			"the SYSTEM's help is not shown by the USER"},
	} {
		s.Answer(func(r fakeollama.Request) string {
			if r.Criterion == "Helpfulness" {
				return tt.answer
			}
			return fakeollama.Valid(r)
		})
		h := m.Session(rubric.AllCriteria, rubric.AllCriteria)
		card, err := h.Evaluate(context.Background(), booking())
		calls := h.Account().Calls
		if tt.want == "" {
			require.NoError(t, err, tt.reason)
			assert.Len(t, calls, 6, tt.reason)
			assert.Equal(t, rubric.Score(60), card[rubric.Helpfulness].Score, tt.reason)
			assert.Equal(t, 4, card[rubric.Helpfulness].Quotes[0].Turn, tt.reason)
			continue
		}
		var f *localllm.Failure
		require.ErrorAs(t, err, &f, tt.reason)
		assert.Equal(t, tt.want, f.Kind, tt.reason)
		require.Len(t, calls, 2, "%s: nothing more is asked", tt.reason)
		assert.Empty(t, calls[0].Failure, tt.reason)
		assert.Equal(t, tt.want, calls[1].Failure, tt.reason)
		assert.Equal(t, tt.answer, calls[1].Raw, "%s: the raw answer is kept", tt.reason)
	}
}
