package doctor

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
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
	last := ""
	for _, row := range rows[1:] {
		if row[1] != last {
			last = row[1]
			jsonl.WriteString(lines[last])
		}
	}
	if *update {
		require.NoError(t, os.WriteFile("claims.csv", table, 0o644))
		require.NoError(t, os.WriteFile("claims.jsonl", []byte(jsonl.String()), 0o644))
	}
	require.Equal(t, string(table), string(claimsCSV))
	require.Equal(t, jsonl.String(), string(claimsJSONL))

	list, err := readClaims(heuristics.New(), claimsJSONL, claimsCSV)
	require.NoError(t, err)
	holds, fails := 0, 0
	kinds := map[rubric.Criterion]map[bool]bool{}
	for _, d := range list {
		for i, claim := range d.claims {
			assert.NotEmpty(t, claim.Quotes)
			for _, q := range claim.Quotes {
				assert.True(t, q.Verify(d.Dialogue), "%s: %v", claim.Text, q)
			}
			if kinds[d.criteria[i]] == nil {
				kinds[d.criteria[i]] = map[bool]bool{}
			}
			kinds[d.criteria[i]][claim.Favour] = true
			if d.holds[i] {
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

// The order of the rows does not matter, and a row that does not fit is an error with its line.
func TestReadClaims(t *testing.T) {
	count := func(list []claimed) (n int) {
		for _, d := range list {
			n += len(d.claims)
		}
		return n
	}
	agents := heuristics.New()
	all, err := readClaims(agents, claimsJSONL, claimsCSV)
	require.NoError(t, err)
	rows, err := csv.NewReader(bytes.NewReader(claimsCSV)).ReadAll()
	require.NoError(t, err)
	slices.Reverse(rows[1:])
	var backwards bytes.Buffer
	require.NoError(t, csv.NewWriter(&backwards).WriteAll(rows))
	list, err := readClaims(agents, claimsJSONL, backwards.Bytes())
	require.NoError(t, err)
	assert.Equal(t, count(all), count(list))

	first := rows[len(rows)-1][1]
	const heading = "claim,dialogue,criterion,credits,detector,says,quotes,a,b\n"
	good := "1," + first + ",Empathy,no,x,it is cold,1: Hello,fails,fails\n"
	for row, says := range map[string]string{
		"2,nobody,Empathy,no,x,it is cold,1: Hello,fails,\n": "no dialogue nobody",
		strings.Replace(good, "Empathy", "Charm", 1):         "Charm",
		strings.Replace(good, "fails,fails", "maybe,", 1):    `"maybe"`,
		strings.Replace(good, "1: Hello", "Hello", 1):        "no turn",
		"1,2\n": "wrong number of fields",
	} {
		_, err := readClaims(agents, claimsJSONL, []byte(heading+good+row))
		assert.ErrorContains(t, err, "claims.csv:3: ", row)
		assert.ErrorContains(t, err, says, row)
	}
}

// A model that knows which claims hold gets a vote for the kinds with enough claims; one that
// answers all alike gets none, and so does one whose answers say the opposite.
func TestCalibrateClaims(t *testing.T) {
	list, err := readClaims(heuristics.New(), claimsJSONL, claimsCSV)
	require.NoError(t, err)
	answers := func(p func(holds bool, i int) int) (all []answered) {
		for i, d := range list {
			for j := range d.claims {
				all = append(all, answered{i, d.criteria[j], d.claims[j].Favour, d.holds[j],
					p(d.holds[j], i+j)})
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
