package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/console"
	"assize/cmd/assize/internal/flags"
	"assize/cmd/assize/internal/run"
	"assize/heuristics"
	"assize/localllm/fakeollama"
)

// headerOf reads the header of a run.
func headerOf(t *testing.T, path string) run.Header {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	line, _, _ := strings.Cut(string(data), "\n")
	h, err := run.ParseHeader([]byte(line))
	require.NoError(t, err)
	return h
}

// What doctor found good enough for triage is half of satisfaction, where no ratings tell more, and for that model alone.
func TestAModelThatDoctorFoundGoodCounts(t *testing.T) {
	other := fakeollama.Tiny()
	other.Name, other.Digest = "other:latest", strings.Repeat("fe", 32)
	s := serve(t, fakeollama.Tiny(), other)
	s.Answer(newPatient(t).answer)
	in := orders(8, 0)
	const alone = "satisfaction is the rules' alone: assize doctor --model tiny:latest has not found the model good enough for triage"
	out := func(args ...string) (string, string) {
		path := filepath.Join(t.TempDir(), "run.jsonl")
		_, stderr, code := call(t, strings.NewReader(in), bySide(s, append(args, "-", "--input-format", "uss", "--critic", "rules", "-o", path)...)...)
		require.Equal(t, console.Fine, code, stderr)
		return path, stderr
	}
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	untried, stderr := out()
	assert.Contains(t, stderr, alone)
	assert.Nil(t, headerOf(t, untried).Basis.Profile.Model)

	stdout, stderr, code := call(t, nil, "doctor", "--model", "tiny", "--ollama", s.URL, "--model-patience", "1ms")
	require.Equal(t, console.Fine, code, stdout+stderr)
	assert.Contains(t, strings.Join(strings.Fields(stdout), " "), "whose judgement then is half of satisfaction")
	found, stderr := out()
	assert.Contains(t, stderr, "satisfaction is the mean of the rules' estimate and that of tiny:latest, which doctor found good enough for triage")
	m := headerOf(t, found).Basis.Profile.Model
	require.NotNil(t, m)
	assert.Equal(t, fakeollama.Tiny().Digest, m.Digest)
	before := recordsOf(t, untried)
	for i, r := range recordsOf(t, found) {
		rating := heuristics.Millionths(before[i].Satisfaction) * 10_000
		assert.InDelta(t, (rating + m.Halves(rating, r.Evaluation.EvaluatorAverage)).Float(), float64(r.Satisfaction)/100, 0.011)
		assert.Equal(t, before[i].Evaluation.Final, r.Evaluation.Final, "no score changes")
	}
	stdout, _, code = call(t, nil, "replay", found)
	assert.Equal(t, console.Fine, code, stdout)

	_, stderr = out("--model", "other")
	assert.Contains(t, stderr, "assize doctor --model other:latest has not found")
	learnt := heuristics.DefaultProfile()
	learnt.Learned = &heuristics.Learned{Dialogues: 60}
	profile := filepath.Join(t.TempDir(), "profile.json")
	require.NoError(t, os.WriteFile(profile, learnt.File(), 0o666))
	path, stderr := out("--profile", profile)
	assert.Nil(t, headerOf(t, path).Basis.Profile.Model, "ratings tell more than the trial")
	assert.NotContains(t, stderr, "satisfaction is")

	blind := newPatient(t)
	blind.blind = true
	s.Answer(blind.answer)
	_, _, code = call(t, nil, "doctor", "--model", "tiny", "--ollama", s.URL, "--model-patience", "1ms")
	assert.Equal(t, console.No, code)
	path, stderr = out()
	assert.Contains(t, stderr, alone, "the last trial counts")
	assert.Nil(t, headerOf(t, path).Basis.Profile.Model)
}

// A file of findings that somebody broke is named, with what to do.
func TestBrokenFindings(t *testing.T) {
	s := serve(t)
	home := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", home)
	file := filepath.Join(home, "assize", flags.FindingsFile)
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o777))
	require.NoError(t, os.WriteFile(file, []byte(`[{"verdict":1}]`), 0o666))
	_, stderr, code := call(t, nil, bySide(s, parcel)...)
	assert.Equal(t, console.Bad, code)
	assert.Contains(t, stderr, file+": ")
	assert.Contains(t, stderr, "delete it and try the models again")
	_, stderr, _ = call(t, nil, "doctor", "--model", "tiny", "--ollama", s.URL, "--model-patience", "1ms")
	assert.Contains(t, stderr, "what was found is not kept")
}

// What was learnt with another lexicon is used, and that is said.
func TestAProfileOfAnotherLexicon(t *testing.T) {
	profile := heuristics.DefaultProfile()
	agents := heuristics.New()
	path := filepath.Join(t.TempDir(), "profile.json")
	for lexicon, said := range map[string]bool{strings.Repeat("ab", 32): true, agents.Digest(): false, "": false} {
		profile.Learned = &heuristics.Learned{Dialogues: 60, Lexicon: lexicon}
		require.NoError(t, os.WriteFile(path, profile.File(), 0o666))
		_, stderr, code := call(t, nil, "score", parcel, "--profile", path)
		assert.Equal(t, console.Fine, code, stderr)
		assert.Equal(t, said, strings.Contains(stderr, "assize: the profile was learnt with the lexicon abababababab…, and this program has "), stderr)
	}
}
