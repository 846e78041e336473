// Package output writes results to their destination: standard output, a file that is replaced when
// they are complete, or a run.
package output

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
	"assize/rubric/dialogue/importer"
)

// File is the destination of a command's results.
type File struct {
	io.Writer
	Replaces string                    // the file to replace at the end; may be empty
	temp     string                    // the file written until then
	close    func(complete bool) error // incomplete results replace nothing
}

// Of returns a File for a run on disk, which w writes.
func Of(w *run.Writer) *File { return &File{close: func(bool) error { return w.Release() }} }

// Abandon closes the file and discards incomplete results.
func (f *File) Abandon() error { return f.close(false) }

// End keeps the results, unless err says that they are incomplete.
func (f *File) End(err error) error {
	if err == nil {
		return f.close(true)
	}
	_ = f.close(false) // the first error counts
	// The user does not know the name of the temporary file.
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) && failed.Path == f.temp {
		err = fmt.Errorf("-o %s: %w", f.Replaces, failed.Err)
	}
	return err
}

// Target returns the file that a path refers to and reports whether it can be a regular file,
// rather than a device or a pipe. The target of a link is replaced, not the link.
func Target(path string) (file string, regular bool) {
	if path == "" || path == ui.Stdin {
		return path, false
	}
	if leads, err := filepath.EvalSymlinks(path); err == nil {
		path = leads
	}
	info, err := os.Stat(path)
	return path, err != nil || info.Mode().IsRegular()
}

// Create opens the file given with -o, unless it contains a run, which may have taken days, or
// people's ratings. If path is empty or "-", it uses standard output.
func Create(stdout io.Writer, path string) (*File, error) {
	if path != ui.Stdin && run.IsFile(path) {
		return nil, fmt.Errorf(
			"-o %s: contains a run, which is never overwritten; want another name", path)
	}
	if isFilled(path) {
		return nil, fmt.Errorf("-o %s: people have rated in it, and nothing that people wrote is "+
			"overwritten; want another name (assize agree RUN --ratings %[1]s reads it)", path)
	}
	return Overwrite(stdout, path)
}

// isFilled reports whether a file is a sheet, as triage --sample and review write it, in which
// people have written something: in the columns for it, or in columns that they added. A file of
// JSON lines is filled if the first one has a rating.
func isFilled(path string) bool {
	const maxSheet = 1 << 30 // bytes of the largest table of ratings that can be read
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxSheet {
		return false
	}
	in, err := os.Open(path)
	if err != nil {
		return false
	}
	defer in.Close()
	var first map[string]any // of JSON lines
	const longest = 1 << 20  // bytes of a line with a rating
	line, _ := bufio.NewReader(io.LimitReader(in, longest)).ReadBytes('\n')
	if rubric.ParseJSON(line, &first) == nil {
		return first["rating"] != nil || first["rater"] != nil
	}
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return false
	}
	ours := run.Columns("triage sample").Heading()
	for row, err := range importer.ReadCells(in, path) {
		if err != nil || !slices.ContainsFunc(row.Names, func(name string) bool {
			return strings.EqualFold(name, "probability") || strings.EqualFold(name, "rater")
		}) {
			return false
		}
		for i, text := range row.Cells {
			name := strings.ToLower(row.Names[i])
			if strings.TrimSpace(text) != "" &&
				(name == "rating" || name == "note" || !slices.Contains(ours, name)) {
				return true
			}
		}
	}
	return false
}

// WriteFile calls write to replace a file atomically. If path is empty, it does nothing.
func WriteFile(path string, write func(io.Writer) error) error {
	if path == "" {
		return nil
	}
	out, err := Overwrite(os.Stdout, path)
	if err != nil {
		return err
	}
	return out.End(write(out))
}

// Overwrite opens the file given with -o, whatever it contains. Results are written to a temporary
// file next to it, which replaces it when they are complete.
func Overwrite(stdout io.Writer, path string) (*File, error) {
	if path == "" || path == ui.Stdin {
		return &File{Writer: stdout, close: func(bool) error { return nil }}, nil
	}
	path, regular := Target(path)
	if !regular { // a device or a pipe cannot be replaced
		f, err := os.Create(path)
		return &File{Writer: f, close: func(bool) error { return f.Close() }}, err
	}
	mode := os.FileMode(0o666)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	temp := filepath.Join(filepath.Dir(path),
		fmt.Sprintf(".%s.%08x.tmp", filepath.Base(path), rand.Uint32()))
	f, err := os.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return nil, fmt.Errorf("-o %s: no file can be created next to it: %w", path,
			WithoutName(err))
	}
	return &File{Writer: f, Replaces: path, temp: temp, close: func(complete bool) error {
		err := errors.Join(f.Sync(), f.Close())
		if complete && err == nil {
			err = os.Rename(temp, path)
		}
		if !complete || err != nil {
			os.Remove(temp)
		}
		return err
	}}, nil
}

// WithoutName removes the file name from a system error, for messages that already contain it.
func WithoutName(err error) error {
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		return failed.Err
	}
	return err
}
