package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"assize/cmd/assize/internal/batch"
	"assize/cmd/assize/internal/judge"
	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/source"
	"assize/cmd/assize/internal/ui"
	"assize/rubric/dialogue"
)

// judgingFlags say how transcripts are read and judged, for commands that take them as well as runs.
type judgingFlags struct {
	readingFlags
	scaleFlags
	names []string // of these flags, those on the command line
}

func (o *judgingFlags) register(fs *pflag.FlagSet) {
	o.names = group(fs, "Judging transcripts", func() {
		o.scaleFlags.register(fs)
		o.readingFlags.register(fs)
	})
}

// validate keeps the names of those flags that are on the command line: only these can contradict a run.
func (o *judgingFlags) validate(given map[string]bool) {
	o.names = slices.DeleteFunc(o.names, func(name string) bool { return !given[name] })
}

// corpus is the dialogues that a command reads: those of runs, or those of transcripts, which the rules judge now.
type corpus struct {
	*program
	files   []string
	jobs    int
	rules   *judge.Judge // of transcripts; nil for runs
	header  *run.Header  // as a run of the transcripts would have it
	reading dialogue.Options
}

// corpus opens what paths stand for, for a command. It has no files where all that is wrong was reported.
func (p *program) corpus(ctx context.Context, command string, paths []string, o *judgingFlags, jobs int, output string,
) (*corpus, error) {
	c := &corpus{program: p, jobs: jobs}
	files, err := p.inputs(source.Transcripts, paths, output, "assize "+command+" export.csv",
		"assize "+command+" run.jsonl", "assize "+command+" --help")
	if err != nil || len(files) == 0 {
		return c, err
	}
	// A pipe is standard input by another name: what was seen of it is still to be read.
	if i := slices.IndexFunc(files, readOnce); i >= 0 && !slices.Contains(files, stdinName) {
		if p.stdin, err = p.open(files[i]); err != nil {
			return c, err
		}
		files[i] = stdinName
	}
	runs, transcripts, err := p.split(ctx, files)
	p.progress = p.asked()
	if err != nil || len(runs) > 0 {
		c.files = runs
		for _, file := range transcripts { // such as a profile in a folder of runs
			if slices.Contains(paths, file) {
				return c, fmt.Errorf("%s is a run and %s is not; want only runs, or only transcripts", runs[0], file)
			}
			p.note(file + ": is not a run; left out")
		}
		if err == nil && len(o.names) > 0 {
			err = fmt.Errorf("--%s cannot be used with a run, whose dialogues are judged already", o.names[0])
		}
		return c, err
	}
	c.files = transcripts
	if c.reading, err = o.readingFlags.options(); err != nil {
		return c, err
	}
	if c.rules, err = o.scaleFlags.judge(judge.Options{}); err != nil {
		return c, err
	}
	header := c.rules.Header(c.reading)
	c.header = &header
	return c, nil
}

// entry is a dialogue of a corpus, or what is wrong with one.
type entry struct {
	at     int         // its place in all that is read, from 0
	line   run.Line    // of a run; of transcripts only the file, the place among all from 1, and the header
	record *run.Record // of records; nil where err is not
	row    run.Row     // of rows; its place is the number of the line
	err    error
}

// records reads all dialogues, in order. An unfinished run is noted.
func (c *corpus) records(ctx context.Context) iter.Seq[entry] {
	if c.rules != nil {
		return c.judged(ctx)
	}
	return c.decoded(ctx, func(e *entry) { e.record, e.err = e.line.Decode() })
}

// rows is records with rows in place of records, which takes half the time for a run.
func (c *corpus) rows(ctx context.Context) iter.Seq[entry] {
	if c.rules == nil {
		return c.decoded(ctx, func(e *entry) { e.row, e.err = e.line.Row(e.line.Number) })
	}
	return func(yield func(entry) bool) {
		for e := range c.judged(ctx) {
			if e.err == nil {
				e.row = e.record.Row(e.line.Number)
			}
			if !yield(e) {
				return
			}
		}
	}
}

// judged has the rules judge transcripts.
func (c *corpus) judged(ctx context.Context) iter.Seq[entry] {
	return func(yield func(entry) bool) {
		total, begun := counter(ctx, c.files, c.reading, source.IDs{}), time.Now()
		b, at := batch.Batch{Judge: c.rules, Jobs: c.jobs}, 0
		for r := range b.All(ctx, c.samples(c.files, c.reading)) {
			if errors.Is(r.Err, context.Canceled) { // which is reported once
				return
			}
			e := entry{at: at, line: run.Line{File: r.Item.File, Number: at + 1, Header: c.header}, record: r.Record, err: r.Err}
			c.tellGuesses()
			if !yield(e) {
				return
			}
			if at++; c.progress.Due() {
				c.progress.Tell(ui.Pace(at, total(), at, time.Since(begun)))
			}
		}
	}
}

// decoded reads runs one after the other and decodes their lines on several goroutines.
func (c *corpus) decoded(ctx context.Context, decode func(*entry)) iter.Seq[entry] {
	work := func(_ context.Context, e entry) entry {
		if e.err == nil {
			decode(&e)
		}
		return e
	}
	return func(yield func(entry) bool) {
		for e := range run.Ordered(ctx, c.jobs, c.lines(), work) {
			switch {
			case errors.As(e.err, new(*run.Unfinished)):
				c.warn(e.err.Error())
			case e.err != nil && e.line.Torn && e.line.Header != nil: // the run was stopped here, which is reported next
			case !yield(e):
				return
			}
		}
	}
}

// lines reads runs one after the other. An unfinished one has an entry with a [run.Unfinished].
func (c *corpus) lines() iter.Seq[entry] {
	return func(yield func(entry) bool) {
		at := -1
		source.Each(c.stdin, c.files, run.Read, func(_ string, line run.Line, err error) bool {
			at++
			return yield(entry{at: at, line: line, err: err})
		})
	}
}

// once is records without those that an earlier run has, which it reports. Two are the same where file, id and turns
// are. Those from standard input have no file by which to know them, and a run that holds two of a kind says so itself.
func (c *corpus) once(ctx context.Context) iter.Seq[entry] {
	if c.rules != nil {
		return c.judged(ctx)
	}
	return func(yield func(entry) bool) {
		runs, repeated := 0, 0
		var last run.Line
		first := map[run.Identity]int{} // the run that had the dialogue first
		for e := range c.records(ctx) {
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
			c.warn(fmt.Sprintf("%s %s also in an earlier run, whose records are used", ui.Counted(repeated, "dialogue"),
				is(repeated)))
		}
	}
}

// each hands every dialogue to take, which tells whether it is one of what is wanted. What cannot be read is reported and
// left out. The error is that of take, or says that nothing was wanted.
func (c *corpus) each(ctx context.Context, all iter.Seq[entry], wanted string, take func(*entry) (bool, error)) error {
	taken, wrong := 0, 0
	for e := range all {
		if c.rules == nil {
			c.reads(taken + wrong)
		}
		if e.err != nil {
			wrong++
			c.unread(e.err)
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
	c.clear()
	c.tellProblems()
	switch {
	case ctx.Err() != nil:
		return errors.New("stopped before everything was read; nothing is printed")
	case taken > 0:
		return nil
	case c.rules != nil && wrong > 0:
		return fmt.Errorf("%s: nothing could be read", named(c.files))
	case c.rules != nil:
		return fmt.Errorf("no %s in %s", wanted, named(c.files))
	case wrong == 0:
		return fmt.Errorf("no %s in %s; want a run, as assize score -o run.jsonl writes", wanted, named(c.files))
	}
	return withHints(fmt.Errorf("%s: no line can be used; want a run, as assize score -o run.jsonl writes", named(c.files)),
		"assize replay names what is wrong")
}

// scoredRows are the rows of a corpus, as the statistics take them.
type scoredRows struct {
	rows     []run.Row
	unscored int
	headers  []*run.Header // the different ones, in order
}

// scored gives the rows of the scored dialogues.
func (c *corpus) scored(ctx context.Context) (s scoredRows, err error) {
	err = c.each(ctx, c.rows(ctx), "scored dialogue", func(e *entry) (bool, error) {
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
