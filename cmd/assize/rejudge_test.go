package main

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/console"
	"assize/localllm/fakeollama"
)

// rejudge judges a run again by the models of a server.
func rejudge(t testing.TB, s *fakeollama.Server, run string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	args = append([]string{"replay", "--rejudge", "--ollama", s.URL, "--model-patience", "20ms", "--model-timeout", "10s"}, args...)
	return call(t, strings.NewReader(run), args...)
}

// A model that is asked again answers the same, whoever else sits on the bench and whatever failed.
func TestAModelIsAskedAgain(t *testing.T) {
	odd := strings.Repeat("USER\tIs it open?\t\t\nSYSTEM\tYes, it is open until six today, and until eight on Fridays.\t\t\n", 120) + "USER\tThank you.\t\t\n"
	for _, tt := range []struct {
		reason string
		faults []string // that come up both times, for the first questions
		args   []string
		says   string // of the run
	}{
		{"the whole panel", nil, nil, `"cross_check"`},
		{"the rules as the Critic", nil, []string{"--critic", "rules"}, `"critic":"rules"`},
		{"the model as the Critic alone", nil, []string{"--evaluator", "rules", "--critic", "model", transcripts + "/uss.txt"}, `"purpose":"objection"`},
		{"other options", nil, []string{"--num-ctx", "5000", "--num-predict", "250", "--num-thread", "1", "--keep-alive", "2m"}, `"num_predict":250`},
		{"another rubric", nil, []string{"--mapping", "nearest"}, `"mapping":"nearest"`},
		{"windows", nil, []string{"--num-ctx", "4096"}, `"windows"`},
		{"what does not fit", nil, []string{"--num-ctx", "4096", "--on-overflow", "refuse"}, `too-long`},
		{"mended answers", []string{"length", "length"}, nil, `"failure":"cut-answer"`},
		{"a model that fails", []string{"empty", "empty"}, nil, `"status":"unscored"`},
		{"the rules in its place", []string{"empty", "empty"}, []string{"--fallback", "rules"}, `"fallback":["evaluator","critic"]`},
		{"a bad moment of the server", []string{"unavailable"}, nil, `"attempt":2`},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			s := serve(t)
			fail := func() {
				for _, f := range tt.faults {
					s.Misbehave(f, 1)
				}
			}
			fail()
			var run, stderr string
			if strings.Contains(strings.Join(tt.args, " "), "4096") {
				run, stderr, _ = call(t, strings.NewReader(odd), bySide(s, append([]string{"-", "--input-format", "uss", "--format", "jsonl"}, tt.args...)...)...)
			} else {
				run, stderr, _ = call(t, nil, bySide(s, append(append(tt.args, "--format", "jsonl"), both...)...)...)
			}
			require.Contains(t, run, tt.says, stderr)
			asked := len(s.Questions())
			fail()
			stdout, stderr, code := rejudge(t, s, run, "--jobs", "1")
			assert.Equal(t, console.Fine, code, "%s%s", stdout, stderr)
			assert.Contains(t, stdout, "all answers are the same")
			assert.NotContains(t, stdout, "the detectors and the agents said")
			questions := s.Questions()
			require.Len(t, questions, 2*asked, "it is asked, and asked the same")
			for i, q := range questions[asked:] {
				assert.Equal(t, questions[i].Body, q.Body)
			}
		})
	}
}

// With many at work, a model still judges one dialogue after the other.
func TestAModelIsAskedAgainInOrder(t *testing.T) {
	s := serve(t)
	run, _, _ := call(t, nil, bySide(s, transcripts, "--system-name", "Priya", "--format", "jsonl")...)
	stdout, stderr, code := rejudge(t, s, run, "--jobs", "8")
	assert.Equal(t, console.Fine, code, "%s%s", stdout, stderr)
	primed := 0
	for _, q := range s.Requests() {
		if q.Primes() && q.User != "." {
			primed++
		}
	}
	assert.Zero(t, primed, "no dialogue comes between the questions about another")
}

func TestAModelThatAnswersOtherwise(t *testing.T) {
	s := serve(t)
	run, _, _, _ := recorded(t, bySide(s, both...)...)
	s.Answer(func(r fakeollama.Request) string {
		answer := fakeollama.Valid(r)
		if strings.Contains(r.User, "My internet") {
			answer = regexp.MustCompile(`"Fluency":\{"turn":\d+,"score":\d+`).ReplaceAllString(answer, `"Fluency":{"turn":4,"score":20`)
		}
		return answer
	})
	stdout, stderr, code := rejudge(t, s, run)
	assert.Equal(t, console.No, code, stderr)
	assert.Regexp(t, `-:3: dialogue 1: /evaluator/Fluency/score is [0-9]+; judged again, it is 20\n`, stdout)
	assert.Contains(t, stdout, "1 answered otherwise now")
	assert.NotContains(t, stdout, "-:2:", "the other dialogue is as it was")
	stdout, _, _ = rejudge(t, s, run, "--format", "json")
	assert.Contains(t, stdout, `"again": [
            {
              "path": "/evaluator/Fluency/score",`)

	s.Answer(func(fakeollama.Request) string { return "I would rather \x1b[2Jnot." })
	stdout, _, code = rejudge(t, s, run)
	assert.Equal(t, console.No, code, "an answer of nothing is another answer")
	assert.Contains(t, stdout, "judged again, it is \"unscored: the model\n  did not judge it: not-json:")
	assert.NotContains(t, stdout, "\x1b")
}

// The same scores after a mended answer are the same judgement, and yet not the same run.
func TestAnAccountThatDiffers(t *testing.T) {
	s := serve(t)
	run, _, _, _ := recorded(t, bySide(s, parcel, "--critic", "rules")...)
	s.Misbehave("length", 1)
	stdout, _, code := rejudge(t, s, run, "--format", "json")
	assert.Equal(t, console.No, code)
	assert.Contains(t, stdout, `"path": "/model/calls/1/purpose",`)

	run, _, _, _ = recorded(t, bySide(s, parcel, "--fallback", "rules")...)
	s.Answer(func(fakeollama.Request) string { return "no" })
	stdout, _, code = rejudge(t, s, run)
	assert.Equal(t, console.No, code)
	assert.Contains(t, strings.Join(strings.Fields(stdout), " "),
		`/status is "scored"; judged again, it is "scored, with the rules for [evaluator critic]"`)
}

// A model that cannot be heard has not answered otherwise.
func TestAModelThatCannotBeAskedAgain(t *testing.T) {
	s := serve(t)
	run, _, _, _ := recorded(t, bySide(s, append(both, "--fallback", "rules")...)...)
	for _, fault := range []string{"unavailable", "html", "cut-stream", "bad-request"} {
		s.Misbehave(fault, -1)
		stdout, stderr, code := rejudge(t, s, run)
		assert.Equal(t, console.Bad, code, fault)
		assert.Contains(t, stderr, "dialogue 1: cannot be judged again: the model could not be heard (", fault)
		assert.NotContains(t, stdout, "otherwise", fault)
		s.Behave()
	}
	other := fakeollama.Tiny()
	other.Digest = strings.Repeat("f", 64)
	s.SetModels(other)
	stdout, stderr, code := rejudge(t, s, run)
	assert.Equal(t, console.Bad, code)
	assert.Contains(t, stderr, "cannot be judged again: what would judge is not what judged it: /provenance/model/digest is 0123456789ab…; now it is ffffffffffff…\nhint: ")
	assert.Contains(t, stdout, "every decision, average, level and audit", "the rest is worked out all the same")

	_, stderr, code = call(t, nil, "replay", "run.jsonl", "--ollama", s.URL)
	assert.Equal(t, console.Bad, code)
	assert.Contains(t, stderr, "assize: --ollama needs --rejudge\n")
	_, stderr, code = call(t, strings.NewReader(run), "replay", "--rejudge", "--ollama", "http://192.0.2.1:11434")
	assert.Equal(t, console.Bad, code)
	assert.Contains(t, stderr, "transcripts would be sent there\nhint: --allow-remote allows it\n")
}

func TestAModelIsNotAskedTwiceWithACache(t *testing.T) {
	s := serve(t)
	dir := t.TempDir()
	run, _, _, _ := recorded(t, bySide(s, append(both, "--cache", dir)...)...)
	asked := len(s.Questions())
	stdout, stderr, code := rejudge(t, s, run, "--cache", dir)
	assert.Equal(t, console.Fine, code, "%s%s", stdout, stderr)
	assert.Len(t, s.Questions(), asked)
}

func TestAnInterruptOfJudgingAgain(t *testing.T) {
	s := serve(t)
	made, _, _, _ := recorded(t, bySide(s, both...)...)
	s.Misbehave("hang", -1)
	ctx, cancel := context.WithCancel(t.Context())
	before := len(s.Questions())
	var stdout, stderr bytes.Buffer
	done := make(chan int)
	go func() {
		done <- execute(ctx, []string{"replay", "--rejudge", "--ollama", s.URL}, strings.NewReader(made), &stdout, &stderr)
	}()
	require.Eventually(t, func() bool { return len(s.Questions()) > before }, 10*time.Second, time.Millisecond)
	cancel()
	assert.Equal(t, console.Bad, <-done)
	assert.Equal(t, "assize: -: stopped after 0 records; the rest is not read\n", stderr.String())
}
