package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"assize/cmd/assize/internal/console"
	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/source"
	"assize/cmd/assize/internal/ui"
)

// output is where results go.
type output struct {
	io.Writer
	run            *run.Writer               // the run on disk that is written; nil for anything else
	replaces, temp string                    // the file that temp takes the place of when it is complete, if any
	close          func(complete bool) error // ends it, once; what is not complete replaces nothing
}

// end keeps what was written, unless an error kept it from being written whole.
func (o *output) end(err error) error {
	if err == nil {
		return o.close(true)
	}
	_ = o.close(false) // the first error counts
	// The temporary file has a name that nobody gave.
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) && failed.Path == o.temp {
		err = fmt.Errorf("-o %s: %w", o.replaces, failed.Err)
	}
	return err
}

// restartHint says how a run is started again that cannot be resumed.
const restartHint = "--restart starts the run again and keeps the old file"

// openScores opens where score writes. JSON lines in a file are a run, which is resumed where it was stopped.
func (p *program) openScores(o *scoreFlags, header *run.Header) (*output, error) {
	path, regular := target(o.output)
	if o.format.value != "jsonl" || !regular {
		return p.create(o.output)
	}
	if o.restart {
		kept, err := run.SetAside(path)
		if err != nil {
			return nil, runError(err, o.output, restartHint, header)
		}
		if kept != "" {
			p.Note(fmt.Sprintf("-o %s: the old file is kept as %s", o.output, kept))
		}
	}
	f, err := run.Create(path, header)
	if err != nil {
		return nil, runError(err, o.output, restartHint, header)
	}
	return runOutput(f), nil
}

// runOutput is the output of a run on disk.
func runOutput(f *run.Writer) *output {
	return &output{run: f, close: func(bool) error { return f.Close() }}
}

// runError words why a run cannot be written, with advice.
func runError(err error, path, hint string, now *run.Header) error {
	var other *run.Other
	switch {
	case errors.As(err, new(*fs.PathError)), errors.Is(err, run.ErrBusy):
		return fmt.Errorf("-o %s: %w", path, withoutName(err))
	case errors.As(err, &other):
		short := func(s string) string { return cmp.Or(ui.Clip(ui.Visible(s), 40), "nothing") }
		for _, d := range other.Header.Differences(*now) {
			err = fmt.Errorf("%w\n  %s: %s in the run, %s now", err, d.What, short(d.A), short(d.B))
		}
	}
	return console.Hint(fmt.Errorf("-o %s: %w", path, err), hint)
}

// withoutName gives what the system says of a file, where the one who reads it is told its name as it was given.
func withoutName(err error) error {
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		return failed.Err
	}
	return err
}

// target gives the file that a path leads to, and whether it can be a file: a device or a pipe is none. What a link
// leads to is replaced, not the link.
func target(path string) (file string, regular bool) {
	if path == "" || path == source.Stdin {
		return path, false
	}
	if leads, err := filepath.EvalSymlinks(path); err == nil {
		path = leads
	}
	info, err := os.Stat(path)
	return path, err != nil || info.Mode().IsRegular()
}

// create opens the file behind -o, unless it holds a run, which may have taken days.
func (p *program) create(path string) (*output, error) {
	if path != source.Stdin && source.FileIsRun(path) {
		return nil, fmt.Errorf("-o %s: holds a run, which nothing else replaces; want another name", path)
	}
	return p.overwrite(path)
}

// overwrite opens the file behind -o, whatever it holds. Results are written beside it and take its place when they are
// complete.
func (p *program) overwrite(path string) (*output, error) {
	if path == "" || path == source.Stdin {
		return &output{Writer: p.Out, close: func(bool) error { return nil }}, nil
	}
	path, regular := target(path)
	if !regular { // a device or a pipe cannot be replaced
		f, err := os.Create(path)
		return &output{Writer: f, close: func(bool) error { return f.Close() }}, err
	}
	mode := os.FileMode(0o666)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	temp := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%d.tmp", filepath.Base(path), os.Getpid()))
	f, err := os.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return nil, fmt.Errorf("-o %s: no file can be written beside it: %w", path, withoutName(err))
	}
	return &output{Writer: f, replaces: path, temp: temp, close: func(complete bool) error {
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

// writeTo opens what -o names, has it written, and closes it. write gets a page for text, and the plain writer for all
// else.
func (p *program) writeTo(o *outputFlags, write func(w io.Writer, page *ui.Page) error) error {
	out, err := p.create(o.output)
	if err != nil {
		return err
	}
	var page ui.Page
	if o.output == "" {
		page = p.Page(o.color.value)
	}
	err = write(out, &page)
	if err == nil && page.Len() > 0 {
		err = page.Send(out)
	}
	return out.end(err)
}
