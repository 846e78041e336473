package fit

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/run"
	"assize/heuristics"
	"assize/localllm"
	"assize/rubric"
)

// Only a model that judged all runs is weighed, and only what this program scores is learnt.
func TestMaterial(t *testing.T) {
	agents := heuristics.New()
	header := func(name, digest string) *run.Header {
		h := &run.Header{Lexicon: agents.Digest()}
		if name != "" {
			h.Model = &localllm.Identity{Name: name, Digest: strings.Repeat(digest, 32)}
		}
		return h
	}
	one, two, nobody := header("some:1b", "ab"), header("other:2b", "cd"), header("", "")
	plain, checked := along(2, 3, 0, 0), along(2, 3, 0, 0)
	for i := range checked {
		judgedBy(t, checked[i], [rubric.NumCriteria]rubric.Score{20, 20, 20, 20, 20, 20})
	}
	for _, tt := range []struct {
		reason      string
		headers     []*run.Header
		list        []sample
		model, note string
	}{
		{"one model", []*run.Header{one, one}, checked, "some:1b", ""},
		{"two models", []*run.Header{one, two}, checked, "", "some:1b"},
		{"an unknown model", []*run.Header{nobody, one}, checked, "", "model"},
		{"no model", []*run.Header{nobody, nobody}, plain, "", ""},
		{"what a model did not judge", []*run.Header{one, two}, plain, "", ""},
	} {
		m := NewMaterial(agents, Options{})
		for i, r := range tt.list {
			ok, err := m.Add(r.Record, tt.headers[i])
			require.NoError(t, err)
			assert.True(t, ok)
		}
		assert.Len(t, m.Dialogues, 2)
		assert.Equal(t, tt.model, m.Model.Name, tt.reason)
		assert.Equal(t, tt.note == "", m.note == "", "%s: %s", tt.reason, m.note)
		assert.Contains(t, m.note, tt.note, tt.reason)
	}
	m := NewMaterial(agents, Options{})
	ok, err := m.Add(&run.Record{Reason: "silence"}, one)
	require.NoError(t, err)
	assert.False(t, ok)
	_, err = m.Add(plain[0].Record, &run.Header{Lexicon: "ab"})
	assert.Error(t, err)
	assert.Empty(t, m.Dialogues)
}
