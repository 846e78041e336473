package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/run"
	"assize/heuristics"
	"assize/rubric"
	"assize/rubric/check"
	"assize/rubric/dialogue/importer"
)

// ownDocuments judges the dialogues of a rated set and yields the record of each.
func ownDocuments(t testing.TB, set string, agents *heuristics.Agents, yield func(*run.Record)) {
	shared := os.Getenv("ASSIZE_SHARED")
	if shared == "" {
		t.Skip("ASSIZE_SHARED is not set: without the rated dialogues there is nothing to check the documents of")
	}
	file, err := os.Open(filepath.Join(shared, "data", "uss", set+".txt"))
	require.NoError(t, err)
	defer file.Close()
	r := rubric.Default()
	panel := rubric.Panel{Rubric: r, Observe: agents.Observe, Evaluator: agents.Evaluator(r),
		Critic: agents.Critic(r)}
	for sample, err := range importer.Read(file, set, importer.Options{}) {
		require.NoError(t, err)
		rec := run.New(sample)
		rec.Evaluation, err = panel.Judge(context.Background(), sample.Dialogue)
		require.NoError(t, err)
		yield(rec)
	}
}

// TestOwnDocumentsAreSound requires that the checker finds no error in our own documents: those of
// the debate and of the single evaluator for rated dialogues, with and without the transcript, and
// the records of runs. (.ci/trust checks the debates of all sets.)
func TestOwnDocumentsAreSound(t *testing.T) {
	agents := heuristics.New()
	checker := &check.Checker{Rubric: rubric.Default(), Observe: agents.Observe}
	n := 0
	for _, set := range []string{"CCPE", "SGD"} {
		ownDocuments(t, set, agents, func(rec *run.Record) {
			n++
			whole := rec.Append(nil)
			transcript := check.NewTranscript(rec.Dialogue)
			for name, text := range map[string][]byte{
				"debate": rec.Evaluation.AppendDebate(nil),
				"single": rec.Evaluation.AppendSingle(nil),
				"record": whole,
			} {
				for _, t2 := range []*check.Transcript{nil, transcript} {
					r := checker.Check(check.Document{Line: 1, Column: 1, Text: text}, t2)
					require.Empty(t, r.Findings, "%s %d, %s, transcript %v:\n%s", set,
						rec.Dialogue.ID, name, t2 != nil, text)
					require.Empty(t, r.Edits)
				}
			}
		})
	}
	assert.Equal(t, 1200, n)
}

// TestTamperingIsFound changes one thing in each of our documents. Every changed figure must be
// found and, with the transcript, every changed quote.
func TestTamperingIsFound(t *testing.T) {
	agents := heuristics.New()
	checker := &check.Checker{Rubric: rubric.Default(), Observe: agents.Observe}
	tampers := map[string]func(*rubric.Evaluation){
		"an evaluator's score": func(e *rubric.Evaluation) {
			e.Evaluator[rubric.Accuracy].Score = next(e.Evaluator[rubric.Accuracy].Score)
		},
		"a final score": func(e *rubric.Evaluation) { e.Final[rubric.Fluency].Score = next(e.Final[rubric.Fluency].Score) },
		"the average":   func(e *rubric.Evaluation) { e.Average += 100 },
		"the overall":   func(e *rubric.Evaluation) { e.Overall = next(e.Overall) },
	}
	n := 0
	ownDocuments(t, "CCPE", agents, func(rec *run.Record) {
		n++
		for name, tamper := range tampers {
			e := *rec.Evaluation
			tamper(&e)
			r := checker.Check(check.Document{Text: e.AppendDebate(nil)}, nil)
			assert.Equal(t, check.Error, r.Worst(), "%s of dialogue %d", name, rec.Dialogue.ID)
		}
		text := bytes.Replace(rec.Evaluation.AppendDebate(nil), []byte(`: \"`),
			[]byte(`: \"zebra `), 1)
		r := checker.Check(check.Document{Text: text}, check.NewTranscript(rec.Dialogue))
		assert.Equal(t, check.Error, r.Worst(), "a quote of dialogue %d", rec.Dialogue.ID)
	})
	assert.Equal(t, 400, n)
}

// next returns a different score.
func next(s rubric.Score) rubric.Score {
	if s == 100 {
		return 80
	}
	return s + 20
}

func BenchmarkCheckOwnDocuments(b *testing.B) {
	agents := heuristics.New()
	checker := &check.Checker{Rubric: rubric.Default(), Observe: agents.Observe}
	var texts [][]byte
	var transcripts []*check.Transcript
	size := 0
	ownDocuments(b, "CCPE", agents, func(rec *run.Record) {
		texts = append(texts, rec.Evaluation.AppendDebate(nil))
		transcripts = append(transcripts, check.NewTranscript(rec.Dialogue))
		size += len(texts[len(texts)-1])
	})
	for _, held := range []bool{false, true} {
		name := map[bool]string{false: "alone", true: "held"}[held]
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(size / len(texts)))
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				t := transcripts[i%len(texts)]
				if !held {
					t = nil
				}
				checker.Check(check.Document{Text: texts[i%len(texts)]}, t)
			}
		})
	}
}
