package main

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/terminal/console"
)

// The model that judged a run also judges submitted dialogues. If it hangs, the pages stay
// available, and a request ends after max-time.
func TestServeWithAModel(t *testing.T) {
	model := serve(t)
	folder := t.TempDir()
	runFile := filepath.Join(folder, "run.jsonl")
	_, stderr, code := call(t, nil, bySide(model, parcel, "-o", runFile, "--critic", "rules")...)
	require.Equal(t, console.Fine, code, stderr)
	address, stop := serving(t, runFile, "--model", "tiny", "--ollama", model.URL,
		"max-time: 2s")
	said := "Customer: Where is my unicorn?\nAgent: It left today.\nCustomer: Thanks!\n"
	send := func(ctx context.Context) (int, string) {
		r, err := http.NewRequestWithContext(
			ctx, "POST", address+"v1/score", strings.NewReader(said))
		require.NoError(t, err)
		got, err := http.DefaultClient.Do(r)
		if err != nil {
			return 0, err.Error()
		}
		defer got.Body.Close()
		body, err := io.ReadAll(got.Body)
		require.NoError(t, err)
		return got.StatusCode, string(body)
	}
	read := func(path string) string {
		got, err := http.Get(address + path)
		require.NoError(t, err)
		defer got.Body.Close()
		body, err := io.ReadAll(got.Body)
		require.NoError(t, err)
		return string(body)
	}
	status, body := send(t.Context())
	require.Equal(t, 200, status, body)
	assert.Contains(t, body, `"cross_check":`)
	assert.NotContains(t, body, `"critic-card"`)

	model.Fail("hang", -1)
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan bool)
	asked := len(model.Requests())
	go func() { defer close(gone); send(ctx) }()
	require.Eventually(t,
		func() bool { return len(model.Requests()) > asked }, time.Minute, time.Millisecond)
	assert.Contains(t, read("?state=all"), "1 in all", "the pages are there meanwhile")
	cancel()
	<-gone
	status, body = send(t.Context()) // the cancelled request made room
	assert.Equal(t, 503, status)
	assert.Contains(t, body, "it takes longer than 2s")
	model.Recover()
	status, body = send(t.Context())
	assert.Equal(t, 200, status, body)

	stop()
	_, stderr, code = call(t, nil, "replay", runFile)
	assert.Equal(t, console.Fine, code, stderr)

	address, stop = serving(t, runFile)
	status, body = send(t.Context())
	assert.Equal(t, 501, status)
	assert.Contains(t, body, "want assize serve --model NAME")
	stop()
	rules := filepath.Join(folder, "rules.jsonl")
	_, stderr, code = call(t, nil, "score", parcel, "-o", rules)
	require.Equal(t, console.Fine, code, stderr)
	for _, tt := range []struct {
		reason, says string
		args         []string
	}{
		{"who judged is not who judges", "the rules judged " + rules,
			[]string{rules, "--model", "tiny", "--ollama", model.URL}},
		{"other options, other answers", runFile + " was judged by tiny:latest",
			[]string{runFile, "--model", "tiny", "--ollama", model.URL, "num-ctx: 4096"}},
	} {
		_, stderr, code := call(t, nil, append([]string{"serve", "--listen", "127.0.0.1:0"},
			tt.args...)...)
		assert.Equal(t, console.Bad, code, tt.reason)
		assert.Contains(t, stderr, tt.says, tt.reason)
	}

	// Opened transcripts are judged by the model.
	text, err := os.ReadFile(parcel)
	require.NoError(t, err)
	file := filepath.Join(folder, "chat.txt")
	require.NoError(t, os.WriteFile(file, text, 0o666))
	_, stop = serving(t, file, "--model", "tiny", "--ollama", model.URL)
	stop()
	made, err := os.ReadFile(filepath.Join(folder, "chat.run.jsonl"))
	require.NoError(t, err)
	assert.Contains(t, strings.SplitN(string(made), "\n", 2)[0], `"name":"tiny:latest"`)
}
