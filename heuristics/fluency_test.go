package heuristics

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"
)

// grave are the detectors of faults that make a turn hard to read, as opposed to small mistakes.
var grave = map[string]bool{
	"fluency-grammar": true,
}

// faults returns the detectors in grave that fire on a turn of the SYSTEM.
func faults(t testing.TB, a *Agents, text string) (ids []string) {
	t.Helper()
	signals, err := a.Observe(talk("USER: Where is my order?", "SYSTEM: "+text))
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

// The rated dialogues were written by people, so broken turns are rare in them, and so are tagged
// sentences.
func TestPeopleWriteSound(t *testing.T) {
	turns, tagged, found := 0, 0, map[string]int{}
	a := newAgents(t)
	for d := range rated(t) {
		signals, err := a.Observe(d)
		require.NoError(t, err)
		for _, s := range signals {
			found[s.ID]++
		}
		s := a.analyses.New().(*analysis)
		s.prepare(a.lex, a.terms, d)
		for _, turn := range s.spoken(dialogue.System) {
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
func suspects(s *analysis, t *turnText) bool {
	for first, last := 0, 0; first < t.words; first = last + 1 {
		last = t.sentenceEnd(first)
		if disorderOf(t, first, last) == heap {
			return true
		}
	}
	return false
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

// An ordinary dialogue does not load the tagger.
func TestTaggerStaysAsleep(t *testing.T) {
	a := newAgents(t)
	_, err := a.Observe(talk("USER: Where is my order?",
		"SYSTEM: It comes tomorrow, between nine and ten."))
	require.NoError(t, err)
	assert.Nil(t, a.tagger.model, "an ordinary dialogue loads the tagger")
	require.NotEmpty(t,
		faults(t, a, "Parcel banana quickly window harvest seven through lamp orange running."))
	assert.NotNil(t, a.tagger.model)
}

func BenchmarkDetectors(b *testing.B) {
	sound := []string{"USER: I need a table for four on Friday.",
		"SYSTEM: The Olive Tree has one at seven. Shall I book it?", "USER: Yes, please.",
		"SYSTEM: I have booked it. Is there anything else?", "USER: No, that's all. Thank you!",
		"SYSTEM: You're welcome, goodbye."}
	for _, bm := range []struct {
		name  string
		extra []string
	}{
		{"sound", nil},
		{"suspicious",
			[]string{"SYSTEM: angels flight railway historical landmark american folk art museum"}},
		{"broken", []string{"SYSTEM: The is for of table your a booked to the at has."}},
	} {
		b.Run(bm.name, func(b *testing.B) {
			a := newAgents(b)
			d := talk(append(sound[:len(sound):len(sound)], bm.extra...)...)
			_, err := a.Observe(d)
			require.NoError(b, err)
			b.ReportAllocs()
			for b.Loop() {
				_, _ = a.Observe(d)
			}
		})
	}
}
