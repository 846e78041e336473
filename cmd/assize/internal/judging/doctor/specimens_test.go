package doctor

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/heuristics"
	"assize/rubric"
)

var update = flag.Bool("update", false, "draw the specimens again")

const numSpecimens = 120

// draw selects the specimens: it alternates between writers and between good and bad service, and
// each time takes the remaining dialogue whose ID has the smallest digest.
func draw(t *testing.T) (jsonl []byte, list []Sample) {
	t.Helper()
	desk := filepath.Join("..", "..", "..", "..", "..", "testdata", "desk")
	data, err := os.ReadFile(filepath.Join(desk, "ranges.csv"))
	require.NoError(t, err)
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	require.NoError(t, err)
	texts, err := os.ReadFile(filepath.Join(desk, "dialogues.jsonl"))
	require.NoError(t, err)
	lines := map[string]string{}
	for line := range strings.Lines(string(texts)) {
		var d struct{ ID string }
		require.NoError(t, json.Unmarshal([]byte(line), &d))
		lines[d.ID] = line
	}
	turn := map[[2]string][][]string{} // by part and quality
	digest := func(id string) string {
		sum := sha256.Sum256([]byte(id))
		return hex.EncodeToString(sum[:])
	}
	slices.SortFunc(rows[1:],
		func(a, b []string) int { return cmp.Compare(digest(a[0]), digest(b[0])) })
	var order [][2]string
	for _, row := range rows[1:] {
		if strings.HasPrefix(row[2], "last") || row[2] == "more-b" { // reserved for reporting
			key := [2]string{row[2], row[1]}
			if turn[key] == nil {
				order = append(order, key)
			}
			turn[key] = append(turn[key], row)
		}
	}
	slices.SortFunc(order,
		func(a, b [2]string) int {
			return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
		})
	for round := 0; len(list) < numSpecimens; round++ {
		for _, key := range order {
			if of := turn[key]; round < len(of) && len(list) < numSpecimens {
				list = append(list, Sample{Name: of[round][0], Writer: key[0],
					Levels: middles(t, of[round][3:9])})
				jsonl = append(jsonl, lines[of[round][0]]...)
			}
		}
	}
	return jsonl, list
}

// middles returns the middles of ranges such as "40-60", or of a single level.
func middles(t *testing.T, ranges []string) (list [rubric.NumCriteria]float64) {
	for k, text := range ranges {
		low, high, _ := strings.Cut(text, "-")
		a, err := strconv.Atoi(low)
		require.NoError(t, err)
		b, err := strconv.Atoi(cmp.Or(high, low))
		require.NoError(t, err)
		list[k] = float64(a+b) / 2
	}
	return list
}

// The embedded specimens are the selected ones, in order, and the rules can judge all of them.
func TestSpecimens(t *testing.T) {
	jsonl, drawn := draw(t)
	if *update {
		require.NoError(t, os.WriteFile("specimens.jsonl", jsonl, 0o644))
		require.NoError(t, os.WriteFile("specimens.json", listed(drawn), 0o644))
	}
	require.Equal(t, string(jsonl), string(specimensJSONL))
	require.Equal(t, string(listed(drawn)), string(specimensJSON))
	list, err := Samples(heuristics.New())
	require.NoError(t, err)
	require.Len(t, list, numSpecimens)
	for i, s := range list {
		assert.NotZero(t, s.satisfaction, s.Name)
		assert.True(t, bytes.Contains(bytes.Split(jsonl, []byte("\n"))[i],
			[]byte(`"`+s.Name+`"`)), s.Name)
		for _, k := range s.Levels {
			assert.True(t, k >= 20 && k <= 100, s.Name)
		}
	}
}
