package localllm_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/localllm"
	"assize/localllm/fakeollama"
	"assize/rubric"
)

// Every permanent failure of a server has a name, is retried a bounded number of times, and leaves
// the dialogue unscored with the recorded answer.
func TestFailures(t *testing.T) {
	tried := map[string]bool{}
	for _, tt := range []struct {
		fault    string
		want     localllm.FailureKind
		calls    int // number of calls in the account
		deadline time.Duration
		raw      string // part of the recorded text
		reason   string
	}{
		{"no-probabilities", localllm.NoAnswer, -1, 0, "Yes",
			"each question is asked all the same"},
		{"neither", localllm.NoAnswer, -1, 0, "Maybe", "each question is asked all the same"},
		{"positive", localllm.NoAnswer, -1, 0, "Yes", "each question is asked all the same"},
		{"certain-twice", localllm.NoAnswer, -1, 0, "Yes", "each question is asked all the same"},
		{"many-tokens", localllm.NoAnswer, -1, 0, "Yes", "each question is asked all the same"},
		{"nan", localllm.NoAnswer, -1, 0, "NaN", "each question is asked all the same"},
		{"slow-drip", localllm.TimedOut, 1, 150 * time.Millisecond, "", "as slow the next time"},
		{"hang", localllm.TimedOut, 1, 100 * time.Millisecond, "", "as slow the next time"},
		{"endless", localllm.NoAnswer, -1, 0, "xxxx", "each question is asked all the same"},
		{"huge-header", localllm.ConnectionCut, 3, 0, "", "asked again twice"},
		{"gzip", localllm.NotOllama, 1, 0, "\x1f",
			"nobody asked for compression, so it is not unpacked"},
		{"cut", localllm.ConnectionCut, 3, 0, `{\"TaskSuccess\":{\"tu`, "asked again twice"},
		{"cut-at-once", localllm.ConnectionCut, 3, 0, "", "asked again twice"},
		{"no-done", localllm.NoDone, 3, 0, `0.`,
			"whole as it looks, the server did not say so; asked again twice"},
		{"no-body", localllm.NoDone, 3, 0, "", "asked again twice"},
		{"unavailable", localllm.ServerError, 3, 0, "server busy", "asked again twice"},
		{"server-error", localllm.ServerError, 3, 0, "no longer running", "asked again twice"},
		{"bad-format", localllm.Refused, 1, 0, "invalid JSON schema",
			"it will not like the schema better the next time"},
		{"bad-request", localllm.Refused, 1, 0, "invalid options",
			"the same request fails in the same way"},
		{"not-found", localllm.ModelAbsent, 1, 0, "not found", "the model does not come back"},
		{"garbage", localllm.NotOllama, 1, 0, "not json at all", "no server of ours"},
		{"html", localllm.NotOllama, 1, 0, "guest network", "no server of ours"},
		{"html-404", localllm.NotOllama, 1, 0, "guest network", "no server of ours"},
		{"redirect", localllm.Redirected, 1, 0, "", "not followed"},
		{"context-error", localllm.PromptTruncated, 2, 0, "too long",
			"once more in windows of half the size"},
		{"truncated", localllm.PromptTruncated, 2, 0, `0.`,
			"once more in windows of half the size"},
		{"forgetful", localllm.PromptTruncated, 2, 0, `0.`,
			"once more in windows of half the size"},
	} {
		tried[tt.fault] = true
		t.Run(tt.fault, func(t *testing.T) {
			s := serve(t)
			o := options(s)
			if tt.deadline > 0 {
				o.Deadline = tt.deadline
			}
			m := open(t, o)
			s.Fail(tt.fault, -1)
			h := m.Session(rubric.AllCriteria, rubric.AllCriteria)
			_, err := h.Evaluate(context.Background(), booking())
			var f *localllm.Failure
			require.ErrorAs(t, err, &f)
			assert.Equal(t, tt.want, f.Kind, f.Error())
			var unscored *rubric.Unscored
			require.ErrorAs(t, err, &unscored, "a dialogue that was not judged is unscored")
			assert.Contains(t, unscored.Reason, string(tt.want))
			calls := h.Account().Calls
			if tt.calls < 0 {
				tt.calls = len(m.Identity().Questions)
			}
			require.Len(t, calls, tt.calls, tt.reason)
			for _, c := range calls {
				assert.Contains(t, []localllm.FailureKind{tt.want, localllm.BadProbabilities,
					localllm.EndlessAnswer}, c.Failure)
			}
			assert.Contains(t, calls[0].Raw, tt.raw)
			assert.NotContains(t, f.Error(), "\x1b", "what a server says is printed")
			documented(t, f.Kind)

			s.Recover()
			_, err = m.Session(rubric.AllCriteria, rubric.AllCriteria).
				Evaluate(context.Background(), booking())
			assert.NoError(t, err, "the next dialogue is judged")
		})
	}
	for _, f := range fakeollama.Faults() {
		assert.True(t, tried[f], "%s is not tried", f)
	}
}

// A question without an answer is skipped if the model answers another one about the criterion.
func TestUnansweredQuestion(t *testing.T) {
	s := serve(t)
	m := open(t, options(s))
	s.Fail("neither", 1)
	h := m.Session(rubric.AllCriteria, 0)
	card, err := h.Evaluate(t.Context(), booking())
	require.NoError(t, err)
	assert.True(t, card[rubric.TaskSuccess].Score.Valid())
	calls := h.Account().Calls
	assert.Equal(t, localllm.NoAnswer, calls[0].Failure)
	assert.Nil(t, calls[0].Yes)
	assert.NotNil(t, calls[1].Yes)
	_, ok := h.Scores()
	assert.True(t, ok)

	s.Fail("neither", 2) // all questions about TaskSuccess
	h = m.Session(rubric.AllCriteria, 0)
	card, err = h.Evaluate(t.Context(), booking())
	require.NoError(t, err)
	assert.Zero(t, card[rubric.TaskSuccess])
	assert.True(t, card[rubric.Helpfulness].Score.Valid())
	_, ok = h.Scores()
	assert.False(t, ok)
}

// Answers to a truncated prompt do not count.
func TestAnswersToACutPrompt(t *testing.T) {
	s := serve(t)
	m := open(t, options(s))
	s.Answer(func(r fakeollama.Request) string {
		if about(r) == rubric.Fluency && len(s.Questions()) < 12 {
			s.Fail("truncated", 1)
		}
		return rate(80)(r)
	})
	h := m.Session(rubric.AllCriteria, 0)
	card, err := h.Evaluate(t.Context(), booking())
	require.NoError(t, err)
	account := h.Account()
	id := m.Identity()
	g, ok := id.Goodness(&account)
	require.True(t, ok)
	yes := 0
	for _, call := range account.Calls {
		if call.Yes != nil {
			yes++
		}
	}
	assert.Equal(t, len(id.Questions), yes)
	for k := range card {
		assert.Equal(t, localllm.DefaultScale.Score(g[k]), card[k].Score)
	}
}

// Failures that occur once or twice are recovered from and recorded in the account.
func TestFailuresThatMend(t *testing.T) {
	for _, tt := range []struct {
		fault string
		times int
	}{
		{"cut", 2},
		{"no-done", 1},
		{"unavailable", 2},
		{"truncated", 1},     // with windows of half the size, one of which is enough here
		{"context-error", 1}, // the same
	} {
		t.Run(tt.fault, func(t *testing.T) {
			s := serve(t)
			m := open(t, options(s))
			whole := m.Session(rubric.AllCriteria, rubric.AllCriteria)
			want, err := whole.Evaluate(context.Background(), booking())
			require.NoError(t, err)
			s.Fail(tt.fault, tt.times)
			h := m.Session(rubric.AllCriteria, rubric.AllCriteria)
			card, err := h.Evaluate(context.Background(), booking())
			require.NoError(t, err)
			calls := h.Account().Calls
			assert.Len(t, calls, tt.times+len(whole.Account().Calls))
			for i, c := range calls {
				assert.Equal(t, i < tt.times, c.Failure != "", "call %d: %s", i+1, c.Failure)
			}
			assert.Equal(t, want, card, "the same question again")
		})
	}
}

func documented(t *testing.T, kind localllm.FailureKind) {
	t.Helper()
	for _, d := range localllm.FailureKinds() {
		if d.ID == string(kind) {
			assert.NotEmpty(t, d.Title)
			assert.NotEmpty(t, d.Why)
			assert.NotEmpty(t, d.Then)
			return
		}
	}
	t.Errorf("%s is not documented", kind)
}

// An unusable model is rejected before anything is judged, with advice.
func TestOpenFailures(t *testing.T) {
	tiny := fakeollama.Tiny()
	bare, half, elsewhere, old := tiny, tiny, tiny, tiny
	old.Old = true
	bare.Template = "{{ .Prompt }}"
	half.Template = "### User: {{ .Prompt }}\n### Answer:"
	elsewhere.RemoteHost = "https://ollama.com:443"
	for _, tt := range []struct {
		name   string
		model  fakeollama.Model
		change func(*localllm.Options)
		fault  string
		want   localllm.FailureKind
		says   string
	}{
		{"no such model", tiny, func(o *localllm.Options) { o.Model = "huge:70b" }, "",
			localllm.ModelAbsent,
			"model-absent: the server has no model huge:70b; it has tiny:latest"},
		{"another tag", tiny, func(o *localllm.Options) { o.Model = "tiny:2" }, "",
			localllm.ModelAbsent, "it has tiny:latest"},
		{"another digest", tiny, func(o *localllm.Options) { o.Model = "tiny@sha256:ffffffffffff" },
			"", localllm.DigestDiffers, "want sha256:ffffffffffff"},
		{"half a digest", tiny, func(o *localllm.Options) { o.Model = "tiny@sha256:0123" }, "",
			localllm.BadOptions, "@sha256: and 12 to 64"},
		{"no name", tiny, func(o *localllm.Options) { o.Model = " " }, "", localllm.BadOptions,
			"is not a valid name"},
		{"no template", bare, nil, "", localllm.NoTemplate, "has no chat template"},
		{"a template that forgets what it is told", half, nil, "", localllm.NoTemplate,
			"has no chat template"},
		{"runs elsewhere", elsewhere, nil, "", localllm.RemoteModel,
			"transcripts would be sent there"},
		{"too much context", tiny, func(o *localllm.Options) { o.NumCtx = 9000 }, "",
			localllm.BadOptions, "tiny:latest has 8192 at most"},
		{"too little context", tiny, func(o *localllm.Options) { o.NumCtx = 600 }, "",
			localllm.BadOptions, "leaves no room for a dialogue"},
		{"hardly any context", tiny, func(o *localllm.Options) { o.NumCtx = 10 }, "",
			localllm.BadOptions, "the prompts alone have"},
		{"no probabilities", old, nil, "", localllm.OldServer,
			"old-server: the server, version 0.0.0, returns no probabilities, which are how a model " +
				"answers; want Ollama 0.12.11 or later"},
		{"a negative number", tiny, func(o *localllm.Options) { o.NumThread = -1 }, "",
			localllm.BadOptions, "want 0 or more"},
		{"another machine", tiny,
			func(o *localllm.Options) { o.Address = "http://192.0.2.1:11434" },
			"", localllm.RemoteAddress, "transcripts would be sent there"},
		{"another machine by name", tiny, func(o *localllm.Options) { o.Address = "gpu-box" }, "",
			localllm.RemoteAddress, "http://gpu-box:11434"},
		{"no address", tiny, func(o *localllm.Options) { o.Address = "ftp://127.0.0.1" }, "",
			localllm.BadOptions, "want one such as"},
		{"no port", tiny, func(o *localllm.Options) { o.Address = "127.0.0.1:99999" }, "",
			localllm.BadOptions, "not the address of a server"},
		{"nobody there", tiny, func(o *localllm.Options) { o.Address = "127.0.0.1:1" }, "",
			localllm.ServerDown, "no server answers at http://127.0.0.1:1"},
		{"does not load", tiny, func(o *localllm.Options) { o.Deadline = 50 * time.Millisecond },
			"hang", localllm.SlowLoad, "did not load within 50ms"},
		{"crashes on loading", tiny, nil, "server-error", localllm.ServerError,
			"no longer running"},
		{"goes elsewhere", tiny, nil, "redirect", localllm.Redirected,
			"redirects the request"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := serve(t, tt.model)
			if tt.fault != "" {
				s.FailAll(tt.fault, -1)
			}
			o := options(s)
			if tt.change != nil {
				tt.change(&o)
			}
			m, err := localllm.Open(context.Background(), o)
			assert.Nil(t, m)
			var f *localllm.Failure
			require.ErrorAs(t, err, &f)
			assert.Equal(t, tt.want, f.Kind)
			assert.Contains(t, f.Error(), tt.says)
			documented(t, f.Kind)
		})
	}
}

// The server at the address need not be Ollama at all.
func TestOpenElsewhere(t *testing.T) {
	for _, tt := range []struct {
		name    string
		handler http.HandlerFunc
		want    localllm.FailureKind
	}{
		{"a web page",
			func(w http.ResponseWriter, _ *http.Request) {
				w.Write([]byte("<!DOCTYPE html><p>Welcome"))
			}, localllm.NotOllama},
		{"a missing web page", http.NotFound, localllm.NotOllama},
		{"an empty page", func(http.ResponseWriter, *http.Request) {}, localllm.ModelAbsent},
		{"a list", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(`[1,2]`)) },
			localllm.NotOllama},
		{"a password", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(401) },
			localllm.Refused},
		{"a redirection", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://203.0.113.7/", http.StatusFound)
		}, localllm.Redirected},
		{"no end", func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				w.Write(bytes.Repeat([]byte(" "), 1<<16))
			}
		}, localllm.EndlessAnswer},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := httptest.NewServer(tt.handler)
			defer s.Close()
			_, err := localllm.Open(context.Background(), localllm.Options{Address: s.URL,
				Model: "tiny"})
			var f *localllm.Failure
			require.ErrorAs(t, err, &f)
			assert.Equal(t, tt.want, f.Kind, f.Error())
		})
	}
}

// Stopping a run does not make a dialogue fail.
func TestCancelled(t *testing.T) {
	s := serve(t)
	o := options(s)
	o.Patience = time.Minute
	m := open(t, o)
	for _, fault := range []string{"hang", "slow-drip", "unavailable"} {
		s.Fail(fault, -1)
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
		_, err := m.Session(rubric.AllCriteria, rubric.AllCriteria).Evaluate(ctx, booking())
		cancel()
		var unscored *rubric.Unscored
		assert.False(t, errors.As(err, &unscored), "%v", err)
		s.Recover()
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := m.Session(rubric.AllCriteria, rubric.AllCriteria).Evaluate(ctx, booking())
	assert.ErrorIs(t, err, context.Canceled)
	_, err = m.Session(rubric.AllCriteria, rubric.AllCriteria).
		Evaluate(context.Background(), booking())
	assert.NoError(t, err)
}

// A failure has a message for every name with which the package makes one, and no other.
func TestFailuresHaveMessages(t *testing.T) {
	made := map[string]bool{}
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`failure\("([^"]+)"`).FindAllSubmatch(text, -1) {
			kind, of, _ := strings.Cut(string(m[1]), "/")
			made[kind+"/"+of] = true
		}
	}
	said := map[string]bool{}
	for _, d := range localllm.FailureKinds() {
		for _, s := range d.Says {
			said[d.ID+"/"+s.Case] = true
		}
	}
	assert.Equal(t, said, made)
}
