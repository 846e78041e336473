package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"
)

// TestHelpListsFormats compares the names in the first table of the help topic with those that the
// reader accepts.
func TestHelpListsFormats(t *testing.T) {
	data, err := os.ReadFile("help/topics/formats.md")
	require.NoError(t, err)
	_, table, _ := strings.Cut(string(data), "|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	var listed []dialogue.Format
	for row := range strings.Lines(table) {
		for name := range strings.SplitSeq(strings.Split(row, "|")[1], ",") {
			listed = append(listed, dialogue.Format(strings.TrimSpace(name)))
		}
	}
	assert.ElementsMatch(t, importer.Formats(), listed)
}
