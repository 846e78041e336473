package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/term"

	"assize/cmd/assize/internal/judge"
	"assize/cmd/assize/internal/report"
	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/source"
	"assize/rubric"
)

// output is where results go. Whatever happens, exactly one of its functions ends it.
type output struct {
	io.Writer
	run     *run.Writer  // the run on disk that is written; nil for anything else
	close   func() error // everything is written
	abandon func() error // the run was stopped: keep what can be used
	discard func()       // writing failed
}

// end keeps what was written, unless an error kept it from being written whole.
func (o *output) end(err error) error {
	if err != nil {
		o.discard()
		return err
	}
	return o.close()
}

// openScores opens where score writes. JSON lines in a file are a run, which is resumed where it was stopped.
func (p *program) openScores(o *scoreFlags, header *run.Header) (*output, error) {
	path, regular := target(o.output)
	if o.format.value != "jsonl" || !regular {
		return p.create(o.output)
	}
	if o.restart {
		kept, err := run.SetAside(path)
		if err != nil {
			return nil, runError(err, o.output, "", header)
		}
		if kept != "" {
			p.note(fmt.Sprintf("-o %s: the old file is kept as %s", o.output, kept))
		}
	}
	f, err := run.Create(path, header)
	if err != nil {
		return nil, runError(err, o.output, "--restart starts the run again and keeps the old file", header)
	}
	return runOutput(f), nil
}

// runOutput is the output of a run on disk.
func runOutput(f *run.Writer) *output {
	return &output{nil, f, f.Close, f.Close, func() { f.Close() }}
}

// runError words why a run cannot be written, with advice.
func runError(err error, path, hint string, now *run.Header) error {
	var other *run.Other
	switch {
	case errors.As(err, new(*fs.PathError)), errors.Is(err, run.ErrBusy):
		return fmt.Errorf("-o %s: %w", path, withoutName(err))
	case errors.As(err, &other):
		return &hinted{fmt.Errorf("-o %s: %w", path, err), []string{hint}, other.Header.Differences(now)}
	}
	return withHints(fmt.Errorf("-o %s: %w", path, err), hint)
}

// withoutName gives what the system says of a file, where the one who reads it is told its name as it was given.
func withoutName(err error) error {
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		return failed.Err
	}
	return err
}

// target gives the file that a path leads to, and whether it can be a file: a device or a pipe is none.
func target(link string) (file string, regular bool) {
	path := link
	if path == "" || path == stdinName {
		return path, false
	}
	if leads, err := filepath.EvalSymlinks(path); err == nil {
		path = leads // what a link leads to is replaced, not the link
	} else if leads, err := os.Readlink(path); err == nil { // it is not there yet
		path = leads
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(link), leads)
		}
	}
	info, err := os.Stat(path)
	return path, err != nil || info.Mode().IsRegular()
}

// create opens the file behind -o, unless it holds a run, which may have taken days.
func (p *program) create(path string) (*output, error) {
	if path != stdinName && source.FileIsRun(path) {
		return nil, fmt.Errorf("-o %s: holds a run, which nothing else replaces; want another name", path)
	}
	return p.overwrite(path)
}

// overwrite opens the file behind -o, whatever it holds. Results are written beside it and take its place when they are
// complete.
func (p *program) overwrite(path string) (*output, error) {
	none := func() error { return nil }
	if path == "" || path == stdinName {
		return &output{p.stdout, nil, none, none, func() {}}, nil
	}
	path, regular := target(path)
	if !regular { // a device or a pipe cannot be replaced
		f, err := os.Create(path)
		if err != nil {
			return nil, err
		}
		return &output{f, nil, f.Close, f.Close, func() { f.Close() }}, nil
	}
	mode := os.FileMode(0o666)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	temp := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%d.tmp", filepath.Base(path), os.Getpid()))
	f, err := os.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil { // its path is a name that nobody gave
		return nil, fmt.Errorf("-o %s: no file can be written beside it: %w", path, withoutName(err))
	}
	discard := func() { f.Close(); os.Remove(temp) }
	abandon := func() error {
		discard()
		return fmt.Errorf("-o %s: is as it was before; --format jsonl keeps the results of a run that is stopped", path)
	}
	replace := func() error {
		err := errors.Join(f.Sync(), f.Close())
		if err == nil {
			err = os.Rename(temp, path)
		}
		if err != nil {
			os.Remove(temp)
		}
		return err
	}
	return &output{beside{f, path}, nil, replace, abandon, discard}, nil
}

// sink makes the sink for a format, and has it sum up by groups where --by says so.
func (p *program) sink(w *output, o *scoreFlags, files int, header run.Header) (report.Sink, error) {
	opt := report.Options{Full: o.full, Color: o.output == "" && p.colored(o.color.value), Files: files > 1,
		CrossCheck: header.Configuration.Evaluator == judge.ByModel, By: o.by}
	switch o.format.value {
	case "json":
		if o.protocol.value == "single" {
			return report.NewJSON(w, (*rubric.Evaluation).AppendSingle), nil
		}
		return report.NewJSON(w, (*rubric.Evaluation).AppendDebate), nil
	case "jsonl":
		if w.run != nil {
			return runSink{w.run}, nil
		}
		return report.NewJSONL(w, header)
	case "csv":
		if o.by != "" {
			return report.NewGroups(w, o.by), nil
		}
		return report.NewCSV(w)
	case "junit":
		j := report.NewJUnit(w, o.gates)
		for _, it := range p.missed {
			if err := j.Unread(it.File, it.Place(), it.Err); err != nil {
				return nil, err
			}
		}
		return j, nil
	case "markdown":
		return report.NewMarkdown(w, opt), nil
	}
	return report.NewText(w, opt), nil
}

// runSink is a run on disk as a sink. Closing the sink completes the run; the file stays open.
type runSink struct{ *run.Writer }

func (s runSink) Add(r *run.Record) error { return s.Record(r) }
func (s runSink) Close() error            { return s.Flush() }

// colored reports whether what goes to standard output is to be in colour.
func (p *program) colored(when string) bool {
	if when != "auto" {
		return when == "always"
	}
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && p.onTerminal()
}

// onTerminal reports whether what goes to standard output is seen on a terminal.
func (p *program) onTerminal() bool {
	f, ok := p.stdout.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// beside is a file that replaces another when it is complete; its errors name that one.
type beside struct {
	*os.File
	path string
}

func (b beside) Write(p []byte) (int, error) {
	n, err := b.File.Write(p)
	if err != nil {
		err = fmt.Errorf("-o %s: %w", b.path, withoutName(err))
	}
	return n, err
}
