package dialogue

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDialogue(t *testing.T) {
	d := Dialogue{ID: 1, Turns: []Turn{{User, "a"}, {System, "b"}}}
	for n, want := range map[int]string{0: "", 1: "a", 2: "b", 3: ""} {
		turn, ok := d.Turn(n)
		assert.Equal(t, want, turn.Text)
		assert.Equal(t, want != "", ok)
	}
	again := Dialogue{ID: 2, Turns: []Turn{{User, "a"}, {System, "b"}}}
	assert.Equal(t, d.Digest(), again.Digest(), "the id takes no part")
	for _, turns := range [][]Turn{{{System, "a"}, {System, "b"}}, {{User, "ab"}, {System, ""}},
		{{User, "a"}}} {
		assert.NotEqual(t, d.Digest(), Dialogue{Turns: turns}.Digest())
	}
}

func TestParseRole(t *testing.T) {
	for in, want := range map[string]Role{"system": System, " USER ": User, "Other": Other} {
		got, err := ParseRole(in)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	_, err := ParseRole("judge")
	assert.EqualError(t, err, `unknown role "judge"; want system, user or other`)
}
