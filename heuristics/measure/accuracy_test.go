package measure

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The table under "testdata/desk" of `assize help accuracy` says what the rules reach on the part
// of the desk that is kept for reporting. It needs no set of others, so that a fresh clone checks
// it.
func TestAccuracyOfTheDesk(t *testing.T) {
	root := filepath.Join("..", "..")
	data, err := os.ReadFile(filepath.Join(root, "cmd", "assize", "help", "topics", "accuracy.md"))
	require.NoError(t, err)
	_, section, found := strings.Cut(string(data), "\n## testdata/desk\n")
	require.True(t, found, `accuracy.md has no section "testdata/desk"`)
	section, _, _ = strings.Cut(section, "\n## ")

	sets := New(root)
	rows, err := sets.DeskRows(Reporting)
	require.NoError(t, err)
	list, err := sets.JudgeDesk(sets.Panel, rows)
	require.NoError(t, err)
	figures, err := DeskFigures(list, rows)
	require.NoError(t, err)
	var want []string
	for _, name := range []string{"within the reader's range", "two levels or more off",
		"pairs by satisfaction", "bad ones below OverallExperience 60",
		"good ones below OverallExperience 60", "profile within a dialogue"} {
		figure, ok := figures["own desk: "+name]
		require.True(t, ok, name)
		text := fmt.Sprintf("%.0f %%", 100*figure)
		if name == "profile within a dialogue" { // a correlation
			text = strings.TrimPrefix(fmt.Sprintf("%.2f", figure), "0")
		}
		want = append(want, fmt.Sprintf("| %s | %s |", name, text))
	}
	var got []string
	for line := range strings.Lines(section) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "| ") {
			got = append(got, line)
		}
	}
	require.NotEmpty(t, got)
	assert.Equal(t, fmt.Sprintf("| %d dialogues kept back | rules |", len(list)), got[0])
	assert.Equal(t, want, got[1:])
}
