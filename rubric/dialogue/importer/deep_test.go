package importer

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestDeepValues checks that values of many levels take memory in proportion to their length,
// wherever they are, and that their neighbours are read.
func TestDeepValues(t *testing.T) {
	const levels = 5000
	nest := func(begin, end string) string {
		return strings.Repeat(begin, levels) + "1" + strings.Repeat(end, levels)
	}
	name := strings.Repeat("k", 50)
	for _, deep := range []string{nest(`{"`+name+`":`, "}"), nest(`{"":`, "}"), nest("[", "]")} {
		for _, tt := range []struct {
			format string
			turns  int
		}{
			{"DEEP", 0},
			{`{"x":DEEP}`, 0},
			{`{"x":DEEP,"messages":[{"role":"user","content":"Hi"},` +
				`{"role":"tool","content":"{}","x":DEEP},{"role":"assistant","content":"Hello"}]}`, 3},
			{`{"messages":[{"role":"user","content":[{"type":"tool_result","content":DEEP}]},` +
				`{"role":"user","content":"Hi"},{"role":"assistant","content":"Hello"}]}`, 3},
			{`{"id":1,"speaker":"user","text":"Hi","x":DEEP}` + "\n" +
				`{"id":1,"speaker":"agent","text":"Hello","x":DEEP}`, 2},
		} {
			in := strings.ReplaceAll(tt.format, "DEEP", deep)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			turns := 0
			for s, err := range Read(strings.NewReader(in), "f", Options{}) {
				if err == nil {
					turns += len(s.Dialogue.Turns)
				}
			}
			runtime.ReadMemStats(&after)
			reason := tt.format + " with " + deep[:10]
			assert.Equal(t, tt.turns, turns, reason)
			assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(30<<20), reason)
		}
	}
}

func TestEmptyObjects(t *testing.T) {
	for _, err := range Read(strings.NewReader(`[{},{"a":{}}]`), "f", Options{}) {
		assert.ErrorContains(t, err, "this JSON has no text or number in its first 8 levels; want")
	}
}
