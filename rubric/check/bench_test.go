package check

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"assize/rubric"
)

// goldens returns the documents of our own panel for our own dialogues.
func goldens(t testing.TB) []Document {
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "golden", "*.json"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var docs []Document
	for _, name := range files {
		f, err := os.Open(name)
		require.NoError(t, err)
		for d, err := range Documents(f, name) {
			require.NoError(t, err)
			if d.Skip == "" {
				docs = append(docs, d)
			}
		}
		f.Close()
	}
	return docs
}

func BenchmarkCheck(b *testing.B) {
	c := &Checker{Rubric: rubric.Default()}
	docs := goldens(b)
	size := 0
	for _, d := range docs {
		size += len(d.Text)
	}
	b.SetBytes(int64(size / len(docs)))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if r := c.Check(docs[i%len(docs)], nil); len(r.Findings) > 0 {
			b.Fatal(r.Findings)
		}
	}
}

func BenchmarkDocuments(b *testing.B) {
	var lines, list bytes.Buffer
	list.WriteByte('[')
	docs := goldens(b)
	for i, d := range docs {
		if i > 0 {
			list.WriteByte(',')
		}
		list.Write(d.Text)
		require.NoError(b, json.Compact(&lines, d.Text))
		lines.WriteByte('\n')
	}
	list.WriteByte(']')
	for _, tt := range []struct {
		name string
		text []byte
	}{{"lines", lines.Bytes()}, {"list", list.Bytes()},
		{"prose", append([]byte("Here:\n"), list.Bytes()...)}} {
		b.Run(tt.name, func(b *testing.B) {
			b.SetBytes(int64(len(tt.text)))
			b.ReportAllocs()
			for b.Loop() {
				n := 0
				for _, err := range Documents(bytes.NewReader(tt.text), tt.name) {
					require.NoError(b, err)
					n++
				}
				require.Equal(b, len(docs), n)
			}
		})
	}
}
