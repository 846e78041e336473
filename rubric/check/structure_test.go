package check

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric"
)

// TestConforms holds that the fast way never calls a document sound that its schema does not, and that it knows the
// sound ones: over the sound documents with one value each put in the place of another.
func TestConforms(t *testing.T) {
	c, err := New(rubric.Default(), nil)
	require.NoError(t, err)
	values := []string{"null", "true", "85", "80", "80.0", "79.5", "1e300", `"80"`, `"Empathy"`, "[]", "{}", `[""]`, `[1]`, `{"score":80,"justification":""}`, `{"score":80,"justification":"","x":1}`, `{"criterion":"Fluency","agree":true,"comment":"","suggested_score":null}`}
	rnd := rand.New(rand.NewPCG(1, 2))
	sound, broken := 0, 0
	for _, name := range []string{"debate", "single"} {
		text, err := os.ReadFile("testdata/sound/" + name + ".json")
		require.NoError(t, err)
		root, bad := parse(string(text))
		require.Nil(t, bad)
		var places [][2]int // of values, and of members with the comma behind them
		var walk func(n *node)
		walk = func(n *node) {
			places = append(places, [2]int{n.start, n.end})
			for i, m := range n.members {
				if i+1 < len(n.members) {
					places = append(places, [2]int{m.start, n.members[i+1].start})
				}
				walk(m.value)
			}
			for _, it := range n.items {
				walk(it)
			}
		}
		walk(root)
		for range 1500 {
			at := places[rnd.IntN(len(places))]
			put := values[rnd.IntN(len(values))]
			if strings.HasSuffix(string(text[at[0]:at[1]]), " ") || strings.Contains(string(text[at[0]:at[1]]), `":`) && text[at[0]] == '"' {
				put = []string{"", `"extra":1,`, strings.Repeat(string(text[at[0]:at[1]]), 2)}[rnd.IntN(3)]
			}
			mutant := string(text[:at[0]]) + put + string(text[at[1]:])
			root, bad := parse(mutant)
			if bad != nil || !isEvaluation(root) {
				continue
			}
			x := exam{Checker: c, src: mutant, root: root}
			x.report.Protocol = "single"
			schema := c.single
			if root.has(debateKeys[:]...) {
				x.report.Protocol, schema = "debate", c.debate
			}
			valid := schema.Validate(x.instance(root, "")) == nil
			if x.conforms() {
				sound++
				require.True(t, valid, "%s", mutant)
			} else if !valid {
				broken++
				x.structure(schema)
				require.NotEmpty(t, x.found, "%s", mutant)
			}
		}
	}
	t.Logf("%d sound, %d broken", sound, broken)
	assert.Greater(t, sound, 100)
	assert.Greater(t, broken, 1000)
}
