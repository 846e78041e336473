package heuristics

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A list begins with a comment on its purpose, a detector with what it finds, and neither repeats a
// phrase.
func TestFilesAreTidy(t *testing.T) {
	files, err := filepath.Glob("[dl]*/*.txt") // detectors, ladders and lexicon
	require.NoError(t, err)
	orders := map[string]string{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		first := "# "
		if strings.HasPrefix(file, "detectors") {
			first = "@title "
		}
		assert.True(t, strings.HasPrefix(string(data), first), "%s begins with %q", file, first)
		assert.True(t, strings.HasSuffix(string(data), "\n"), "%s: the last line does not end",
			file)
		seen, role := map[string]bool{}, ""
		for line := range strings.Lines(string(data)) {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "@role") {
				role = line
			}
			if strings.HasPrefix(line, "@order") {
				assert.Empty(t, orders[line], "%s: %s has this order too", file, orders[line])
				orders[line] = file
			}
			if line == "" || line[0] == '#' || line[0] == '@' {
				continue
			}
			assert.False(t, seen[role+line], "%s: %q is listed twice", file, line)
			seen[role+line] = true
		}
	}
}
