package check

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric"
)

// run returns the first record of testdata/sound/run.jsonl.
func run(t testing.TB) Document {
	f, err := os.Open("testdata/sound/run.jsonl")
	require.NoError(t, err)
	defer f.Close()
	var records []Document
	skipped := 0
	for d, err := range Documents(f, "run.jsonl") {
		require.NoError(t, err)
		if d.Skip == Unscored {
			skipped++
		}
		if d.Skip != "" || strings.HasPrefix(string(d.Text), `{"assize_run"`) {
			continue
		}
		records = append(records, d)
	}
	require.Equal(t, 1, skipped)
	require.Len(t, records, 2)
	return records[0]
}

// tampered returns a record with replacements.
func tampered(t *testing.T, d Document, pairs ...string) Document {
	for i := 0; i < len(pairs); i += 2 {
		require.Contains(t, string(d.Text), pairs[i])
		d.Text = []byte(strings.Replace(string(d.Text), pairs[i], pairs[i+1], 1))
	}
	return d
}

// TestRecords checks that a record is treated like any other document: the members that the run
// adds are not errors, and serve as evidence.
func TestRecords(t *testing.T) {
	c := &Checker{Rubric: rubric.Default()}
	whole := run(t)
	r := c.Check(whole, nil)
	assert.Empty(t, show(r))
	assert.True(t, r.Verified)
	assert.Equal(t, "debate", r.Protocol)
	assert.Equal(t, "1", r.DialogueID)
	for _, tt := range []struct {
		name, reason string
		d            Document
		want         []string
	}{
		{
			"a ruling",
			"the figures are of the score that was there; the ruling itself is up to replay",
			tampered(t, whole, `"referee_final":{"TaskSuccess":{"score":20`,
				`"referee_final":{"TaskSuccess":{"score":40`),
			[]string{
				"error average-wrong /referee_final/numeric_weighted_average 44.00→52.00",
				`error calc-wrong /audit/weighted_calc "20*0.40 + 80*0.15 + 40*0.15 + 20*0.10 + 60*0.10 + ` +
					`100*0.10 = 44.00"→"40*0.40 + 80*0.15 + 40*0.15 + 20*0.10 + 60*0.10 + 100*0.10 = 52.00"`,
			},
		}, {
			"a cited quote",
			"it is not in the turns that the record holds, and they are all there are",
			tampered(t, whole, `"evidence_used":["USER: \"I'd like a table`,
				`"evidence_used":["USER: \"We want our table`),
			[]string{"error quote-altered /audit/evidence_used/0"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, inShort(c.Check(tt.d, nil)), tt.reason)
		})
	}
}

// TestRecordOfHostileSize checks that a record cannot claim turns that would use up memory.
func TestRecordOfHostileSize(t *testing.T) {
	c := &Checker{Rubric: rubric.Default()}
	for _, turns := range []string{"1e300", "-5", "99999999999", `"x"`} {
		d := Document{Text: []byte(`{"status":"scored","audit":{},"source":{"turns":` + turns +
			`},"turns":[{"turn":1e9,"role":"USER","text":"x"},{"role":"SYSTEM"},{"turn":-1},5]}`)}
		r := c.Check(d, nil)
		assert.False(t, r.Verified)
		assert.True(t, slices.ContainsFunc(r.Findings, func(f Finding) bool {
			return f.ID == "structure" && strings.HasPrefix(f.Message,
				"this part of the record cannot be read")
		}))
	}
}

// Only a document with both turns and a status is a record; any other must not have these members.
func TestWhatIsNoRecord(t *testing.T) {
	c := &Checker{Rubric: rubric.Default()}
	for members, want := range map[string]string{
		`"status":"scored"`:                                      "/status",
		`"turns":[{"role":"USER","text":"x"}]`:                   "/turns",
		`"status":"scored","turns":[{"role":"USER","text":"x"}]`: "",
	} {
		r := c.Check(Document{Text: []byte(`{"evaluator":{},"referee_final":{},` + members + "}")}, nil)
		var unknown []string
		for _, f := range r.Findings {
			if f.Path == "/status" || f.Path == "/turns" {
				unknown = append(unknown, f.Path)
			}
		}
		assert.Equal(t, want, strings.Join(unknown, " "), members)
		assert.Equal(t, want == "", r.Verified, members)
	}
}

func TestFormatTurns(t *testing.T) {
	for want, turns := range map[string][]int{"in turn 7": {7}, "in turns 1, 2": {1, 2},
		"in turns 1, 2, 3": {1, 2, 3}, "in turns 1, 2, 3, …": {1, 2, 3, 4}} {
		assert.Equal(t, want, formatTurns(turns))
	}
}
