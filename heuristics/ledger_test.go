package heuristics

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// readLedgerFile returns the dialogues of a file, and the states of the claims expected in turns.
func readLedgerFile(t *testing.T, name string) (list []dialogue.Dialogue, want []map[int]string) {
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	roles := map[string]dialogue.Role{"USER": dialogue.User, "SYSTEM": dialogue.System,
		"TOOL": dialogue.Other}
	for block := range strings.SplitSeq(string(data), "\n\n") {
		var d dialogue.Dialogue
		states := map[int]string{}
		for line := range strings.Lines(block) {
			f := strings.Split(strings.TrimSpace(line), "\t")
			role, known := roles[f[0]]
			if !known {
				continue
			}
			d.Turns = append(d.Turns, dialogue.Turn{Role: role, Text: f[1]})
			if len(f) > 2 {
				states[len(d.Turns)] = f[2]
			}
		}
		if d.Turns != nil {
			list, want = append(list, d), append(want, states)
		}
	}
	return list, want
}

// TestLedger checks the states of claims in dialogues of ours.
func TestLedger(t *testing.T) {
	a := New()
	list, want := readLedgerFile(t, "testdata/claims/ledger.txt")
	for n, d := range list {
		signals, err := a.Observe(d)
		require.NoError(t, err)
		got := map[int][]string{}
		for _, c := range (rubric.Case{Dialogue: d, Signals: signals}).Deeds() {
			got[c.Turn] = append(got[c.Turn], string(c.State))
		}
		for turn, states := range want[n] {
			list := strings.Split(strings.Trim(states, "-"), ",")
			if states == "-" {
				list = nil
			}
			slices.Sort(list)
			slices.Sort(got[turn])
			assert.Equal(t, list, got[turn], d.Turns[turn-1].Text)
		}
	}
}
