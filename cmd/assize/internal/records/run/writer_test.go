package run

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric/dialogue"
)

var head = Header{Program: "v1", Configuration: Configuration{Mapping: "down"},
	Basis: DefaultBasis()}

// unscored returns an unscored record.
func unscored(id int) *Record {
	r := New(dialogue.Sample{
		Dialogue: dialogue.Dialogue{ID: id, Turns: []dialogue.Turn{{Role: dialogue.User,
			Text: "Hello?"}}},
		Source: dialogue.Source{File: "a.txt", Format: "plain", Position: id},
	})
	r.Reason = "nobody answers"
	return r
}

// carryOn opens a run, skips the existing records, writes records up to n, and leaves it finished
// or not.
func carryOn(t testing.TB, path string, n int, finish bool) *Writer {
	t.Helper()
	f, err := Create(path, &head)
	require.NoError(t, err)
	require.NoError(t, f.Changed)
	stored := 0
	for _, err := range f.Lines() {
		require.NoError(t, err)
		stored++
	}
	require.Equal(t, f.Stored, stored)
	for i := f.Stored; i < n; i++ {
		require.NoError(t, f.Add(unscored(i+1)))
	}
	if finish {
		require.NoError(t, f.Close())
	}
	require.NoError(t, f.Release())
	return f
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return data
}

func TestAFileGoesOnFromEveryByte(t *testing.T) {
	folder := t.TempDir()
	whole := filepath.Join(folder, "whole.jsonl")
	carryOn(t, whole, 3, true)
	want := read(t, whole)
	last := bytes.LastIndex(want, []byte(`{"assize_run_end"`))
	headed := bytes.IndexByte(want, '\n') + 1
	path := filepath.Join(folder, "run.jsonl")
	for size := range want {
		if size > 40 && size < headed-2 {
			continue // the middle of the header behaves like its beginning
		}
		require.NoError(t, os.WriteFile(path, want[:size], 0o666))
		f := carryOn(t, path, 3, true)
		require.True(t, bytes.Equal(want, read(t, path)), "cut after %d bytes", size)
		stands := max(bytes.Count(want[:min(size, last)], []byte("\n"))-1, 0)
		require.Equal(t, stands, f.Stored, "cut after %d bytes: whole records are kept", size)
	}
}

func TestAFinishedFileIsLeftAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	carryOn(t, path, 2, true)
	want := read(t, path)
	f := carryOn(t, path, 2, true)
	assert.True(t, f.Finished())
	assert.Equal(t, want, read(t, path))

	require.NoError(t, os.WriteFile(path, append(bytes.Clone(want), `{"dialogue`...), 0o666))
	f = carryOn(t, path, 2, true)
	assert.EqualValues(t, 10, f.Torn)
	assert.Equal(t, want, read(t, path), "what is torn goes, the closing line stays")

	carryOn(t, path, 3, true)
	whole := filepath.Join(t.TempDir(), "whole.jsonl")
	carryOn(t, whole, 3, true)
	assert.Equal(t, read(t, whole), read(t, path),
		"a run that has grown is one that was written at once")
}

// A run that counts unreadable input goes on like any other, since that input is read again.
func TestAFileWithUnreadInputGoesOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	carryOn(t, path, 2, false)
	f, err := Create(path, &head)
	require.NoError(t, err)
	f.Unread("b.txt", "", nil)
	require.NoError(t, f.Close())
	require.NoError(t, f.Release())
	require.Contains(t, string(read(t, path)), `"unread":1`)

	f = carryOn(t, path, 3, true)
	assert.Equal(t, 2, f.Stored)
	whole := filepath.Join(t.TempDir(), "whole.jsonl")
	carryOn(t, whole, 3, true)
	assert.Equal(t, read(t, whole), read(t, path), "now all of it could be read")
}

func TestWhatCannotGoOnIsLeftAsItIs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	carryOn(t, path, 2, true)
	want := read(t, path)
	lines := bytes.SplitAfter(want, []byte("\n"))
	other := head
	other.Program = "v2"
	for _, tt := range []struct {
		reason string
		data   []byte
		err    string
	}{
		{"another configuration", append(append(other.Append(nil), '\n'), want...),
			"contains a run with another configuration"},
		{"no header", bytes.Join(lines[1:], nil), "not a run: it has no header"},
		{"no run", []byte("USER: Hello?\n"), "not a run"},
		{"no run, and no line", []byte("USER: Hello?"), "not a run"},
		{"an earlier version", []byte(`{"assize_run":2}` + "\n"), "the run has version 2"},
		{"only line breaks", []byte("\n\n"), "not a run"},
		{"a line break before the header", append([]byte("\n"), want...), "not a run"},
		{"a second header", append(bytes.Clone(want), lines[0]...),
			"run.jsonl:5: is not the record that should be here"},
		{"a blank line", append(bytes.Clone(lines[0]), '\n'),
			"run.jsonl:2: is not the record that should be here"},
	} {
		require.NoError(t, os.WriteFile(path, tt.data, 0o666))
		_, err := Create(path, &head)
		assert.ErrorContains(t, err, tt.err, tt.reason)
		assert.Equal(t, tt.data, read(t, path), tt.reason)
	}
}

func TestARecordIsMissing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	carryOn(t, path, 2, true)
	lines := bytes.SplitAfter(read(t, path), []byte("\n"))
	require.NoError(t, os.WriteFile(path, bytes.Join([][]byte{lines[0], lines[1], lines[3]}, nil),
		0o666))
	f, err := Create(path, &head)
	require.NoError(t, err)
	assert.ErrorContains(t, f.Changed,
		"run.jsonl:3: is not the closing line of the lines before it")
	require.NoError(t, f.Release())
}

func TestOneAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	f, err := Create(path, &head)
	require.NoError(t, err)
	_, err = Create(path, &head)
	assert.ErrorIs(t, err, ErrBusy)
	_, err = SetAside(path)
	assert.ErrorIs(t, err, ErrBusy)
	require.NoError(t, f.Release())
	f, err = Create(path, &head)
	require.NoError(t, err)
	require.NoError(t, f.Release())
}

func FuzzCreate(f *testing.F) {
	path := filepath.Join(f.TempDir(), "run.jsonl")
	carryOn(f, path, 2, true)
	whole := read(f, path)
	for _, cut := range []int{0, 1, 10, len(whole) / 2, len(whole) - 150, len(whole) - 1,
		len(whole)} {
		f.Add(whole[:cut])
	}
	f.Add([]byte("\n"))
	f.Add([]byte(`{"assize_run_end":1,"records":0,"scored":0,"duplicates":0,"digest":""}` + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "run.jsonl")
		require.NoError(t, os.WriteFile(path, data, 0o666))
		file, err := Create(path, &head)
		if err != nil {
			assert.Equal(t, data, read(t, path), "what is refused is left as it is")
			return
		}
		for _, err := range file.Lines() {
			if err != nil {
				break
			}
		}
		require.NoError(t, file.Release())
		if after := read(t, path); !bytes.Equal(data, after) {
			header := append(head.Append(nil), '\n')
			first, rest, _ := bytes.Cut(data, []byte("\n"))
			closing := NewClosing(first).End()
			closing.Unread = math.MaxInt // as long as a closing line can be
			assert.True(t, bytes.HasPrefix(header, data) ||
				len(rest) <= len(closing.Append(nil))+2,
				"only a header that is torn, or that no record follows, is written again")
			assert.Equal(t, header, after)
		}
	})
}

// Removing a record from a file that cannot be read to its end would lose the rest as well.
func TestNothingIsRemovedWhereTheRestCannotBeRead(t *testing.T) {
	r := unscored(1)
	text := append(append(head.Append(nil), '\n'), append(r.Append(nil), '\n')...)
	text = append(append(text, "{\"assize_run\":2}\n"...), text...)
	path := filepath.Join(t.TempDir(), "run.jsonl")
	require.NoError(t, os.WriteFile(path, text, 0o600))
	assert.ErrorContains(t, Remove(path, r.Identity()),
		"run.jsonl:3: the run has version 2")
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(text), string(after))
}

// Only one process removes records at a time, so the temporary file is of one that was killed.
func TestWhatAKilledRemovalLeft(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	carryOn(t, path, 2, true)
	left := filepath.Join(filepath.Dir(path), ".run.jsonl.rest.tmp")
	for name, open := range map[string]func(){
		"remove": func() { require.NoError(t, Remove(path, unscored(1).Identity())) },
		"create": func() { carryOn(t, path, 2, true) },
		"tidy":   func() { Tidy(path) },
	} {
		require.NoError(t, os.WriteFile(left, []byte("words"), 0o600))
		open()
		assert.NoFileExists(t, left, name)
	}
	f, err := Create(path, &head)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(left, []byte("words"), 0o600))
	Tidy(path)
	assert.FileExists(t, left, "of the process that has the lock")
	require.NoError(t, f.Release())
}

// Where a link leads, the record goes as well.
func TestRemoveThroughALink(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	carryOn(t, path, 1, true)
	link := filepath.Join(t.TempDir(), "link.jsonl")
	require.NoError(t, os.Symlink(path, link))
	require.NoError(t, Remove(link, unscored(1).Identity()))
	assert.NotContains(t, string(read(t, path)), "Hello")
	info, err := os.Lstat(link)
	require.NoError(t, err)
	assert.NotZero(t, info.Mode()&os.ModeSymlink)
}

// A run that another program takes away or cuts off is no success, and gets no zeros.
func TestChangedWhileItIsWritten(t *testing.T) {
	for _, name := range []string{"run.jsonl", "run.jsonl.zst"} {
		path := filepath.Join(t.TempDir(), name)
		f, err := Create(path, &head)
		require.NoError(t, err)
		require.NoError(t, f.Add(unscored(1)))
		require.NoError(t, os.Rename(path, path+".away"))
		assert.ErrorContains(t, f.Release(), name+": was renamed or removed")

		path = filepath.Join(t.TempDir(), name)
		f, err = Create(path, &head)
		require.NoError(t, err)
		require.NoError(t, f.Add(unscored(1)))
		require.NoError(t, f.file.Sync())
		require.NoError(t, os.Truncate(path, 10))
		assert.ErrorContains(t, errors.Join(f.Add(unscored(2)), f.file.Sync()), "was cut off")
		f.Release()
		if name == "run.jsonl" { // the other one has all lines in memory
			assert.Len(t, read(t, path), 10)
		}
	}
}
