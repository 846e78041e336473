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
	assert.Equal(t, 1, d.Count(User))
	assert.Zero(t, d.Count(Other))
}

// Runs hold digests, so they never change. Tools that are listed count only if none is called.
func TestDigest(t *testing.T) {
	const plain = "500b0c329dc429c3330dbb667d4a0562dc7e77a9a7503bf991b461647411ff38"
	d := Dialogue{Turns: []Turn{{User, "a"}, {System, "b"}}}
	assert.Equal(t, plain, d.Digest())
	d.Listed = []string{"mend"}
	idle := d.Digest()
	assert.NotEqual(t, plain, idle)
	d.Listed = append(d.Listed, "send")
	assert.Equal(t, idle, d.Digest(), "their names do not count")
	d.Turns = append(d.Turns, Turn{Other, "mend(1)"})
	called := d.Digest()
	d.Listed = nil
	assert.Equal(t, called, d.Digest())
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
