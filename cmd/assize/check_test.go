package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/showing/explain"
	"assize/cmd/assize/internal/showing/findings"
	"assize/cmd/assize/internal/terminal/console"
)

func TestEveryFindingThatIsPrintedCanBeExplained(t *testing.T) {
	all, err := (&scaleFlags{}).entries()
	require.NoError(t, err)
	stdout, _, code := call(t, nil, "check", evaluations, "--format", "json")
	require.Equal(t, console.No, code)
	var got struct {
		Documents []struct{ Findings []struct{ ID string } }
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &got))
	n := 0
	for _, d := range got.Documents {
		for _, f := range d.Findings {
			e, ok := explain.Find(all, f.ID)
			assert.True(t, ok, "%q is printed and not explained", f.ID)
			assert.Equal(t, "findings", e.Group, f.ID)
			n++
		}
	}
	assert.Greater(t, n, 10)
}

func TestOurOwnEvaluationsAreSound(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(transcripts, "*"))
	require.NoError(t, err)
	checked := 0
	for _, file := range files {
		for _, protocol := range []string{"debate", "single"} {
			scored, _, _ := call(t, nil, "score", file, "--format", "json", "--protocol", protocol)
			if scored == "[]\n" {
				continue // unscored
			}
			args := []string{"check", "--transcript", file, "--format", "json"}
			if protocol == "single" && strings.HasPrefix(scored, "[") {
				// the documents do not identify their dialogue
				args = []string{"check", "--format", "json"}
			}
			stdout, stderr, code := call(t, strings.NewReader(scored), args...)
			assert.Equal(t, console.Fine, code, "%s %s: %s%s", file, protocol, stdout, stderr)
			var got struct{ Summary findings.Tally }
			require.NoError(t, json.Unmarshal([]byte(stdout), &got))
			assert.Zero(t, got.Summary.Errors+got.Summary.Warnings, "%s %s: %s", file,
				protocol, stdout)
			checked += got.Summary.Evaluations
		}
	}
	assert.Greater(t, checked, 30)
}

func TestACheckIsTheSameWhateverTheJobs(t *testing.T) {
	for _, format := range []string{"text", "json"} {
		args := []string{"check", evaluations, filepath.Join("..", "..", "testdata", "golden"),
			"--transcript", filepath.Join(transcripts, "uss.txt"), "--format", format}
		want, wantErr, _ := call(t, nil, append(args, "--jobs", "1")...)
		require.NotEmpty(t, want)
		for _, jobs := range []string{"2", "8"} {
			got, gotErr, _ := call(t, nil, append(args, "--jobs", jobs)...)
			assert.Equal(t, want, got, "--format %s --jobs %s", format, jobs)
			assert.Equal(t, wantErr, gotErr, "--format %s --jobs %s", format, jobs)
		}
	}
}

func TestACheckThatIsStopped(t *testing.T) {
	for _, format := range []string{"text", "json"} {
		ctx, cancel := context.WithCancel(t.Context())
		in, feed := io.Pipe()
		done := make(chan int)
		var stdout, stderr bytes.Buffer
		path := filepath.Join(t.TempDir(), "out")
		call(t, nil, "check", evaluations, "--format", format, "-o", path)
		was, err := os.ReadFile(path)
		require.NoError(t, err)
		go func() {
			done <- execute(ctx, []string{"check", "-", "--format", format, "-o", path}, in,
				&stdout, &stderr)
		}()
		// returns when it has been read; then nothing more comes
		_, err = feed.Write([]byte("{}\n"))
		require.NoError(t, err)
		cancel()
		assert.Equal(t, console.Bad, <-done, format)
		assert.Regexp(t,
			`^assize: stopped after (0 evaluations|1 evaluation); the rest is not checked, and .*out is as it was before\n$`, stderr.String())
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, string(was), string(data), "an incomplete report does not replace it")
		files, err := os.ReadDir(filepath.Dir(path))
		require.NoError(t, err)
		assert.Len(t, files, 1, "no temporary file remains")
		feed.Close()
	}
}

// brokenReader returns an error after the bytes of its reader.
type brokenReader struct{ io.Reader }

func (r *brokenReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err == io.EOF {
		err = fmt.Errorf("the cable is out")
	}
	return n, err
}

func TestAReadErrorIsNoFix(t *testing.T) {
	half := `{"dialogue_id": 1, "evaluator": {}}` + "\n" + `{"dialogue_id"`
	stdout, stderr, code := call(t, &brokenReader{strings.NewReader(half)}, "check", "-")
	assert.Equal(t, console.Bad, code)
	assert.Contains(t, stderr, "the cable is out")
	assert.Contains(t, stdout, "-:1:", "what could be read is checked")

	path := filepath.Join(t.TempDir(), "fixed.json")
	_, stderr, code = call(t, &brokenReader{strings.NewReader(half)}, "check", "-", "--fix", "-o",
		path)
	assert.Equal(t, console.Bad, code)
	assert.Contains(t, stderr, "the cable is out")
	assert.NoFileExists(t, path)
}

// BenchmarkCheck measures the whole program: the debate documents of data/uss, one at a time.
func BenchmarkCheck(b *testing.B) {
	var documents, errs bytes.Buffer
	require.Equal(b,
		console.Fine, execute(b.Context(), append([]string{"score", "--format", "json"},
			shared(b)...), nil, &documents, &errs), errs.String())
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		require.Equal(b,
			console.Fine, execute(b.Context(), []string{"check", "-", "--jobs", "1"},
				bytes.NewReader(documents.Bytes()), io.Discard, io.Discard))
		n++
	}
	b.ReportMetric(float64(n*2800)/b.Elapsed().Seconds(), "evaluations/s")
}
