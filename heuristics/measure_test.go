package heuristics_test

import (
	"errors"
	"maps"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/heuristics/measure"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// The rules do not fall below what they had reached on the part of each rated set for choosing.
// `go run ./.ci/measure` prints the figures.
func TestFloors(t *testing.T) {
	sets := measure.New("..")
	found := measure.Figures{}
	for _, set := range measure.All() {
		t.Run(set.Name, func(t *testing.T) {
			figures, err := set.Measure(sets, measure.Choosing)
			if errors.Is(err, measure.ErrMissing) {
				t.Skip(err)
			}
			require.NoError(t, err)
			maps.Copy(found, figures)
		})
	}
	assert.NoError(t, found.CheckFloors())
}

// judgeOne returns the judgement of a dialogue, or nil if it cannot be scored.
func judgeOne(t testing.TB, panel rubric.Panel, id string, d dialogue.Dialogue) *measure.Judged {
	t.Helper()
	j, err := measure.Judge(panel, id, d)
	require.NoError(t, err)
	return j
}
