package run_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/cmd/assize/internal/run"
	"assize/localllm"
)

func TestDifferences(t *testing.T) {
	model := func(change func(*localllm.Identity)) func(*run.Header) {
		return func(h *run.Header) {
			id := localllm.Identity{Name: "tiny:latest", Digest: strings.Repeat("a", 64), Options: localllm.Settings{NumCtx: 6144}}
			if change != nil {
				change(&id)
			}
			h.Model = &id
		}
	}
	for _, tt := range []struct {
		reason   string
		was, now func(*run.Header)
		want     []string
	}{
		{"nothing differs", nil, nil, nil},
		{"a mapping is told once", nil, func(h *run.Header) {
			h.Basis.Rubric.Mapping = 1 - h.Basis.Rubric.Mapping
			h.Configuration.Mapping = "nearest"
		}, []string{"mapping: down in the run, nearest now"}},
		{"a weight", nil, func(h *run.Header) { h.Basis.Rubric.Weights[0], h.Basis.Rubric.Weights[1] = 15, 40 },
			[]string{"rubric weights TaskSuccess: 40 in the run, 15 now", "rubric weights Helpfulness: 15 in the run, 40 now"}},
		{"options", nil, func(h *run.Header) { h.Configuration.Redacted, h.Configuration.Transcript = true, "cited" },
			[]string{"transcript: full in the run, cited now", "redacted: false in the run, true now"}},
		{"who is who", nil, func(h *run.Header) {
			h.Configuration.SystemNames, h.Configuration.Roles = []string{"Bot"}, map[string]string{"Ann": "OTHER"}
		}, []string{"roles Ann: USER in the run, OTHER now", "roles Bot: SYSTEM in the run, nothing now", "system names 0: nothing in the run, Bot now"}},
		{"the lexicon and the program", nil, func(h *run.Header) { h.Lexicon, h.Program = strings.Repeat("0", 64), "v9" },
			[]string{"program: v1.2.3 in the run, v9 now", "lexicon: bb in the run, 000000000000… now"}},
		{"a model where there was none", nil, model(nil), []string{"model name: nothing in the run, tiny:latest now"}},
		{"another model", model(nil), model(func(id *localllm.Identity) { id.Digest, id.Options.NumCtx = strings.Repeat("b", 64), 4096 }),
			[]string{"model digest: aaaaaaaaaaaa… in the run, bbbbbbbbbbbb… now", "model options num ctx: 6144 in the run, 4096 now"}},
		{"a long text is shown by its beginning", nil, func(h *run.Header) { h.Basis.Rubric.Levels[0][0] = strings.Repeat("x", 1000) },
			[]string{"rubric levels TaskSuccess 20: It failed, or the SYSTEM talks about something else. in the run, " + strings.Repeat("x", 59) + "… now"}},
	} {
		was, now := header(), header()
		if tt.was != nil {
			tt.was(&was)
		}
		if tt.now != nil {
			tt.now(&now)
		}
		assert.Equal(t, tt.want, was.Differences(&now), tt.reason)
	}
}
