//go:build unix

package main

import (
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/terminal/console"
)

func TestOneProcessWritesARun(t *testing.T) {
	input, run := many(t, 2000), filepath.Join(t.TempDir(), "run.jsonl")
	cmd := exec.Command("assize", "score", input, "-o", run)
	require.NoError(t, cmd.Start())
	for wholeRecords(t, run) == 0 {
		time.Sleep(time.Millisecond)
	}
	require.NoError(t, cmd.Process.Signal(syscall.SIGSTOP), "it cannot end before the other begins")
	_, stderr, code := call(t, nil, "score", input, "-o", run)
	assert.Equal(t, console.Bad, code)
	assert.Contains(t, stderr,
		"another process is writing this run; wait until it ends, or use another name")
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	_, stderr, code = call(t, nil, "score", input, "-o", run)
	assert.Equal(t, console.Fine, code, "a lock ends with its process")
	assert.Contains(t, stderr, "resuming after")
}
