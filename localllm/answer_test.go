package localllm

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"assize/rubric"
)

// For any answer, nothing panics, and no score off the scale and no uncitable turn is accepted.
func FuzzReadRating(f *testing.F) {
	f.Add(`{"TaskSuccess":{"turn":1,"score":100},"Accuracy":{"turn":2,"score":20}}`)
	f.Add("```json\n{\"Accuracy\":{\"turn\":2,\"score\":90}}\n```")
	f.Add(`{"why":{"Accuracy":"because"},"Accuracy":{"turn":2,"score":80}}`)
	turns := []int{2, 4}
	f.Fuzz(func(t *testing.T, text string) {
		r, failed := readRating(text, rubric.Accuracy, turns)
		if failed != nil {
			require.Zero(t, r)
			return
		}
		require.True(t, r.score.Valid())
		require.Len(t, r.turns, 1)
		require.True(t, slices.Contains(turns, r.turns[0]))
	})
}
