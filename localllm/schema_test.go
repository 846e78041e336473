package localllm

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The exact questions to the model, and the sentences made of its answers. Review every change by
// eye.
func TestPromptsGolden(t *testing.T) {
	p := DefaultPrompts()
	filled := func(q Question, part bool) string {
		words, f := p.fill(questionPrompt, questionData{Ask: q.Ask, Part: part})
		require.Nil(t, f)
		return words + "=> " + finds(123, q.statement()) + "\n"
	}
	got := ""
	for _, q := range p.Questions {
		got += "=== " + q.ID + ", about " + q.Criterion.String() + ", good: " + q.Good + "\n" +
			filled(q, false)
	}
	got += "=== of a part\n" + filled(p.Questions[1], true) + "=== of a claim\n"
	for _, data := range []questionData{
		{Ask: "the USER says no", Quotes: `USER: "No."`},
		{Ask: "the USER says no", Part: true}} {
		words, f := p.fill(claimPrompt, data)
		require.Nil(t, f)
		got += words
	}
	const file = "testdata/prompts.golden"
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), got)
}
