//go:build unix

package main

import (
	"bytes"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/console"
	"assize/localllm"
)

// ollama is a real server that belongs to the test, which may kill it.
type ollama struct {
	program, address, home string
	process                *exec.Cmd
}

// newOllama starts the server built by .ci/ollama.
func newOllama(t *testing.T) *ollama {
	t.Helper()
	program := os.Getenv("ASSIZE_TEST_SERVER")
	if program == "" {
		t.Skip("SKIPPED: no real server to kill: set ASSIZE_TEST_SERVER to its program, and OLLAMA_MODELS; .ci/ollama does")
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	o := &ollama{program: program, address: free.Addr().String(), home: t.TempDir()}
	require.NoError(t, free.Close())
	require.NoError(t, o.start())
	t.Cleanup(func() { assert.NoError(t, o.kill()) })
	require.Eventually(t, func() bool {
		answer, err := http.Get("http://" + o.address)
		if err == nil {
			answer.Body.Close()
		}
		return err == nil
	}, time.Minute, 50*time.Millisecond)
	return o
}

func (o *ollama) start() error {
	o.process = exec.Command(o.program, "serve")
	o.process.Env = append(os.Environ(), "HOME="+o.home, "OLLAMA_HOST="+o.address)
	o.process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return o.process.Start()
}

// kill ends the server at once, including the child process that holds the model.
func (o *ollama) kill() error {
	err := syscall.Kill(-o.process.Process.Pid, syscall.SIGKILL)
	o.process.Wait()
	return err
}

// killer kills the server when a number of lines of a run are written, and restarts it after a
// while.
type killer struct {
	bytes.Buffer
	server *ollama
	lines  int
	done   chan error
}

func (k *killer) Write(p []byte) (int, error) {
	if k.lines--; k.lines == 0 {
		err := k.server.kill()
		go func() {
			time.Sleep(2 * time.Second)
			if err == nil {
				err = k.server.start()
			}
			k.done <- err
		}()
	}
	return k.Buffer.Write(p)
}

// A real server is killed in the middle of a run and comes back: all dialogues are scored exactly
// once, and the output is valid.
func TestARealServerIsKilled(t *testing.T) {
	server := newOllama(t)
	n := realDialogues(t)
	args := []string{"score", "--model", os.Getenv("ASSIZE_TEST_MODEL"), "--ollama", "http://" +
		server.address, "prompts: " + cue, "num-thread: 1", "--format", "jsonl", someDialogues(t, n)}
	out := killer{server: server, lines: 1 + n*3/5, done: make(chan error, 1)}
	var stderr bytes.Buffer
	code := execute(t.Context(), configured(t, args), nil, &out, &stderr)
	require.Equal(t, console.Fine, code, stderr.String())
	require.NoError(t, <-out.done)
	killed := out.String()

	seen, broken, quotes, verbatim := map[int]bool{}, 0, 0, 0
	for line, err := range run.Read(strings.NewReader(killed), "run") {
		require.NoError(t, err)
		r, err := line.Decode()
		require.NoError(t, err)
		if !assert.True(t, r.Scored(), r.Reason) {
			continue
		}
		assert.False(t, seen[r.Dialogue.ID], "dialogue %d is there twice", r.Dialogue.ID)
		seen[r.Dialogue.ID] = true
		for _, c := range r.Model.Calls {
			if c.Failure == localllm.ServerDown || c.Failure == localllm.ConnectionCut {
				broken++
			}
		}
		for k := range r.Evaluation.Final {
			for _, q := range append(r.Evaluation.Final[k].Quotes,
				r.Evaluation.Critique[k].Quotes...) {
				if quotes++; q.Verify(r.Dialogue) {
					verbatim++
				}
			}
		}
	}
	t.Logf("%d of %d dialogues, %d calls that met no server, %d of %d quotes verbatim", len(seen),
		n, broken, verbatim, quotes)
	assert.Len(t, seen, n, "none is lost")
	assert.Positive(t, broken, "the run says that the server was gone")
	assert.Equal(t, quotes, verbatim)
	stdout, complaint, code := call(t, strings.NewReader(killed), "check", "-")
	assert.Equal(t, console.Fine, code, stdout+complaint)
	stdout, complaint, code = call(t, strings.NewReader(killed), "replay")
	assert.Equal(t, console.Fine, code, stdout+complaint)
}
