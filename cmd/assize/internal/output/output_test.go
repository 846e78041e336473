package output

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/cmd/assize/internal/records/run"
)

// A table in which people wrote something is kept from being overwritten, and so is a store.
func TestCheck(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sheet.csv")
	assert.NoError(t, Check(path), "no file")
	score := strings.Join(run.Columns("score csv").Heading(), ",")
	long := strings.Join(run.Columns("score long").Heading(), ",")
	const keeps = "people have rated in it, and nothing that people wrote is overwritten; " +
		"want another name (assize agree RUN --ratings PATH reads it)"
	column := func(name string) string {
		return "people may have rated in its column " + name + ", and nothing that people wrote " +
			"is overwritten; want another name (assize agree RUN --ratings PATH --columns " +
			`"rating=` + name + `" reads it)`
	}
	for _, tt := range []struct{ reason, text, want string }{
		{"blank", "dialogue_id,probability,rating,note\n1,0.5,,\n2,0.5,,\n", ""},
		{"a rating", "dialogue_id,probability,rating,note\n1,0.5,,\n2,0.5,4,\n", keeps},
		{"a note", "dialogue_id,probability,rating,note\n1,0.5,,see ticket\n", keeps},
		{"no number", "dialogue_id,probability,rating\n1,0.5,?\n", keeps},
		{"a criterion", "dialogue_id,probability,rating,Empathy\n1,0.5,,3\n", keeps},
		{"of review", "dialogue_id,rater,rating\n1,ann,3\n", keeps},
		{"two columns", "dialogue_id,rating\nD-1,4\n", keeps},
		{"a short name", "id,rating\nD-1,\nD-2,4\n", keeps},
		{"semicolons", "dialogue_id;rating\nD-1;3,5\n", keeps},
		{"tabs", "id\trating\nD-1\tzufrieden\n", keeps},
		{"Markdown", "| id | rating |\n|---|---|\n| D-1 | 4 |\n", keeps},
		{"another name", "Ticket ID,CSAT\nD-1,4\n", keeps},
		{"an identity", "dialogue_id,file,rating,identity\nD-1,x.csv,4,1f\n", keeps},
		{"only a criterion", "dialogue_id,task_success\nD-1,4\n", keeps},
		{"not read to its end", "dialogue_id,rating\nD-1,3,5\n", keeps},
		{"a name", "dialogue_id,anna\nD-1,4\n", column("anna")},
		{"a usual name", "dialogue_id,score\nD-1,4/5\n", column("score")},
		{"words of a scale", "dialogue_id,agent,Anna B\nD-1,Bo,happy\n", column("Anna B")},
		{"no ratings", "dialogue_id,rating,anna\nD-1,,\n", ""},
		{"a transcript", "id,speaker,text\nD-1,user,When do you open?\n", ""},
		{"scores", score + ",anna\n" + strings.Repeat("4,", strings.Count(score, ",")) + "4,4\n", ""},
		{"judgements", long + "\n" + strings.Repeat("4,", strings.Count(long, ",")) + "4\n", ""},
		{"no id", "by,group,satisfaction\nagent,Al,2.02\n", ""},
		{"no table", "Dear all,\nthank you.\n", ""},
		{"a store", "SQLite format 3\x00\x10\x00", "is a database, as assize review keeps " +
			"reviews in one, and nothing that people wrote is overwritten; want another name"},
		{"empty", "", ""},
	} {
		require.NoError(t, os.WriteFile(path, []byte(tt.text), 0o666))
		err := Check(path)
		if tt.want == "" {
			assert.NoError(t, err, tt.reason)
			continue
		}
		assert.EqualError(t, err,
			"-o "+path+": "+strings.ReplaceAll(tt.want, "PATH", path), tt.reason)
	}
}

// contents returns what is in the files of a folder, also hidden ones.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	all := map[string]string{}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(t, err)
		all[e.Name()] = string(data)
	}
	return all
}

// folder returns a folder with a run, a sheet that people filled, a file and a link to it.
func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"run.jsonl": `{"assize_run":{}}` + "\n",
		"sheet.csv": "dialogue_id,probability,rating\n1,0.5,4\n",
		"old.txt":   "old\n",

		"ratings.jsonl": `{"dialogue_id":"1","rating":4}` + "\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o640))
	}
	require.NoError(t, os.Symlink("old.txt", filepath.Join(dir, "link.txt")))
	return dir
}

func TestCreateKeepsWhatPeopleNeed(t *testing.T) {
	dir := folder(t)
	before := contents(t, dir)
	path := filepath.Join(dir, "run.jsonl")
	_, err := Create(nil, path)
	assert.EqualError(t, err,
		"-o "+path+": contains a run, which is never overwritten; want another name")
	for _, name := range []string{"ratings.jsonl", "sheet.csv"} {
		path = filepath.Join(dir, name)
		_, err = Create(nil, path)
		assert.EqualError(t, err, "-o "+path+": people have rated in it, and nothing that people "+
			"wrote is overwritten; want another name (assize agree RUN --ratings "+path+" reads it)")
	}
	assert.Equal(t, before, contents(t, dir))

	out, err := Create(nil, filepath.Join(dir, "old.txt"))
	require.NoError(t, err, "other files may be replaced")
	require.NoError(t, out.End(nil))
	out, err = Overwrite(nil, path)
	require.NoError(t, err, "the store of reviews writes its own sheets")
	require.NoError(t, out.End(nil))
	assert.Equal(t, "", contents(t, dir)["sheet.csv"])
}

func TestStandardOutput(t *testing.T) {
	for _, path := range []string{"", "-"} {
		var w bytes.Buffer
		out, err := Create(&w, path)
		require.NoError(t, err)
		fmt.Fprint(out, "new")
		assert.Empty(t, out.Replaces)
		assert.NoError(t, out.End(nil))
		assert.Equal(t, "new", w.String())
	}
}

// A file has its old content until the results are complete, and for ever if they never are.
func TestOverwrite(t *testing.T) {
	failed := errors.New("x.txt: no such role")
	for _, tt := range []struct {
		reason, path string
		end          func(*File) error
		err          error
		changes      map[string]string
	}{
		{"a file", "old.txt", func(f *File) error { return f.End(nil) }, nil,
			map[string]string{"old.txt": "new\n", "link.txt": "new\n"}},
		{"a new file", "new.txt", func(f *File) error { return f.End(nil) }, nil,
			map[string]string{"new.txt": "new\n"}},
		{"the target of a link", "link.txt", func(f *File) error { return f.End(nil) }, nil,
			map[string]string{"old.txt": "new\n", "link.txt": "new\n"}},
		{"an error", "old.txt", func(f *File) error { return f.End(failed) }, failed, nil},
		{"abandoned", "old.txt", (*File).Abandon, nil, nil},
	} {
		dir := folder(t)
		want := contents(t, dir)
		out, err := Overwrite(nil, filepath.Join(dir, tt.path))
		require.NoError(t, err, tt.reason)
		fmt.Fprint(out, "new\n")
		assert.Equal(t, want["old.txt"], contents(t, dir)["old.txt"], tt.reason)
		assert.Equal(t, tt.err, tt.end(out), tt.reason)
		maps.Copy(want, tt.changes)
		assert.Equal(t, want, contents(t, dir), tt.reason)
		info, err := os.Lstat(filepath.Join(dir, "link.txt"))
		require.NoError(t, err)
		assert.Equal(t, fs.ModeSymlink, info.Mode().Type(), "the link stays one")
		info, err = os.Stat(filepath.Join(dir, "old.txt"))
		require.NoError(t, err)
		assert.Equal(t, fs.FileMode(0o640), info.Mode(), "%s: who may read it", tt.reason)
	}
}

// The name of a temporary file means nothing to the user.
func TestOutputErrors(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "no", "x.txt")
	_, err := Create(nil, path)
	assert.EqualError(t, err,
		"-o "+path+": no file can be created next to it: no such file or directory")

	path = filepath.Join(dir, "x.txt")
	out, err := Create(nil, path)
	require.NoError(t, err)
	err = out.End(&fs.PathError{Op: "write", Path: out.temp, Err: syscall.ENOSPC})
	assert.EqualError(t, err, "-o "+path+": no space left on device")
	out, err = Create(nil, path)
	require.NoError(t, err)
	other := &fs.PathError{Op: "open", Path: "in.txt", Err: syscall.ENOENT}
	assert.Equal(t, error(other), out.End(other), "an error of another file keeps its name")
	assert.Empty(t, contents(t, dir))
}

// A device is written at once, and stays one.
func TestDevice(t *testing.T) {
	out, err := Create(nil, os.DevNull)
	require.NoError(t, err)
	fmt.Fprint(out, "new")
	assert.Empty(t, out.Replaces)
	require.NoError(t, out.End(nil))
	info, err := os.Stat(os.DevNull)
	require.NoError(t, err)
	assert.NotZero(t, info.Mode()&fs.ModeDevice)
}

func TestTarget(t *testing.T) {
	dir, err := filepath.EvalSymlinks(folder(t))
	require.NoError(t, err)
	for _, tt := range []struct {
		path, file string
		regular    bool
	}{
		{"", "", false}, {"-", "-", false}, {os.DevNull, os.DevNull, false}, {dir, dir, false},
		{filepath.Join(dir, "old.txt"), filepath.Join(dir, "old.txt"), true},
		{filepath.Join(dir, "link.txt"), filepath.Join(dir, "old.txt"), true},
		{filepath.Join(dir, "new.txt"), filepath.Join(dir, "new.txt"), true},
	} {
		file, regular := Target(tt.path)
		assert.Equal(t, tt.file, file, tt.path)
		assert.Equal(t, tt.regular, regular, tt.path)
	}
}

func TestWriteFile(t *testing.T) {
	dir := folder(t)
	path := filepath.Join(dir, "old.txt")
	write := func(w io.Writer) error { _, err := io.WriteString(w, "new\n"); return err }
	require.NoError(t, WriteFile("", func(io.Writer) error { return io.ErrUnexpectedEOF }))
	fails := func(w io.Writer) error { return errors.Join(write(w), io.ErrUnexpectedEOF) }
	assert.ErrorIs(t, WriteFile(path, fails), io.ErrUnexpectedEOF)
	assert.Equal(t, "old\n", contents(t, dir)["old.txt"])
	require.NoError(t, WriteFile(path, write))
	assert.Equal(t, "new\n", contents(t, dir)["old.txt"])
	assert.Error(t, WriteFile(filepath.Join(dir, "no", "x.txt"), write))
}

// The results of a run stay in it, complete or not.
func TestOf(t *testing.T) {
	for _, failed := range []error{nil, io.ErrUnexpectedEOF} {
		path := filepath.Join(t.TempDir(), "run.jsonl")
		w, err := run.Create(path, &run.Header{})
		require.NoError(t, err)
		assert.Equal(t, failed, Of(w).End(failed))
		assert.True(t, run.IsFile(path))
		w, err = run.Create(path, &run.Header{})
		require.NoError(t, err, "it was released")
		require.NoError(t, w.Release())
	}
}

// A process that was killed leaves its temporary file, which the next one replaces; that of a
// process that is still writing stays.
func TestWhatAKilledProcessLeft(t *testing.T) {
	path := filepath.Join(t.TempDir(), "scores.csv")
	left := filepath.Join(filepath.Dir(path), ".scores.csv.tmp")
	require.NoError(t, os.WriteFile(left, []byte("half of"), 0o600))
	first, err := Overwrite(nil, path)
	require.NoError(t, err)
	_, err = io.WriteString(first, "first")
	require.NoError(t, err)
	require.NoError(t, WriteFile(path, func(w io.Writer) error {
		_, err := io.WriteString(w, "second")
		return err
	}))
	text, err := os.ReadFile(left)
	require.NoError(t, err)
	assert.Equal(t, "first", string(text), "it is being written")
	require.NoError(t, first.End(nil))
	text, err = os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "first", string(text))
	files, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	assert.Len(t, files, 1, "nothing is left")
}
