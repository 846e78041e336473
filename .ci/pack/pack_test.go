package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLicence(t *testing.T) {
	const bsd = "Redistributions of source code\n  must retain the above notice."
	for _, tt := range []struct{ want, text, second string }{
		{"MIT", "Permission is hereby granted,\nfree of charge, to any person", ""},
		{"BSD-2-Clause", bsd, ""},
		{"BSD-3-Clause", bsd + " No names to endorse or\npromote products.", ""},
		{"BSD-2-Clause AND BSD-3-Clause", bsd, bsd + " No names to endorse or promote products."},
		{"Apache-2.0 AND MIT", "Apache License\n Version 2.0", "Permission is hereby granted, free of charge"},
		{"", "All rights reserved.", ""},
	} {
		c := newComponent("golang", "example.org/m", "v1.0.0")
		c.texts["LICENSE"], c.texts["sub/LICENSE"] = tt.text, tt.second
		got, err := c.licence()
		assert.Equal(t, tt.want, got, tt.text)
		assert.Equal(t, tt.want == "", err != nil, "an unknown licence is an error")
	}
}

func TestManPage(t *testing.T) {
	assert.Equal(t, `.TH ASSIZE-SCORE 1 "" "assize v1.2.3"
.SH NAME
assize\-score \- Score dialogues
.SH DESCRIPTION
.nf
.in 0
A path is C:\ex.
\&.hidden files too
.fi
.SH Examples
.nf
.in 0
  assize score \-\-full
`, string(manPage("assize-score", "1", "v1.2.3", title("score PATH…\nScore dialogues\n\nText"),
		"A path is C:\\x.\n.hidden files too\nExamples:\n  assize score --full\n")))
	assert.Equal(t, "Runs", title("# Runs\n\nText"))
}

// The bytes of an archive depend on the names, the contents and the given time alone.
func TestArchives(t *testing.T) {
	f := files{"b/c.txt": []byte("2"), "assize": []byte("1"), "README.md": []byte("0")}
	at := time.Date(2026, 11, 28, 12, 0, 1, 0, time.UTC)
	var first, second, zipped, again bytes.Buffer
	require.NoError(t, f.tar(&first, "top", at))
	require.NoError(t, f.tar(&second, "top", at))
	assert.Equal(t, first.Bytes(), second.Bytes())
	z, err := gzip.NewReader(&first)
	require.NoError(t, err)
	var list []string
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		assert.Equal(t, at, h.ModTime.UTC())
		assert.Equal(t, h.Name == "top/assize", h.FileInfo().Mode().Perm() == 0o755, h.Name)
		list = append(list, h.Name)
	}
	assert.Equal(t, []string{"top/README.md", "top/assize", "top/b/c.txt"}, list)

	require.NoError(t, f.zip(&zipped, "top", at))
	require.NoError(t, f.zip(&again, "top", at))
	assert.Equal(t, zipped.Bytes(), again.Bytes())
	r, err := zip.NewReader(bytes.NewReader(zipped.Bytes()), int64(zipped.Len()))
	require.NoError(t, err)
	require.Len(t, r.File, 3)
	assert.Equal(t, "top/assize", r.File[1].Name)
	assert.True(t, at.Equal(r.File[1].Modified))
}
