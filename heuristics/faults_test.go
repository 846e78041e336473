package heuristics_test

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/heuristics"
	"assize/rubric"
	"assize/rubric/dialogue"
)

var withAside = flag.Bool("aside", false, "look at the faults that are kept aside as well")

// fault is a good dialogue, and the same with one statement of the SYSTEM that goes against
// another one.
type fault struct {
	name         string
	base, spoilt dialogue.Dialogue
}

// readFaults reads a file of testdata/faults. A dialogue begins with "== " and its name; a line
// with "- " before it is of the good dialogue alone, one with "+ " of the spoilt one.
func readFaults(t *testing.T, name string) (list []fault) {
	data, err := os.ReadFile(filepath.Join("testdata", "faults", name))
	require.NoError(t, err)
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if title, found := strings.CutPrefix(line, "== "); found {
			list = append(list, fault{name: title})
			continue
		}
		if line == "" {
			continue
		}
		require.NotEmpty(t, list, "%s: a line before the first name", name)
		f := &list[len(list)-1]
		line, good := strings.CutPrefix(line, "- ")
		line, bad := strings.CutPrefix(line, "+ ")
		role, text, found := strings.Cut(line, ": ")
		require.True(t, found, "%s: %q", name, line)
		turn := dialogue.Turn{Role: dialogue.User, Text: text}
		if role == "SYSTEM" {
			turn.Role = dialogue.System
		}
		if !bad {
			f.base.Turns = append(f.base.Turns, turn)
		}
		if !good {
			f.spoilt.Turns = append(f.spoilt.Turns, turn)
		}
	}
	return list
}

// contradictions returns what the contradiction family holds against the SYSTEM in a dialogue.
func contradictions(t *testing.T, a *heuristics.Agents, d dialogue.Dialogue) (ids []string) {
	signals, err := a.Observe(d)
	require.NoError(t, err)
	for _, s := range signals {
		if strings.HasPrefix(s.ID, "contradiction-") && s.Points < 0 && s.Criteria.Has(rubric.Accuracy) {
			ids = append(ids, s.ID)
		}
	}
	return ids
}

// Faults that nobody in the dialogue remarks on. Those of aside.txt were put away before any
// detector was written for such faults: they show how far it carries.
func TestSilentFaults(t *testing.T) {
	a := heuristics.New()
	files := map[string]int{"choose.txt": 12}
	if *withAside {
		files["aside.txt"] = 0
	}
	for name, atLeast := range files {
		list := readFaults(t, name)
		found := 0
		for _, f := range list {
			assert.Empty(t, contradictions(t, a, f.base), "%s: the good dialogue", f.name)
			if ids := contradictions(t, a, f.spoilt); len(ids) > 0 {
				found++
			} else {
				t.Logf("%s: missed: %s", name, f.name)
			}
		}
		t.Logf("%s: %d of %d found", name, found, len(list))
		assert.GreaterOrEqual(t, found, atLeast, name)
	}
}

// told returns the Accuracy of a dialogue as the Evaluator rates it.
func told(t *testing.T, a *heuristics.Agents, d dialogue.Dialogue) rubric.Rating {
	signals, err := a.Observe(d)
	require.NoError(t, err)
	c := rubric.Case{Dialogue: d, Signals: signals}
	card, err := a.Evaluator(rubric.Default()).Evaluate(context.Background(), c)
	require.NoError(t, err)
	return card[rubric.Accuracy]
}

// falseWords returns the words of the spoilt dialogue that the base lacks: from the first word of
// a turn in which the two differ to the last.
func (f fault) falseWords() string {
	for i, turn := range f.spoilt.Turns {
		good, bad := strings.Fields(f.base.Turns[i].Text), strings.Fields(turn.Text)
		if slices.Equal(good, bad) {
			continue
		}
		for len(good) > 0 && len(bad) > 1 && good[0] == bad[0] {
			good, bad = good[1:], bad[1:]
		}
		for len(good) > 0 && len(bad) > 1 && good[len(good)-1] == bad[len(bad)-1] {
			good, bad = good[:len(good)-1], bad[:len(bad)-1]
		}
		return strings.Trim(strings.Join(bad, " "), ".,!?:;")
	}
	return ""
}

// shows reports whether a quote of the rating holds the false words of the SYSTEM, or lies within
// them.
func (f fault) shows(r rubric.Rating) bool {
	words := f.falseWords()
	return slices.ContainsFunc(r.Quotes, func(q rubric.Quote) bool {
		text := strings.TrimRight(q.Text, "….,!?")
		return strings.Contains(text, words) || strings.Contains(words, text)
	})
}

// One value of a good dialogue is changed, so that the SYSTEM contradicts itself or the USER.
// Accuracy falls by a level or more, with a quote that shows it. Choose and aside were written
// together and parted by a hash of their names before any detector was written for them; at first 3
// of 18 were found in each. Those of edits-more.txt came later, ten or twelve at a time, and 9 of 32
// were found before anything was done for them.
func TestEdits(t *testing.T) {
	a := heuristics.New()
	files := map[string]int{"edits-choose.txt": 16, "edits-more.txt": 24}
	if *withAside {
		files["edits-aside.txt"] = 0
	}
	for name, atLeast := range files {
		list := readFaults(t, name)
		found := 0
		for _, f := range list {
			base, spoilt := told(t, a, f.base), told(t, a, f.spoilt)
			assert.GreaterOrEqual(t, int(base.Score), 80, "%s: %s", f.name, base.Sentence(f.base))
			switch {
			case base.Score-spoilt.Score >= 20 && f.shows(spoilt):
				found++
			case name != "edits-aside.txt":
				t.Logf("%s: missed: %s: %s", name, f.name, spoilt.Sentence(f.spoilt))
			}
		}
		t.Logf("%s: %d of %d found", name, found, len(list))
		assert.GreaterOrEqual(t, found, atLeast, name)
	}
}
