package heuristics

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"assize/rubric"
	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"

	"github.com/stretchr/testify/require"
)

// benchDialogues reads the rated dialogues if they are available, and otherwise our own
// transcripts.
func benchDialogues(b *testing.B) (all []dialogue.Dialogue) {
	pattern := filepath.Join(os.Getenv("ASSIZE_SHARED"), "data", "uss", "*.txt")
	if os.Getenv("ASSIZE_SHARED") == "" {
		b.Log("ASSIZE_SHARED is not set: measuring on our own transcripts")
		pattern = filepath.Join("..", "testdata", "transcripts", "[hpru]*.txt")
	}
	files, err := filepath.Glob(pattern)
	require.NoError(b, err)
	for _, name := range files {
		file, err := os.Open(name)
		require.NoError(b, err)
		for sample, err := range importer.Read(file, name, importer.Options{}) {
			require.NoError(b, err)
			all = append(all, sample.Dialogue)
		}
		require.NoError(b, file.Close())
	}
	require.NotEmpty(b, all)
	return all
}

// BenchmarkJudge measures one dialogue from its turns to the final evaluation.
func BenchmarkJudge(b *testing.B) {
	a, dialogues := newAgents(b), benchDialogues(b)
	r := rubric.Default()
	panel := rubric.Panel{Rubric: r, Observe: a.Observe, Evaluator: a.Evaluator(r),
		Critic: a.Critic(r)}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := panel.Judge(context.Background(), dialogues[i%len(dialogues)]); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "dialogues/s")
	b.ReportMetric(float64(len(dialogues)), "dialogues")
}

// BenchmarkNew measures the cost of every start of the program: reading the files and compiling the
// phrases.
func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		newAgents(b)
	}
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
			d := spoken(append(sound[:len(sound):len(sound)], bm.extra...)...)
			_, err := a.Observe(d)
			require.NoError(b, err)
			b.ReportAllocs()
			for b.Loop() {
				_, _ = a.Observe(d)
			}
		})
	}
}
