package evidence

import (
	"os"
	"testing"

	"assize/heuristics/text"
	"assize/rubric"
	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Tags identify sequences of words that are not sentences.
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
	tagger := &text.Tagger{}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			tags := tagger.Tags(tt.text)
			assert.Equal(t, tt.heap, makesNoSentence(tags), tags)
		})
	}
}

// The rated dialogues were written by people, so broken turns are rare in them, and so are tagged
// sentences.
func TestPeopleWriteSound(t *testing.T) {
	turns, tagged, found := 0, 0, map[string]int{}
	a := newRules(t)
	for d := range rated(t) {
		signals, err := a.Observe(d)
		require.NoError(t, err)
		for _, s := range signals {
			found[s.ID]++
		}
		s := &analysis{}
		s.Prepare(a.Lexicon, a.terms, d, nil)
		for _, turn := range s.Spoken(dialogue.System) {
			turns++
			if suspects(s, turn) {
				tagged++
			}
		}
	}
	require.Greater(t, turns, 30_000)
	assert.LessOrEqual(t, tagged, turns/10_000, "turns that are tagged")
	for id, most := range map[string]int{"fluency-grammar": 30, "safety-injection": 0,
		"safety-control": 0} {
		assert.LessOrEqual(t, found[id], most, id)
	}
}

// suspects reports whether a sentence of t would be tagged.
func suspects(s *analysis, t *text.Turn) bool {
	for first, last := 0, 0; first < t.Words; first = last + 1 {
		last = t.SentenceEnd(first)
		if disorderOf(t, first, last) == heap {
			return true
		}
	}
	return false
}

// Of an ordinary dialogue, no sentence is tagged.
func TestTaggerStaysAsleep(t *testing.T) {
	a := newRules(t)
	tagged, tags := 0, a.tags
	a.tags = func(sentence string) []string {
		tagged++
		return tags(sentence)
	}
	for i, answer := range []string{"It comes tomorrow, between nine and ten.",
		"Parcel banana quickly window harvest seven through lamp orange running."} {
		signals, err := a.Observe(dialogueOf("USER: Where is my order?", "SYSTEM: "+answer))
		require.NoError(t, err)
		assert.Equal(t, i, tagged, answer)
		assert.Equal(t, i == 1, rubric.Case{Signals: signals}.Fired("fluency-grammar"), answer)
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
