package source

import (
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
}

// The kinds. A file that is named on the command line is read whatever its name.
var (
	Transcripts = Kind{"transcript", []string{".txt", ".tsv", ".csv", ".json", ".jsonl", ".ndjson", ".log"}}
	Evaluations = Kind{"evaluation", []string{".json", ".jsonl", ".ndjson", ".md", ".txt"}}
	Runs        = Kind{"run", []string{".jsonl", ".ndjson"}}
)

// maxNotes is how many duplicates are named one by one.
const maxNotes = 10

// Found are the files behind the paths of a command line.
type Found struct {
	Files  []string
	Failed []Item   // a path that leads to nothing, with its error; the others count all the same
	Notes  []string // on files that are named twice
}

// Find lists the files that paths stand for: a folder stands for the files of this kind in it, in order of their names,
// and a pattern for what it matches. No file is listed twice, and output, where the results go, never. The error is one
// of all paths together.
func (k Kind) Find(paths []string, output string) (Found, error) {
	var found Found
	for _, path := range paths {
		files, err := k.expand(path)
		if err != nil {
			found.Failed = append(found.Failed, Item{File: path, Err: err})
		}
		for _, file := range files {
			switch {
			case file == Stdin && slices.Contains(found.Files, Stdin):
				return found, errors.New("- is given twice; standard input can be read only once")
			case !Same(file, output):
				found.Files = append(found.Files, file)
			case file == path:
				return found, fmt.Errorf("-o %s: is an input as well; want another name", file)
			}
		}
	}
	if len(found.Files) == 0 && len(found.Failed) == 0 {
		return found, errors.New("nothing to read besides the file behind -o")
	}
	found.dropDuplicates()
	return found, nil
}

// dropDuplicates leaves out files that are listed again, under the same name or another.
func (f *Found) dropDuplicates() {
	first := map[string]string{} // the name that came first, by the real path
	here, _ := os.Getwd()
	here = realPath(here, here)
	dropped := 0
	f.Files = slices.DeleteFunc(f.Files, func(file string) bool {
		path := realPath(here, file)
		name, again := first[path]
		if !again {
			first[path] = file
			return false
		}
		switch dropped++; {
		case dropped > maxNotes:
		case name == file:
			f.Notes = append(f.Notes, file+": is named more than once; read once")
		default:
			f.Notes = append(f.Notes, fmt.Sprintf("%s: is %s under another name; read once", file, name))
		}
		return true
	})
	if rest := dropped - maxNotes; rest > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("%s named more than once; each read once", ui.Counted(rest, "more file")))
	}
}

// realPath follows links, from a folder.
func realPath(folder, file string) string {
	if file == Stdin {
		return file
	}
	if path, err := filepath.EvalSymlinks(file); err == nil {
		file = path
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(folder, file)
	}
	return file
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

func (k Kind) expand(path string) ([]string, error) {
	if path == Stdin {
		return []string{path}, nil
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return k.walk(path)
	case err == nil:
		return []string{path}, nil
	case strings.ContainsAny(path, "*?["):
		return k.match(path)
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: no such file; want a file, a folder, a pattern, or - for standard input", path)
	}
	return nil, err
}

// match lists the files that a pattern matches which the shell left alone.
func (k Kind) match(pattern string) (files []string, err error) {
	matches, _ := filepath.Glob(pattern) // a bad pattern matches nothing
	if len(matches) == 0 {
		return nil, fmt.Errorf("%s: no file matches", pattern)
	}
	for _, m := range matches {
		if info, e := os.Stat(m); e != nil || !info.IsDir() {
			files = append(files, m)
			continue
		}
		found, e := k.walk(m)
		files, err = append(files, found...), errors.Join(err, e)
	}
	return files, err
}

// walk lists the files of this kind in a folder and its subfolders. It leaves out hidden files, and pipes and devices,
// whose reading may never end. A folder that cannot be read does not keep the others from being read.
func (k Kind) walk(root string) (files []string, err error) {
	top := filepath.Clean(root) + string(filepath.Separator) // a link to a folder counts as the folder
	walkErr := filepath.WalkDir(top, func(path string, entry fs.DirEntry, e error) error {
		hidden := path != top && strings.HasPrefix(entry.Name(), ".")
		switch {
		case e != nil:
			err = errors.Join(err, e)
		case hidden && entry.IsDir():
			return fs.SkipDir
		case !hidden && k.fits(path) && readable(path, entry):
			files = append(files, path)
		}
		return nil
	})
	if err = errors.Join(err, walkErr); err == nil && len(files) == 0 {
		err = fmt.Errorf("%s: no %ss in this folder; want files that end in %s, or in one of these and .gz", root, k.Name, strings.Join(k.Extensions, " "))
	}
	return files, err
}

// readable reports whether an entry of a folder is a file or leads to one. A link that leads nowhere counts, so that
// opening it reports what is wrong.
func readable(path string, entry fs.DirEntry) bool {
	if entry.Type()&fs.ModeSymlink == 0 {
		return entry.Type().IsRegular()
	}
	info, err := os.Stat(path)
	return err != nil || info.Mode().IsRegular()
}

// fits reports whether a file has an extension of this kind.
func (k Kind) fits(path string) bool { return slices.Contains(k.Extensions, Extension(path)) }

// Extension is the extension of a file's name in lower case, that of the packed file for one in .gz.
func Extension(path string) string {
	return filepath.Ext(strings.TrimSuffix(strings.ToLower(path), ".gz"))
}
