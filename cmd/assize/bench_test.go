package main

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/terminal/console"
)

// shared returns the rated dialogues that are not part of the repository.
func shared(t testing.TB) []string {
	dir := os.Getenv("ASSIZE_SHARED")
	if dir == "" {
		t.Skip("ASSIZE_SHARED is not set: the 2,800 dialogues of data/uss are not there to be read")
	}
	files, err := filepath.Glob(filepath.Join(dir, "data", "uss", "*.txt"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	return files
}

// BenchmarkScore measures the whole program: the files of data/uss to records, one dialogue at a
// time.
func BenchmarkScore(b *testing.B) {
	args := append([]string{"score", "--format", "jsonl", "--jobs", "1"}, shared(b)...)
	n := 0
	for b.Loop() {
		require.Equal(b, console.Fine, execute(b.Context(), args, nil, io.Discard, io.Discard))
		n++
	}
	b.ReportMetric(float64(n*2800)/b.Elapsed().Seconds(), "dialogues/s")
}

// BenchmarkStart measures the time to the first result.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		require.Equal(b,
			console.Fine,
			execute(b.Context(), []string{"score", filepath.Join(transcripts, "parcel.txt")}, nil,
				io.Discard, io.Discard))
	}
}

// BenchmarkReading measures whole commands that read a run of data/uss, one record at a time.
func BenchmarkReading(b *testing.B) {
	run := scoredSets(b)
	for _, args := range [][]string{{"compare", run, run}, {"agree", run}, {"triage", run},
		{"report", run, "--format", "html"}} {
		b.Run(args[0], func(b *testing.B) {
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				require.Equal(b, console.Fine, execute(b.Context(), append(args, "--jobs", "1"), nil,
					io.Discard, io.Discard))
				n += 2800
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "records/s")
		})
	}
}
