package source

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"
)

// Each file is read once, under its first name, and what is written is not read.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write := func(names ...string) {
		for _, name := range names {
			require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
			require.NoError(t, os.WriteFile(name, []byte(chat), 0o666))
		}
	}
	write("b.txt", "a.txt", "in/c.txt", "in/d.txt.GZ", "in/users.json", "in/e.docx", "out/only.csv")
	require.NoError(t, os.Symlink("a.txt", "link.txt"))
	require.NoError(t, os.Mkdir("empty", 0o777))
	for _, tt := range []struct {
		paths, output string
		files, note   string
		failed, err   string
	}{
		{"b.txt a.txt", "", "b.txt a.txt", "", "", ""},
		{"a.txt ./a.txt link.txt " + filepath.Join(dir, "a.txt"), "", "a.txt", "", "", ""},
		{"link.txt a.txt", "", "link.txt", "", "", ""},
		{"in", "", "in/c.txt in/d.txt.GZ", "in: not read: 1 .docx, 1 .json", "", ""},
		{"[ab].txt", "", "a.txt b.txt", "", "", ""},
		{"in", "in/c.txt", "in/d.txt.GZ", "in: not read: 1 .docx, 1 .json", "", ""},
		{"a.txt b.txt", "b.txt", "", "", "", "output b.txt: is also an input; want another name"},
		{"out", "out/only.csv", "", "", "", "the only input is the file given with -o"},
		{"-", "", "-", "", "", ""},
		{"- a.txt -", "", "", "", "", "- is given twice; standard input can be read only once"},
		{"a.txt none.txt", "", "a.txt", "", "none.txt: no such file", ""},
		{"empty a.txt", "", "a.txt", "", "empty: no transcripts in this folder", ""},
	} {
		var notes []string
		files, failed, err := Transcripts.Find(strings.Fields(tt.paths), tt.output,
			func(s string) { notes = append(notes, s) })
		if tt.err != "" {
			assert.ErrorContains(t, err, tt.err, tt.paths)
			continue
		}
		require.NoError(t, err, tt.paths)
		assert.Equal(t, tt.files, strings.Join(files, " "), tt.paths)
		assert.Equal(t, tt.note, strings.Join(notes, " "), tt.paths)
		assert.Equal(t, tt.failed == "", len(failed) == 0, tt.paths)
		for _, it := range failed {
			assert.ErrorContains(t, it.Err, tt.failed, tt.paths)
		}
	}
}

func TestOpen(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("a.txt", []byte(chat), 0o666))
	for file, want := range map[string]string{"-": "given", "a.txt": chat} {
		r, err := Open(strings.NewReader("given"), file)
		require.NoError(t, err)
		text, err := io.ReadAll(r)
		require.NoError(t, err)
		assert.Equal(t, want, string(text))
		require.NoError(t, r.Close())
	}
	for file, want := range map[string]string{"b.txt": "b.txt: no such file",
		".": ".: is a folder; want a file"} {
		_, err := Open(nil, file)
		assert.EqualError(t, err, want)
	}
	assert.False(t, LargeTable("a.txt") || LargeTable("none.csv"))
	for name, size := range map[string]int64{"a.csv": 32 << 20, "b.xlsx": 2 << 20} {
		require.NoError(t, os.WriteFile(name, nil, 0o666))
		require.NoError(t, os.Truncate(name, size))
		assert.False(t, LargeTable(name), name)
		require.NoError(t, os.Truncate(name, size+1))
		assert.True(t, LargeTable(name), name)
	}
}

func TestStem(t *testing.T) {
	for path, want := range map[string]string{"a/b.csv": "a/b", "a.b/c": "a.b/c", "x.jsonl.GZ": "x",
		"x.zst": "x", "x.gz.csv": "x.gz"} {
		assert.Equal(t, want, Stem(path), path)
	}
}

// Files of several archives are read in the order in which they are named, and a name that an
// archive has twice is read once.
func TestArchives(t *testing.T) {
	dir := t.TempDir()
	one, two := filepath.Join(dir, "1.zip"), filepath.Join(dir, "2.zip")
	pack(t, one, "a.txt", chat, "a.txt", chat+chat, "c.txt", chat)
	pack(t, two, "a.txt", chat+"Agent: Bye.\n")
	_, failed, err := Transcripts.Find([]string{one}, "", nil)
	require.NoError(t, err)
	require.Len(t, failed, 1)
	assert.ErrorContains(t, failed[0].Err, `not read: 1 file, the first "a.txt"`)
	var turns []int
	for it := range Read(nil, []string{one + "/c.txt", two + "/a.txt", one + "/c.txt"},
		importer.Options{}) {
		require.NoError(t, it.Err)
		turns = append(turns, len(it.Sample.Dialogue.Turns))
	}
	assert.Equal(t, []int{2, 3, 2}, turns)
}

// An ID may contain a comma, which also separates IDs.
func TestIDs(t *testing.T) {
	items := func(yield func(Item) bool) {
		for i, id := range []string{"a", "7,8", "", ""} {
			s := dialogue.Sample{Source: dialogue.Source{ID: id, File: "x.txt"}}
			s.Dialogue.ID = i + 1
			if !yield(Item{Sample: s}) {
				return
			}
		}
		_ = yield(Item{Err: io.ErrUnexpectedEOF})
	}
	for wanted, want := range map[string]string{"": "1 2 3 4 error", "a": "1 error", "7,8": "2 error",
		"7": "error | 7", "3,a": "1 3 error", "8,7": "error | 8 7", "a,7,8,9": "1 2 error | 9"} {
		var ids IDs
		if wanted != "" {
			ids.Wanted = strings.Split(wanted, ",")
		}
		var got []string
		for it := range ids.Filter(items) {
			if it.Err != nil {
				got = append(got, "error")
			} else {
				got = append(got, strconv.Itoa(it.Sample.Dialogue.ID))
			}
		}
		if missing := ids.Missing(); len(missing) > 0 {
			got = slices.Concat(got, []string{"|"}, missing)
		}
		assert.Equal(t, want, strings.Join(got, " "), wanted)
	}
}
