package evidence

import (
	"assize/rubric/dialogue"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// newRules loads the rules as the program does.
func newRules(t testing.TB) *Rules {
	t.Helper()
	r, err := Load(os.DirFS(".."))
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
