package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/judging/doctor"
	"assize/cmd/assize/internal/showing/explain"
	"assize/cmd/assize/internal/terminal/console"
	"assize/heuristics"
	"assize/localllm"
	"assize/localllm/fakeollama"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// patient is a model for the fake server, defined by its answers about the doctor's dialogues.
type patient struct {
	// the criteria on which it answers the reader's level; on others its answers are arbitrary
	knows     rubric.Set
	obeys     bool // follows instructions in a turn
	blind     bool // gives every dialogue the same answers
	drifts    bool // never answers the same twice
	moody     atomic.Int64
	specimens map[string]*doctor.Sample // by the first turn and the number of turns
	questions []localllm.Question
}

func newPatient(t *testing.T) *patient {
	specimens, err := doctor.Samples(heuristics.New())
	require.NoError(t, err)
	p := &patient{knows: rubric.AllCriteria, specimens: map[string]*doctor.Sample{},
		questions: localllm.DefaultPrompts().Questions}
	for i := range specimens {
		p.specimens[specimenKey(specimens[i].Case.Dialogue.Turns)] = &specimens[i]
	}
	return p
}

// specimenKey identifies a specimen, even if it has one turn more or less.
func specimenKey(turns []dialogue.Turn) string {
	words := strings.Fields(turns[len(turns)-1].Text + " " + turns[0].Text + " " + turns[1].Text)
	return strings.Join(words, " ")
}

var numberedTurn = regexp.MustCompile(`(?m)^\[\d+\] (?:USER|SYSTEM): (.*)$`)

// answer answers a closed question with the reader's level.
func (p *patient) answer(r fakeollama.Request) string {
	var turns []dialogue.Turn
	for _, m := range numberedTurn.FindAllStringSubmatch(r.User, -1) {
		turns = append(turns, dialogue.Turn{Text: m[1]})
	}
	var of rubric.Criterion
	for _, q := range p.questions {
		if strings.Contains(r.User, "\n"+q.Ask) {
			of = q.Criterion
		}
	}
	s := p.specimens[specimenKey(turns)]
	switch {
	case p.obeys && strings.Contains(r.User, "gets the score 100"):
		return ".999"
	case p.obeys && strings.Contains(r.User, "gets the score 20"):
		return ".001"
	case p.blind:
		return ".8"
	case p.drifts:
		return fmt.Sprintf("%.3f", float64(p.moody.Add(1)%997)/1000)
	case s == nil || !p.knows.Has(of):
		return fakeollama.Valid(r)
	}
	return fmt.Sprintf("%.3f", s.Levels[of]/110)
}

// consult runs the doctor with a server, and replaces its address in the output by the default one.
func consult(t *testing.T, s *fakeollama.Server, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	stdout, stderr, code = call(t, nil,
		append([]string{"doctor", "--ollama", s.URL, "model-patience: 1ms"}, args...)...)
	usual := strings.NewReplacer(s.URL, "http://127.0.0.1:11434")
	return usual.Replace(stdout), usual.Replace(stderr), code
}

func TestDoctor(t *testing.T) {
	bare, broken, old := fakeollama.Tiny(), fakeollama.Tiny(), fakeollama.Tiny()
	old.Old = true
	bare.Template = "{{ .Prompt }}"
	broken.Name, broken.Broken = "broken:latest", true
	for _, tt := range []struct {
		name, reason string
		patient      func(*patient)
		server       func(*fakeollama.Server)
		args         []string
		code         int
	}{
		{"good", "it knows what the reader thinks", nil, nil, nil, console.Fine},
		{"obeys", "it does what it is told to",
			func(p *patient) { p.obeys = true }, nil, []string{"--model", "tiny", "--quick"},
			console.Fine},
		{"blind", "the same answers for all",
			func(p *patient) { p.blind = true }, nil, []string{"--model", "tiny", "--quick"},
			console.No},
		{"empathic", "it knows one thing",
			func(p *patient) { p.knows = rubric.SetOf(rubric.Empathy) }, nil, nil, console.Fine},
		{"drifts", "another answer every time",
			func(p *patient) { p.drifts = true }, nil, []string{"--model", "tiny", "--quick"},
			console.No},
		{"all", "every model is tried", nil, nil, []string{"--all", "--quick"}, console.Fine},
		{"broken", "one that the server cannot describe hides no other", nil,
			func(s *fakeollama.Server) { s.SetModels(broken, fakeollama.Tiny()) },
			[]string{"--all", "--quick"}, console.Fine},
		{"untried", "nothing is tried without --model", nil, nil, []string{""}, console.Fine},
		{"absent", "no such model", nil, nil, []string{"--model", "none"}, console.No},
		{"other-digest", "not the model that was asked for", nil, nil,
			[]string{"--model", "tiny@sha256:ffffffffffff"}, console.No},
		{"no-template", "it would continue the transcript", nil,
			func(s *fakeollama.Server) { s.SetModels(bare) }, nil, console.No},
		{"old", "the server returns no probabilities", nil,
			func(s *fakeollama.Server) { s.SetModels(old) }, nil, console.No},
		{"no-model", "the server is empty", nil,
			func(s *fakeollama.Server) { s.SetModels() }, []string{""}, console.No},
		{"silent", "neither Yes nor No", nil,
			func(s *fakeollama.Server) { s.Fail("neither", -1) }, nil, console.No},
		{"breaks", "the server goes down in the middle", nil,
			func(s *fakeollama.Server) { s.Fail("cut-at-once", -1) }, nil, console.No},
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

// golden compares output with a file, or writes the file.
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
	first, stderr, code := consult(t, s, "--model", "tiny", "--quick", "--format", "json")
	assert.Equal(t, console.Fine, code)
	assert.Empty(t, stderr)
	// these change with every word of a prompt or a lexicon
	texts := regexp.MustCompile(
		`("(?:questions|question|claim|lexicon)": )"[0-9a-f]{64}"`)
	golden(t, filepath.Join("testdata", "doctor", "good.json"),
		texts.ReplaceAllString(first, `$1"…"`))
	again, _, _ := consult(t, s, "--model", "tiny", "--quick", "--format", "json")
	assert.Equal(t, first, again, "the same answers make the same report")

	broken := fakeollama.Tiny()
	broken.Broken = true
	s.SetModels(broken)
	listed, _, code := consult(t, s, "--format", "json")
	assert.Equal(t, console.No, code)
	assert.Regexp(t,
		`"name": "tiny:latest",(?s:.*)"template": false,\s+"remote": false,\s+"failure": \{\s+"kind": "http-5xx",\s+"message": "[^"]*no such file"`, listed)

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

// Every term in the result of a trial can be looked up with explain.
func TestEveryWordOfTheDoctorCanBeExplained(t *testing.T) {
	all, err := (&scaleFlags{}).entries()
	require.NoError(t, err)
	explained := func(id string) {
		_, ok := explain.Find(all, id)
		assert.True(t, ok, "%q is printed and not explained", id)
	}
	seen := map[string]bool{}
	for _, treat := range []func(*patient, *fakeollama.Server){
		func(*patient, *fakeollama.Server) {},
		func(p *patient, _ *fakeollama.Server) { p.blind = true },
		func(_ *patient, s *fakeollama.Server) { s.Fail("neither", -1) },
		func(_ *patient, s *fakeollama.Server) { s.FailAll("unavailable", -1) },
	} {
		p, s := newPatient(t), serve(t)
		treat(p, s)
		s.Answer(p.answer)
		stdout, _, _ := consult(t, s, "--model", "tiny", "--quick", "--format", "json")
		var doc struct {
			Trials []struct {
				Verdict string
				Failure *struct{ Kind string }
			}
		}
		require.NoError(t, json.Unmarshal([]byte(stdout), &doc))
		require.Len(t, doc.Trials, 1)
		trial := doc.Trials[0]
		explained(trial.Verdict)
		seen[trial.Verdict] = true
		if trial.Failure != nil {
			explained(trial.Failure.Kind)
		}
	}
	assert.Len(t, seen, 3)
	explained(string(doctor.Critic))
}

func TestDoctorRefusesBadOptions(t *testing.T) {
	s := fakeollama.Start()
	defer s.Close()
	for _, tt := range []struct {
		reason string
		args   []string
		stderr string
	}{
		{"of which model", []string{"-o", "x.json"},
			"--output takes the calibration of one model; want --model"},
		{"which is it", []string{"--all", "--model", "tiny"}, "--all cannot be used with --model"},
		{"nobody's address", []string{"--ollama", "ftp://x"}, "not the address of a server"},
		{"another machine", []string{"--ollama", "http://192.0.2.1"},
			"hint: --allow-remote allows it"},
		{"no name", []string{"--model", "a b"}, `model "a b" is not a valid name`},
		{"more context than there is", []string{"--model", "tiny", "num-ctx: 9000"},
			"has 8192 at most"},
		{"no room", []string{"--model", "tiny", "num-ctx: 600"}, "leaves no room"},
		{"no time", []string{"model-timeout: -1s"}, "want a time such as"},
		{"a word too many", []string{"tiny"}, "tiny"},
	} {
		stdout, stderr, code := consult(t, s, tt.args...)
		assert.Equal(t, console.Bad, code, tt.reason)
		assert.NotContains(t, stdout, "Trial", tt.reason)
		assert.Contains(t, stderr, tt.stderr, tt.reason)
	}
}

// No text from a hostile server reaches a terminal unescaped.
func TestDoctorIsNotHarmed(t *testing.T) {
	odd := fakeollama.Tiny()
	odd.Name, odd.Family, odd.Quantization = "odd\x1b[2J\u202e:latest", "<b>\x9b31m",
		strings.Repeat("Q", 5000)
	s := fakeollama.Start(odd)
	defer s.Close()
	s.FailAll("bad-request", -1)
	for _, format := range []string{"text", "json"} {
		stdout, stderr, code := consult(t, s, "--all", "--format", format)
		assert.Equal(t, console.No, code)
		for _, r := range stdout + stderr {
			assert.False(t, r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || r == 0x202e,
				strconv.QuoteRune(r))
		}
		assert.Less(t, len(stdout), 5000)
	}
}

// A stopped trial reports that it was stopped, without a verdict.
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
	code := execute(ctx, []string{"doctor", "--ollama", s.URL, "--model", "tiny"}, nil, &stdout,
		&stderr)
	assert.Equal(t, console.Bad, code)
	assert.Empty(t, stdout.String())
	assert.Equal(t, "assize: stopped before the trial was over\n", stderr.String())
}

// The real model of ASSIZE_TEST_MODEL is tried. The one from .ci/ollama is only for testing the
// plumbing, and must be rejected.
func TestRealDoctor(t *testing.T) {
	model := realModel(t)
	// other tests share the cores
	o := localllm.Options{Model: model, Settings: localllm.Settings{NumThread: 1}}
	r, err := doctor.Examine(t.Context(), o,
		doctor.Options{Quick: true, Progress: func(string, int, int) {}})
	require.NoError(t, err)
	require.Len(t, r.Trials, 1)
	trial := r.Trials[0]
	t.Logf("%s: %+v", trial.Verdict, trial)
	if strings.HasPrefix(model, "smollm2") { // it hardly ever answers Yes or No
		assert.NotEqual(t, doctor.Evaluator, trial.Verdict, "a model of 135 million parameters gets no seat")
		return
	}
	require.NotNil(t, trial.Calibration)
	assert.Equal(t, doctor.Quick, trial.Dialogues)
	assert.Equal(t, len(trial.Injections), trial.Repeated, "the same probabilities again")
}

// The doctor finds the range in which a model is unsure of a question; with it in the file, the
// same probability is another answer.
func TestADoctorOfQuestions(t *testing.T) {
	s := serve(t)
	s.Answer(func(r fakeollama.Request) string {
		switch {
		case !strings.Contains(r.User, "a new product"):
			return fakeollama.Valid(r)
		case strings.Contains(r.User, "Buy"):
			return "0.64"
		}
		return "0.6"
	})
	file := filepath.Join(t.TempDir(), "card.yaml")
	write := func(unsure string) {
		card := "questions:\n  - id: sold\n    ask: Did SYSTEM offer a new product?\n    by: model\n" +
			unsure
		for kind, says := range map[string]string{"hit": "Buy", "miss": "Take"} {
			card += "    " + kind + ":\n"
			for i := range 4 {
				card += fmt.Sprintf("      - \"USER: Hm.\\nSYSTEM: %s %d of them.\"\n", says, i)
			}
		}
		require.NoError(t, os.WriteFile(file, []byte(card), 0o600))
	}
	write("")
	stdout, stderr, code := consult(t, s, "--model", "tiny", "--questions", file)
	assert.Equal(t, console.Fine, code, stderr)
	assert.Regexp(t, `sold +4 +64 to 64 +4 +60 to 60 +0 +8 +\{from: 60, to: 64\}`, stdout)
	_, records, _, _ := recorded(t, bySide(s, parcel, "--rubric", file)...)
	assert.Equal(t, rubric.Open, records[0].Checklist.Answer("sold"))
	write("    unsure: {from: 61, to: 63}\n")
	made, records, _, _ := recorded(t, bySide(s, parcel, "--rubric", file)...)
	assert.Equal(t, rubric.No, records[0].Checklist.Answer("sold"))
	_, _, code = call(t, strings.NewReader(made), "replay")
	assert.Equal(t, console.Fine, code)

	stdout, _, _ = call(t, nil, "explain", "sold", "--rubric", file)
	assert.Contains(t, stdout, "    unsure:\n      from: 61\n      to: 63\n")
	stdout, _, code = consult(t, s, "--model", "tiny", "--questions", file, "--format", "json")
	assert.Equal(t, console.Fine, code)
	assert.Contains(t, stdout, `"hits": [`)
	for _, args := range [][]string{{"--questions", file}, {"--questions", file, "--all"},
		{"--questions", file, "--model", "tiny", "-o", "x.json"}} {
		_, stderr, code = consult(t, s, args...)
		assert.Equal(t, console.Bad, code)
		assert.Contains(t, stderr, "--questions is for --model NAME")
	}
	s.FailAll("neither", 100)
	stdout, stderr, code = consult(t, s, "--model", "tiny", "--questions", file)
	assert.Equal(t, console.No, code)
	assert.Contains(t, stdout, "sold: the model did not answer 8 examples")
	assert.Contains(t, stderr, "the model answers none of the examples")
	s.Recover()
	require.NoError(t, os.WriteFile(file, []byte("facts: []\n"), 0o600))
	_, stderr, code = consult(t, s, "--model", "tiny", "--questions", file)
	assert.Equal(t, console.Bad, code)
	assert.Contains(t, stderr, file+": the file has no question by model with examples; want")
}
