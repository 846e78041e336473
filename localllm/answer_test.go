package localllm

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"assize/rubric"
)

// Whatever a model writes: no panic, and nothing is taken that is off the scale or cites what cannot be cited.
func FuzzParseCard(f *testing.F) {
	f.Add(`{"TaskSuccess":{"turn":1,"score":100},"Fluency":{"turn":2,"score":20}}`)
	f.Add("```json\n{\"Accuracy\":{\"turn\":2,\"score\":90}}\n```")
	f.Add(`{"why":{"Accuracy":"because"},"Accuracy":{"turn":2,"score":80}}`)
	all := rubric.Criteria()
	turns := upTo(4)
	f.Fuzz(func(t *testing.T, text string) {
		var a answer
		failed := a.read(text, all[:], turns)
		complete := true
		for _, c := range all {
			r := a[c]
			if r.score == 0 {
				require.Zero(t, r)
				complete = false
				continue
			}
			require.True(t, r.score.Valid())
			require.True(t, slices.Contains(turns(c), r.turns[0]))
		}
		require.Equal(t, failed == nil, complete)
	})
}
