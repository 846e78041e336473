package triage

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/judging/corpus"
	"assize/cmd/assize/internal/judging/judge"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/console"
	"assize/heuristics"
	"assize/heuristics/satisfaction"
	"assize/rubric"
	"assize/rubric/dialogue/importer"
)

// A model can only be asked about what the rules of this program judged, on the words themselves.
func TestModelOptions(t *testing.T) {
	agents, dir := heuristics.New(), t.TempDir()
	profile := satisfaction.DefaultProfile()
	profile.Cuts = []rubric.Hundredths{150, 250, 320, 400}
	rules := judge.New(agents, judge.Options{Rubric: rubric.Default(), Profile: profile,
		Dates: "eu"})
	record := &run.Record{Reason: "nobody speaks"}
	written := func(name string, change func(*run.Header)) string {
		h := rules.Header(importer.Options{Dates: "eu"})
		change(&h)
		path := filepath.Join(dir, name)
		w, err := run.Create(path, &h)
		require.NoError(t, err)
		require.NoError(t, w.Add(record))
		require.NoError(t, w.Close())
		require.NoError(t, w.Release())
		return path
	}
	byRules := written("rules.jsonl", func(*run.Header) {})
	other := written("other.jsonl", func(h *run.Header) { h.Configuration.Kind = "service" })
	redacted := written("redacted.jsonl", func(h *run.Header) { h.Configuration.Redacted = true })
	elsewhere := written("old.jsonl", func(h *run.Header) { h.Lexicon = "ab" })
	evaluator := written("model.jsonl", func(h *run.Header) {
		h.Configuration.Evaluator = judge.ByModel
	})
	critic := written("critic.jsonl", func(h *run.Header) { h.Configuration.Critic = judge.ByBoth })
	for _, tt := range []struct {
		files []string
		want  string
	}{
		{[]string{byRules}, ""},
		{[]string{byRules, byRules}, ""},
		{[]string{byRules, other}, other + ": --budget cannot be used: it was made with other " +
			"settings than " + byRules},
		{[]string{redacted}, "the run is redacted, and the model would judge the masks"},
		{[]string{elsewhere}, "the run was made with another lexicon"},
		{[]string{evaluator}, "a model has judged all of the run"},
		{[]string{critic}, "a model has judged all of the run"},
		{nil, "--budget cannot be used: the runs hold no records"},
		{[]string{"-"}, "-: --budget reads everything twice"},
	} {
		r := &Ranker{Corpus: &corpus.Corpus{Console: &console.Console{}, Files: tt.files},
			Agents: agents}
		opt, err := r.ModelOptions()
		if tt.want != "" {
			assert.ErrorContains(t, err, tt.want)
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, profile.Digest(), opt.Profile.Digest())
		assert.Equal(t, "eu", opt.Dates)
		assert.False(t, opt.Redact)
	}
	r := &Ranker{Corpus: &corpus.Corpus{Console: &console.Console{Mask: func(err error) error {
		return err
	}}, Files: []string{"a.txt"}, Rules: rules}, Agents: agents}
	opt, err := r.ModelOptions()
	require.NoError(t, err)
	assert.Equal(t, judge.Options{Rubric: rules.Rubric, Profile: profile, Dates: "eu",
		Redact: true}, opt, "transcripts are judged as the rules judged them")
}
