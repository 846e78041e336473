package heuristics

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric"
)

// grave are the detectors of faults that make a turn hard to read, as opposed to small mistakes.
var grave = map[string]bool{
	"fluency-grammar": true, "fluency-verb": true,
}

// faults returns the detectors in grave that fire on a turn of the SYSTEM.
func faults(t testing.TB, a *Agents, text string) (ids []string) {
	t.Helper()
	signals, err := a.Observe(spoken("USER: Where is my order?", "SYSTEM: "+text))
	require.NoError(t, err)
	for _, s := range signals {
		if grave[s.ID] {
			ids = append(ids, s.ID)
		}
	}
	return ids
}

// linesOf reads a file of testdata without its comments.
func linesOf(t testing.TB, file string) (all []string) {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimRight(line, "\n"); line != "" && line[0] != '#' {
			all = append(all, line)
		}
	}
	return all
}

// The rules must find enough of the broken turns, by type of fault. The bounds are what was reached
// when the rules were written, minus one or two turns. Bad translations are the hardest, since most
// of their sentences are well formed.
func TestBrokenTurnsAreFound(t *testing.T) {
	a := newAgents(t)
	total, found := map[string]int{}, map[string]int{}
	for _, line := range linesOf(t, "testdata/fluency/broken.txt") {
		kind, text, ok := strings.Cut(line, "\t")
		require.True(t, ok, line)
		total[kind]++
		if len(faults(t, a, text)) > 0 {
			found[kind]++
		} else {
			t.Logf("missed: %s: %s", kind, text)
		}
	}
	for kind, percent := range map[string]int{"shuffle": 70, "content": 70, "mt": 30,
		"grammar": 80} {
		require.NotZero(t, total[kind], kind)
		t.Logf("%s: %d of %d", kind, found[kind], total[kind])
		assert.GreaterOrEqual(t, 100*found[kind]/total[kind], percent, kind)
	}
}

// Sound turns are not reported, however odd they look.
func TestSoundTurnsAreLetBe(t *testing.T) {
	a := newAgents(t)
	for _, text := range linesOf(t, "testdata/fluency/sound.txt") {
		assert.Empty(t, faults(t, a, text), text)
	}
}

// One wrong verb is a slip. Together with other slips, or in every turn, it is more.
func TestAWrongVerbIsASlip(t *testing.T) {
	a := newAgents(t)
	for answers, want := range map[string]rubric.Score{
		"We am sorry.|Your key is at the desk.":                        80,
		"We am sorry, we will reply you soon.|Your key is ready.":      60,
		"We am sorry.|The key have to stay here. We has a copy of it.": 40,
		"Your the for is booked table seven at evening Friday.|Yes.":   40,
	} {
		first, second, _ := strings.Cut(answers, "|")
		d := spoken("USER: Where is my key?", "SYSTEM: "+first, "USER: And now?",
			"SYSTEM: "+second)
		assert.Equal(t, want, judge(t, a, d).Final[rubric.Fluency].Score, answers)
	}
}
