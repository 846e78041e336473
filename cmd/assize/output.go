package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/term"

	"assize/cmd/assize/internal/bench"
	"assize/cmd/assize/internal/record"
	"assize/cmd/assize/internal/report"
	pool "assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/segment/view"
	"assize/rubric"
)

// output is where results go. Whatever happens, exactly one of its functions ends it.
type output struct {
	io.Writer
	run     *pool.File   // the run on disk that is written; nil for anything else
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

// scores opens where score writes. JSON lines are a run on disk, which goes on where it was stopped.
func (p *program) scores(o *scoreOptions, head record.Header, earlier []*pool.Earlier) (*output, error) {
	path, regular := target(o.output)
	if o.format.value != "jsonl" || !regular {
		return p.create(o.output)
	}
	if err := p.setAside(o, path, earlier); err != nil {
		return nil, o.cannotWrite(err, &head)
	}
	f, err := pool.Open(path, head)
	if err != nil {
		return nil, o.cannotWrite(err, &head)
	}
	return &output{nil, f, f.Close, f.Close, func() { f.Close() }}, nil
}

// cannotWrite words why a run cannot be written, for the one who typed the command.
func (o *scoreOptions) cannotWrite(err error, head *record.Header) error {
	var other *pool.Other
	switch {
	case errors.As(err, new(*fs.PathError)), errors.Is(err, pool.ErrBusy):
		return fmt.Errorf("-o %s: %w", o.output, withoutName(err))
	case errors.As(err, &other):
		return &hinted{fmt.Errorf("-o %s: %w", o.output, err), []string{o.anew()}, differing(&other.Header, head)}
	}
	return withHints(fmt.Errorf("-o %s: %w", o.output, err), o.anew())
}

// withoutName gives what the system says of a file, where the one who reads it is told its name as it was given.
func withoutName(err error) error {
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		return failed.Err
	}
	return err
}

// mostDiffering is how many differences of a run's configuration are told of one by one.
const mostDiffering = 12

// differing lists what a run was made with otherwise.
func differing(was, now *record.Header) []string {
	list := was.Differences(now)
	if rest := len(list) - mostDiffering; rest > 0 {
		list = append(list[:mostDiffering], fmt.Sprintf("and %d more", rest))
	}
	return list
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
	if path != stdinName && fileIsRun(path) {
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
		return fmt.Errorf("-o %s: is as it was before; want --format jsonl to keep the results of a run that may be stopped", path)
	}
	return &output{beside{f, path}, nil, func() error { return replace(f, path) }, abandon, discard}, nil
}

// beside is a file that takes the place of another when it is complete, in whose name its errors are.
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

// replace puts a complete file in the place of the one at path.
func replace(f *os.File, path string) error {
	err := errors.Join(f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// sink makes the sink for a format, and has it sum up by groups where --by says so.
func (p *program) sink(w *output, o *scoreOptions, files int, head record.Header) (report.Sink, error) {
	color := o.output == "" && p.colored(o.color.value)
	opt := report.TextOptions{Full: o.full, Color: color, Files: files > 1, CrossCheck: head.Configuration.Evaluator == bench.ByModel}
	switch o.format.value {
	case "json":
		if o.protocol.value == "single" {
			return report.NewJSON(w, (*rubric.Evaluation).AppendSingle), nil
		}
		return report.NewJSON(w, (*rubric.Evaluation).AppendDebate), nil
	case "jsonl":
		if w.run != nil {
			return w.run, nil
		}
		return report.NewJSONL(w, head)
	case "csv":
		if o.by != "" {
			return view.NewBehind(w, nil, o.by, view.CSV), nil
		}
		return report.NewCSV(w)
	case "junit":
		j := report.NewJUnit(w, o.gates)
		for _, it := range p.missed {
			if err := j.Unread(it.file, it.place(), it.err); err != nil {
				return nil, err
			}
		}
		return j, nil
	case "markdown":
		sink := report.NewMarkdown(w, opt)
		if o.by != "" {
			return view.NewBehind(w, sink, o.by, view.Markdown), nil
		}
		return sink, nil
	}
	sink := report.NewText(w, opt)
	if o.by != "" {
		return view.NewBehind(w, sink, o.by, view.Text(color)), nil
	}
	return sink, nil
}

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
