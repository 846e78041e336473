// Package output writes results where they go: to standard output, into a file that is replaced when they are
// complete, or into a run.
package output

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"

	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/source"
)

// File is where the results of a command go.
type File struct {
	io.Writer
	Replaces string                    // the file that is replaced at the end; empty for none
	temp     string                    // the file that is written until then
	close    func(complete bool) error // what is not complete replaces nothing
}

// Of makes a File of a run on disk, which is written elsewhere.
func Of(w *run.Writer) *File { return &File{close: func(bool) error { return w.Leave() }} }

// Abandon ends it where it is not complete.
func (f *File) Abandon() error { return f.close(false) }

// End keeps what was written, unless an error kept it from being written whole.
func (f *File) End(err error) error {
	if err == nil {
		return f.close(true)
	}
	_ = f.close(false) // the first error counts
	// The temporary file has a name that nobody gave.
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) && failed.Path == f.temp {
		err = fmt.Errorf("-o %s: %w", f.Replaces, failed.Err)
	}
	return err
}

// Target gives the file that a path leads to, and whether it can be a file: a device or a pipe is none. What a link
// leads to is replaced, not the link.
func Target(path string) (file string, regular bool) {
	if path == "" || path == source.Stdin {
		return path, false
	}
	if leads, err := filepath.EvalSymlinks(path); err == nil {
		path = leads
	}
	info, err := os.Stat(path)
	return path, err != nil || info.Mode().IsRegular()
}

// Create opens the file behind -o, unless it holds a run, which may have taken days. Without a path, and for "-", it is
// standard output.
func Create(stdout io.Writer, path string) (*File, error) {
	if path != source.Stdin && source.FileIsRun(path) {
		return nil, fmt.Errorf("-o %s: holds a run, which nothing else replaces; want another name", path)
	}
	return Overwrite(stdout, path)
}

// WriteFile has a file written, which is whole at any time; without a path it does nothing.
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

// Overwrite opens the file behind -o, whatever it holds. Results are written beside it and take its place when they are
// complete.
func Overwrite(stdout io.Writer, path string) (*File, error) {
	if path == "" || path == source.Stdin {
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
	temp := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%08x.tmp", filepath.Base(path), rand.Uint32()))
	f, err := os.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return nil, fmt.Errorf("-o %s: no file can be written beside it: %w", path, WithoutName(err))
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

// WithoutName gives what the system says of a file, where the one who reads it is told its name as it was given.
func WithoutName(err error) error {
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		return failed.Err
	}
	return err
}
