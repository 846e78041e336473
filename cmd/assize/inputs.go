package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assize/cmd/assize/internal/report"
	"assize/rubric/dialogue"
)

// stdinName stands for standard input on the command line and in records.
const stdinName = "-"

// content is what a command reads.
type content struct {
	name     string   // as errors call it
	hints    []string // for one who names no file
	suffixes []string // the endings of the files that are read from a folder; each may have .gz behind it
}

// transcriptFiles and evaluationFiles are read from folders by their endings. A file that is named on the
// command line is read whatever its name.
var (
	transcriptFiles = content{
		"transcript", []string{"assize score chat.txt", "assize score --help"},
		[]string{".txt", ".tsv", ".csv", ".json", ".jsonl", ".ndjson", ".log"},
	}
	evaluationFiles = content{
		"evaluation", []string{"assize check evaluation.json", "assize check --help"},
		[]string{".json", ".jsonl", ".ndjson", ".md", ".txt"},
	}
)

// inputs lists the files that paths stand for: a folder stands for the files in it that may hold what is
// wanted, in order of their names, and a pattern for what it matches. What is wrong with one path is complained
// of, and the others count; the error is of all of them. No file is read twice, and the file except, where the
// results go, is never an input.
func (p *program) inputs(want content, paths []string, except string) ([]string, error) {
	if len(paths) == 0 {
		if !p.piped() {
			return nil, withHints(fmt.Errorf("no %s; want files, folders, or - for standard input", want.name), want.hints...)
		}
		return []string{stdinName}, nil
	}
	var files []string
	for _, path := range paths {
		found, err := want.expand(path)
		if err != nil {
			p.complain(err)
			p.missed = append(p.missed, item{file: path, err: err})
		}
		for _, file := range found {
			switch {
			case file == stdinName && slices.Contains(files, stdinName):
				return nil, fmt.Errorf("- stands twice on the command line; standard input can be read only once")
			case !sameFile(file, except):
				files = append(files, file)
			case file == path:
				return nil, fmt.Errorf("%s: is both read and written; want another name behind -o", file)
			}
		}
	}
	if len(files) == 0 && !p.complained {
		return nil, fmt.Errorf("nothing to read besides the file behind -o")
	}
	return p.withoutTwins(files), nil
}

// withoutTwins leaves a file out that comes once more, under the same name or another, since what it holds would count
// twice.
func (p *program) withoutTwins(files []string) []string {
	first := map[string]string{} // the name that came first, by where it leads
	here, _ := os.Getwd()
	here = destination(here, here) // the folder may be known by the name of a link to it
	twins := 0
	files = slices.DeleteFunc(files, func(file string) bool {
		place := destination(here, file)
		name, again := first[place]
		if !again {
			first[place] = file
			return false
		}
		twins++
		switch {
		case twins > mostTold:
		case name == file:
			p.note(file + ": is named more than once, and is read once")
		default:
			p.note(fmt.Sprintf("%s: is %s under another name, and is read once", file, name))
		}
		return true
	})
	if rest := twins - mostTold; rest > 0 {
		p.note(fmt.Sprintf("%s named before, and read once", report.Counted(rest, "more file")))
	}
	return files
}

// destination gives the place that a name leads to from a folder, whatever way it goes.
func destination(folder, file string) string {
	if file == stdinName {
		return file
	}
	if place, err := filepath.EvalSymlinks(file); err == nil {
		file = place
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(folder, file)
	}
	return file
}

// withoutRuns leaves runs out that lie among the transcripts of a folder, such as those of earlier days.
func (p *program) withoutRuns(ctx context.Context, files, named []string) (transcripts []string, err error) {
	for _, file := range files {
		ending := filepath.Ext(strings.TrimSuffix(strings.ToLower(file), ".gz"))
		is := false
		if ending == ".jsonl" || ending == ".ndjson" || file == stdinName {
			if is, err = p.isRun(ctx, file); err != nil {
				return nil, err
			}
		}
		switch {
		case !is:
			transcripts = append(transcripts, file)
		case file == stdinName || slices.Contains(named, file):
			return nil, withHints(fmt.Errorf("%s: is a run; want transcripts", file), "assize triage reads both")
		default:
			p.note(file + ": is a run and no transcript, and is left out")
		}
	}
	if len(transcripts) == 0 && !p.complained {
		err = errors.New("nothing to read besides runs; want transcripts")
	}
	return transcripts, err
}

// piped reports whether something other than a person is at standard input.
func (p *program) piped() bool {
	f, ok := p.stdin.(*os.File)
	if !ok {
		return p.stdin != nil
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice == 0
}

func (want content) expand(path string) ([]string, error) {
	if path == stdinName {
		return []string{path}, nil
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return want.walk(path)
	case err == nil:
		return []string{path}, nil
	case strings.ContainsAny(path, "*?["):
		return want.match(path)
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: no such file; want a file, a folder, a pattern, or - for standard input", path)
	}
	return nil, err
}

// match lists what a pattern stands for that the shell left alone.
func (want content) match(pattern string) (files []string, err error) {
	matches, _ := filepath.Glob(pattern) // a bad pattern matches nothing
	if len(matches) == 0 {
		return nil, fmt.Errorf("%s: no file matches", pattern)
	}
	for _, m := range matches {
		if info, e := os.Stat(m); e != nil || !info.IsDir() {
			files = append(files, m)
			continue
		}
		found, e := want.walk(m)
		files, err = append(files, found...), errors.Join(err, e)
	}
	return files, err
}

// walk lists what is wanted in a folder and the folders in it, hidden ones left out, and so are pipes and
// devices, whose reading may never end. A folder that cannot be read keeps none of the others from being read.
func (want content) walk(root string) (files []string, err error) {
	top := filepath.Clean(root) + string(filepath.Separator) // a link to a folder counts as the folder
	walkErr := filepath.WalkDir(top, func(path string, entry fs.DirEntry, e error) error {
		hidden := path != top && strings.HasPrefix(entry.Name(), ".")
		switch {
		case e != nil:
			err = errors.Join(err, e)
		case hidden && entry.IsDir():
			return fs.SkipDir
		case !hidden && want.fits(path) && readable(path, entry):
			files = append(files, path)
		}
		return nil
	})
	if err = errors.Join(err, walkErr); err == nil && len(files) == 0 {
		err = fmt.Errorf("%s: no %ss in this folder; want files that end in %s, or those with .gz behind", root, want.name, strings.Join(want.suffixes, " "))
	}
	return files, err
}

// readable reports whether an entry of a folder is a file or leads to one. A link that leads nowhere counts,
// so that opening it tells what is wrong.
func readable(path string, entry fs.DirEntry) bool {
	if entry.Type()&fs.ModeSymlink == 0 {
		return entry.Type().IsRegular()
	}
	info, err := os.Stat(path)
	return err != nil || info.Mode().IsRegular()
}

// fits reports whether a file's name is that of what is wanted.
func (want content) fits(path string) bool {
	name := strings.TrimSuffix(strings.ToLower(path), ".gz")
	return slices.Contains(want.suffixes, filepath.Ext(name))
}

func sameFile(a, b string) bool {
	if a == stdinName || b == "" {
		return false
	}
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// item is a dialogue that was read, or what was wrong with it.
type item struct {
	file   string
	sample dialogue.Sample
	err    error
}

// place says where in its file an item is that could not be read.
func (it *item) place() string {
	var syntax *dialogue.SyntaxError
	switch isSyntax := errors.As(it.err, &syntax); {
	case isSyntax && syntax.Line > 0:
		return fmt.Sprintf("line %d", syntax.Line)
	case isSyntax && syntax.Position > 0:
		return fmt.Sprintf("the dialogue in place %d", syntax.Position)
	case it.err == nil:
		return fmt.Sprintf("the dialogue in place %d", it.sample.Source.Position)
	}
	return "the file"
}

// samples reads one file after the other.
func (p *program) samples(files []string, opt dialogue.Options) iter.Seq[item] {
	return func(yield func(item) bool) {
		for _, file := range files {
			for it := range p.read(file, opt) {
				if !yield(it) {
					return
				}
			}
		}
	}
}

func (p *program) read(file string, opt dialogue.Options) iter.Seq[item] {
	return func(yield func(item) bool) {
		r := io.NopCloser(p.stdin)
		if file != stdinName {
			f, err := os.Open(file)
			if err != nil {
				yield(item{file: file, err: err})
				return
			}
			r = f
		}
		defer r.Close()
		for sample, err := range dialogue.Read(r, file, opt) {
			if !yield(item{file, sample, err}) {
				return
			}
		}
	}
}
