package doctor

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/heuristics"
	"assize/rubric"
)

// The embedded claims are those of testdata/claims, with their dialogues; every quote is in its
// dialogue, and about half of the claims fail.
func TestClaimsFiles(t *testing.T) {
	testdata := filepath.Join("..", "..", "..", "..", "..", "testdata")
	table, err := os.ReadFile(filepath.Join(testdata, "claims", "claims.csv"))
	require.NoError(t, err)
	texts, err := os.ReadFile(filepath.Join(testdata, "desk", "dialogues.jsonl"))
	require.NoError(t, err)
	lines := map[string]string{}
	for line := range strings.Lines(string(texts)) {
		var d struct{ ID string }
		require.NoError(t, json.Unmarshal([]byte(line), &d))
		lines[d.ID] = line
	}
	rows, err := csv.NewReader(strings.NewReader(string(table))).ReadAll()
	require.NoError(t, err)
	var jsonl strings.Builder
	var labels []labelled
	last := ""
	for _, row := range rows[1:] {
		if row[1] != last {
			last = row[1]
			jsonl.WriteString(lines[last])
		}
		if row[8] != "" && row[7] != row[8] {
			continue // the readers disagree
		}
		require.Contains(t, []string{"holds", "fails"}, row[7])
		k, err := rubric.ParseCriterion(row[2])
		require.NoError(t, err)
		l := labelled{Dialogue: last, Criterion: k, Detector: row[4], Text: row[5],
			Favour: row[3] == "yes", Holds: row[7] == "holds"}
		for line := range strings.Lines(row[6]) {
			number, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
			turn, err := strconv.Atoi(number)
			require.NoError(t, err, line)
			l.Quotes = append(l.Quotes, rubric.Quote{Turn: turn, Text: text})
		}
		labels = append(labels, l)
	}
	if *update {
		require.NoError(t, os.WriteFile("claims.json", listed(labels), 0o644))
		require.NoError(t, os.WriteFile("claims.jsonl", []byte(jsonl.String()), 0o644))
	}
	require.Equal(t, string(listed(labels)), string(claimsJSON))
	require.Equal(t, jsonl.String(), string(claimsJSONL))

	list, err := readClaims(heuristics.New())
	require.NoError(t, err)
	holds, fails := 0, 0
	kinds := map[rubric.Criterion]map[bool]bool{}
	for _, d := range list {
		for _, claim := range d.labels {
			assert.NotEmpty(t, claim.Quotes)
			for _, q := range claim.Quotes {
				assert.True(t, q.Verify(d.Dialogue), "%s: %v", claim.Text, q)
			}
			if kinds[claim.Criterion] == nil {
				kinds[claim.Criterion] = map[bool]bool{}
			}
			kinds[claim.Criterion][claim.Favour] = true
			if claim.Holds {
				holds++
			} else {
				fails++
			}
		}
	}
	assert.GreaterOrEqual(t, holds+fails, 300)
	assert.InDelta(t, holds, fails, 0.2*float64(holds+fails))
	for _, k := range rubric.Criteria() {
		assert.True(t, kinds[k][false], k)
		// no merit is in the ladder of Fluency
		assert.Equal(t, k != rubric.Fluency, kinds[k][true], k)
	}
}

// listed returns a JSON list with a line for each element.
func listed[T any](list []T) []byte {
	b := []byte("[\n")
	for i, v := range list {
		if i > 0 {
			b = append(b, ",\n"...)
		}
		b = rubric.AppendJSON(b, v)
	}
	return append(b, "\n]\n"...)
}

// A model that knows which claims hold gets a vote for the kinds with enough claims; one that
// answers all alike gets none, and so does one whose answers say the opposite.
func TestCalibrateClaims(t *testing.T) {
	list, err := readClaims(heuristics.New())
	require.NoError(t, err)
	answers := func(p func(holds bool, i int) int) (all []answered) {
		for i, d := range list {
			for j := range d.labels {
				all = append(all, answered{&d.labels[j], i, p(d.labels[j].Holds, i+j)})
			}
		}
		return all
	}
	knows, claims := calibrateClaims(answers(func(holds bool, i int) int {
		if holds {
			return 600 + i%50
		}
		return 550 + i%50
	}))
	assert.Greater(t, knows.Low.Float(), .9)
	require.Len(t, claims, 12)
	votes := 0
	for _, c := range claims {
		if c.Vote {
			votes++
			assert.Less(t, c.Holds(560), 500, c.Criterion)
			assert.Greater(t, c.Holds(640), 500, c.Criterion)
		}
	}
	assert.GreaterOrEqual(t, votes, 6)

	for name, p := range map[string]func(bool, int) int{
		"the same answer": func(bool, int) int { return 700 },
		"chance":          func(_ bool, i int) int { return i * 7919 % 1000 },
		"the opposite": func(holds bool, i int) int {
			if holds {
				return 300 + i%50
			}
			return 400 + i%50
		},
	} {
		skill, claims := calibrateClaims(answers(p))
		assert.LessOrEqual(t, skill.Low.Float(), 0., name)
		for _, c := range claims {
			assert.False(t, c.Vote, "%s: %s %v", name, c.Criterion, c.Skill)
		}
	}
	_, claims = calibrateClaims(nil)
	assert.Empty(t, claims, "a model that answers nothing")
}
