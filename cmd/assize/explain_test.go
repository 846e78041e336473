package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/showing/explain"
	"assize/rubric"
)

func TestEveryIDThatIsPrintedCanBeExplained(t *testing.T) {
	all, err := entries(&scaleFlags{})
	require.NoError(t, err)
	stdout, _, _ := call(t, nil, "score", transcripts, "--system-name", "Brightline Mobile",
		"--format", "jsonl")
	printed := map[string]bool{}
	for line := range strings.Lines(stdout) {
		var r struct {
			Signals []struct{ ID string }
			Panel   struct {
				Critic  []struct{ Kind string }
				Rulings []struct{ Criterion, Ruling, Ground string }
			}
		}
		require.NoError(t, json.Unmarshal([]byte(line), &r))
		for _, s := range r.Signals {
			printed[s.ID] = true
		}
		for _, o := range r.Panel.Critic {
			printed[o.Kind] = true
		}
		for _, g := range r.Panel.Rulings {
			printed[g.Criterion], printed[g.Ruling], printed[g.Ground] = true, true, true
		}
	}
	for _, s := range rubric.Scale {
		printed[s.String()] = true
	}
	assert.Greater(t, len(printed), 30)
	for id := range printed {
		_, ok := explain.Find(all, id)
		assert.True(t, ok, "%q is printed and not explained", id)
	}
}

func TestEntries(t *testing.T) {
	all, err := entries(&scaleFlags{})
	require.NoError(t, err)
	seen := map[string]bool{}
	for _, e := range all {
		assert.False(t, seen[strings.ToLower(e.ID)], "%s is explained twice", e.ID)
		seen[strings.ToLower(e.ID)] = true
		assert.NotEmpty(t, e.Group, e.ID)
		assert.Regexp(t, `^\p{Lu}.*[.?]$`, e.Title, e.ID)
		found, ok := explain.Find(all, strings.ToUpper(e.ID))
		assert.True(t, ok)
		assert.Equal(t, e.ID, found.ID)
	}
	for _, levels := range rubric.Default().Demands {
		for _, demands := range levels {
			for _, id := range demands {
				assert.True(t, seen[id], "the rubric demands %q, which is no detector", id)
			}
		}
	}
}
