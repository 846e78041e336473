package localllm

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric"
)

func upTo(n int) citable {
	return func(c rubric.Criterion) (turns []int) {
		for turn := 1; turn <= n; turn++ {
			if !aboutSystem.Has(c) || turn%2 == 0 {
				turns = append(turns, turn)
			}
		}
		return turns
	}
}

// The order of the members is the order of the answer: criteria as they are presented, and the turn before the score.
func TestCardSchema(t *testing.T) {
	order := []rubric.Criterion{rubric.Fluency, rubric.TaskSuccess}
	assert.Equal(t, `{"type":"object","properties":{"Fluency":{"$ref":"#/$defs/system"},"TaskSuccess":{"$ref":"#/$defs/any"}},"required":["Fluency","TaskSuccess"],`+
		`"$defs":{"system":{"enum":[{"turn":2,"score":20},{"turn":2,"score":40},{"turn":2,"score":60},{"turn":2,"score":80},{"turn":2,"score":100}]},`+
		`"any":{"enum":[{"turn":1,"score":20},{"turn":1,"score":40},{"turn":1,"score":60},{"turn":1,"score":80},{"turn":1,"score":100},`+
		`{"turn":2,"score":20},{"turn":2,"score":40},{"turn":2,"score":60},{"turn":2,"score":80},{"turn":2,"score":100}]}}}`, string(cardSchema(order, upTo(2))))
}

// Whatever the size, a schema is valid, takes a right answer and refuses wrong ones; and what a server makes of it stays
// below the 32 KB that some cut it at.
func TestCardSchemaHolds(t *testing.T) {
	all := rubric.Criteria()
	for _, n := range []int{2, 9, 60, 110, 130, 400} {
		schema := cardSchema(all[:], upTo(n))
		assert.Less(t, len(schema), 30_000, "%d turns", n)
		s := compile(t, schema)
		good := `{"TaskSuccess":{"turn":1,"score":100},"Helpfulness":{"turn":2,"score":20},"Accuracy":{"turn":2,"score":40},"Understanding":{"turn":2,"score":60},"Empathy":{"turn":2,"score":80},"Fluency":{"turn":2,"score":80}}`
		assert.NoError(t, validate(t, s, good), "%d turns", n)
		assert.Error(t, validate(t, s, `{"TaskSuccess":{"turn":1,"score":100}}`), "%d turns: five are missing", n)
	}
	s := compile(t, cardSchema(all[:1], upTo(3)))
	for _, bad := range []string{`{"TaskSuccess":{"turn":4,"score":100}}`, `{"TaskSuccess":{"turn":1,"score":90}}`, `{"TaskSuccess":{"turn":1}}`, `[]`} {
		assert.Error(t, validate(t, s, bad), bad)
	}
	assert.NoError(t, validate(t, compile(t, objectSchema), `{"better":"A"}`))
	assert.Error(t, validate(t, compile(t, objectSchema), `{"better":"C"}`))
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

// What the model is told and asked, word for word, for a dialogue with a tool and an attack. Read every change by eye.
func TestPromptsGolden(t *testing.T) {
	p := DefaultPrompts()
	filled := func(name string, data any) string {
		words, f := p.fill(name, data)
		require.Nil(t, f)
		return words
	}
	got := filled(systemPrompt, systemData(rubric.Default())) +
		"=== evaluate\n" + filled(evaluatePrompt, question{}) + filled(evaluatePrompt, question{Part: true}) +
		"=== criterion\n" + filled(criterionPrompt, question{Criterion: rubric.Empathy, Form: form([]rubric.Criterion{rubric.Empathy})}) +
		"=== object\n" + filled(objectPrompt, choiceOf{3, "USER", "No, I said four.", "one level's words", "the other's"})
	const file = "testdata/prompts.golden"
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), got)
	assert.NotRegexp(t, `"score":\s*\d`, got, "a model copies a score that an example shows")
}
