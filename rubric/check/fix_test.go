package check

import (
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric"
)

// spoilers are ways to spoil a sound document: each pattern is replaced by one of the texts.
var spoilers = []struct {
	pattern *regexp.Regexp
	texts   []string
}{
	{regexp.MustCompile(`"score": \d+`), []string{`"score": 20`, `"score": 60`, `"score": 85`,
		`"score": "80"`, `"score": null`, `"points": 80`}},
	{regexp.MustCompile(`"numeric_weighted_average": (null|[\de.]+)`),
		[]string{`"numeric_weighted_average": 86`, `"numeric_weighted_average": null`,
			`"numeric_weighted_average": 1e99`, `"average": 80`,
			`"numeric_weighted_average": 87.0000000001`}},
	{regexp.MustCompile(`"OverallExperience": \d+`), []string{`"OverallExperience": 100`,
		`"OverallExperience": 87`, `"OverallExperience": {}`, `"Overall": 80`}},
	{regexp.MustCompile(`"suggested_score": (null|[\de.]+)`), []string{`"suggested_score": 80`,
		`"suggested_score": null`, `"suggested_score": 10`, `"suggested_score": 8e1`}},
	{regexp.MustCompile(`"agree": (true|false)`), []string{`"agree": true`, `"agree": false`,
		`"agree": 1`}},
	{regexp.MustCompile(`"weighted_calc": "[^"]*"`), []string{`"weighted_calc": ""`,
		`"weighted_calc": "100*0.40 + 80*0.15 + 60*0.15 + 80*0.10 + 80*0.10 + 100*0.10 = 80"`,
		`"weighted_calc": 87`,
		`"weighted_calc": "TaskSuccess*0.4 + Helpfulness*0.15 + Accuracy*0.15 + Understanding*0.1 + ` +
			`Empathy*0.1 + Fluency*0.1 = 87"`}},
	{regexp.MustCompile(`"mapping_rule": "[^"]*"`), []string{`"mapping_rule": ""`,
		`"mapping_rule": "to the nearest: 87 → 80"`, `"mapping_rule": "round down 86 → 80"`,
		`"mapping_rule": []`, `"mapping_rule": "floor"`}},
}

// computed lists the IDs of findings about computed values, none of which may remain in a fixed
// document.
var computed = []string{"average-wrong", "overall-wrong", "calc-wrong", "calc-unreadable",
	"mapping-rule-wrong", "disagreement-unchanged", "agreement-changes"}

// TestFixLeavesNothing spoils sound documents in many places at once and fixes them.
func TestFixLeavesNothing(t *testing.T) {
	c := &Checker{Rubric: rubric.Default(), Observe: observeBooking}
	transcript := booking(t)
	rnd := rand.New(rand.NewPCG(3, 4))
	edits := 0
	for _, name := range []string{"debate", "single"} {
		sound, err := os.ReadFile("testdata/sound/" + name + ".json")
		require.NoError(t, err)
		for range 600 {
			text := string(sound)
			for range 1 + rnd.IntN(6) {
				s := spoilers[rnd.IntN(len(spoilers))]
				if at := s.pattern.FindAllStringIndex(text, -1); len(at) > 0 {
					m := at[rnd.IntN(len(at))]
					text = text[:m[0]] + s.texts[rnd.IntN(len(s.texts))] + text[m[1]:]
				}
			}
			r := c.Check(Document{Text: []byte(text)}, transcript)
			keepsLaws(t, c, r, transcript)
			edits += len(r.Edits)
			card := inspection{Checker: c}.scored(t, text, name)
			for _, f := range c.Check(Document{Text: r.Fix()}, nil).Findings {
				if card { // without all six final scores nothing can be computed
					assert.NotContains(t, computed, f.ID, "%s\n%v", r.Fix(), f)
				}
			}
		}
	}
	assert.Greater(t, edits, 900)
}

// scored reports whether all six final scores of a document are on the scale.
func (x inspection) scored(t *testing.T, text, name string) bool {
	root, _, err := parse(text)
	require.NoError(t, err, "%s", text)
	if name == "debate" {
		root = root.get("referee_final")
	}
	c := x.readCard(root)
	return c.scored
}

// TestFixKeepsTheRest checks that everything that is not fixed is unchanged, byte for byte.
func TestFixKeepsTheRest(t *testing.T) {
	c := &Checker{Rubric: rubric.Default()}
	sound, err := os.ReadFile("testdata/sound/debate.json")
	require.NoError(t, err)
	odd := strings.NewReplacer("\n", "\r\n\t", `"agree": true`, `"agree"  :  true`, "The ",
		`\u0054he `, "87.00,", "86,").Replace(string(sound))
	r := c.Check(Document{Text: []byte(odd)}, nil)
	require.Len(t, r.Edits, 1)
	assert.Equal(t, strings.Replace(odd, "86,", "87.00,", 1), string(r.Fix()))
}
