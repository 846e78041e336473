package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/heuristics/measure"
)

// desk returns the sets of the repository and the rows to learn from.
func desk(t *testing.T) (*measure.Sets, measure.Rows) {
	t.Helper()
	sets := measure.New(filepath.Join("..", ".."))
	rows, err := sets.DeskRows(measure.Choosing)
	require.NoError(t, err)
	return sets, rows
}

// embedded returns a file of package heuristics.
func embedded(t *testing.T, names ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(append([]string{"..", "..", "heuristics"}, names...)...))
	require.NoError(t, err)
	return string(data)
}

// The weights that the program ships with are those that this command learns.
func TestLearnQuality(t *testing.T) {
	sets, rows := desk(t)
	lessons, err := newLessons(sets, rows)
	require.NoError(t, err)
	assert.Equal(t, embedded(t, "quality.json"), string(encode(learn(lessons))),
		"go run ./.ci/train writes it")
}
