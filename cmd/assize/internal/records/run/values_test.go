package run

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Every output has columns, none of them twice.
func TestColumns(t *testing.T) {
	for line := range strings.Lines(columns) {
		output, _, is := strings.Cut(line, ": ")
		if !is {
			continue
		}
		format := Columns(output)
		assert.NotEmpty(t, format, output)
		heading := slices.Sorted(slices.Values(format.Heading()))
		assert.Len(t, slices.Compact(slices.Clone(heading)), len(heading), output)
		for _, name := range format {
			assert.Regexp(t, `^[A-Za-z0-9_]+( as [A-Za-z0-9_]+( most)?>?(=[0-9]+)?)?$`, name)
		}
	}
	assert.Equal(t, ScoreNames(), Columns("queue csv")[11:17])
	assert.Panics(t, func() { Columns("queue") })
}
