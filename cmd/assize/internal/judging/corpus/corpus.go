// Package corpus provides commands with their dialogues, either from runs or from transcripts that
// the rules judge on the fly. Both are available as records or as rows.
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
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"assize/cmd/assize/internal/judging/batch"
	"assize/cmd/assize/internal/judging/judge"
	"assize/cmd/assize/internal/reading/redact"
	"assize/cmd/assize/internal/reading/source"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/console"
	"assize/cmd/assize/internal/terminal/prose"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics"
	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"
)

var texts = prose.Of("corpus")

// ErrStopped is returned by a command that was stopped before its result was complete.
var ErrStopped = errors.New("stopped before everything was read and measured; nothing is printed")

// Options describe the input of a command.
type Options struct {
	Command string   // the name of the command, for hints
	Paths   []string // paths on its command line
	Output  string   // the output file, which is not read
	Jobs    int      // maximum number of dialogues judged or decoded at once
	Refused error    // why the command line does not apply to runs; nil if it does
	// the first and the last day whose dialogues are wanted; "" for any
	Days [2]string
	// Judging returns the options for reading transcripts, and their judge.
	Judging func() (importer.Options, *judge.Judge, error)
}

// Corpus is a set of dialogues from runs or from transcripts.
type Corpus struct {
	*console.Console
	Files   []string
	Rules   *judge.Judge  // judge of the transcripts; nil for runs
	Headers []*run.Header // headers of the runs that Each has read
	// Unfinished counts the runs that Each has read and that end too early.
	Unfinished int
	// Verify judges the records of runs again, see [judge.Judge.Verify]; nil to accept them.
	Verify  *heuristics.Agents
	Keep    func(run.Identity) bool // what Latest never leaves out; nil for nothing
	Jobs    int                     // maximum number of dialogues judged or decoded at once
	header  *run.Header             // the header that a run of the transcripts would have
	options importer.Options
	days    [2]string
}

// DayFlags are the names of the flags for the two days of [Options].
var DayFlags = [2]string{"since", "until"}

// Open resolves the paths. The corpus has no files if the only problems have already been reported.
func Open(ctx context.Context, con *console.Console, opt Options) (*Corpus, error) {
	c := &Corpus{Console: con, Jobs: opt.Jobs, days: opt.Days}
	files, _, err := Find(con, source.Transcripts, opt.Command, opt.Paths, opt.Output)
	if err != nil || len(files) == 0 {
		return c, err
	}
	// A pipe is treated as standard input: the bytes already read from it must be read again.
	if i := slices.IndexFunc(files, IsStream); i >= 0 && !slices.Contains(files, ui.Stdin) {
		if c.In, err = source.Open(c.Console.In, files[i]); err != nil {
			return c, err
		}
		files[i] = ui.Stdin
	}
	runs, transcripts, err := split(ctx, con, files)
	c.ShowProgress()
	if err != nil || len(runs) > 0 {
		c.Files = runs
		for _, file := range transcripts { // such as a profile in a folder of runs
			if slices.Contains(opt.Paths, file) {
				return c, texts.Error("mixed without ratings", runs[0], file)
			}
			c.Note(file + ": is not a run; left out")
		}
		return c, cmp.Or(err, opt.Refused)
	}
	c.Files = transcripts
	if c.options, c.Rules, err = opt.Judging(); err == nil {
		c.header = new(c.Rules.Header(c.options))
	}
	return c, err
}

// Entry is a dialogue of a corpus, or an error.
type Entry struct {
	Index int // index among all entries, from 0
	// the line of a run; of transcripts only the file, the number from 1, and the header
	Line   run.Line
	Record *run.Record // nil if Err is set
	Err    error
	again  *judge.Judge // see [judge.Again]
}

// judged yields transcripts as judged by the rules.
func (c *Corpus) judged(ctx context.Context) iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		total, begun := Counter(ctx, c.Files, c.options, source.IDs{}), time.Now()
		b, at := batch.Batch{Judge: c.Rules, Jobs: c.Jobs}, 0
		for r := range b.All(ctx, Samples(c.Console, c.Files, c.options)) {
			if errors.Is(r.Err, context.Canceled) { // reported once by the caller
				return
			}
			e := Entry{Index: at,
				Line:   run.Line{File: r.Item.File, Number: at + 1, Header: c.header},
				Record: r.Record, Err: r.Err}
			c.PrintGuesses()
			if !yield(e) {
				return
			}
			if at++; c.Progress.Due() {
				c.Progress.Print(ui.Pace(at, total(), at, time.Since(begun)))
			}
		}
	}
}

// Records reads all dialogues, in order, decoding lines of runs at once. It notes unfinished runs.
func (c *Corpus) Records(ctx context.Context) iter.Seq[Entry] {
	if c.Rules != nil {
		return c.judged(ctx)
	}
	work := func(ctx context.Context, e Entry) Entry {
		switch {
		case e.Err != nil:
		case c.Verify != nil:
			e.Record, e.Err = e.again.Verify(ctx, e.Line, c.Verify.Digest())
		default:
			e.Record, e.Err = e.Line.Decode()
		}
		return e
	}
	return func(yield func(Entry) bool) {
		for e := range run.Ordered(ctx, c.Jobs, c.Lines(), work) {
			switch {
			case errors.As(e.Err, new(*run.Unfinished)):
				c.Warn(e.Err.Error())
				c.Unfinished++
			// the run was stopped here, which is reported next
			case e.Err != nil && e.Line.Torn && e.Line.Header != nil:
			case !yield(e):
				return
			}
		}
	}
}

// Lines reads runs one after the other without decoding them. An unfinished run yields an entry
// with a [run.Unfinished].
func (c *Corpus) Lines() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		e := Entry{Index: -1}
		for _, lines := range source.Each(c.In, c.Files, run.Read) {
			for line, err := range lines {
				if c.Verify != nil && err == nil && line.Header != e.Line.Header {
					e.again = judge.Again(c.Verify, line.Header)
				}
				if e.Index, e.Line, e.Err = e.Index+1, line, err; !yield(e) {
					return
				}
			}
		}
	}
}

// Columns returns the columns of the transcripts by their use, as named now or in the first run.
func (c *Corpus) Columns() map[string]string {
	header := cmp.Or(c.header, &run.Header{}) // nil for runs
	if c.header == nil && !slices.ContainsFunc(c.Files, IsStream) {
		for e := range c.Lines() {
			header = cmp.Or(e.Line.Header, header)
			break
		}
	}
	return header.Configuration.Columns
}

// Once is like Records but skips, with a warning, dialogues that an earlier run contains. Two
// dialogues are the same if file, ID and turns are equal. Dialogues from standard input are never
// skipped, since they have no file name; duplicates within one run are marked in the run itself. It
// leaves out dialogues of days that are not wanted, and those without a day.
func (c *Corpus) Once(ctx context.Context) iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		left := struct {
			Days                     string
			Repeated, Other, Undated int
			Ambiguous                bool // some of these have one that can be read in two ways
			Copied                   int  // dialogues that repeat one of another day
		}{Days: c.between()}
		var seen run.Seen
		others := map[run.Key]bool{}
		for e := range c.Records(ctx) {
			if e.Err == nil && c.Rules == nil && seen.Earlier(e.Record, e.Line.Header) {
				left.Repeated++
				continue
			}
			if e.Err == nil && left.Days != "" {
				row := e.Record.Row(0)
				switch key := row.Copy(); {
				case row.Day == "":
					left.Undated++
					left.Ambiguous = left.Ambiguous || e.Record.Date("us") != ""
					continue
				case !c.wants(row.Day):
					left.Other++
					others[key] = true
					continue
				case others[key]:
					left.Copied++
					delete(others, key) // those that follow repeat this one
				}
			}
			if !yield(e) {
				return
			}
		}
		for _, s := range texts.List("left out", left) {
			c.Warn(s)
		}
	}
}

// wants reports whether the dialogues of a day, or without one, are wanted.
func (c *Corpus) wants(day string) bool {
	return c.between() == "" || day != "" && c.days[0] <= day && day <= cmp.Or(c.days[1], day)
}

// between returns the flags that say which days are wanted; "" if all are.
func (c *Corpus) between() (flags string) {
	for i, day := range c.days {
		if day != "" {
			flags += " --" + DayFlags[i] + " " + day
		}
	}
	return strings.TrimSpace(flags)
}

// Each calls take for every dialogue; take reports whether the dialogue is one of those wanted.
// Each reports and skips unreadable dialogues. Its error is that of take, or for none.
func (c *Corpus) Each(ctx context.Context, all iter.Seq[Entry], wanted string,
	take func(*Entry) (bool, error)) error {
	taken, wrong := 0, 0
	for e := range all {
		if c.Rules == nil && c.Progress.Due() {
			c.Progress.Print(ui.Counted(taken+wrong, "dialogue") + " read")
		}
		if e.Err != nil {
			wrong++
			c.Unread(e.Err)
			continue
		}
		if n := len(c.Headers); n == 0 || c.Headers[n-1] != e.Line.Header {
			c.Headers = append(c.Headers, e.Line.Header)
			if c.Rules == nil && c.Verify != nil && e.again == nil && e.Line.Header.Model == nil {
				c.Warn(texts.Text("not again", e.Line.File))
			}
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
	c.PrintProblems()
	switch {
	case ctx.Err() != nil:
		return ErrStopped
	case taken > 0:
		return nil
	case c.Rules != nil && wrong > 0:
		return fmt.Errorf("%s: nothing could be read", Named(c.Files))
	case c.between() != "":
		return fmt.Errorf("no %s of %s in %s", wanted, c.between(), Named(c.Files))
	case c.Rules != nil:
		return fmt.Errorf("no %s in %s", wanted, Named(c.Files))
	}
	return console.Hint(texts.Error("no run", wanted, Named(c.Files)), texts.Text("run hint"))
}

// Scored returns the rows of the scored dialogues, each with its index as its place, and the number
// of unscored ones, without repeats.
func (c *Corpus) Scored(ctx context.Context) (rows []*run.Row, unscored int, err error) {
	var copies run.Copies
	err = c.Each(ctx, c.Latest(ctx), "scored dialogue", func(e *Entry) (bool, error) {
		row := new(e.Record.Row(len(rows)))
		if !row.Scored() {
			if !copies.Again(row) {
				unscored++
			}
			return false, nil
		}
		row.Meta = nil // statistics need no more than what Row extracts
		rows = append(rows, row)
		return true, nil
	})
	return rows, unscored, err
}

// Named returns the name of the only file, or the number of files.
func Named(files []string) string {
	if len(files) == 1 {
		return files[0]
	}
	return fmt.Sprintf("%d files", len(files))
}

// Find returns the files that the paths of a command line refer to. It reports and returns the
// paths that match nothing; these do not cause an error by themselves, but it is an error if there
// is nothing else to read than the output, if the output is also an input, or if standard input is
// named twice. Without a path it uses standard input, unless that is a terminal; then the error has
// hints that say what to type.
func Find(c *console.Console, kind source.InputKind, command string, paths []string, output string,
) (files []string, failed []source.Item, err error) {
	if len(paths) == 0 && !c.Piped() {
		err := fmt.Errorf("no %s; want files, folders, or - for standard input", kind.Name)
		return nil, nil, console.Hint(err, "assize "+command+" "+kind.Example, "assize "+command+
			" --help")
	} else if len(paths) == 0 {
		return []string{ui.Stdin}, nil, nil
	}
	files, failed, err = kind.Find(paths, output, c.Note)
	for _, it := range failed {
		c.Complain(it.Err)
	}
	return files, failed, err
}

// FindTranscripts is [Find] for transcripts, or only for the runs that the paths name: it skips
// runs in a folder of transcripts, such as those of earlier days.
func FindTranscripts(ctx context.Context, c *console.Console, command string, paths []string,
	output string) (runs *Corpus, files []string, failed []source.Item, err error) {
	files, failed, err = Find(c, source.Transcripts, command, paths, output)
	if err != nil {
		return nil, nil, nil, err
	}
	found, files, err := split(ctx, c, files)
	var named []string
	for _, file := range found {
		if len(paths) == 0 || slices.Contains(paths, file) {
			named = append(named, file)
			continue
		}
		c.Note(file + ": is a run, not a transcript; left out")
	}
	switch {
	case err == nil && len(named) > 0 && len(files) > 0:
		err = texts.Error("mixed", named[0], files[0])
	case err == nil && len(named) > 0:
		runs = &Corpus{Console: c, Files: named, Jobs: 1}
	case err == nil && len(files) == 0 && !c.Complained:
		err = texts.Error("only runs")
	}
	return runs, files, failed, err
}

// split separates runs from transcripts by the beginnings of the files. It returns an error only if
// the command is stopped before standard input begins; other errors surface when the input is read.
func split(ctx context.Context, c *console.Console,
	files []string) (runs, transcripts []string, err error) {
	for _, file := range files {
		is := run.IsFile(file)
		if file == ui.Stdin {
			in, done := bufio.NewReader(c.In), make(chan bool, 1)
			c.In = in // the bytes already read must be read again
			go func() { done <- run.Begins(in) }()
			select {
			case is = <-done:
			case <-ctx.Done():
			}
			if ctx.Err() != nil {
				return nil, nil, ErrStopped
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

// IsStream reports whether a file is a pipe or a device, which can be read only once.
func IsStream(file string) bool {
	info, err := os.Stat(file)
	return file == ui.Stdin || err == nil && !info.IsDir() && !info.Mode().IsRegular()
}

// Samples reads the dialogues of files, and notes anything that suggests a misreading. It warns if
// none has what --system-name or --columns names.
func Samples(c *console.Console, files []string, opt importer.Options) iter.Seq[source.Item] {
	opt.Note = c.Guess
	return func(yield func(source.Item) bool) {
		names := Names{Wanted: opt}
		for it := range Noted(c, source.Read(c.In, files, opt)) {
			if names.Add(it); !yield(it) {
				return
			}
		}
		names.Warn(c)
	}
}

// Names checks whether any speaker has a name of --system-name, and any file those of --columns.
type Names struct {
	Wanted     importer.Options
	found      []string // names of --system-name
	failed     bool     // a dialogue, whose speakers are unknown
	assumed    []string // speakers who count as the USER only because the flag names others
	hasColumns bool     // a file is a table or JSON, or could not be read
	read       int      // dialogues
}

// Add records the speakers and the format of a dialogue.
func (n *Names) Add(it source.Item) {
	const limit = 8 // maximum number of names listed
	n.read++
	n.failed = n.failed || it.Err != nil
	n.hasColumns = n.hasColumns || it.Err != nil || importer.HasColumns(it.Sample.Source.Format)
	for _, s := range it.Sample.Source.Speakers {
		folded := importer.FoldName(s.Name)
		for _, name := range n.Wanted.SystemNames {
			if importer.FoldName(name) == folded && !slices.Contains(n.found, name) {
				n.found = append(n.found, name)
			}
		}
		if s.Assumed && len(n.assumed) < limit && !slices.Contains(n.assumed, s.Name) {
			n.assumed = append(n.assumed, s.Name)
		}
	}
}

// Warn warns about names that match no speaker, which is an error if someone counts as the USER
// only because the flag names others, and about columns that no file can have.
func (n *Names) Warn(c *console.Console) {
	if n.read > 0 && !n.hasColumns && len(n.Wanted.Columns) > 0 && !n.Wanted.OtherID {
		c.Complain(texts.Error("no columns"))
	}
	for _, name := range n.Wanted.SystemNames {
		hasName := func(found string) bool { return strings.Contains(found, name) }
		if len(n.found) > 0 && !n.failed && !strings.Contains(name, ",") &&
			!slices.ContainsFunc(n.found, hasName) {
			c.Warn(fmt.Sprintf("--system-name %q: no speaker has this name", name))
		}
	}
	if len(n.found) > 0 || n.read == 0 || len(n.Wanted.SystemNames) == 0 {
		return
	}
	if len(n.assumed) == 0 {
		c.Warn(texts.Text("unknown name", n.Wanted.SystemNames[0]))
		return
	}
	names := n.assumed
	if c.Mask != nil {
		names = ui.Each(names, redact.Text)
	}
	quoted := strings.Join(ui.Each(names, strconv.Quote), ", ")
	err := texts.Error("no speaker", n.Wanted.SystemNames[0], quoted)
	c.Complain(console.Hint(err, texts.Text("speaker hint")))
}

// Noted yields items, and at the end notes anything in them that suggests a misreading.
func Noted(c *console.Console, items iter.Seq[source.Item]) iter.Seq[source.Item] {
	const long, set = 500, 10 // turns of a dialogue; dialogues needed for a conclusion
	return func(yield func(source.Item) bool) {
		var all, oneSided, tooLong int
		first := ""
		for it := range items {
			if d := it.Sample.Dialogue; it.Err == nil {
				all++
				if d.Count(dialogue.System) == 0 || d.Count(dialogue.User) == 0 {
					oneSided++
				}
				if len(d.Turns) > long {
					tooLong++
					first = cmp.Or(first, fmt.Sprintf("%s, dialogue %s, with %d", it.File,
						run.New(it.Sample).Name(), len(d.Turns)))
				}
			}
			if !yield(it) {
				return
			}
		}
		if tooLong > 0 {
			c.Guess(texts.Text("long", ui.Counted(tooLong, "dialogue"), long, first))
		}
		if all >= set && 2*oneSided >= all || all > 1 && oneSided == all {
			c.Guess(texts.Text("one side", oneSided, all))
		}
	}
}

// Counter returns a function that counts the dialogues of files in the background, starting with
// its first call, and returns 0 until the count is known. The count stays unknown if a file can be
// read only once or is a large table, which would be in memory twice.
func Counter(ctx context.Context, files []string, reading importer.Options,
	ids source.IDs) func() int {
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
	begun := slices.ContainsFunc(files, IsStream) || slices.ContainsFunc(files, source.LargeTable)
	return func() int {
		if !begun {
			begun = true
			go count()
		}
		return int(total.Load())
	}
}
