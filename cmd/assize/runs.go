package main

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/source"
	"assize/cmd/assize/internal/ui"
)

// entry is a line of a run with what it holds, or with what is wrong with it.
type entry struct {
	at     int // its place in all that is read, from 0
	line   run.Line
	record *run.Record // of entries; nil where err is not
	row    run.Row     // of rowEntries; its place is the number of the line
	err    error
}

// entries reads runs one after the other and decodes their records on jobs goroutines, in order. An unfinished run is
// noted.
func (p *program) entries(ctx context.Context, files []string, jobs int) iter.Seq[entry] {
	return p.decoded(ctx, files, jobs, func(e *entry) { e.record, e.err = e.line.Decode() })
}

// rowEntries is entries with rows in place of records, which takes half the time.
func (p *program) rowEntries(ctx context.Context, files []string, jobs int) iter.Seq[entry] {
	return p.decoded(ctx, files, jobs, func(e *entry) { e.row, e.err = e.line.Row(e.line.Number) })
}

func (p *program) decoded(ctx context.Context, files []string, jobs int, decode func(*entry)) iter.Seq[entry] {
	work := func(_ context.Context, e entry) entry {
		if e.err == nil {
			decode(&e)
		}
		return e
	}
	return func(yield func(entry) bool) {
		for e := range run.Ordered(ctx, jobs, p.lines(files), work) {
			switch {
			case errors.As(e.err, new(*run.Unfinished)):
				p.warn(e.err.Error())
			case e.err != nil && e.line.Torn && e.line.Header != nil: // the run was stopped here, which is reported next
			case !yield(e):
				return
			}
		}
	}
}

// lines reads runs one after the other. An unfinished one has an entry with a [run.Unfinished].
func (p *program) lines(files []string) iter.Seq[entry] {
	return func(yield func(entry) bool) {
		at := -1
		source.Each(p.stdin, files, run.Read, func(_ string, line run.Line, err error) bool {
			at++
			return yield(entry{at: at, line: line, err: err})
		})
	}
}

// once leaves out dialogues that an earlier run has, and reports how many. Two are the same where file, id and turns
// are. Those from standard input have no file by which to know them, and a run that holds two of a kind says so itself.
func (p *program) once(all iter.Seq[entry]) iter.Seq[entry] {
	return func(yield func(entry) bool) {
		runs, repeated := 0, 0
		var last run.Line
		first := map[run.Identity]int{} // the run that had the dialogue first
		for e := range all {
			if e.err == nil {
				if runs == 0 || last.File != e.line.File || last.Header != e.line.Header {
					runs++
				}
				last = e.line
				is := e.record.Identity()
				if _, known := first[is]; !known {
					first[is] = runs
				}
				if first[is] != runs && e.record.Source.File != stdinName {
					repeated++
					continue
				}
			}
			if !yield(e) {
				return
			}
		}
		if repeated > 0 {
			p.warn(fmt.Sprintf("%s %s also in an earlier run, whose records are used", ui.Counted(repeated, "dialogue"),
				is(repeated)))
		}
	}
}

// each hands every record of runs to take, which tells whether it is one of what is wanted. What cannot be read is
// reported, up to maxTold times, and left out. The error is that of take, or says that nothing was wanted.
func (p *program) each(ctx context.Context, all iter.Seq[entry], files []string, wanted string,
	take func(*entry) (bool, error)) error {
	taken, wrong := 0, 0
	for e := range all {
		p.reads(taken + wrong)
		if e.err != nil {
			if wrong++; wrong <= maxTold {
				p.complain(e.err)
			}
			continue
		}
		ok, err := take(&e)
		if err != nil {
			return err
		}
		if ok {
			taken++
		}
	}
	p.clear()
	if rest := wrong - maxTold; rest > 0 {
		p.complain(fmt.Errorf("%s: %d more lines are wrong", named(files), rest))
	}
	switch {
	case ctx.Err() != nil:
		return errors.New("stopped before everything was read; nothing is printed")
	case taken > 0:
		return nil
	case wrong > 0:
		return withHints(fmt.Errorf("%s: no line can be used; want a run, as assize score -o run.jsonl writes", named(files)),
			"assize replay names what is wrong")
	}
	return fmt.Errorf("no %s in %s; want a run, as assize score -o run.jsonl writes", wanted, named(files))
}

// scoredRows are the rows of runs, as the statistics take them.
type scoredRows struct {
	rows     []run.Row
	unscored int
	headers  []*run.Header // the different ones, in order; nil stands for records without a header
}

// rows reads runs and gives the rows of their scored dialogues.
func (p *program) rows(ctx context.Context, files []string, jobs int) (s scoredRows, err error) {
	err = p.each(ctx, p.rowEntries(ctx, files, jobs), files, "scored dialogue", func(e *entry) (bool, error) {
		if !e.row.Scored() {
			s.unscored++
			return false, nil
		}
		e.row.Place = len(s.rows)
		s.rows = append(s.rows, e.row)
		if n := len(s.headers); n == 0 || s.headers[n-1] != e.line.Header {
			s.headers = append(s.headers, e.line.Header)
		}
		return true, nil
	})
	return s, err
}

// named gives the one file, or says how many there are.
func named(files []string) string {
	if len(files) == 1 {
		return files[0]
	}
	return fmt.Sprintf("%d files", len(files))
}
