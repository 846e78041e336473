package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/showing/explain"
	"assize/cmd/assize/internal/terminal/console"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/localllm"
	"assize/localllm/fakeollama"
	"assize/rubric"
)

// serve starts a fake server that stops with the test.
func serve(t testing.TB, models ...fakeollama.Model) *fakeollama.Server {
	t.Helper()
	s := fakeollama.Start(models...)
	t.Cleanup(s.Close)
	return s
}

// bySide returns the arguments to score with a server's model and a short time limit.
func bySide(s *fakeollama.Server, args ...string) []string {
	return append([]string{"score", "--model", "tiny", "--ollama", s.URL, "model-patience: 20ms", "model-timeout: 10s"}, args...)
}

// recorded scores into a run and returns its records, which must all be valid, also by the schema.
func recorded(t testing.TB, args ...string) (made string, records []*run.Record, stderr string,
	code int,
) {
	t.Helper()
	made, stderr, code = call(t, nil, append(args, "--format", "jsonl")...)
	schema := recordSchema(t)
	for line, err := range run.Read(strings.NewReader(made), "run") {
		require.NoError(t, err)
		valid(t, schema, line.Text)
		r, err := line.Decode()
		require.NoError(t, err)
		records = append(records, r)
	}
	return made, records, stderr, code
}

var (
	parcel = filepath.Join(transcripts, "parcel.txt")
	both   = []string{parcel, filepath.Join(transcripts, "complaint.txt")}
)

func TestAModelJudges(t *testing.T) {
	s := serve(t)
	made, records, stderr, code := recorded(t, bySide(s, both...)...)
	require.Equal(t, console.Fine, code, stderr)
	require.Len(t, records, 2)
	_, byRules, _, _ := recorded(t, append([]string{"score"}, both...)...)
	for i, r := range records {
		require.NotNil(t, r.CrossCheck)
		assert.Equal(t,
			r.Evaluation.Evaluator.Scores(),
			scoresOf(r.CrossCheck, func(c rubric.Comparison) rubric.Score { return c.Model }))
		assert.Equal(t,
			byRules[i].Evaluation.Final.Scores(),
			scoresOf(r.CrossCheck, func(c rubric.Comparison) rubric.Score { return c.Rules }),
			"the rules alone settle on these")
		assert.Equal(t, byRules[i].Satisfaction, r.Satisfaction, "a model moves no satisfaction")
		require.NotEmpty(t, r.Model.Calls)
		assert.Equal(t, localllm.ForQuestion, r.Model.Calls[0].Purpose)
		assert.Positive(t, r.Model.Calls[0].PromptTokens)
		assert.Empty(t, r.Fallback)
	}
	head, err := run.ParseHeader([]byte(strings.SplitN(made, "\n", 2)[0]))
	require.NoError(t, err)
	assert.Equal(t, "model", head.Configuration.Evaluator)
	assert.Equal(t, "both", head.Configuration.Critic)
	assert.Equal(t, fakeollama.Tiny().Digest, head.Model.Digest)
	assert.Regexp(t,
		`^assize: tiny:latest is uncalibrated: .*\nassize: tiny:latest: 2 dialogues, \d+ calls, \d+ tokens read and \d+ generated, \d+\.\d s \(\d+\.\d per dialogue\)\n$`, stderr)

	again, _, _, _ := recorded(t, bySide(s, both...)...)
	assert.Equal(t, made, again, "the same answers give the same bytes")
}

func scoresOf(c *rubric.CrossCheck, of func(rubric.Comparison) rubric.Score,
) (s [rubric.NumCriteria]rubric.Score) {
	for i, k := range c.Criteria {
		s[i] = of(k)
	}
	return s
}

func TestWithoutAModelNoServerIsAsked(t *testing.T) {
	s := serve(t)
	t.Setenv("OLLAMA_HOST", s.URL)
	_, records, stderr, code := recorded(t, "score", parcel)
	assert.Equal(t, console.Fine, code)
	assert.Empty(t, stderr)
	assert.Nil(t, records[0].Model)
	assert.Nil(t, records[0].CrossCheck)
	assert.Empty(t, s.Requests())
}

func TestWhoPlays(t *testing.T) {
	s := serve(t)
	for _, tt := range []struct {
		reason            string
		args              []string
		evaluator, critic string
	}{
		{"the whole panel", nil, "model", "both"},
		{"the rules object", []string{"--critic", "rules"}, "model", "rules"},
		{"the model criticises the rules", []string{"--evaluator", "rules", "--critic", "model"},
			"rules", "model"},
		{"both criticise the rules", []string{"--evaluator", "rules"}, "rules", "both"},
	} {
		made, records, _, code := recorded(t, bySide(s, append(tt.args, parcel)...)...)
		require.Equal(t, console.Fine, code, tt.reason)
		assert.Contains(t, made,
			`"evaluator":"`+tt.evaluator+`","critic":"`+tt.critic+`"`, tt.reason)
		assert.NotNil(t, records[0].CrossCheck, tt.reason)
		for _, o := range records[0].Evaluation.Critique {
			if o.Suggested != 0 && tt.critic != "both" {
				assert.Equal(t, tt.critic, o.By, tt.reason)
			}
			if o.Suggested != 0 && tt.evaluator == "model" {
				assert.Equal(t, "rules", o.By, "%s: a model does not object to itself", tt.reason)
			}
		}
	}
}

func TestModelsThatCannotBeUsed(t *testing.T) {
	s := serve(t)
	bare := fakeollama.Tiny()
	bare.Name, bare.Template = "bare:latest", ""
	away := fakeollama.Tiny()
	away.Name, away.RemoteHost = "away:latest", "https://ollama.example"
	s.SetModels(fakeollama.Tiny(), bare, away)
	gone := fakeollama.Start()
	gone.Close()
	web := serve(t)
	web.FailAll("html", -1)
	slow := serve(t)
	slow.FailAll("hang", -1)
	for _, tt := range []struct {
		reason string
		args   []string
		stderr []string
	}{
		{"the server is down", []string{"--model", "tiny", "--ollama", gone.URL},
			[]string{"ollama serve"}},
		{"the model is absent", []string{"--model", "none", "--ollama", s.URL},
			[]string{"tiny:latest", "hint: get it with: ollama pull none"}},
		{"it is another one", []string{"--model", "tiny@sha256:ffffffffffff", "--ollama", s.URL},
			[]string{fakeollama.Tiny().Digest}},
		{"no chat template", []string{"--model", "bare", "--ollama", s.URL},
			[]string{"no chat template"}},
		{"it runs elsewhere", []string{"--model", "away", "--ollama", s.URL},
			[]string{"ollama.example", "--allow-remote"}},
		{"another machine", []string{"--model", "tiny", "--ollama", "http://192.0.2.1:11434"},
			[]string{"192.0.2.1", "--allow-remote"}},
		{"no address", []string{"--model", "tiny", "--ollama", "ftp://x"},
			[]string{"want one such as http://127.0.0.1:11434"}},
		{"a web page", []string{"--model", "tiny", "--ollama", web.URL}, []string{"hint: "}},
		{"it does not load", []string{"--model", "tiny", "--ollama", slow.URL, "model-timeout: 50ms"}, []string{"did not load within 50ms"}},
		{"no room", []string{"--model", "tiny", "--ollama", s.URL, "num-ctx: 600"},
			[]string{"leaves no room"}},
		{"more than it has", []string{"--model", "tiny", "--ollama", s.URL, "num-ctx: 90000"},
			[]string{"has 8192 at most"}},
		{"no time", []string{"--model", "tiny", "--ollama", s.URL, "model-timeout: soon"},
			[]string{`model-timeout "soon": want a time such as 90s or 10m`}},
		{"no cache", []string{"--model", "tiny", "--ollama", s.URL, "--cache",
			parcel}, []string{"--cache: "}},
		{"nothing to do", []string{"--model", "tiny", "--evaluator", "rules", "--critic", "rules"},
			[]string{"nothing to do"}},
		{"a critic of itself", []string{"--model", "tiny", "--ollama", s.URL, "--critic", "model"},
			[]string{"a model does not object to its own scores"}},
		{"no calibration", []string{"--model", "tiny", "--ollama", s.URL, "--evaluator", "skill"},
			[]string{"--evaluator skill needs --calibration FILE"}},
		{"no such calibration", []string{"--model", "tiny", "--ollama", s.URL, "--calibration",
			"none.json"}, []string{"--calibration none.json: "}},
		{"a transcript for a calibration", []string{"--model", "tiny", "--ollama", s.URL,
			"--calibration", parcel}, []string{"--calibration " + parcel + ": not a calibration"}},
		{"no model", []string{"--cache", "x"}, []string{"--cache needs --model"}},
		{"nothing is scored", []string{"--model", "tiny", "--dry-run"},
			[]string{"--model cannot be used with --dry-run"}},
	} {
		out := filepath.Join(t.TempDir(), "run.jsonl")
		args := append([]string{"score", parcel}, tt.args...)
		if !strings.Contains(strings.Join(args, " "), "--dry-run") {
			args = append(args, "-o", out)
		}
		stdout, stderr, code := call(t, nil, args...)
		assert.Equal(t, console.Bad, code, tt.reason)
		assert.Empty(t, stdout, tt.reason)
		for _, part := range tt.stderr {
			assert.Contains(t, stderr, part, tt.reason)
		}
		for line := range strings.Lines(stderr) {
			assert.Regexp(t, "^(assize|hint): ", line, tt.reason)
		}
		_, err := os.Stat(out)
		assert.ErrorIs(t, err, os.ErrNotExist, "%s: no file is begun", tt.reason)
	}
}

// Whatever the server does, the run ends, every dialogue has its record, and an unscored one says
// why.
func TestFailuresOfAModel(t *testing.T) {
	tried := map[string]bool{}
	for _, tt := range []struct {
		fault string
		kind  localllm.FailureKind
	}{
		{"slow-drip", localllm.TimedOut},
		{"hang", localllm.TimedOut},
		{"cut", localllm.ConnectionCut},
		{"cut-at-once", localllm.ConnectionCut},
		{"garbage", localllm.NotOllama},
		{"not-found", localllm.ModelAbsent},
		{"bad-request", localllm.Refused},
		{"unavailable", localllm.ServerError},
		{"server-error", localllm.ServerError},
		{"bad-format", localllm.Refused},
		{"context-error", localllm.PromptTruncated},
		{"html", localllm.NotOllama},
		{"html-404", localllm.NotOllama},
		{"redirect", localllm.Redirected},
		{"endless", localllm.NoAnswer},
		{"huge-header", localllm.ConnectionCut},
		{"gzip", localllm.NotOllama},
		{"no-done", localllm.NoDone},
		{"no-body", localllm.NoDone},
		{"no-probabilities", localllm.NoAnswer},
		{"neither", localllm.NoAnswer},
		{"positive", localllm.NoAnswer},
		{"certain-twice", localllm.NoAnswer},
		{"many-tokens", localllm.NoAnswer},
		{"nan", localllm.NoAnswer},
		{"truncated", localllm.PromptTruncated},
		{"forgetful", localllm.PromptTruncated},
	} {
		tried[tt.fault] = true
		t.Run(tt.fault, func(t *testing.T) {
			t.Parallel()
			s := serve(t)
			s.Fail(tt.fault, -1)
			var short []string
			if tt.kind == localllm.TimedOut {
				short = []string{"model-timeout: 200ms"}
			}
			_, records, stderr, code := recorded(t, bySide(s, append(short, both...)...)...)
			assert.Equal(t, console.Bad, code)
			assert.Contains(t, stderr, "the model judged none of the 2 dialogues")
			require.Len(t, records, 2)
			for _, r := range records {
				assert.False(t, r.Scored())
				assert.Regexp(t, `^the model did not judge it: `+string(tt.kind)+`: .`, r.Reason)
				require.NotNil(t, r.Model)
				assert.Nil(t, r.CrossCheck)
			}

			made, records, stderr, code := recorded(t,
				bySide(s, append(short, append(both, "fallback: rules")...)...)...)
			assert.Equal(t, console.Fine, code, stderr)
			assert.Contains(t, made, `"fallback":"rules"`)
			_, byRules, _, _ := recorded(t, append([]string{"score"}, both...)...)
			for i, r := range records {
				require.True(t, r.Scored())
				assert.Equal(t, []run.Agent{run.Evaluator}, r.Fallback)
				assert.Equal(t, byRules[i].Evaluation.Final, r.Evaluation.Final,
					"the rules have the say")
				assert.Equal(t,
					"The rules took the part of the Evaluator, in which the model failed.",
					r.Evaluation.Decisions()[len(r.Evaluation.Decisions())-1])
			}
		})
	}
	for _, f := range fakeollama.Faults() {
		assert.True(t, tried[f], "%s is not tried", f)
	}
}

// If the model fails as the Critic, the rules' scores stay, and the record says so.
func TestACriticThatFails(t *testing.T) {
	s := serve(t)
	s.Fail("unavailable", -1)
	made, records, stderr, code := recorded(t,
		bySide(s, filepath.Join(transcripts, "complaint.txt"), "fallback: rules", "--evaluator",
			"rules")...)
	require.Equal(t, console.Fine, code, stderr)
	assert.Equal(t, []run.Agent{run.Critic}, records[0].Fallback)
	assert.Nil(t, records[0].CrossCheck)
	stdout, _, code := call(t, strings.NewReader(made), "replay")
	assert.Equal(t, console.Fine, code, stdout)
}

// A run survives temporary failures of a server, and reports them.
func TestFailuresThatPass(t *testing.T) {
	for _, fault := range []string{"cut", "unavailable", "no-done", "neither"} {
		s := serve(t)
		s.Fail(fault, 1)
		_, records, stderr, code := recorded(t,
			bySide(s, append(both, "model-patience: 5s")...)...)
		assert.Equal(t, console.Fine, code, "%s: %s", fault, stderr)
		require.Len(t, records, 2)
		assert.NotEmpty(t, records[0].Model.Calls[0].Failure, fault)
		for _, r := range records {
			assert.True(t, r.Scored(), fault)
			assert.Empty(t, r.Fallback, fault)
		}
	}
}

func TestAModelThatSaysTheSameOfEverything(t *testing.T) {
	s := serve(t)
	s.Answer(func(r fakeollama.Request) string {
		return ".7"
	})
	in := strings.Repeat(
		"USER\tHello, is it open?\t\t\nSYSTEM\tYes, until six.\t\t\nUSER\tThank you.\t\t\n\n", 8)
	_, stderr, code := call(t, strings.NewReader(in), bySide(s, "-", "--input-format", "uss",
		"--critic", "rules", "--format", "csv")...)
	assert.Equal(t, console.Fine, code)
	assert.Contains(t, stderr,
		"assize: the model gave all 8 dialogues the same six scores, so the scores are useless; see assize explain constant\n")
}

func TestAModelRunReplays(t *testing.T) {
	s := serve(t)
	s.Fail("neither", 2) // all questions about TaskSuccess in the first dialogue
	for _, options := range [][]string{nil, {"--redact"}, {"fallback: rules"},
		{"--critic", "rules"}, {"--evaluator", "rules"}} {
		made, _, stderr, code := recorded(t, bySide(s, append(options, both...)...)...)
		require.Equal(t, console.Fine, code, stderr)
		stdout, stderr, code := call(t, strings.NewReader(made), "replay")
		assert.Equal(t, console.Fine, code, "%v: %s%s", options, stdout, stderr)
		stdout, stderr, code = call(t, strings.NewReader(made), "check", "-")
		assert.Equal(t, console.Fine, code, "%v: %s%s", options, stdout, stderr)
	}
	made, _, _, _ := recorded(t, bySide(s, both...)...)
	for _, tt := range []struct{ reason, pattern, to, place string }{
		{"a verdict", `"verdict":"(agree|doubt|contradict)"`, `"verdict":"fine"`,
			"/cross_check/criteria/0/verdict"},
		{"the disagreement", `"disagreement":\d\.\d\d`, `"disagreement":0.01`,
			"/cross_check/disagreement"},
		{"the model's score", `"model":(\d+),"rules"`, `"model":10,"rules"`,
			"/cross_check/criteria/0/model"},
		{"an answer", `"question":"solved","yes":\d+`, `"question":"solved","yes":0`,
			"/evaluator/TaskSuccess/score"},
		{"the levels", `"levels":-?\d`, `"levels":9`, "/cross_check/criteria/0/levels"},
		{"the rules' score", `"rules":(\d+)`, `"rules":70`,
			"cross_check: TaskSuccess has the score 70"},
	} {
		lines := strings.SplitAfter(made, "\n")
		at := regexp.MustCompile(tt.pattern).FindStringIndex(lines[1])
		require.NotNil(t, at, tt.reason)
		lines[1] = lines[1][:at[0]] + tt.to + lines[1][at[1]:]
		stdout, _, code := call(t, strings.NewReader(strings.Join(lines, "")), "replay")
		assert.Equal(t, console.No, code, tt.reason)
		assert.Contains(t, stdout, tt.place, tt.reason)
	}
}

// A model answers questions of the scorecard; replay decides them again from its probabilities.
func TestAModelAnswersAScorecard(t *testing.T) {
	s := serve(t)
	s.Answer(func(r fakeollama.Request) string {
		if strings.Contains(r.User, "a new product") {
			return "0.9"
		}
		return fakeollama.Valid(r)
	})
	file := filepath.Join(t.TempDir(), "card.yaml")
	require.NoError(t, os.WriteFile(file, []byte(`questions:
  - {id: sold, ask: Did SYSTEM offer a new product?, by: model, good: no}
  - {id: sorry, ask: Did SYSTEM offer a new product or apologise?, by: both, yes: {system: [sorry]}}
`), 0o600))
	made, records, stderr, code := recorded(t, bySide(s, append(both, "--rubric", file)...)...)
	require.Equal(t, console.Fine, code, stderr)
	for _, r := range records {
		assert.Equal(t, rubric.Yes, r.Checklist.Answer("sold"))
		assert.Contains(t, r.Checklist.Answers[0].Why, "a probability of 90.0 %")
		assert.NotEqual(t, rubric.No, r.Checklist.Answer("sorry"))
	}
	_, _, code = call(t, strings.NewReader(made), "replay")
	assert.Equal(t, console.Fine, code)
	for _, tt := range []struct{ pattern, to, place string }{
		{`"question":"sold","yes":\d+`, `"question":"sold","yes":100`, "/checklist/"},
		{`"question":"sold","answer":"yes"`, `"question":"sold","answer":"no"`,
			"/checklist/answers/0/answer"},
	} {
		lines := strings.SplitAfter(made, "\n")
		at := regexp.MustCompile(tt.pattern).FindStringIndex(lines[1])
		require.NotNil(t, at, tt.pattern)
		lines[1] = lines[1][:at[0]] + tt.to + lines[1][at[1]:]
		stdout, _, code := call(t, strings.NewReader(strings.Join(lines, "")), "replay")
		assert.Equal(t, console.No, code)
		assert.Contains(t, stdout, tt.place)
	}
	_, records, _, _ = recorded(t, "score", parcel, "--rubric", file)
	assert.Equal(t, rubric.Open, records[0].Checklist.Answer("sold"), "without a model it is open")
	byRules := records[0].Evaluation.Final

	made, records, stderr, code = recorded(t, bySide(s, parcel, "--rubric", file, "--evaluator",
		"rules", "--critic", "rules")...)
	require.Equal(t, console.Fine, code, stderr)
	assert.Contains(t, stderr, "assize doctor --model tiny:latest --questions FILE measures it")
	assert.Equal(t, rubric.Yes, records[0].Checklist.Answer("sold"))
	assert.Equal(t, byRules, records[0].Evaluation.Final)
	assert.Len(t, records[0].Model.Calls, 2, "it is asked nothing else")
	_, _, code = call(t, strings.NewReader(made), "replay")
	assert.Equal(t, console.Fine, code)
}

// Text of a transcript that an answer repeats must not end up in the run if the user wants it left
// out.
func TestRawAnswersAreNoLeak(t *testing.T) {
	const secret = "USER: my card is 4111 1111 1111 1111 and my mail ann@example.org"
	s := serve(t)
	s.Answer(func(fakeollama.Request) string { return "I read: " + secret })
	made, _, _, _ := recorded(t, bySide(s, parcel)...)
	assert.Contains(t, made, secret)
	made, _, _, _ = recorded(t, bySide(s, parcel, "--redact")...)
	assert.Contains(t, made, `"raw":"I read: `)
	assert.NotContains(t, made, "4111 1111")
	assert.NotContains(t, made, "ann@example.org")
}

// canceller stops a run with its first record.
type canceller struct {
	bytes.Buffer
	cancel context.CancelFunc
	lines  int
}

func (c *canceller) Write(p []byte) (int, error) {
	if c.lines++; c.lines == 2 {
		c.cancel()
	}
	return c.Buffer.Write(p)
}

func TestAnInterruptOfAModelRun(t *testing.T) {
	s := serve(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out := canceller{cancel: cancel}
	var stderr bytes.Buffer
	args := configured(t, bySide(s,
		append(both, filepath.Join(transcripts, "restaurant.txt"), "--format", "jsonl")...))
	assert.Equal(t, console.Bad, execute(ctx, args, nil, &out, &stderr))
	records := strings.Count(out.String(), "\n") - 1 // a slow machine may have judged two
	assert.Contains(t, []int{1, 2}, records, "a header and whole records")
	assert.Contains(t, stderr.String(), fmt.Sprintf(
		"assize: stopped after %s; the rest is not scored\n", ui.Counted(records, "dialogue")))
	assert.NotContains(t, stderr.String(), "cancelled")

	s.Fail("hang", -1)
	ctx, cancel = context.WithCancel(t.Context())
	before := len(s.Questions())
	done := make(chan int)
	stderr.Reset()
	args = configured(t, bySide(s, parcel))
	go func() { done <- execute(ctx, args, nil, io.Discard, &stderr) }()
	require.Eventually(t,
		func() bool { return len(s.Questions()) > before }, time.Minute, time.Millisecond)
	cancel()
	assert.Equal(t, console.Bad, <-done)
	assert.Contains(t, stderr.String(), "stopped after 0 dialogues")
}

// A server that restarts in the middle of a run costs no dialogue.
func TestAServerThatIsRestarted(t *testing.T) {
	const dialogues = 40
	s := serve(t)
	var in strings.Builder
	for i := range dialogues {
		fmt.Fprintf(&in,
			"USER\tIs number %d open?\t\t\nSYSTEM\tYes, until six.\t\t\nUSER\tThank you.\t\t\n\n",
			i)
	}
	restarted := make(chan error)
	go func() {
		for len(s.Questions()) < 10 {
			time.Sleep(time.Millisecond)
		}
		s.Close()
		time.Sleep(500 * time.Millisecond) // on a busy machine, somebody must have asked
		restarted <- s.Restart()
	}()
	stdout, stderr, code := call(t, strings.NewReader(in.String()), bySide(s, "-", "--input-format",
		"uss", "model-patience: 20s", "--format", "jsonl")...)
	require.NoError(t, <-restarted)
	assert.Equal(t, console.Fine, code, stderr)
	seen, broken := map[int]bool{}, 0
	for line, err := range run.Read(strings.NewReader(stdout), "run") {
		require.NoError(t, err)
		r, err := line.Decode()
		require.NoError(t, err)
		assert.True(t, r.Scored(), r.Reason)
		assert.False(t, seen[r.Dialogue.ID], "none is doubled")
		seen[r.Dialogue.ID] = true
		for _, c := range r.Model.Calls {
			if c.Failure != "" {
				broken++
			}
		}
	}
	assert.Len(t, seen, dialogues, "none is lost")
	assert.Positive(t, broken, "the run says that the server was gone")
}

func TestTheCacheAsksNothingTwice(t *testing.T) {
	s := serve(t)
	dir := filepath.Join(t.TempDir(), "answers")
	first, _, _, _ := recorded(t, bySide(s, append(both, "--cache", dir)...)...)
	asked := len(s.Questions())
	second, _, stderr, _ := recorded(t, bySide(s, append(both, "--cache", dir)...)...)
	assert.Equal(t, first, second)
	assert.Len(t, s.Questions(), asked)
	assert.Contains(t, stderr, "answers from the cache")
}

func TestEveryWordOfAModelRunCanBeExplained(t *testing.T) {
	all, err := (&scaleFlags{}).entries()
	require.NoError(t, err)
	for _, docs := range [][]localllm.Doc{localllm.FailureKinds(), localllm.Flags()} {
		for _, d := range docs {
			_, ok := explain.Find(all, d.ID)
			assert.True(t, ok, d.ID)
		}
	}
	for _, id := range []string{"agree", "doubt", "contradict", "disagreement", "cross_check",
		"fallback"} {
		_, ok := explain.Find(all, id)
		assert.True(t, ok, id)
	}
}

// A server that does not say its version within model-patience is given up, however long it would
// take.
func TestVersionHasPatience(t *testing.T) {
	real := serve(t, fakeollama.Model{Name: "tiny"})
	to, err := url.Parse(real.URL)
	require.NoError(t, err)
	forward := httputil.NewSingleHostReverseProxy(to)
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/version" {
			select {
			case <-r.Context().Done():
				return
			case <-time.After(10 * time.Second): // less than the usual patience
			}
		}
		forward.ServeHTTP(w, r)
	}))
	defer slow.Close()
	_, stderr, code := call(t, nil, "score", "--model", "tiny", "--ollama", slow.URL,
		"model-patience: 50ms", parcel)
	assert.Equal(t, console.Bad, code)
	assert.Contains(t, stderr, "--model: no complete answer arrived in time")
	assert.Contains(t, stderr, "hint: raise model-patience, up to 30s for such a request, or restart")
	assert.NotContains(t, stderr, "model-timeout")
}
