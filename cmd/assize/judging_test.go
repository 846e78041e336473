package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/calibration"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/console"
	"assize/heuristics"
	"assize/heuristics/satisfaction"
	"assize/localllm"
	"assize/localllm/fakeollama"
	"assize/rubric"
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

// A calibration defines the Evaluator of each criterion, the mapping of the model's answers to
// levels, and the basis of satisfaction. It applies only to its model and questions.
func TestCalibration(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	other := fakeollama.Tiny()
	other.Name, other.Digest = "other:latest", strings.Repeat("fe", 32)
	s := serve(t, fakeollama.Tiny(), other)
	p := newPatient(t)
	p.knows = rubric.SetOf(rubric.Empathy, rubric.TaskSuccess)
	s.Answer(p.answer)
	file := filepath.Join(t.TempDir(), "tiny.json")
	stdout, stderr, code := call(t, nil, "doctor", "--model", "tiny", "--ollama", s.URL, "-o", file)
	require.Equal(t, console.Fine, code, stdout+stderr)
	assert.NoDirExists(t, file+".answers")
	out := func(args ...string) (string, string) {
		path := filepath.Join(t.TempDir(), "run.jsonl")
		_, stderr, code := call(t, strings.NewReader(orders(8, 0)),
			bySide(s, append(args, "-", "--input-format", "uss", "-o", path)...)...)
		require.Equal(t, console.Fine, code, stderr)
		return path, stderr
	}
	path, stderr := out("--calibration", file)
	assert.Regexp(t,
		`the Evaluator of each criterion, and the skill of both: TaskSuccess: model \(model \S+, rules \S+\); Helpfulness: rules `, stderr)
	assert.Regexp(t, `the model counts for \d+ % of satisfaction`, stderr)
	h := headerOf(t, path)
	require.NotNil(t, h.Basis.Calibration)
	assert.Equal(t, "skill", h.Configuration.Evaluator)
	assert.Equal(t, p.knows, h.Basis.Calibration.Seats(calibration.Evaluator))
	plain := filepath.Join(t.TempDir(), "rules.jsonl")
	_, stderr, code = call(t, strings.NewReader(orders(8, 0)), "score", "-", "--input-format",
		"uss", "-o", plain)
	require.Equal(t, console.Fine, code, stderr)
	byRules := recordsOf(t, plain)
	for i, r := range recordsOf(t, path) {
		for k, rating := range r.Evaluation.Evaluator {
			want := byRules[i].Evaluation.Evaluator[k].Score
			if p.knows.Has(rubric.Criterion(k)) {
				want = h.Basis.Calibration.Criteria[k].Score(r.Goodness[k])
			}
			assert.Equal(t, want, rating.Score, rubric.Criterion(k).String())
		}
	}
	stdout, _, code = call(t, nil, "replay", path)
	assert.Equal(t, console.Fine, code, stdout)
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	less := filepath.Join(t.TempDir(), "less.jsonl") // a call of the model
	require.NoError(t, os.WriteFile(less,
		regexp.MustCompile(`\{"purpose":"question"[^{}]*\},`).ReplaceAll(whole, nil), 0o666))
	stdout, _, code = call(t, nil, "replay", less)
	assert.Equal(t, console.No, code)
	assert.Contains(t, strings.Join(strings.Fields(stdout), " "),
		"dialogue 1: the line lacks calls of the model, which were removed or failed:")

	_, stderr, code = call(t, nil, bySide(s, parcel, "--calibration", file, "--model", "other")...)
	assert.Equal(t, console.Bad, code)
	assert.Contains(t, stderr,
		"it was made with tiny:latest, sha256:0123456789ab…, and the model is other:latest, sha256:fefefefefefe…")
	questions := filepath.Join("..", "..", "localllm", "prompts", "questions.yaml")
	data, err := os.ReadFile(questions)
	require.NoError(t, err)
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "questions.yaml"),
		append(data, "\n# ours\n"...), 0o666))
	_, stderr, code = call(t, nil, bySide(s, parcel, "--calibration", file, "prompts: "+folder)...)
	assert.Equal(t, console.Bad, code)
	assert.Contains(t, stderr, "it was made with other prompts or questions")

	old := fakeollama.Tiny()
	old.Old = true
	_, stderr, code = call(t, nil, bySide(serve(t, old), parcel)...)
	assert.Equal(t, console.Bad, code)
	assert.Contains(t, stderr, "want Ollama 0.12.11 or later")

	learnt := satisfaction.DefaultProfile()
	learnt.Learned = &satisfaction.Learned{Dialogues: 60}
	profile := filepath.Join(t.TempDir(), "profile.json")
	require.NoError(t, os.WriteFile(profile, learnt.File(), 0o666))
	path, stderr = out("--profile", profile, "--calibration", file)
	assert.Nil(t, headerOf(t, path).Basis.Profile.Model, "ratings tell more than the trial")
	assert.NotContains(t, stderr, "of satisfaction")
}

// A model's doubts change a score only where the calibration gives them a vote. Without one they
// are in the record. What a claim led to follows from the answers, as replay checks.
func TestDoubts(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	s := serve(t)
	s.Answer(newPatient(t).answer)
	file := filepath.Join(t.TempDir(), "tiny.json")
	stdout, stderr, code := call(t, nil, "doctor", "--model", "tiny", "--quick", "--ollama", s.URL,
		"-o", file)
	require.Equal(t, console.Fine, code, stdout+stderr)
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	c, err := calibration.Parse(file, data)
	require.NoError(t, err)
	for _, k := range rubric.Criteria() {
		c.Criteria[k].Role = calibration.Critic
		for _, favour := range []bool{false, true} {
			c.Claims = append(c.Claims, calibration.Claim{Criterion: k, Favour: favour, Asked: 60,
				Skill:      calibration.Skill{Value: 6e5, Low: 3e5, High: 8e5},
				ClaimScale: localllm.ClaimScale{Vote: true}})
		}
	}
	require.NoError(t, os.WriteFile(file, c.File(), 0o666))
	s.Answer(func(r fakeollama.Request) string {
		if strings.Contains(r.User, "Do these words show") ||
			strings.Contains(r.User, "true of the conversation") {
			if strings.Contains(r.User, "the SYSTEM gives facts") ||
				strings.Contains(r.User, "the SYSTEM says what the USER can do") {
				return ".9"
			}
			return ".1"
		}
		return ".7"
	})
	talk := "USER: My router shows a red light.\nSYSTEM: Please press the reset button for 10 " +
		"seconds, then wait 2 minutes.\nUSER: That did not help.\nSYSTEM: Call 0800 123 456 " +
		"between 8 and 18.\n"
	plain := filepath.Join(t.TempDir(), "talk.txt")
	require.NoError(t, os.WriteFile(plain, []byte(talk), 0o600))
	for _, calibrated := range []bool{true, false} {
		args := []string{plain, "--evaluator", "rules"}
		if calibrated {
			args = append(args, "--calibration", file)
		}
		made, records, stderr, code := recorded(t, bySide(s, args...)...)
		require.Equal(t, console.Fine, code, stderr)
		r := records[0]
		require.NotEmpty(t, r.Model.Claims)
		const k = rubric.Helpfulness
		i := slices.IndexFunc(r.Model.Claims, func(v localllm.Verified) bool {
			return v.Criterion == k
		})
		require.GreaterOrEqual(t, i, 0)
		first := r.Model.Claims[i]
		assert.False(t, first.Favour)
		assert.Equal(t, 100, *first.Holds)
		e := r.Evaluation
		o, before, after := e.Critique[k], e.Evaluator[k].Score, e.Final[k].Score
		if calibrated {
			assert.Equal(t, localllm.LedToObjection, first.Led)
			assert.Equal(t, "model", o.By)
			assert.Greater(t, o.Suggested, before)
			assert.Regexp(t, `^The model finds it unlikely \(10 %\) that .*; without that, `, o.Claim)
			assert.Equal(t, o.Suggested, after)
			assert.Equal(t, rubric.Contradicted, e.Rulings[k].ID)
		} else {
			assert.Equal(t, localllm.LedToRemark, first.Led)
			assert.Equal(t, before, after)
			assert.Contains(t, made, "Helpfulness: The model finds it unlikely (10 %) that the ")
			assert.Contains(t, stderr, "is uncalibrated")
		}
		stdout, _, code := call(t, strings.NewReader(made), "replay")
		assert.Equal(t, console.Fine, code, stdout)
		forged := strings.Replace(made, `"holds":100`, `"holds":700`, 1)
		require.NotEqual(t, made, forged)
		stdout, _, code = call(t, strings.NewReader(forged), "replay")
		assert.Equal(t, console.No, code)
		assert.Contains(t, stdout, "/model/claims/")
	}
}

// A profile learnt with another lexicon is used, with a note.
func TestAProfileOfAnotherLexicon(t *testing.T) {
	profile := satisfaction.DefaultProfile()
	agents := heuristics.New()
	path := filepath.Join(t.TempDir(), "profile.json")
	for lexicon, said := range map[string]bool{strings.Repeat("ab", 32): true,
		agents.Digest(): false, "": false} {
		profile.Learned = &satisfaction.Learned{Dialogues: 60, Lexicon: lexicon}
		require.NoError(t, os.WriteFile(path, profile.File(), 0o666))
		_, stderr, code := call(t, nil, "score", parcel, "--profile", path)
		assert.Equal(t, console.Fine, code, stderr)
		assert.Equal(t, said,
			strings.Contains(stderr,
				"assize: the profile was learnt with the lexicon abababababab…, but this program has "), stderr)
	}
}
