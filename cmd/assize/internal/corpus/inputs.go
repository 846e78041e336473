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
	"sync"
	"sync/atomic"

	"assize/cmd/assize/internal/console"
	"assize/cmd/assize/internal/source"
	"assize/cmd/assize/internal/ui"
	"assize/rubric/dialogue"
)

// Find lists the files that the paths of a command line stand for. What leads to nothing is complained of and listed,
// and the others count; the error is one of all of them. Without a path it is standard input, unless that is a
// terminal; the hints then say what to type.
func Find(c *console.Console, kind source.Kind, paths []string, output string, hints ...string,
) (files []string, failed []source.Item, err error) {
	if len(paths) == 0 && !c.Piped() {
		return nil, nil, console.Hint(fmt.Errorf("no %s; want files, folders, or - for standard input", kind.Name), hints...)
	} else if len(paths) == 0 {
		return []string{source.Stdin}, nil, nil
	}
	found, err := kind.Find(paths, output)
	for _, it := range found.Failed {
		c.Complain(it.Err)
	}
	for _, note := range found.Notes {
		c.Note(note)
	}
	return found.Files, found.Failed, err
}

// FindTranscripts is [Find] for transcripts alone. It leaves out the runs that lie among those of a folder, such as
// those of earlier days.
func FindTranscripts(ctx context.Context, c *console.Console, paths []string, output string, hints ...string,
) (files []string, failed []source.Item, err error) {
	files, failed, err = Find(c, source.Transcripts, paths, output, hints...)
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

// Samples reads the dialogues of files. What looks as if it were read wrongly is a guess, noted at their end.
func Samples(c *console.Console, files []string, opt dialogue.Options) iter.Seq[source.Item] {
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
	begin := sync.OnceFunc(func() {
		if !slices.ContainsFunc(files, ReadOnce) && !slices.ContainsFunc(files, source.LargeTable) {
			go count()
		}
	})
	return func() int {
		begin()
		return int(total.Load())
	}
}
