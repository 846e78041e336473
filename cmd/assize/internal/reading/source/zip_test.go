package source

import (
	"archive/zip"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric/dialogue/importer"
)

// pack writes an archive of names and texts.
func pack(t *testing.T, path string, files ...string) {
	out, err := os.Create(path)
	require.NoError(t, err)
	w := zip.NewWriter(out)
	for i := 0; i < len(files); i += 2 {
		f, err := w.Create(files[i])
		require.NoError(t, err)
		_, err = f.Write([]byte(files[i+1]))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	require.NoError(t, out.Close())
}

const chat = "Agent: Hello.\nCustomer: Hi.\n"

func TestArchive(t *testing.T) {
	path := filepath.Join(t.TempDir(), "folder.zip", "May.ZIP")
	require.NoError(t, os.Mkdir(filepath.Dir(path), 0o777))
	pack(t, path, "a.txt", chat, "team/b.txt", chat+"Agent: Bye.\n", `win\c.txt`, chat, "team/", "",
		"notes.docx", "x", "users.json", "[]", "../evil.txt", chat, "/root.txt", chat, "inner.zip",
		"PK", "__MACOSX/a.txt", "x", ".DS_Store", "x")
	var notes []string
	files, failed, err := Transcripts.Find([]string{path}, "",
		func(s string) { notes = append(notes, s) })
	require.NoError(t, err)
	assert.Equal(t, []string{path + "/a.txt", path + "/team/b.txt", path + "/win/c.txt"}, files)
	require.Len(t, failed, 1)
	assert.EqualError(t, failed[0].Err,
		path+`: not read: 3 files, the first "../evil.txt"; want no nested archive, no duplicate name, `+
			`and no name that leads out of the archive`)
	assert.Equal(t, []string{path + ": not read: 1 .docx, 1 .json"}, notes)
	var turns []int
	for it := range Read(nil, files, importer.Options{}) {
		require.NoError(t, it.Err)
		assert.Equal(t, it.File, it.Sample.Source.File)
		turns = append(turns, len(it.Sample.Dialogue.Turns))
	}
	assert.Equal(t, []int{2, 3, 2}, turns)
}

// An encrypted file is a separate error, and the other files are read.
func TestEncryptedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.zip")
	out, err := os.Create(path)
	require.NoError(t, err)
	w := zip.NewWriter(out)
	f, err := w.CreateRaw(&zip.FileHeader{Name: "a.txt", Flags: 1, CompressedSize64: 3,
		UncompressedSize64: 3})
	require.NoError(t, err)
	_, err = f.Write([]byte("xyz"))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	require.NoError(t, out.Close())
	files, failed, err := Transcripts.Find([]string{path}, "", nil)
	require.NoError(t, err)
	require.Empty(t, failed)
	for it := range Read(nil, files, importer.Options{}) {
		assert.EqualError(t, it.Err, path+"/a.txt: is encrypted; unpack it with its password")
	}
}

func TestBrokenArchives(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.zip")
	pack(t, path, "a.txt", chat)
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	find := func() string {
		_, failed, err := Transcripts.Find([]string{path}, "", nil)
		require.NoError(t, err)
		require.Len(t, failed, 1)
		return failed[0].Err.Error()
	}
	require.NoError(t, os.WriteFile(path, whole[:len(whole)/2], 0o666))
	assert.Equal(t, path+": the archive is damaged or cut off: zip: not a valid zip file", find())
	pack(t, path, "a.docx", "x")
	assert.Contains(t, find(), "no transcripts in this archive; want files that end in .txt")
	assert.NotContains(t, find(), ".zip,", "archives in archives are not read")
	assert.Contains(t, find(), "not read: 1 .docx")
}

// An archive is opened once for all of its files, however many these are.
func TestAnArchiveIsOpenedOnce(t *testing.T) {
	path, other := filepath.Join(t.TempDir(), "a.zip"), filepath.Join(t.TempDir(), "other")
	pack(t, path, "1.txt", chat, "2.txt", chat, "3.txt", chat)
	require.NoError(t, os.WriteFile(other, []byte("no archive"), 0o600))
	var read []string
	for file, items := range ByFile(nil, []string{path + "/1.txt", path + "/2.txt",
		path + "/3.txt"}, importer.Options{}) {
		for it := range items {
			require.NoError(t, it.Err)
			read = append(read, filepath.Base(file))
			_ = os.Rename(other, path) // the second time, there is nothing to rename
		}
	}
	assert.Equal(t, []string{"1.txt", "2.txt", "3.txt"}, read)
}
