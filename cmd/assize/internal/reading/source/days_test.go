package source_test

import (
	"archive/zip"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/reading/source"
	"assize/rubric/dialogue/importer"
)

// TestDaysOfAChannel reads a thread of Slack that goes on for two days, from a folder and from an
// archive.
func TestDaysOfAChannel(t *testing.T) {
	dir := t.TempDir()
	days := filepath.Join(dir, "export", "help")
	require.NoError(t, os.MkdirAll(days, 0o755))
	message := func(user, text, at string) string {
		return `{"type":"message","user":"` + user + `","text":"` + text + `","ts":"` + at +
			`","thread_ts":"1736478630.1"}`
	}
	out, err := os.Create(filepath.Join(dir, "export.zip"))
	require.NoError(t, err)
	z := zip.NewWriter(out)
	for name, text := range map[string]string{
		"2025-01-10.json": "[" + message("R", "The lamp broke.", "1736478630.1") + "]",
		"2025-01-12.json": "[" + message("O", "We send one.", "1736651430.1") + "]",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(days, name), []byte(text), 0o644))
		w, err := z.Create("help/" + name)
		require.NoError(t, err)
		_, err = w.Write([]byte(text))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	require.NoError(t, out.Close())
	for _, path := range []string{filepath.Join(dir, "export"), out.Name(),
		filepath.Join(days, "*.json")} {
		files, failed, err := source.Transcripts.Find([]string{path}, "", func(string) {})
		require.NoError(t, err)
		require.Empty(t, failed)
		require.Len(t, files, 1, path)
		n := 0
		for it := range source.Read(nil, files, importer.Options{SystemNames: []string{"O"}}) {
			require.NoError(t, it.Err, path)
			assert.Len(t, it.Sample.Dialogue.Turns, 2, path)
			n++
		}
		assert.Equal(t, 1, n, path)
	}
	one := []string{filepath.Join(days, "2025-01-10.json")}
	files, _, err := source.Transcripts.Find(one, "", func(string) {})
	require.NoError(t, err)
	assert.Equal(t, one, files, "a day that is named alone is read alone")
	two := append(one, filepath.Join(days, "2025-01-12.json"))
	require.NoError(t, os.WriteFile(filepath.Join(days, "2025-01-13.json"), []byte("[]"), 0o644))
	files, _, err = source.Transcripts.Find(two, "", func(string) {})
	require.NoError(t, err)
	assert.Equal(t, two, files, "a day that is not named is not read")
}
