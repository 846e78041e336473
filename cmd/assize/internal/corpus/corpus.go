// Package corpus gives commands the dialogues that they are about: those of runs, or those of transcripts, which the
// rules judge now. Either way they are records, or rows.
package corpus

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"assize/cmd/assize/internal/batch"
	"assize/cmd/assize/internal/console"
	"assize/cmd/assize/internal/judge"
	"assize/cmd/assize/internal/redact"
	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/source"
	"assize/cmd/assize/internal/ui"
	"assize/rubric/dialogue"
)

var errStopped = errors.New("stopped before everything was read; nothing is printed")

// Options say what a command reads.
type Options struct {
	Command string   // the name of the command, for hints
	Paths   []string // of its command line
	Output  string   // where its results go, which is not read
	Jobs    int      // how many dialogues are judged or decoded at once
	Flag    string   // a flag of the command line that has a meaning only for transcripts; empty for none
	// Judging gives how transcripts are read and judged.
	Judging func() (dialogue.Options, *judge.Judge, error)
}

// Corpus is the dialogues of runs, or of transcripts.
type Corpus struct {
	*console.Console
	Files   []string
	Rules   *judge.Judge  // of transcripts; nil for runs
	Headers []*run.Header // of the runs that Each has read
	header  *run.Header   // as a run of the transcripts would have it
	reading dialogue.Options
	jobs    int
}

// Open finds what the paths stand for. There are no files where all that is wrong was complained of.
func Open(ctx context.Context, con *console.Console, opt Options) (*Corpus, error) {
	c := &Corpus{Console: con, jobs: opt.Jobs}
	files, _, err := Find(con, source.Transcripts, opt.Command, opt.Paths, opt.Output)
	if err != nil || len(files) == 0 {
		return c, err
	}
	// A pipe is standard input by another name: what was seen of it is still to be read.
	if i := slices.IndexFunc(files, ReadOnce); i >= 0 && !slices.Contains(files, source.Stdin) {
		if c.In, err = c.Console.Open(files[i]); err != nil {
			return c, err
		}
		files[i] = source.Stdin
	}
	runs, transcripts, err := split(ctx, con, files)
	c.ShowProgress()
	if err != nil || len(runs) > 0 {
		c.Files = runs
		for _, file := range transcripts { // such as a profile in a folder of runs
			if slices.Contains(opt.Paths, file) {
				return c, fmt.Errorf("%s is a run and %s is not; want only runs, or only transcripts "+
					"(agree and fit take a table of ratings with --ratings)", runs[0], file)
			}
			c.Note(file + ": is not a run; left out")
		}
		if err == nil && opt.Flag != "" {
			err = fmt.Errorf("--%s cannot be used with a run, whose dialogues are judged already", opt.Flag)
		}
		return c, err
	}
	c.Files = transcripts
	if c.reading, c.Rules, err = opt.Judging(); err == nil {
		c.header = new(c.Rules.Header(c.reading))
	}
	return c, err
}

// Entry is a dialogue of a corpus, or what is wrong with one.
type Entry struct {
	At     int         // its place in all that is read, from 0
	Line   run.Line    // of a run; of transcripts only the file, the place among all from 1, and the header
	Record *run.Record // nil where Err is not
	Err    error
}

// Records reads all dialogues, in order. An unfinished run is noted.
func (c *Corpus) Records(ctx context.Context) iter.Seq[Entry] {
	if c.Rules != nil {
		return c.judged(ctx)
	}
	return c.decoded(ctx)
}

// judged has the rules judge transcripts.
func (c *Corpus) judged(ctx context.Context) iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		total, begun := Counter(ctx, c.Files, c.reading, source.IDs{}), time.Now()
		b, at := batch.Batch{Judge: c.Rules, Jobs: c.jobs}, 0
		for r := range b.All(ctx, Samples(c.Console, c.Files, c.reading)) {
			if errors.Is(r.Err, context.Canceled) { // which is reported once
				return
			}
			e := Entry{At: at, Line: run.Line{File: r.Item.File, Number: at + 1, Header: c.header}, Record: r.Record, Err: r.Err}
			c.TellGuesses()
			if !yield(e) {
				return
			}
			if at++; c.Progress.Due() {
				c.Progress.Tell(ui.Pace(at, total(), at, time.Since(begun)))
			}
		}
	}
}

// decoded reads runs one after the other and decodes their lines on several goroutines.
func (c *Corpus) decoded(ctx context.Context) iter.Seq[Entry] {
	work := func(_ context.Context, e Entry) Entry {
		if e.Err == nil {
			e.Record, e.Err = e.Line.Decode()
		}
		return e
	}
	return func(yield func(Entry) bool) {
		for e := range run.Ordered(ctx, c.jobs, c.Lines(), work) {
			switch {
			case errors.As(e.Err, new(*run.Unfinished)):
				c.Warn(e.Err.Error())
			case e.Err != nil && e.Line.Torn && e.Line.Header != nil: // the run was stopped here, which is reported next
			case !yield(e):
				return
			}
		}
	}
}

// Lines reads runs one after the other, and decodes nothing. An unfinished one has an entry with a [run.Unfinished].
func (c *Corpus) Lines() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		at := -1
		source.Each(c.In, c.Files, run.Read, func(_ string, line run.Line, err error) bool {
			at++
			return yield(Entry{At: at, Line: line, Err: err})
		})
	}
}

// Once is Records without those that an earlier run has, of which it warns. Two are the same where file, id and turns
// are. Those from standard input have no file by which to know them, and a run that holds two of a kind says so itself.
func (c *Corpus) Once(ctx context.Context) iter.Seq[Entry] {
	if c.Rules != nil {
		return c.judged(ctx)
	}
	return func(yield func(Entry) bool) {
		repeated := 0
		first := map[run.Identity]*run.Header{} // of the run that had the dialogue first
		for e := range c.Records(ctx) {
			if e.Err == nil {
				is := e.Record.Identity()
				if first[is] == nil {
					first[is] = e.Line.Header
				}
				if first[is] != e.Line.Header && e.Record.Source.File != source.Stdin {
					repeated++
					continue
				}
			}
			if !yield(e) {
				return
			}
		}
		if repeated > 0 {
			c.Warn(fmt.Sprintf("%s %s also in an earlier run, whose records are used", ui.Counted(repeated, "dialogue"),
				ui.Is(repeated)))
		}
	}
}

// Each hands every dialogue to take, which tells whether it is one of what is wanted. What cannot be read is
// complained of and left out. The error is that of take, or says that nothing was wanted.
func (c *Corpus) Each(ctx context.Context, all iter.Seq[Entry], wanted string, take func(*Entry) (bool, error)) error {
	taken, wrong := 0, 0
	for e := range all {
		if c.Rules == nil && c.Progress.Due() {
			c.Progress.Tell(ui.Counted(taken+wrong, "dialogue") + " read")
		}
		if e.Err != nil {
			wrong++
			c.Unread(e.Err)
			continue
		}
		if n := len(c.Headers); n == 0 || c.Headers[n-1] != e.Line.Header {
			c.Headers = append(c.Headers, e.Line.Header)
		}
		ok, err := take(&e)
		if err != nil {
			return err
		}
		if ok {
			taken++
		}
	}
	c.Progress.Clear()
	c.TellProblems()
	switch {
	case ctx.Err() != nil:
		return errStopped
	case taken > 0:
		return nil
	case c.Rules != nil && wrong > 0:
		return fmt.Errorf("%s: nothing could be read", Named(c.Files))
	case c.Rules != nil:
		return fmt.Errorf("no %s in %s", wanted, Named(c.Files))
	}
	err := fmt.Errorf("no %s in %s; want a run, as assize score -o run.jsonl writes", wanted, Named(c.Files))
	return console.Hint(err, "assize replay names what is wrong with one")
}

// Scored gives the rows of the scored dialogues, each with its index as its place, and the number of the others.
func (c *Corpus) Scored(ctx context.Context) (rows []run.Row, unscored int, err error) {
	err = c.Each(ctx, c.Records(ctx), "scored dialogue", func(e *Entry) (bool, error) {
		if !e.Record.Scored() {
			unscored++
			return false, nil
		}
		rows = append(rows, e.Record.Row(len(rows)))
		return true, nil
	})
	return rows, unscored, err
}

// Named gives the one file, or says how many there are.
func Named(files []string) string {
	if len(files) == 1 {
		return files[0]
	}
	return fmt.Sprintf("%d files", len(files))
}

// Find lists the files that the paths of a command line stand for. What leads to nothing is complained of and listed,
// and the others count; the error is one of all of them. Without a path it is standard input, unless that is a
// terminal; hints then say what to type.
func Find(c *console.Console, kind source.Kind, command string, paths []string, output string,
) (files []string, failed []source.Item, err error) {
	if len(paths) == 0 && !c.Piped() {
		err := fmt.Errorf("no %s; want files, folders, or - for standard input", kind.Name)
		return nil, nil, console.Hint(err, "assize "+command+" "+kind.Example, "assize "+command+" --help")
	} else if len(paths) == 0 {
		return []string{source.Stdin}, nil, nil
	}
	files, failed, err = kind.Find(paths, output, c.Note)
	for _, it := range failed {
		c.Complain(it.Err)
	}
	return files, failed, err
}

// FindTranscripts is [Find] for transcripts alone. It leaves out the runs that lie among those of a folder, such as
// those of earlier days.
func FindTranscripts(ctx context.Context, c *console.Console, command string, paths []string, output string,
) (files []string, failed []source.Item, err error) {
	files, failed, err = Find(c, source.Transcripts, command, paths, output)
	if err != nil {
		return nil, nil, err
	}
	runs, files, err := split(ctx, c, files)
	for _, file := range runs {
		if file == source.Stdin || slices.Contains(paths, file) {
			return nil, nil, console.Hint(fmt.Errorf("%s: is a run; want transcripts", file),
				"assize triage, report, agree, fit and compare read both")
		}
		c.Note(file + ": is a run, not a transcript; left out")
	}
	if err == nil && len(files) == 0 && !c.Complained {
		err = errors.New("nothing to read besides runs; want transcripts")
	}
	return files, failed, err
}

// split tells runs from transcripts, by how the files begin. The error is that of a command that is stopped before
// standard input begins; whatever else is wrong is found where the input is read.
func split(ctx context.Context, c *console.Console, files []string) (runs, transcripts []string, err error) {
	for _, file := range files {
		is := source.FileIsRun(file)
		if file == source.Stdin {
			in, done := bufio.NewReader(c.In), make(chan bool, 1)
			c.In = in // what was seen is still to be read
			go func() { done <- source.IsRun(in) }()
			select {
			case is = <-done:
			case <-ctx.Done():
			}
			if ctx.Err() != nil {
				return nil, nil, errStopped
			}
		}
		if is {
			runs = append(runs, file)
		} else {
			transcripts = append(transcripts, file)
		}
	}
	return runs, transcripts, nil
}

// ReadOnce reports whether a file is a pipe or a device, which can be read only once.
func ReadOnce(file string) bool {
	info, err := os.Stat(file)
	return file == source.Stdin || err == nil && !info.IsDir() && !info.Mode().IsRegular()
}

// Samples reads the dialogues of files, and complains if nobody in them has a name of
// --system-name.
func Samples(c *console.Console, files []string, opt dialogue.Options) iter.Seq[source.Item] {
	return func(yield func(source.Item) bool) {
		names := SystemNames{Wanted: opt.SystemNames}
		for it := range Read(c, files, opt) {
			if names.See(it); !yield(it) {
				return
			}
		}
		names.Complain(c)
	}
}

// SystemNames finds out whether the names of --system-name are those of anybody.
type SystemNames struct {
	Wanted  []string
	isFound bool
	assumed []string // speakers who are the USER since the flag names others
}

// See looks at the speakers of a dialogue.
func (n *SystemNames) See(it source.Item) {
	const most = 8 // names that are listed
	for _, s := range it.Sample.Source.Speakers {
		folded := dialogue.FoldName(s.Name)
		isWanted := func(name string) bool { return dialogue.FoldName(name) == folded }
		n.isFound = n.isFound || slices.ContainsFunc(n.Wanted, isWanted)
		if s.Assumed && len(n.assumed) < most && !slices.Contains(n.assumed, s.Name) {
			n.assumed = append(n.assumed, s.Name)
		}
	}
}

// Complain complains of names that nobody has, if somebody is the USER only since the flag names
// others.
func (n *SystemNames) Complain(c *console.Console) {
	if n.isFound || len(n.assumed) == 0 || len(n.Wanted) == 0 {
		return
	}
	err := fmt.Errorf("--system-name %q: nobody has this name, and %s counted as the USER",
		n.Wanted[0], quoted(n.assumed, c.Redact))
	c.Complain(console.Hint(err, "name the speaker who is judged, or leave the flag out"))
}

func quoted(names []string, isRedacted bool) string {
	var list []string
	for _, name := range names {
		if isRedacted {
			name = redact.Text(name)
		}
		list = append(list, fmt.Sprintf("%q", name))
	}
	return strings.Join(list, ", ")
}

// Read reads the dialogues of files. What looks as if it were read wrongly is a guess, noted at
// their end.
func Read(c *console.Console, files []string, opt dialogue.Options) iter.Seq[source.Item] {
	const long, set = 500, 10 // turns of a dialogue, and dialogues of a set that says something
	opt.Note = c.Guess
	return func(yield func(source.Item) bool) {
		var all, oneSided, tooLong int
		first := ""
		for it := range source.Read(c.In, files, opt) {
			if d := it.Sample.Dialogue; it.Err == nil {
				all++
				if d.Count(dialogue.System) == 0 || d.Count(dialogue.User) == 0 {
					oneSided++
				}
				if len(d.Turns) > long {
					tooLong++
					first = cmp.Or(first, fmt.Sprintf("%s, dialogue %d, with %d", it.File, d.ID, len(d.Turns)))
				}
			}
			if !yield(it) {
				return
			}
		}
		if tooLong > 0 {
			c.Guess(fmt.Sprintf("%s of more than %d turns, the first in %s; if one is made of many, --dry-run shows how "+
				"the file is read", ui.Counted(tooLong, "dialogue"), long, first))
		}
		if all >= set && 2*oneSided >= all || all > 1 && oneSided == all {
			c.Guess(fmt.Sprintf("%d of %d dialogues have one side only; --dry-run shows who is read as what",
				oneSided, all))
		}
	}
}

// Counter gives a function that counts the dialogues of files in the background, from its first call, and gives 0 until
// the number is known. A file that can be read only once keeps it from being known, and so does a large table, which
// would be held twice.
func Counter(ctx context.Context, files []string, reading dialogue.Options, ids source.IDs) func() int {
	var total atomic.Int64
	count := func() {
		n := int64(0)
		for it := range ids.Filter(source.Read(nil, files, reading)) {
			if ctx.Err() != nil {
				return
			}
			if it.Err == nil {
				n++
			}
		}
		total.Store(n)
	}
	begun := slices.ContainsFunc(files, ReadOnce) || slices.ContainsFunc(files, source.LargeTable)
	return func() int {
		if !begun {
			begun = true
			go count()
		}
		return int(total.Load())
	}
}
