package localllm_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/localllm"
	"assize/localllm/fakeollama"
	"assize/rubric"
)

// TestAnswers runs testdata/answers: one txtar a case. What a model answered to the question for all six criteria about
// the dialogue of booking, and the result: the ratings with their turns, or what was wrong and which criteria
// were then asked for by themselves. Those are answered well, so that every dialogue is scored in the end.
func TestAnswers(t *testing.T) {
	files, err := filepath.Glob("testdata/answers/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	s := serve(t)
	m := open(t, options(s))
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			require.NoError(t, err)
			reason, ok := strings.CutPrefix(string(a.Comment), "reason: ")
			require.True(t, ok, "a reason must be given")
			require.Len(t, a.Files, 2)
			text := strings.TrimSuffix(string(a.Files[0].Data), "\n")
			first := true
			s.Answer(func(r fakeollama.Request) string {
				if first {
					first = false
					return text
				}
				return fakeollama.Valid(r)
			})
			h := m.Session()
			card, err := h.Evaluate(context.Background(), booking())
			require.NoError(t, err)
			assert.Equal(t, string(a.Files[1].Data), became(t, h.Account(), card, text), reason)
		})
	}
}

// became tells what became of an answer.
func became(t *testing.T, a localllm.Account, card rubric.Scorecard, text string) string {
	var b strings.Builder
	if a.Calls[0].Failure == "" {
		for k, r := range card {
			fmt.Fprintf(&b, "%s %d @%d\n", rubric.Criterion(k), r.Score, r.Quotes[0].Turn)
		}
		return b.String()
	}
	fmt.Fprintf(&b, "%s\n", a.Calls[0].Failure)
	if a.Calls[0].Failure != localllm.EmptyAnswer {
		assert.Equal(t, text, a.Calls[0].Raw, "the raw answer is kept")
	}
	for _, call := range a.Calls[1:] {
		assert.Empty(t, call.Failure)
		fmt.Fprintf(&b, "again %s\n", call.Criterion)
	}
	return b.String()
}
