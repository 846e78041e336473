package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"
	"sync"

	"assize/cmd/assize/internal/redact"
	"assize/cmd/assize/internal/source"
	"assize/cmd/assize/internal/ui"
	"assize/rubric/dialogue"
)

// stdinName stands for standard input on the command line and in records.
const stdinName = source.Stdin

// inputs lists the files that paths stand for. A path that leads to nothing is reported, and the others count; the
// error is one of all of them. Without a path it is standard input, unless that is a terminal; the examples then say
// what to type.
func (p *program) inputs(kind source.Kind, paths []string, output string, examples ...string) ([]string, error) {
	if len(paths) == 0 {
		if !p.piped() {
			return nil, withHints(fmt.Errorf("no %s; want files, folders, or - for standard input", kind.Name), examples...)
		}
		return []string{stdinName}, nil
	}
	found, err := kind.Find(paths, output)
	for _, it := range found.Failed {
		p.complain(it.Err)
	}
	for _, note := range found.Notes {
		p.note(note)
	}
	p.missed = found.Failed
	return found.Files, err
}

// withoutRuns leaves out the runs that lie among the transcripts of a folder, such as those of earlier days.
func (p *program) withoutRuns(ctx context.Context, files, named []string) (transcripts []string, err error) {
	runs, transcripts, err := p.split(ctx, files)
	for _, file := range runs {
		if file == stdinName || slices.Contains(named, file) {
			return nil, withHints(fmt.Errorf("%s: is a run; want transcripts", file), "assize triage, report, agree, fit and compare read both")
		}
		p.note(file + ": is a run, not a transcript; left out")
	}
	if err == nil && len(transcripts) == 0 && !p.complained {
		err = errors.New("nothing to read besides runs; want transcripts")
	}
	return transcripts, err
}

// split tells runs from transcripts, by how the files begin. The error is that of a command that is stopped before
// standard input begins; whatever else is wrong is reported where the input is read.
func (p *program) split(ctx context.Context, files []string) (runs, transcripts []string, err error) {
	for _, file := range files {
		is := source.FileIsRun(file)
		if file == stdinName {
			in := bufio.NewReader(p.stdin)
			p.stdin = in // what was seen is still to be read
			if is, err = stoppable(ctx, func() bool { return source.IsRun(in) }); err != nil {
				return nil, nil, err
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

// piped reports whether standard input is something other than a terminal.
func (p *program) piped() bool {
	f, ok := p.stdin.(*os.File)
	if !ok {
		return p.stdin != nil
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice == 0
}

// readOnce reports whether a file is a pipe or a device, which can be read only once.
func readOnce(file string) bool {
	info, err := os.Stat(file)
	return file == stdinName || err == nil && !info.IsDir() && !info.Mode().IsRegular()
}

// guesses are what readings guessed, each told once even if a file is read twice. Readers run beside the rest of the
// program, which alone may write.
type guesses struct {
	sync.Mutex
	all   []string
	told  int
	kinds []*problem // of those that are told
}

func (g *guesses) add(s string) {
	g.Lock()
	defer g.Unlock()
	if !slices.Contains(g.all, s) {
		g.all = append(g.all, s)
	}
}

// samples reads the dialogues of files. What looks as if it were read wrongly is told at their end.
func (p *program) samples(files []string, opt dialogue.Options) iter.Seq[source.Item] {
	const long, set = 500, 10 // turns of a dialogue, and dialogues of a set that says something
	opt.Note = p.guesses.add
	return func(yield func(source.Item) bool) {
		var all, oneSided, tooLong int
		first := ""
		for it := range source.Read(p.stdin, files, opt) {
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
			p.guesses.add(fmt.Sprintf("%s of more than %d turns, the first in %s; if one is made of many, --dry-run shows how "+
				"the file is read", ui.Counted(tooLong, "dialogue"), long, first))
		}
		if all >= set && 2*oneSided >= all {
			p.guesses.add(fmt.Sprintf("%d of %d dialogues have one side only; --dry-run shows who is read as what",
				oneSided, all))
		}
	}
}

// tellGuesses gives what was guessed since the last call, and tells the first of each kind.
func (p *program) tellGuesses() []string {
	p.guesses.Lock()
	fresh := p.guesses.all[p.guesses.told:]
	p.guesses.told = len(p.guesses.all)
	p.guesses.Unlock()
	for i, s := range fresh {
		if p.redacts {
			fresh[i] = redact.Message(s)
		}
		_, kind, _ := strings.Cut(s, ": ")
		var k *problem
		if p.guesses.kinds, k = put(p.guesses.kinds, kind, fresh[i]); k.count == 1 {
			p.note(fresh[i])
		}
	}
	return fresh
}

// tellMoreGuesses tells how many more guesses there were.
func (p *program) tellMoreGuesses() {
	for _, k := range p.guesses.kinds {
		if k.count > 1 {
			p.note(ui.Counted(k.count-1, "more note") + " like this: " + k.first)
		}
	}
}

// open opens a file of the command line.
func (p *program) open(file string) (io.ReadCloser, error) { return source.Open(p.stdin, file) }

func sameFile(a, b string) bool { return source.Same(a, b) }

// stoppable gives the result of work, unless ctx ends before. Work that is left behind ends with the program, so it
// must not write anything.
func stoppable[T any](ctx context.Context, work func() T) (T, error) {
	done := make(chan T, 1)
	go func() { done <- work() }()
	select {
	case result := <-done:
		if ctx.Err() == nil {
			return result, nil
		}
	case <-ctx.Done():
	}
	var none T
	return none, errors.New("stopped before everything was read and measured; nothing is printed")
}
