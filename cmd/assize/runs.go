package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"assize/cmd/assize/internal/record"
	pool "assize/cmd/assize/internal/run"
)

// entry is a line of a run with the record that it holds, or what is wrong with it.
type entry struct {
	at     int // its place in all that is read, from 0
	line   record.Line
	record *record.Record // nil where err is not
	err    error
}

// runFiles says what a command that reads runs takes from folders, by their endings.
func runFiles(command string) content {
	return content{
		name:     "run",
		hints:    []string{"assize " + command + " run.jsonl", "assize " + command + " --help"},
		suffixes: []string{".jsonl", ".ndjson"},
	}
}

// entries reads runs one after the other and decodes their records on jobs goroutines, in order. Every record has
// been worked out again from its evidence. A run that is unfinished is told of.
func (p *program) entries(ctx context.Context, files []string, jobs int) iter.Seq[entry] {
	decoded := pool.Ordered(ctx, jobs, p.linesAndEnds(files), func(_ context.Context, e entry) entry {
		if e.err == nil {
			e.record, e.err = e.line.Decode()
		}
		return e
	})
	return func(yield func(entry) bool) {
		for e := range decoded {
			switch {
			case errors.As(e.err, new(*record.Unfinished)):
				p.remark(e.err.Error())
			case e.err != nil && e.line.Torn && e.line.Header != nil: // the run was stopped in it, which is told next
			case !yield(e):
				return
			}
		}
	}
}

// lines reads runs one after the other.
func (p *program) lines(files []string) iter.Seq[entry] {
	return func(yield func(entry) bool) {
		for e := range p.linesAndEnds(files) {
			if !errors.As(e.err, new(*record.Unfinished)) && !yield(e) {
				return
			}
		}
	}
}

// linesAndEnds is lines with a [record.Unfinished] for every run that is.
func (p *program) linesAndEnds(files []string) iter.Seq[entry] {
	return func(yield func(entry) bool) {
		at := 0
		for _, file := range files {
			r, err := p.open(file)
			if err != nil {
				if !yield(entry{at: at, err: err}) {
					return
				}
				at++
				continue
			}
			for line, err := range record.Lines(r, file) {
				if !yield(entry{at: at, line: line, err: err}) {
					r.Close()
					return
				}
				at++
			}
			r.Close()
		}
	}
}

// open opens a file that is named on the command line; - is standard input.
func (p *program) open(file string) (io.ReadCloser, error) {
	if file == stdinName {
		return io.NopCloser(p.stdin), nil
	}
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("%s: no such file", file)
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("%s: is a folder; want a file", file)
	}
	return os.Open(file)
}

// scoredLines reads runs and gives their scored records, and hands the line of each to see, for what the run's header
// says of it. What cannot be read or trusted is complained of, up to mostComplaints times, and left out; unscored
// counts the dialogues that no agent could judge.
func (p *program) scoredLines(ctx context.Context, files []string, jobs int, see func(*record.Line)) (records []*record.Record, unscored int, err error) {
	wrong := 0
	for e := range p.entries(ctx, files, jobs) {
		switch {
		case e.err != nil:
			if wrong++; wrong <= mostComplaints {
				p.complain(e.err)
			}
		case !e.record.Scored():
			unscored++
		default:
			see(&e.line)
			records = append(records, e.record)
		}
	}
	if rest := wrong - mostComplaints; rest > 0 {
		p.complain(fmt.Errorf("%d more lines are wrong", rest))
	}
	switch {
	case ctx.Err() != nil:
		return nil, 0, errors.New("stopped before all was read; nothing is printed")
	case len(records) == 0 && wrong == 0:
		return nil, 0, fmt.Errorf("no scored dialogue in %s; want a run, as assize score -o run.jsonl writes", named(files))
	case len(records) == 0:
		return nil, 0, withHints(errors.New("no line can be used; want a run, as assize score -o run.jsonl writes"), "assize replay names what is wrong")
	}
	return records, unscored, nil
}

// mostComplaints is how many wrong lines of a run are told of one by one.
const mostComplaints = 10

// named gives the one file, or says how many there are.
func named(files []string) string {
	if len(files) == 1 {
		return files[0]
	}
	return fmt.Sprintf("%d files", len(files))
}
