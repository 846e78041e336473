package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/console"
	"assize/cmd/assize/internal/doctor"
	"assize/cmd/assize/internal/evidence"
	"assize/cmd/assize/internal/explain"
	"assize/heuristics"
	"assize/localllm"
	"assize/localllm/fakeollama"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// patient is a model for the fake server: what it makes of the dialogues that the doctor shows it.
type patient struct {
	obeys     bool // does what a turn tells it to
	blind     bool // gives every dialogue the same scores
	shallow   bool // takes dialogues that begin alike for equally good
	drifts    bool // never says the same twice
	moody     atomic.Int64
	specimens []doctor.Specimen
}

func newPatient(t *testing.T) *patient {
	specimens, err := doctor.Specimens(heuristics.New())
	require.NoError(t, err)
	return &patient{specimens: specimens}
}

// asked gives the specimen whose turns a request shows; nil for another dialogue.
func (p *patient) asked(r fakeollama.Request) *doctor.Specimen {
	for i := range p.specimens {
		missing := func(t dialogue.Turn) bool {
			return !strings.Contains(r.User, strings.Join(strings.Fields(t.Text), " "))
		}
		if !slices.ContainsFunc(p.specimens[i].Case.Dialogue.Turns, missing) {
			return &p.specimens[i]
		}
	}
	return nil
}

// answer answers as the Evaluator, citing what went wrong, and as a Critic that agrees.
func (p *patient) answer(r fakeollama.Request) string {
	k, err := rubric.ParseCriterion(r.Asks)
	if err != nil {
		return `{"better":"A"}`
	}
	transcript, _, _ := strings.Cut(r.User, "</transcript>")
	score, turn := 100-20*(len(transcript)/37%2), 2
	if s := p.asked(r); s != nil {
		turns := localllm.Citable(s.Case, k)
		turn = turns[0]
		if !s.Good && !(p.shallow && s.Close) {
			score = 20 + 20*(int(k)%2)
			fault := slices.IndexFunc(turns, func(n int) bool { return evidence.Faults(s.Case, k)[n] })
			turn = turns[max(fault, 0)]
		}
	}
	switch {
	case p.obeys && strings.Contains(r.User, "give the score 100 for"):
		score = 100
	case p.obeys && strings.Contains(r.User, "give the score 20 for"):
		score = 20
	case p.blind:
		score = 80
	case p.drifts && k == rubric.Fluency:
		score = int(rubric.Scale[p.moody.Add(1)%5])
	}
	return fmt.Sprintf(`{"%s":{"turn":%d,"score":%d}}`, k, turn, score)
}

// consult calls the doctor with a server, whose address in the output is made the usual one.
func consult(t *testing.T, s *fakeollama.Server, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	stdout, stderr, code = call(t, nil, append([]string{"doctor", "--ollama", s.URL, "--model-patience", "1ms"}, args...)...)
	usual := strings.NewReplacer(s.URL, "http://127.0.0.1:11434")
	return usual.Replace(stdout), usual.Replace(stderr), code
}

func TestDoctor(t *testing.T) {
	bare, broken := fakeollama.Tiny(), fakeollama.Tiny()
	bare.Template = "{{ .Prompt }}"
	broken.Name, broken.Broken = "broken:latest", true
	for _, tt := range []struct {
		name, reason string
		patient      func(*patient)
		server       func(*fakeollama.Server)
		args         []string
		code         int
	}{
		{"good", "it parts good from bad and cites what went wrong", nil, nil, nil, console.Fine},
		{"obeys", "it does what it is told to, and the flagged turn is kept from it", func(p *patient) { p.obeys = true }, nil, nil, console.Fine},
		{"constant", "the same scores for all", func(p *patient) { p.blind = true }, nil, nil, console.No},
		{"shallow", "it tells good from bad only where that is plain", func(p *patient) { p.shallow = true }, nil, nil, console.No},
		{"drifts", "other bytes every time", func(p *patient) { p.drifts = true }, nil, nil, console.Fine},
		{"all", "every model is tried", nil, nil, []string{"--all"}, console.Fine},
		{"broken", "one that the server cannot describe hides no other", nil, func(s *fakeollama.Server) { s.SetModels(broken, fakeollama.Tiny()) }, []string{"--all"}, console.Fine},
		{"untried", "nothing is tried without --model", nil, nil, []string{""}, console.Fine},
		{"absent", "no such model", nil, nil, []string{"--model", "none"}, console.No},
		{"other-digest", "not the model that was asked for", nil, nil, []string{"--model", "tiny@sha256:ffffffffffff"}, console.No},
		{"no-template", "it would continue the transcript", nil, func(s *fakeollama.Server) { s.SetModels(bare) }, nil, console.No},
		{"no-model", "the server is empty", nil, func(s *fakeollama.Server) { s.SetModels() }, []string{""}, console.No},
		{"invalid", "nothing but empty answers", nil, func(s *fakeollama.Server) { s.Misbehave("empty", -1) }, nil, console.No},
		{"breaks", "the server goes down in the middle", nil, func(s *fakeollama.Server) { s.Misbehave("cut-at-once", -1) }, nil, console.No},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPatient(t)
			if tt.patient != nil {
				tt.patient(p)
			}
			s := fakeollama.Start()
			defer s.Close()
			s.Answer(p.answer)
			if tt.server != nil {
				tt.server(s)
			}
			args := tt.args
			if args == nil {
				args = []string{"--model", "tiny"}
			} else if args[0] == "" {
				args = nil
			}
			stdout, stderr, code := consult(t, s, args...)
			assert.Equal(t, tt.code, code, "%s\n%s%s", tt.reason, stdout, stderr)
			golden(t, filepath.Join("testdata", "doctor", tt.name+".txt"), stdout+stderr)
			for line := range strings.Lines(stdout) {
				assert.LessOrEqual(t, len([]rune(strings.TrimSuffix(line, "\n"))), 80, line)
			}
		})
	}
}

// golden compares what came with a file, or writes the file.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o666))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), got)
}

func TestDoctorJSON(t *testing.T) {
	p := newPatient(t)
	s := fakeollama.Start()
	defer s.Close()
	s.Answer(p.answer)
	first, stderr, code := consult(t, s, "--model", "tiny", "--format", "json")
	assert.Equal(t, console.Fine, code)
	assert.Empty(t, stderr)
	prompts := regexp.MustCompile(`("(?:system|criterion|object)": )"[0-9a-f]{64}"`) // they change with every word of a prompt
	golden(t, filepath.Join("testdata", "doctor", "good.json"), prompts.ReplaceAllString(first, `$1"…"`))
	again, _, _ := consult(t, s, "--model", "tiny", "--format", "json")
	assert.Equal(t, first, again, "the same answers make the same report")

	broken := fakeollama.Tiny()
	broken.Broken = true
	s.SetModels(broken)
	listed, _, code := consult(t, s, "--format", "json")
	assert.Equal(t, console.No, code)
	assert.Regexp(t, `"name": "tiny:latest",(?s:.*)"template": false,\s+"remote": false,\s+"failure": \{\s+"kind": "http-5xx",\s+"message": "[^"]*no such file"`, listed)

	s.Close()
	down, stderr, code := consult(t, s, "--format", "json")
	assert.Equal(t, console.No, code)
	assert.Contains(t, stderr, "assize: the server cannot be used: no server answers")
	var doc struct {
		Server struct {
			Reachable bool
			Failure   struct{ Kind, Hint string }
		}
		Models, Trials []any
		Use            *string
	}
	require.NoError(t, json.Unmarshal([]byte(down), &doc))
	assert.False(t, doc.Server.Reachable)
	assert.Equal(t, "server-down", doc.Server.Failure.Kind)
	assert.Equal(t, "start it with: ollama serve", doc.Server.Failure.Hint)
	assert.NotNil(t, doc.Models)
	assert.NotNil(t, doc.Trials)
	assert.Nil(t, doc.Use)
}

// Whatever a trial comes to, each of its words can be looked up.
func TestEveryWordOfTheDoctorCanBeExplained(t *testing.T) {
	all, err := entries()
	require.NoError(t, err)
	explained := func(id string) {
		_, ok := explain.Find(all, id)
		assert.True(t, ok, "%q is printed and not explained", id)
	}
	seen := map[string]bool{}
	for _, treat := range []func(*patient, *fakeollama.Server){
		func(*patient, *fakeollama.Server) {},
		func(p *patient, _ *fakeollama.Server) { p.drifts = true },
		func(p *patient, _ *fakeollama.Server) { p.blind = true },
		func(_ *patient, s *fakeollama.Server) { s.Misbehave("empty", -1) },
		func(_ *patient, s *fakeollama.Server) { s.MisbehaveAtOnce("unavailable", -1) },
	} {
		p, s := newPatient(t), serve(t)
		treat(p, s)
		s.Answer(p.answer)
		stdout, _, _ := consult(t, s, "--model", "tiny", "--format", "json")
		var doc struct {
			Trials []struct {
				Verdict string
				Because []string
				Failure *struct{ Kind string }
				Checks  []struct{ ID string }
			}
		}
		require.NoError(t, json.Unmarshal([]byte(stdout), &doc))
		require.Len(t, doc.Trials, 1)
		trial := doc.Trials[0]
		explained(trial.Verdict)
		seen[trial.Verdict] = true
		for _, c := range trial.Checks {
			explained(c.ID)
			seen[c.ID] = true
		}
		for _, id := range trial.Because {
			assert.True(t, seen[id], id)
		}
		if trial.Failure != nil {
			explained(trial.Failure.Kind)
		}
	}
	for _, e := range all {
		if !strings.Contains(e.Group, "doctor") {
			continue
		}
		assert.True(t, seen[e.ID] || e.ID == doctor.SecondOpinion.String(), "%s is explained and never printed", e.ID)
	}
}

func TestDoctorRefusesBadOptions(t *testing.T) {
	s := fakeollama.Start()
	defer s.Close()
	for _, tt := range []struct {
		reason string
		args   []string
		stderr string
	}{
		{"which is it", []string{"--all", "--model", "tiny"}, "--all cannot be used with --model"},
		{"nobody's address", []string{"--ollama", "ftp://x"}, "not the address of a server"},
		{"another machine", []string{"--ollama", "http://192.0.2.1"}, "hint: --allow-remote allows it"},
		{"no name", []string{"--model", "a b"}, `model "a b" is no name`},
		{"more context than there is", []string{"--model", "tiny", "--num-ctx", "9000"}, "has 8192 at most"},
		{"no room", []string{"--model", "tiny", "--num-ctx", "1000"}, "leaves no room"},
		{"no time", []string{"--model-timeout", "-1s"}, "want a time such as"},
		{"a word too many", []string{"tiny"}, "tiny"},
	} {
		stdout, stderr, code := consult(t, s, tt.args...)
		assert.Equal(t, console.Bad, code, tt.reason)
		assert.NotContains(t, stdout, "Trial", tt.reason)
		assert.Contains(t, stderr, tt.stderr, tt.reason)
	}
}

// A hostile server's words reach no terminal as they are.
func TestDoctorIsNotHarmed(t *testing.T) {
	odd := fakeollama.Tiny()
	odd.Name, odd.Family, odd.Quantization = "odd\x1b[2J\u202e:latest", "<b>\x9b31m", strings.Repeat("Q", 5000)
	s := fakeollama.Start(odd)
	defer s.Close()
	s.MisbehaveAtOnce("bad-request", -1)
	for _, format := range []string{"text", "json"} {
		stdout, stderr, code := consult(t, s, "--all", "--format", format)
		assert.Equal(t, console.No, code)
		for _, r := range stdout + stderr {
			assert.False(t, r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || r == 0x202e, strconv.QuoteRune(r))
		}
		assert.Less(t, len(stdout), 5000)
	}
}

// A trial that is stopped says so, and gives no verdict.
func TestDoctorIsStopped(t *testing.T) {
	p := newPatient(t)
	s := fakeollama.Start()
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	asked := atomic.Int64{}
	s.Answer(func(r fakeollama.Request) string {
		if asked.Add(1) == 5 {
			cancel()
		}
		return p.answer(r)
	})
	var stdout, stderr bytes.Buffer
	code := execute(ctx, []string{"doctor", "--ollama", s.URL, "--model", "tiny"}, nil, &stdout, &stderr)
	assert.Equal(t, console.Bad, code)
	assert.Empty(t, stdout.String())
	assert.Equal(t, "assize: stopped before the trial was over\n", stderr.String())
}

// The real model of ASSIZE_TEST_MODEL is tried. The one of .ci/ollama is for plumbing, and must be found out.
func TestRealDoctor(t *testing.T) {
	model := realModel(t)
	r, err := doctor.Examine(t.Context(), localllm.Options{Model: model, Settings: localllm.Settings{NumThread: 1}}, false, func(string, int, int) {}) // the cores are shared with whatever else is tested
	require.NoError(t, err)
	data, err := json.Marshal(r)
	require.NoError(t, err)
	var doc struct {
		Trials []struct {
			Verdict string
			Because []string
			Checks  []struct{ ID, Outcome, Says string }
			Seconds float64
		}
	}
	require.NoError(t, json.Unmarshal(data, &doc))
	require.Len(t, doc.Trials, 1)
	trial := doc.Trials[0]
	for _, c := range trial.Checks {
		t.Logf("%-13s %-8s %s", c.ID, c.Outcome, c.Says)
	}
	t.Logf("%s; because of %v; %.1f s a dialogue", trial.Verdict, trial.Because, trial.Seconds)
	assert.Len(t, trial.Checks, 8)
	assert.Contains(t, trial.Checks[0].Says, "24 of 24 dialogues scored", "a schema makes even the smallest model answer validly")
	outcomes := map[string]string{}
	for _, c := range trial.Checks {
		outcomes[c.ID] = c.Outcome
	}
	assert.Equal(t, "yes", outcomes["repeatable"])
	if strings.HasPrefix(model, "smollm2") {
		assert.Equal(t, "for tests only", trial.Verdict)
		assert.NotEmpty(t, r.Unfit())
	}
}
