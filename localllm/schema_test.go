package localllm

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric"
)

func upTo(n int) (turns []int) {
	for turn := 1; turn <= n; turn++ {
		turns = append(turns, turn)
	}
	return turns
}

// The turn comes before the score, so that the model looks before it scores.
func TestCriterionSchema(t *testing.T) {
	assert.Equal(t, `{"type":"object","properties":{"Fluency":{"enum":[`+
		`{"turn":2,"score":20},{"turn":2,"score":40},{"turn":2,"score":60},{"turn":2,"score":80},{"turn":2,"score":100},`+
		`{"turn":4,"score":20},{"turn":4,"score":40},{"turn":4,"score":60},{"turn":4,"score":80},{"turn":4,"score":100}`+
		`]}},"required":["Fluency"]}`, string(criterionSchema(rubric.Fluency, []int{2, 4})))
}

// For any size, a schema is valid, accepts a correct answer and rejects wrong ones, and the
// generated grammar stays below the 32 KB at which some servers cut it.
func TestCriterionSchemaHolds(t *testing.T) {
	for _, n := range []int{3, 9, 60, 160, 180, 400} {
		schema := criterionSchema(rubric.TaskSuccess, upTo(n))
		assert.Less(t, len(schema), 30_000, "%d turns", n)
		assert.Equal(t, n < 170, strings.Contains(string(schema), `{"turn":3,"score":20}`),
			"%d turns", n)
		s := compile(t, schema)
		assert.NoError(t, validate(t, s, fmt.Sprintf(`{"TaskSuccess":{"turn":%d,"score":100}}`, n)),
			"%d turns", n)
		for _, bad := range []string{
			fmt.Sprintf(`{"TaskSuccess":{"turn":%d,"score":100}}`, n+1),
			`{"TaskSuccess":{"turn":1,"score":90}}`,
			`{"TaskSuccess":{"turn":1}}`, `{"Fluency":{"turn":1,"score":80}}`, `[]`,
		} {
			assert.Error(t, validate(t, s, bad), "%d turns: %s", n, bad)
		}
	}
	s := compile(t, turnSchema([]int{2, 14}))
	assert.NoError(t, validate(t, s, `14`))
	assert.Error(t, validate(t, s, `3`))
}

func compile(t *testing.T, schema json.RawMessage) *jsonschema.Schema {
	t.Helper()
	var v any
	require.NoError(t, json.Unmarshal(schema, &v))
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("schema.json", v))
	s, err := c.Compile("schema.json")
	require.NoError(t, err)
	return s
}

func validate(t *testing.T, s *jsonschema.Schema, text string) error {
	t.Helper()
	var v any
	require.NoError(t, json.Unmarshal([]byte(text), &v))
	return s.Validate(v)
}

// The exact messages to the model for a dialogue with a tool and an attack. Review every change by
// eye.
func TestPromptsGolden(t *testing.T) {
	p := DefaultPrompts()
	filled := func(name string, data any) string {
		words, f := p.fill(name, data)
		require.Nil(t, f)
		return words
	}
	got := ""
	for _, q := range p.questions {
		got += "=== " + q.ID + ", about " + q.Criterion.String() + ", good: " + q.Good + "\n" +
			filled(questionPrompt, questionData{q.Ask, false})
	}
	got += "=== of a part\n" + filled(questionPrompt, questionData{p.questions[1].Ask, true}) +
		"=== turn\n" + filled(turnPrompt, turnData{"A level's words"}) +
		"=== of a server without probabilities\n" +
		filled(levelsPrompt, newLevelsData(rubric.Default())) +
		"=== criterion\n" + filled(levelPrompt, levelData{rubric.Empathy, answerForm(rubric.Empathy),
		false}) +
		filled(levelPrompt, levelData{rubric.TaskSuccess, answerForm(rubric.TaskSuccess), true})
	const file = "testdata/prompts.golden"
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), got)
	assert.NotRegexp(t, `"score":\s*\d`, got, "a model copies a score that an example shows")
}
