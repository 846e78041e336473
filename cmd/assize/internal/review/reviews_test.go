package review

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric"
)

// Verdicts go out by their criteria and come back; a list, as stores had it once, is read as well.
func TestVerdicts(t *testing.T) {
	var want Verdicts
	want[rubric.Empathy] = Verdict{Level: 40, Reason: "cold"}
	text, err := json.Marshal(want)
	require.NoError(t, err)
	assert.JSONEq(t, `{"Empathy":{"level":40,"reason":"cold"}}`, string(text))
	for _, text := range []string{string(text), `[{},{},{},{},{"level":40,"reason":"cold"},{}]`} {
		var got Verdicts
		require.NoError(t, json.Unmarshal([]byte(text), &got), text)
		assert.Equal(t, want, got)
	}
	for _, wrong := range []string{`{"Speed":{"level":40}}`, `{"Empathy":{"stars":4}}`, `"none"`} {
		assert.Error(t, json.Unmarshal([]byte(wrong), new(Verdicts)), wrong)
	}
}
