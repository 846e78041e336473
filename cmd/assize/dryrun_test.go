package main

import (
	"archive/zip"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a file of an archive costs does not depend on the number of the others.
func TestDryRunOfAnArchive(t *testing.T) {
	bytes := func(files int) float64 {
		path := filepath.Join(t.TempDir(), "chats.zip")
		out, err := os.Create(path)
		require.NoError(t, err)
		z := zip.NewWriter(out)
		for i := range files {
			w, err := z.Create(fmt.Sprintf("%d.txt", i))
			require.NoError(t, err)
			fmt.Fprintf(w, "Customer: Where is %d?\nAgent: It left today.\n", i)
		}
		require.NoError(t, z.Close())
		require.NoError(t, out.Close())
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, stderr, code := call(t, nil, "score", path, "--dry-run")
		runtime.ReadMemStats(&after)
		require.Zero(t, code, stderr)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	bytes(1) // loads what is loaded once
	few, many := bytes(300), bytes(1500)
	assert.Less(t, many, 7*few, "five times the files")
}
