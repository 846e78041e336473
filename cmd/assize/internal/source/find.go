// Package source finds the files that a command line names, and reads dialogues from them.
package source

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assize/cmd/assize/internal/ui"
)

// Stdin is the name of standard input on the command line and in records.
const Stdin = "-"

// Kind is what a command reads.
type Kind struct {
	Name       string   // as errors call one: "transcript"
	Extensions []string // of the files that are read from a folder; each may be followed by .gz
	told       bool     // the other files in a folder are told of: they may be transcripts that cannot be read
}

// The kinds. A file that is named on the command line is read whatever its name.
var (
	Transcripts = Kind{"transcript", []string{".txt", ".tsv", ".csv", ".xlsx", ".xlsm", ".json", ".jsonl", ".ndjson", ".log",
		".vtt", ".srt", ".eml", ".mbox", ".zip"}, true}
	Evaluations = Kind{"evaluation", []string{".json", ".jsonl", ".ndjson", ".md", ".txt"}, false}
	Runs        = Kind{"run", []string{".jsonl", ".ndjson"}, false}
)

// Found are the files behind the paths of a command line.
type Found struct {
	Files  []string
	Failed []Item   // a path that leads to nothing, with its error; the others count all the same
	Notes  []string // on files that are named again, and on those of a folder that are not read
}

// Find lists the files that paths stand for: a folder stands for the files of this kind in it, in order of their names,
// and a pattern for what it matches. No file is listed twice, and output, where the results go, never. The error is one
// of all paths together.
func (k Kind) Find(paths []string, output string) (found Found, err error) {
	named := map[string]int{}
	var again []string
	for _, path := range paths {
		files, others, err := k.expand(path)
		if len(files) > 0 && k.told && len(others) > 0 {
			found.Notes = append(found.Notes, path+": not read: "+byKind(others))
		}
		if err != nil {
			found.Failed = append(found.Failed, Item{File: path, Err: err})
		}
		for _, file := range files {
			real := realPath(file)
			named[real]++
			switch isOutput := Same(file, output); {
			case file == Stdin && named[real] > 1:
				return found, errors.New("- is given twice; standard input can be read only once")
			case isOutput && file == path:
				return found, fmt.Errorf("-o %s: is an input as well; want another name", file)
			case isOutput:
			case named[real] == 1:
				found.Files = append(found.Files, file)
			case named[real] == 2:
				again = append(again, file)
			}
		}
	}
	if len(found.Files) == 0 && len(found.Failed) == 0 {
		return found, errors.New("nothing to read besides the file behind -o")
	}
	if len(again) > 0 {
		note := again[0]
		if rest := len(again) - 1; rest > 0 {
			note += " and " + ui.Counted(rest, "other file")
		}
		found.Notes = append(found.Notes, note+": named more than once; read once")
	}
	return found, nil
}

// realPath is the same for all names of a file.
func realPath(file string) string {
	if file == Stdin {
		return file
	}
	path, err := filepath.Abs(file)
	if err != nil {
		return file
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// Same reports whether two paths lead to the same file.
func Same(a, b string) bool {
	if a == Stdin || b == "" {
		return false
	}
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// byKind counts files by their extensions, the most frequent first.
func byKind(files []string) string {
	count := map[string]int{}
	for _, file := range files {
		count[cmp.Or(Extension(file), "without an extension")]++
	}
	kinds := ui.ByFrequency(count)
	for i, kind := range kinds {
		kinds[i] = fmt.Sprintf("%d %s", count[kind], kind)
	}
	return strings.Join(kinds, ", ")
}

// expand lists the files that a path stands for, and the others of folders.
func (k Kind) expand(path string) (files, others []string, err error) {
	matches := []string{path}
	if _, e := os.Stat(path); e != nil && path != Stdin {
		isPattern := strings.ContainsAny(path, "*?[") // one that the shell left alone
		matches, _ = filepath.Glob(path)              // a bad one matches nothing
		switch {
		case isPattern && len(matches) == 0:
			return nil, nil, fmt.Errorf("%s: no file matches", path)
		case !isPattern && errors.Is(e, fs.ErrNotExist):
			return nil, nil, fmt.Errorf("%s: no such file; want a file, a folder, a pattern, or - for standard input", path)
		case !isPattern:
			return nil, nil, e
		}
	}
	for _, m := range matches {
		found := []string{m}
		if info, e := os.Stat(m); m != Stdin && e == nil && info.IsDir() {
			var left []string
			found, left, e = k.walk(m)
			others, err = append(others, left...), errors.Join(err, e)
		}
		for _, file := range found {
			if !k.told || file == Stdin || Extension(file) != ".zip" {
				files = append(files, file)
				continue
			}
			inside, left, e := k.unpack(file)
			files, others, err = append(files, inside...), append(others, left...), errors.Join(err, e)
		}
	}
	return files, others, err
}

// walk lists the files of this kind in a folder and its subfolders, and those of other kinds. It leaves out hidden files, and pipes and devices,
// whose reading may never end; a link that leads nowhere counts, so that opening it reports what is wrong. A folder
// that cannot be read does not keep the others from being read.
func (k Kind) walk(root string) (files, others []string, err error) {
	top := filepath.Clean(root) + string(filepath.Separator) // a link to a folder counts as the folder
	walkErr := filepath.WalkDir(top, func(path string, entry fs.DirEntry, e error) error {
		hidden := path != top && strings.HasPrefix(entry.Name(), ".")
		switch {
		case e != nil:
			err = errors.Join(err, e)
		case hidden && entry.IsDir():
			return fs.SkipDir
		case !hidden && slices.Contains(k.Extensions, Extension(path)):
			if info, e := os.Stat(path); e != nil || info.Mode().IsRegular() {
				files = append(files, path)
			}
		case !hidden && entry.Type().IsRegular():
			others = append(others, path)
		}
		return nil
	})
	if err = errors.Join(err, walkErr); err == nil && len(files) == 0 {
		err = fmt.Errorf("%s: no %ss in this folder; want files that end in %s, or in one of these and .gz", root, k.Name,
			strings.Join(k.Extensions, " "))
		if k.told && len(others) > 0 {
			err = fmt.Errorf("%w; not read: %s", err, byKind(others))
		}
	}
	return files, others, err
}

// Extension is the extension of a file's name in lower case, that of the packed file for one in .gz.
func Extension(path string) string {
	return filepath.Ext(strings.TrimSuffix(strings.ToLower(path), ".gz"))
}
