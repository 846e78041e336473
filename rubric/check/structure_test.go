package check

import (
	"bytes"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric"
)

// library compiles a schema with a library that implements all of JSON Schema.
func library(t *testing.T, text []byte) *jsonschema.Schema {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	compiler := jsonschema.NewCompiler()
	require.NoError(t, compiler.AddResource("schema.json", doc))
	s, err := compiler.Compile("schema.json")
	require.NoError(t, err)
	return s
}

// TestStructureIsThatOfTheSchemas changes sound documents at random and compares with a library:
// there is a finding if and only if the library rejects the document, except for duplicate keys.
func TestStructureIsThatOfTheSchemas(t *testing.T) {
	c := &Checker{Rubric: rubric.Default()}
	rnd := rand.New(rand.NewPCG(5, 6))
	values := []string{"null", "true", "80", "85", "80.0", "-1", "1e99", `"80"`, `"Empathy"`,
		`"empathy"`, `""`, "[]", "{}", `[1]`, `{"score":80,"justification":"x"}`}
	sound, broken := 0, 0
	for _, name := range []string{"debate", "single"} {
		text, err := os.ReadFile("testdata/sound/" + name + ".json")
		require.NoError(t, err)
		own, other := debateSchema(), library(t, rubric.DebateSchema())
		if name == "single" {
			own, other = singleSchema(), library(t, rubric.SingleSchema())
		}
		root, _, err := parse(string(text))
		require.NoError(t, err)
		var places [][2]int // of values, and of members with the comma after them
		var walk func(n *node)
		walk = func(n *node) {
			places = append(places, [2]int{n.start, n.start + len(n.raw)})
			for i, it := range n.items {
				if n.kind == '{' && i+1 < len(n.items) {
					places = append(places, [2]int{it.keyStart, n.items[i+1].keyStart})
				}
				walk(it)
			}
		}
		walk(root)
		for range 1500 {
			at := places[rnd.IntN(len(places))]
			old, put := string(text[at[0]:at[1]]), values[rnd.IntN(len(values))]
			if strings.HasSuffix(old, " ") || strings.Contains(old, `":`) && old[0] == '"' {
				put = []string{"", `"extra":1,`, strings.Repeat(old, 2)}[rnd.IntN(3)]
			}
			mutant := string(text[:at[0]]) + put + string(text[at[1]:])
			root, _, err := parse(mutant)
			if err != nil || !root.has(debateKeys) && !root.has(singleKeys) {
				continue
			}
			value, err := jsonschema.UnmarshalJSON(strings.NewReader(mutant))
			require.NoError(t, err)
			x := inspection{Checker: c, src: mutant, root: root,
				quotationCache: map[string][]quotation{}}
			x.checkStructure(root, own, own)
			if other.Validate(value) == nil {
				sound++
				for _, f := range x.findings {
					require.Contains(t, f.ID, "-doubled", "%s", mutant)
				}
				continue
			}
			broken++
			x.checkDebate()
			require.NotEmpty(t, x.findings, "%s", mutant)
		}
	}
	t.Logf("%d sound, %d broken", sound, broken)
	assert.Greater(t, sound, 100)
	assert.Greater(t, broken, 1000)
}
