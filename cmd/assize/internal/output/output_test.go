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
	"github.com/xuri/excelize/v2"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/ui"
)

// Only what the program wrote may be replaced, and only as long as nobody has changed it.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	assert.NoError(t, Check(path), "no file")
	table := ui.NewTable("T", "dialogue_id", "text", "rating", "note", "probability")
	table.Add("T-1", ui.Cell{Text: "Agent: Hello.\nCustomer: =1+1", Lines: true}, nil, nil, .5)
	table.Add("T-2", ui.Cell{Text: "Agent: “Good”\r\nday", Lines: true}, nil, nil, .5)
	const text = "A page, line one.\nLine two.\n"
	const ranking = `{"rank":1,"dialogue_id":"T-1"}` + "\n"
	formats := map[string]func(io.Writer) error{
		"csv":  table.CSV,
		"xlsx": func(w io.Writer) error { return table.XLSX(w, "T") },
	}
	for _, format := range []string{"html", "markdown", "junit", "text"} {
		formats[format] = func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
	}
	for _, format := range []string{"json", "jsonl"} {
		formats[format] = func(w io.Writer) error {
			_, err := io.WriteString(w, ranking)
			return err
		}
	}
	written := map[string]string{}
	for format, write := range formats {
		os.Remove(path)
		for range 2 { // the second time over its own output
			out, err := Create(nil, path, format)
			require.NoError(t, err, format)
			require.NoError(t, out.End(write(out)), format)
		}
		written[format] = contents(t, dir)["out"]
	}
	replaced := func(format, old, new string) string {
		require.Contains(t, written[format], old)
		return strings.Replace(written[format], old, new, 1)
	}
	reads := func(flags string) string {
		return " (assize agree RUN --ratings PATH" + flags + " reads its ratings)"
	}
	book := func(change func(*excelize.File) error) string {
		f, err := excelize.OpenReader(strings.NewReader(written["xlsx"]))
		require.NoError(t, err)
		require.NoError(t, change(f))
		b, err := f.WriteToBuffer()
		require.NoError(t, err)
		return b.String()
	}
	path = filepath.Join(dir, "Anna's (final)")
	for _, tt := range []struct{ reason, text, hint string }{
		{"a rating", replaced("csv", `=1+1",,`, `=1+1",4,`), reads("")},
		{"a note", replaced("csv", `=1+1",,,`, `=1+1",,see ticket,`), ""},
		{"a remark in a cell of ours", replaced("csv", "Hello.", "Hello. (rude)"), ""},
		{"a column", replaced("csv", ",seal\n", ",seal,checked by\n"), ""},
		{"a column of ratings", strings.NewReplacer("rating,", "rating,anna,", `1",,`, `1",,3,`,
			`day",,`, `day",,,`).Replace(written["csv"]), reads(" --columns rating=anna")},
		{"a title", replaced("csv", "note", "note of Ann"), ""},
		{"a row", written["csv"] + "T-3,,,,,\n", ""},
		{"a second sheet", book(func(f *excelize.File) error {
			_, err := f.NewSheet("Anna")
			return err
		}), ""},
		{"a comment", book(func(f *excelize.File) error {
			return f.AddComment("T", excelize.Comment{Cell: "A2", Text: "rude"})
		}), ""},
		{"saved by another program", book(func(*excelize.File) error { return nil }), ""},
		{"a page", replaced("html", "one", "1"), ""},
		{"Markdown", replaced("markdown", "two", "two: done"), ""},
		{"an added line", written["text"] + "see ticket\n", ""},
		{"a transcript", "Agent: Hello.\n", ""},
		{"a scorecard", "questions:\n  - id: polite\n", ""},
		{"an export", "id,speaker,text\nD-1,user,When do you open?\n", ""},
		{"ratings of another program", "Ticket ID,CSAT\nD-1,4\n", reads("")},
		{"JSON of another program", `{"dialogue_id":"1","rating":4}` + "\n", reads("")},
		{"scores", "dialogue_id,numeric_weighted_average,satisfaction\nT-1,77.00,3.26\n", ""},
		{"a rating in JSON Lines", replaced("jsonl", `}`, `,"rating":5,"rater":"anna"}`), reads("")},
		{"a note in JSON", replaced("json", `}`, `,"note":"rude"}`), ""},
		{"a row of JSON", written["jsonl"] + ranking, ""},
		{"a list of ratings", `[{"rank":1,"player":"Anna","rating":5}]` + "\n", ""},
		{"a list", `{"documents":["my own list"]}` + "\n", ""},
		{"a profile", "{\n  \"profile\": 7,\n  \"note\": \"mine\"\n}\n", ""},
		{"a store", "SQLite format 3\x00\x10\x00", ""},
	} {
		require.NoError(t, os.WriteFile(path, []byte(tt.text), 0o666))
		assert.EqualError(t, Check(path), "-o "+path+": exists, and is not as assize wrote it; "+
			"nothing that people wrote is overwritten: want another name"+
			strings.ReplaceAll(tt.hint, "PATH", ui.Word(path)), tt.reason)
	}
	sorted := strings.SplitAfter(written["csv"], "\nT-")
	for reason, text := range map[string]string{
		"empty": "", "with other line ends": strings.ReplaceAll(written["csv"], "\n", "\r\n"),
		"without a row": sorted[0][:len(sorted[0])-2],
	} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		assert.NoError(t, Check(path), reason)
	}
}

// What somebody writes while the command runs is kept, too.
func TestChangedMeanwhile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "page.md")
	for _, want := range []string{"page.new.md", "page.new2.md"} {
		os.Remove(path)
		out, err := Create(nil, path, "markdown")
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, []byte("mine\n"), 0o666))
		err = out.End(nil)
		assert.ErrorContains(t, err, "; the results are in "+filepath.Join(dir, want))
		assert.Equal(t, "mine\n", contents(t, dir)["page.md"])
		assert.Contains(t, contents(t, dir), want)
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
	_, err := Create(nil, path, "text")
	assert.EqualError(t, err,
		"-o "+path+": contains a run, which is never overwritten; want another name")
	for _, name := range []string{"ratings.jsonl", "sheet.csv", "old.txt", "link.txt"} {
		path = filepath.Join(dir, name)
		_, err = Create(nil, path, "csv")
		assert.ErrorContains(t, err, "nothing that people wrote is overwritten", name)
	}
	assert.Equal(t, before, contents(t, dir))

	path = filepath.Join(dir, "sheet.csv")
	out, err := Overwrite(nil, path)
	require.NoError(t, err, "the store of reviews writes its own sheets")
	require.NoError(t, out.End(nil))
	assert.Equal(t, "", contents(t, dir)["sheet.csv"])
}

func TestStandardOutput(t *testing.T) {
	for _, path := range []string{"", "-"} {
		var w bytes.Buffer
		out, err := Create(&w, path, "text")
		require.NoError(t, err)
		fmt.Fprint(out, "new")
		assert.Empty(t, out.Replaces)
		assert.NoError(t, out.End(nil))
		assert.Equal(t, "new", w.String())
	}
}

// What standard output was redirected to gets the results in their place, also under its own name.
func TestRedirectedStandardOutput(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	require.NoError(t, err)
	defer f.Close()
	was := os.Stdout
	defer func() { os.Stdout = was }()
	os.Stdout = f
	fmt.Fprintln(f, "earlier")
	out, err := Create(f, path, "text")
	require.NoError(t, err)
	fmt.Fprintln(out, "new")
	require.NoError(t, out.End(nil))
	fmt.Fprintln(f, "later")
	assert.Equal(t, "earlier\nnew\nlater\n", contents(t, filepath.Dir(path))["f"])
}

// Links that lead in a circle lead to no file, and stay.
func TestCircleOfLinks(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	require.NoError(t, os.Symlink(a, b))
	require.NoError(t, os.Symlink(b, a))
	_, err := Create(nil, a, "text")
	assert.EqualError(t, err, "-o "+a+": too many levels of symbolic links")
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
	_, err := Create(nil, path, "text")
	assert.EqualError(t, err,
		"-o "+path+": no file can be created next to it: no such file or directory")

	path = filepath.Join(dir, "x.txt")
	out, err := Create(nil, path, "text")
	require.NoError(t, err)
	err = out.End(&fs.PathError{Op: "write", Path: out.temp, Err: syscall.ENOSPC})
	assert.EqualError(t, err, "-o "+path+": no space left on device")
	out, err = Create(nil, path, "text")
	require.NoError(t, err)
	other := &fs.PathError{Op: "open", Path: "in.txt", Err: syscall.ENOENT}
	assert.Equal(t, error(other), out.End(other), "an error of another file keeps its name")
	assert.Empty(t, contents(t, dir))
}

// A device is written at once, and stays one.
func TestDevice(t *testing.T) {
	out, err := Create(nil, os.DevNull, "text")
	require.NoError(t, err)
	fmt.Fprint(out, "new")
	assert.Empty(t, out.Replaces)
	require.NoError(t, out.End(nil))
	info, err := os.Stat(os.DevNull)
	require.NoError(t, err)
	assert.NotZero(t, info.Mode()&fs.ModeDevice)
}

// A pipe that only this process has open, such as /dev/stdout may be, is written at once too.
func TestPipe(t *testing.T) {
	from, to, err := os.Pipe()
	require.NoError(t, err)
	defer from.Close()
	path := fmt.Sprintf("/dev/fd/%d", to.Fd())
	if _, err := os.Stat(path); err != nil {
		t.Skip("the system has no /dev/fd")
	}
	out, err := Create(nil, path, "csv")
	require.NoError(t, err)
	require.NoError(t, to.Close())
	fmt.Fprint(out, "new")
	require.NoError(t, out.End(nil))
	data, err := io.ReadAll(from)
	require.NoError(t, err)
	assert.Equal(t, "new", string(data))
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
	left := filepath.Join(filepath.Dir(path), ".scores.csv.assize.tmp")
	require.NoError(t, os.WriteFile(left, []byte("half of"), 0o600))
	mine := filepath.Join(filepath.Dir(path), ".scores.csv.tmp")
	require.NoError(t, os.WriteFile(mine, []byte("mine"), 0o600))
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
	assert.Len(t, files, 2, "nothing is left")
	text, err = os.ReadFile(mine)
	require.NoError(t, err)
	assert.Equal(t, "mine", string(text))
}

// A seal follows the results and changes no byte of them.
func TestSeals(t *testing.T) {
	for _, tt := range []struct{ format, results, want string }{
		{"json", "{}", `^{}[ \t]{32}\n$`},
		{"json", "{}\n", `^{}[ \t]{32}\n$`},
		{"jsonl", "{}\n[]\n", `^{}\n\[\][ \t]{32}\n$`},
		{"json", "", `^$`},
		{"text", "a", `^a<!-- assize seal s[0-9a-f]{8} -->\n$`},
		{"html", "a\n", `^a\n<!-- assize seal s[0-9a-f]{8} -->\n$`},
		{"csv", "a,b\n1,2\n", `^a,b,seal\n1,2,s[0-9a-f]{8}\n$`},
		{"xlsx", "PK", `^PK$`},
	} {
		var out strings.Builder
		require.NoError(t, copySealed(&out, strings.NewReader(tt.results), tt.format))
		assert.Regexp(t, tt.want, out.String(), tt.format)
		path := filepath.Join(t.TempDir(), "results")
		require.NoError(t, os.WriteFile(path, []byte(out.String()), 0o666))
		f, err := os.Open(path)
		require.NoError(t, err)
		sealed := tt.results != "" && tt.format != "xlsx"
		assert.Equal(t, sealed, isSealed(f, int64(out.Len())), tt.format)
		require.NoError(t, f.Close())
		if !sealed {
			continue
		}
		changed := strings.Replace(out.String(), tt.results[:1], "x", 1)
		require.NoError(t, os.WriteFile(path, []byte(changed), 0o666))
		f, err = os.Open(path)
		require.NoError(t, err)
		assert.False(t, isSealed(f, int64(len(changed))), tt.format)
		require.NoError(t, f.Close())
	}
}
