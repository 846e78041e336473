package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"assize/cmd/assize/internal/run"
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
	return func(yield func(entry) bool) {
		for e := range run.Ordered(ctx, jobs, p.lines(files), func(_ context.Context, e entry) entry {
			if e.err == nil {
				decode(&e)
			}
			return e
		}) {
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
			for line, err := range run.Read(r, file) {
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

// once leaves out dialogues that an earlier run has, and reports how many. Two are the same where file, id and turns are;
// those from standard input have no file by which they could be recognised.
func (p *program) once(all iter.Seq[entry]) iter.Seq[entry] {
	return func(yield func(entry) bool) {
		type one struct {
			file     string
			header   *run.Header
			repeated int // dialogues that an earlier run has
		}
		var runs []one
		first := map[run.Identity]int{} // the run that had the dialogue first
		for e := range all {
			if e.err != nil {
				if !yield(e) {
					return
				}
				continue
			}
			if n := len(runs); n == 0 || runs[n-1].file != e.line.File || runs[n-1].header != e.line.Header {
				runs = append(runs, one{file: e.line.File, header: e.line.Header})
			}
			this, is := len(runs)-1, e.record.Identity()
			earlier, known := first[is]
			if !known {
				first[is] = this
			}
			// A run may hold two of a kind, and says so itself.
			if known && earlier != this && e.record.Source.File != stdinName {
				runs[this].repeated++
			} else if !yield(e) {
				return
			}
		}
		runs = slices.DeleteFunc(runs, func(r one) bool { return r.repeated == 0 })
		for i, r := range runs {
			if i == maxTold-1 && len(runs) > maxTold {
				p.warn(fmt.Sprintf("%d more runs have dialogues of earlier ones", len(runs)-i))
				break
			}
			p.warn(fmt.Sprintf("%s: %d of its dialogues %s also in an earlier run, whose records are used", r.file, r.repeated, is(r.repeated)))
		}
	}
}

// each hands every record of runs to take, which tells whether it is one of what is wanted. What cannot be read is
// reported, up to maxTold times, and left out. The error is that of take, or says that nothing was wanted.
func (p *program) each(ctx context.Context, all iter.Seq[entry], files []string, wanted string, take func(*entry) (bool, error)) error {
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
	const want = "want a run, as assize score -o run.jsonl writes"
	switch {
	case ctx.Err() != nil:
		return errors.New("stopped before everything was read; nothing is printed")
	case taken == 0 && wrong == 0:
		return fmt.Errorf("no %s in %s; %s", wanted, named(files), want)
	case taken == 0:
		return withHints(fmt.Errorf("%s: no line can be used; %s", named(files), want), "assize replay names what is wrong")
	}
	return nil
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
