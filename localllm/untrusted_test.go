package localllm_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/localllm"
	"assize/localllm/fakeollama"
	"assize/rubric"
)

// What a server says of itself and of its answers must be possible.
func TestImpossibleAnswers(t *testing.T) {
	fake := fakeollama.Start()
	t.Cleanup(fake.Close)
	to, err := url.Parse(fake.URL)
	require.NoError(t, err)
	for _, tt := range []struct {
		reason, path, from, to, want string
	}{
		{"a digest", "/api/tags", `"digest":"0`, `"digest":"zz`, "want a SHA-256"},
		{"another model", "/api/chat", `"model":"tiny`, `"model":"huge`, "is of the model huge"},
		{"tokens", "/api/chat", `"eval_count":`, `"eval_count":-`, "want no negative number"},
	} {
		proxy := httputil.NewSingleHostReverseProxy(to)
		proxy.ModifyResponse = func(r *http.Response) error {
			if r.Request.URL.Path != tt.path {
				return nil
			}
			body, err := io.ReadAll(r.Body)
			changed := bytes.Replace(body, []byte(tt.from), []byte(tt.to), 1)
			r.Body = io.NopCloser(bytes.NewReader(changed))
			r.ContentLength = int64(len(changed))
			r.Header.Del("Content-Length")
			return err
		}
		s := httptest.NewServer(proxy)
		o := localllm.Options{Address: s.URL, Model: "tiny"}
		m, err := localllm.Open(context.Background(), o)
		if err == nil {
			_, err = m.Session(rubric.AllCriteria, rubric.AllCriteria).Evaluate(
				context.Background(), rubric.Case{Dialogue: talk("USER: Where is my parcel?",
					"SYSTEM: It arrives today.")})
		}
		assert.ErrorContains(t, err, tt.want, tt.reason)
		s.Close()
	}
}
