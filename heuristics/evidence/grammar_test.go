package evidence

import (
	"os"
	"testing"

	"assize/rubric"
	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Words that nothing holds together are not a sentence, even if they are written as one.
func TestHeapsOfWords(t *testing.T) {
	tests := []struct {
		reason, text string
		heap         bool
	}{
		{"nothing holds the words together",
			"Parcel banana quickly window harvest seven through lamp orange running.", true},
		{"a number is read out",
			"Zero eight two one four, and your bill was worked out on zero nine six three oh.",
			false},
		{"a sentence has words that hold it", "The can is a blue one and it is on the shelf.",
			false},
		{"a list of names", "angels flight railway historical landmark american folk art museum",
			false},
	}
	a := newRules(t)
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			signals, err := a.Observe(dialogueOf("USER: Where is it?", "SYSTEM: "+tt.text))
			require.NoError(t, err)
			assert.Equal(t, tt.heap, rubric.Case{Signals: signals}.Fired("fluency-grammar"))
		})
	}
}

// The rated dialogues were written by people, so broken turns are rare in them.
func TestPeopleWriteSound(t *testing.T) {
	turns, found := 0, map[string]int{}
	a := newRules(t)
	for d := range rated(t) {
		signals, err := a.Observe(d)
		require.NoError(t, err)
		for _, s := range signals {
			found[s.ID]++
		}
		turns += d.Count(dialogue.System)
	}
	require.Greater(t, turns, 30_000)
	for id, most := range map[string]int{"fluency-grammar": 30, "safety-injection": 0,
		"safety-control": 0} {
		assert.LessOrEqual(t, found[id], most, id)
	}
}

// rated yields the 2,800 rated dialogues that are not part of the repository.
func rated(t testing.TB) func(yield func(dialogue.Dialogue) bool) {
	t.Helper()
	shared := os.Getenv("ASSIZE_SHARED")
	if shared == "" {
		t.Skip("ASSIZE_SHARED is not set: the rated dialogues are not checked")
	}
	return func(yield func(dialogue.Dialogue) bool) {
		for _, set := range []string{"CCPE", "MWOZ", "ReDial", "SGD"} {
			f, err := os.Open(shared + "/data/uss/" + set + ".txt")
			require.NoError(t, err)
			defer f.Close()
			for sample, err := range importer.Read(f, set, importer.Options{Format: importer.USS}) {
				require.NoError(t, err)
				if !yield(sample.Dialogue) {
					return
				}
			}
		}
	}
}
