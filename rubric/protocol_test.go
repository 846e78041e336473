package rubric_test

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric"
)

// PROTOCOL.md states the weights, the rulings, the levels and the answers; they must be those of
// the code.
func TestProtocolPage(t *testing.T) {
	text, err := os.ReadFile("PROTOCOL.md")
	require.NoError(t, err)
	page := string(text)

	weights := map[string]int{}
	for _, m := range regexp.MustCompile(`(?m)^\| (\w+) \| (\d+) % \|$`).
		FindAllStringSubmatch(page, -1) {
		weights[m[1]], _ = strconv.Atoi(m[2])
	}
	r := rubric.Default()
	for c, criterion := range rubric.Criteria() {
		assert.Equal(t, r.Weights[c], weights[criterion.String()], criterion.String())
	}
	assert.Len(t, weights, rubric.NumCriteria)

	levels := regexp.MustCompile(`(?m)^\| (below )?(\d+)\.\d+( to \d+\.\d+)? \| (\d+) \|$`).
		FindAllStringSubmatch(page, -1)
	require.Len(t, levels, len(rubric.Scale))
	for _, m := range levels {
		average, _ := strconv.Atoi(m[2])
		if m[1] != "" {
			average--
		}
		overall := r.Mapping.Overall(rubric.Hundredths(100 * average))
		assert.Equal(t, m[4], overall.String(), m[0])
	}

	for id := rubric.Agreed; id <= rubric.Majority; id++ {
		assert.Contains(t, page, id.String())
	}

	for _, a := range []rubric.Answer{rubric.Yes, rubric.No, rubric.NotApplicable, rubric.Open} {
		assert.Contains(t, page, "\n| "+string(a)+" | ")
	}
	assert.Contains(t, page, fmt.Sprintf("above %d %%, no if it is below %d %%",
		rubric.UnsureTo, rubric.UnsureFrom))
}
