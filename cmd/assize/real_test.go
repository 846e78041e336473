package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/terminal/console"
)

// cue is a folder of prompts for the smallest models, which begin their answers with Yes or No only
// after a cue.
var cue = filepath.Join("..", "..", "localllm", "testdata", "cue")

// realModel returns a model on the Ollama server at OLLAMA_HOST; .ci/ollama sets up both. It skips
// the test if there is none.
func realModel(t *testing.T) string {
	t.Helper()
	model := os.Getenv("ASSIZE_TEST_MODEL")
	if model == "" {
		t.Skip("SKIPPED: no real model: set ASSIZE_TEST_MODEL to one that the Ollama server at OLLAMA_HOST has; .ci/ollama makes one")
	}
	return model
}

// realDialogues returns the number of dialogues to try with a real model: ASSIZE_TEST_DIALOGUES, or
// 4 if it is not set.
func realDialogues(t *testing.T) int {
	t.Helper()
	s := os.Getenv("ASSIZE_TEST_DIALOGUES")
	if s == "" {
		return 4
	}
	n, err := strconv.Atoi(s)
	require.NoError(t, err)
	return n
}

// someDialogues writes n dialogues into a file, from all four rated sets if they are available,
// otherwise from our own.
func someDialogues(t *testing.T, n int) string {
	t.Helper()
	pattern := filepath.Join("..", "..", "testdata", "rated", "*.txt")
	if shared := os.Getenv("ASSIZE_SHARED"); shared != "" {
		pattern = filepath.Join(shared, "data", "uss", "[CMRS]*.txt")
	}
	files, err := filepath.Glob(pattern)
	require.NoError(t, err)
	var all []string
	for i, name := range files {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		all = append(all,
			strings.Split(
				strings.TrimSpace(string(data)), "\n\n")[:(n+len(files)-1-i)/len(files)]...)
	}
	require.Len(t, all, n)
	name := filepath.Join(t.TempDir(), "some.txt")
	require.NoError(t, os.WriteFile(name, []byte(strings.Join(all, "\n\n")+"\n"), 0o600))
	return name
}

// The same run twice produces the same bytes. Three of five dialogues are enough to show it.
func TestARealModelIsRepeatable(t *testing.T) {
	n := 3 * realDialogues(t) / 5
	args := []string{"score", "--model", realModel(t), "prompts: " + cue, "num-thread: 1",
		someDialogues(t, n)}
	first, records, stderr, code := recorded(t, args...)
	require.Equal(t, console.Fine, code, stderr)
	require.Len(t, records, n)
	again, _, _, _ := recorded(t, args...)
	assert.Equal(t, first, again)
	t.Logf("%d dialogues, twice, %d bytes", n, len(first))
}
