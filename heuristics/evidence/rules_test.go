package evidence

import (
	"assize/rubric/dialogue"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// newRules loads the rules as the program does.
func newRules(t testing.TB) *Rules {
	t.Helper()
	files := fstest.MapFS{}
	for _, pattern := range []string{"../detectors/*.txt", "../lexicon/*.txt"} {
		names, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, name := range names {
			data, err := os.ReadFile(name)
			require.NoError(t, err)
			files[strings.TrimPrefix(name, "../")] = &fstest.MapFile{Data: data}
		}
	}
	r, err := Load(files)
	require.NoError(t, err)
	return r
}

// dialogueOf returns a dialogue of lines such as "USER: No."
func dialogueOf(lines ...string) (d dialogue.Dialogue) {
	for _, line := range lines {
		role, text, _ := strings.Cut(line, ": ")
		turn := dialogue.Turn{Role: dialogue.User, Text: text}
		if role == "SYSTEM" {
			turn.Role = dialogue.System
		}
		d.Turns = append(d.Turns, turn)
	}
	return d
}
