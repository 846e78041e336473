// Package source finds the files named on a command line and reads dialogues from them.
package source

import (
	"archive/zip"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/prose"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"
)

var texts = prose.Of("source")

// InputKind is a kind of input file.
type InputKind struct {
	Name       string   // as used in errors: "transcript"
	Example    string   // an example file name
	Extensions []string // of the files to read in a folder; each may be followed by .gz
}

// The kinds. A file named on the command line is read regardless of its name.
var (
	Transcripts = InputKind{"transcript", "export.csv",
		[]string{".txt", ".tsv", ".csv", ".xlsx", ".xlsm", ".json", ".jsonl", ".ndjson", ".log",
			".vtt", ".srt", ".eml", ".mbox", ".zip"}}
	Evaluations = InputKind{"evaluation", "evaluation.json",
		[]string{".json", ".jsonl", ".ndjson", ".md", ".txt"}}
	Runs = InputKind{"run", "run.jsonl", []string{".jsonl", ".ndjson"}}
)

// slackLists are the files of a Slack export that contain no conversation.
var slackLists = strings.Fields("users channels groups dms mpims integration_logs canvases")

// accepts reports whether a file in a folder or an archive is likely to be of this kind.
func (k InputKind) accepts(file string) bool {
	name, isJSON := strings.CutSuffix(filepath.Base(file), ".json")
	return slices.Contains(k.Extensions, extension(file)) &&
		!(isJSON && slices.Contains(slackLists, name))
}

// Find returns the files that paths refer to: a folder stands for the files of this kind in it,
// sorted by name, and a pattern for the files that it matches. No file is listed twice, and output,
// the file for the results, is never listed. A path that matches nothing becomes an item with its
// error; the other paths remain valid. Skipped files of a folder are reported through note, since
// the user may expect them to be read. Find returns an error that concerns all paths together.
func (k InputKind) Find(paths []string, output string, note func(string),
) (files []string, failed []Item, err error) {
	known := map[string]bool{}
	for _, path := range paths {
		found, others, err := k.expand(path)
		if len(found) > 0 && len(others) > 0 {
			note(path + ": not read: " + byKind(others))
		}
		if err != nil {
			failed = append(failed, Item{File: path, Err: err})
		}
		for _, file := range found {
			real := file // the same for all names of a file
			if path, err := filepath.Abs(file); err == nil && file != ui.Stdin {
				leads, _ := filepath.EvalSymlinks(path) // fails for what is in an archive
				real = cmp.Or(leads, path)
			}
			isOutput, again := Same(file, output), known[real]
			known[real] = true
			switch {
			case file == ui.Stdin && again:
				return nil, nil, texts.Error("twice")
			case isOutput && file == path:
				return nil, nil, texts.Error("output", output)
			case !isOutput && !again:
				files = append(files, file)
			}
		}
	}
	if len(files) == 0 && len(failed) == 0 {
		return nil, nil, texts.Error("only output")
	}
	return joinDays(files), failed, nil
}

// dayFile matches the name of a file in which Slack exports a day of a channel.
var dayFile = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}\.json$`)

// joinDays returns files with the folder of a channel of Slack in place of the files of its days,
// whose threads may go on for days. It leaves days as they are if some of the folder are missing.
func joinDays(files []string) (all []string) {
	days := map[string]int{} // the number of files by folder
	for _, file := range files {
		if dayFile.MatchString(filepath.Base(file)) {
			days[filepath.Dir(file)]++
		}
	}
	var open opener
	defer open.close()
	joined := map[string]bool{}
	for _, file := range files {
		folder := filepath.Dir(file)
		isDay := dayFile.MatchString(filepath.Base(file))
		if n := days[folder]; isDay && n > 1 {
			days[folder] = 0 // each folder is opened once
			if joined[folder] = open.isChannel(folder, n); joined[folder] {
				all = append(all, folder)
			}
		}
		if !isDay || !joined[folder] {
			all = append(all, file)
		}
	}
	return all
}

// isChannel reports whether a folder has n files of days, the first of which is of Slack.
func (o *opener) isChannel(folder string, n int) bool {
	r, err := o.open(folder)
	if err != nil {
		return false
	}
	defer r.Close()
	days, ok := r.(*dayFiles)
	if !ok || len(days.rest) != n {
		return false
	}
	head, _ := io.ReadAll(io.LimitReader(r, 4096))
	return bytes.Contains(head, []byte(`"ts"`))
}

// dayFiles reads the files of a folder that joinDays found, one after the other.
type dayFiles struct {
	io.ReadCloser
	folder fs.FS
	rest   []string
}

func openDays(folder fs.FS) (io.ReadCloser, error) {
	entries, err := fs.ReadDir(folder, ".")
	d := &dayFiles{ReadCloser: io.NopCloser(strings.NewReader("")), folder: folder}
	for _, e := range entries { // sorted by name
		if dayFile.MatchString(e.Name()) {
			d.rest = append(d.rest, e.Name())
		}
	}
	return d, err
}

func (d *dayFiles) Read(p []byte) (int, error) {
	n, err := d.ReadCloser.Read(p)
	if err != io.EOF || n > 0 || len(d.rest) == 0 {
		return n, err
	}
	next, err := d.folder.Open(d.rest[0])
	if err != nil {
		return 0, err
	}
	d.ReadCloser.Close()
	d.ReadCloser, d.rest = next, d.rest[1:]
	return copy(p, "\n"), nil
}

// Same reports whether two paths refer to the same file.
func Same(a, b string) bool {
	if a == ui.Stdin || b == "" {
		return false
	}
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// byKind returns the number of files by extension, the most frequent first.
func byKind(files []string) string {
	count := map[string]int{}
	for _, file := range files {
		count[cmp.Or(extension(file), "without an extension")]++
	}
	return ui.Counts(count)
}

// expand returns the files that a path refers to, and those of other kinds in its folders.
func (k InputKind) expand(path string) (files, others []string, err error) {
	matches := []string{path}
	if _, e := os.Stat(path); e != nil && path != ui.Stdin {
		isPattern := strings.ContainsAny(path, "*?[") // not expanded by the shell
		matches, _ = filepath.Glob(path)              // an invalid pattern matches nothing
		switch {
		case path == "":
			return nil, nil, texts.Error("empty name")
		case isPattern && len(matches) == 0:
			return nil, nil, texts.Error("no match", path)
		case !isPattern && errors.Is(e, fs.ErrNotExist):
			return nil, nil, texts.Error("no such path", path)
		case !isPattern:
			return nil, nil, e
		}
	}
	for _, m := range matches {
		found := []string{m}
		if info, e := os.Stat(m); m != ui.Stdin && e == nil && info.IsDir() {
			var left []string
			found, left, e = k.walk(m)
			others, err = append(others, left...), errors.Join(err, e)
		}
		for _, file := range found {
			if file == ui.Stdin || extension(file) != ".zip" || !k.accepts(file) {
				files = append(files, file)
				continue
			}
			z, e := zip.OpenReader(file)
			if e != nil {
				err = errors.Join(err, texts.Error("damaged", file, e))
				continue
			}
			inside, left, e := k.Entries(&z.Reader, file)
			z.Close()
			files, others, err = append(files, inside...), append(others, left...),
				errors.Join(err, e)
		}
	}
	return files, others, err
}

// walk returns the files of this kind in a folder and its subfolders, and those of other kinds. It
// leaves out hidden files, and pipes and devices, which may never end. Broken links are included,
// so that opening them reports the problem. An unreadable folder stops no other.
func (k InputKind) walk(root string) (files, others []string, err error) {
	top := filepath.Clean(root) + string(filepath.Separator) // follows a link to a folder
	walkErr := filepath.WalkDir(top, func(path string, entry fs.DirEntry, e error) error {
		hidden := path != top && strings.HasPrefix(entry.Name(), ".")
		switch {
		case e != nil:
			err = errors.Join(err, e)
		case hidden && entry.IsDir():
			return fs.SkipDir
		case !hidden && k.accepts(path):
			if info, e := os.Stat(path); e != nil || info.Mode().IsRegular() {
				files = append(files, path)
			}
		case !hidden && entry.Type().IsRegular():
			others = append(others, path)
		}
		return nil
	})
	if err = errors.Join(err, walkErr); err == nil && len(files) == 0 {
		err = k.noFilesError(root, "folder", others)
	}
	return files, others, err
}

// noFilesError returns the error for a folder or an archive without files of this kind.
func (k InputKind) noFilesError(path, what string, others []string) error {
	isNested := func(ending string) bool { return what == "archive" && ending == ".zip" }
	endings := strings.Join(ui.Without(k.Extensions, isNested), " ")
	err := texts.Error("no files", path, k.Name, what, endings)
	if len(others) > 0 {
		err = fmt.Errorf("%w; not read: %s", err, byKind(others))
	}
	return err
}

// extension returns the extension of a file in lower case; for .gz and .zst, that of its content.
func extension(path string) string { return filepath.Ext(strings.ToLower(withoutPacking(path))) }

// Stem returns a path without the extensions.
func Stem(path string) string {
	return strings.TrimSuffix(withoutPacking(path), filepath.Ext(withoutPacking(path)))
}

func withoutPacking(path string) string {
	switch packing := filepath.Ext(path); strings.ToLower(packing) {
	case ".gz", ".zst":
		return strings.TrimSuffix(path, packing)
	}
	return path
}

// An archive (.zip) stands for the files in it, like a folder. They are named archive.zip/entry and
// read in place; nothing is written to disk, so that no name can refer to a file elsewhere.

// maxEntry is the maximum size of a file in an archive, in bytes.
const maxEntry = 1 << 30

// Entries returns the files of this kind in the archive at path, and those of other kinds. It
// returns an error that lists nested archives and names that are duplicate or lead out of the
// archive; the other files are still valid.
func (k InputKind) Entries(z *zip.Reader, path string) (files, others []string, err error) {
	var refused []string
	seen := map[string]bool{}
	for _, f := range z.File {
		name := strings.ReplaceAll(f.Name, `\`, "/")
		inside := fs.ValidPath(name)
		hidden := strings.HasPrefix(name, "__MACOSX/") || inside && strings.Contains("/"+name, "/.")
		switch {
		case f.FileInfo().IsDir() || hidden:
		case !inside || seen[name] || extension(name) == ".zip":
			refused = append(refused, name)
		case k.accepts(name):
			files = append(files, path+"/"+name)
		default:
			others = append(others, name)
		}
		seen[name] = true
	}
	switch {
	case len(refused) > 0:
		err = texts.Error("refused", path, ui.Counted(len(refused), "file"), refused[0])
	case len(files) == 0:
		err = k.noFilesError(path, "archive", others)
	}
	return files, others, err
}

// opener opens files one after the other, and an archive once for all of its files.
type opener struct {
	stdin   io.Reader
	path    string // of the archive
	archive *zip.ReadCloser
}

// open opens an input; [ui.Stdin] is stdin, which may be an archive with files named -/entry.
func (o *opener) open(file string) (io.ReadCloser, error) {
	if z, ok := o.stdin.(fs.FS); ok && strings.HasPrefix(file, ui.Stdin+"/") {
		return z.Open(file[len(ui.Stdin)+1:])
	}
	for i := range file {
		path := file[:i]
		if file[i] != '/' || extension(path) != ".zip" {
			continue
		}
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return o.entry(path, file[i+1:])
		}
	}
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return openDays(os.DirFS(file))
	}
	return Open(o.stdin, file)
}

func (o *opener) entry(path, name string) (r io.ReadCloser, err error) {
	if o.archive == nil || o.path != path {
		o.close()
		if o.archive, err = zip.OpenReader(path); err != nil {
			return nil, texts.Error("damaged", path, err)
		}
		o.path = path
	}
	f, err := o.archive.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if info, err := f.Stat(); err == nil {
		if info.IsDir() {
			folder, err := fs.Sub(o.archive, name)
			if err != nil {
				return nil, err
			}
			return openDays(folder)
		}
		if header, ok := info.Sys().(*zip.FileHeader); ok && header.Flags&1 != 0 {
			f.Close()
			return nil, texts.Error("encrypted", path, name)
		}
	}
	return &entry{f, maxEntry}, nil
}

func (o *opener) close() {
	if o.archive != nil {
		o.archive.Close()
		o.archive = nil
	}
}

// entry is a file in an archive. The size recorded in the archive cannot be trusted.
type entry struct {
	io.ReadCloser
	remaining int
}

func (e *entry) Read(p []byte) (int, error) {
	n, err := e.ReadCloser.Read(p)
	if e.remaining -= n; e.remaining < 0 {
		return 0, texts.Error("large", maxEntry>>20)
	}
	return n, err
}

// Item is a dialogue, or the reason why it could not be read.
type Item struct {
	File   string
	Sample dialogue.Sample
	Err    error
}

// Place returns the position in the file of an item that could not be read.
func (it *Item) Place() string {
	switch syntax, isSyntax := errors.AsType[*importer.SyntaxError](it.Err); {
	case isSyntax && syntax.Line > 0:
		return fmt.Sprintf("line %d", syntax.Line)
	case isSyntax && syntax.Position > 0:
		return fmt.Sprintf("dialogue number %d", syntax.Position)
	}
	return "the file"
}

// Read returns the dialogues of files, one file after the other; [ui.Stdin] is read from stdin.
func Read(stdin io.Reader, files []string, opt importer.Options) iter.Seq[Item] {
	return func(yield func(Item) bool) {
		for _, items := range ByFile(stdin, files, opt) {
			for it := range items {
				if !yield(it) {
					return
				}
			}
		}
	}
}

// ByFile is like [Read], but yields the files, each with its dialogues.
func ByFile(stdin io.Reader, files []string, opt importer.Options,
) iter.Seq2[string, iter.Seq[Item]] {
	opt.Temp = Temporary
	read := func(r io.Reader, file string) iter.Seq2[dialogue.Sample, error] {
		return importer.Read(r, file, opt)
	}
	return func(yield func(string, iter.Seq[Item]) bool) {
		for file, samples := range Each(stdin, files, read) {
			if !yield(file, func(yield func(Item) bool) {
				for s, err := range samples {
					if !yield(Item{file, s, err}) {
						return
					}
				}
			}) {
				return
			}
		}
	}
}

// Renamed yields items with other names for the files of their dialogues.
func Renamed(items iter.Seq[Item], name func(file string) string) iter.Seq[Item] {
	return func(yield func(Item) bool) {
		for it := range items {
			if it.Err == nil {
				it.Sample.Source.File = name(it.File)
			}
			if !yield(it) {
				return
			}
		}
	}
}

// From returns the path of a file from a folder, wherever the command was started.
func From(folder, file string) string {
	from, _ := filepath.Abs(folder) // fails without a current folder
	path, _ := filepath.Abs(file)
	if path, err := filepath.Rel(from, path); err == nil && file != ui.Stdin {
		return path
	}
	return file
}

// Temporary creates a file that is removed when it is closed or, if possible, is already removed.
func Temporary() (importer.Temp, error) {
	f, err := os.CreateTemp("", "assize-*")
	if err == nil {
		os.Remove(f.Name())
	}
	return tempFile{f}, err
}

type tempFile struct{ *os.File }

// Close removes the file on systems that cannot remove an open file.
func (f tempFile) Close() error {
	err := f.File.Close()
	os.Remove(f.Name())
	return err
}

// Each opens files one after the other, and yields each with what read yields of it, or with the
// error if it cannot be opened.
func Each[T any](stdin io.Reader, files []string, read func(io.Reader, string) iter.Seq2[T, error],
) iter.Seq2[string, iter.Seq2[T, error]] {
	return func(yield func(string, iter.Seq2[T, error]) bool) {
		open := opener{stdin: stdin} // an archive is opened once for all of its files
		defer open.close()
		for _, file := range files {
			if !yield(file, func(yield func(T, error) bool) {
				r, err := open.open(file)
				if err != nil {
					var none T
					yield(none, err)
					return
				}
				defer r.Close()
				read(r, file)(yield)
			}) {
				return
			}
		}
	}
}

// Open opens a file named on the command line; [ui.Stdin] is stdin.
func Open(stdin io.Reader, file string) (io.ReadCloser, error) {
	if file == ui.Stdin {
		return io.NopCloser(stdin), nil
	}
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, texts.Error("no such file", file)
	case err == nil && info.IsDir():
		return nil, texts.Error("folder", file)
	}
	return os.Open(file)
}

// LargeTable reports whether a file is probably a large table, which is read into memory.
func LargeTable(file string) bool {
	const large = 32 << 20
	packed := map[string]int64{".csv": 1, ".tsv": 1, ".xlsx": 16, ".xlsm": 16}[extension(file)]
	info, err := os.Stat(file)
	return err == nil && packed*info.Size() > large
}

// IDs selects the dialogues with one of the wanted IDs, which are those of [run.Names]. A comma
// separates wanted IDs, so the ID "7,8" is wanted as 7 followed by 8. Without any, it selects all.
type IDs struct {
	Wanted []string
	found  map[string]bool
}

// Filter yields the selected dialogues, and items that could not be read.
func (s *IDs) Filter(all iter.Seq[Item]) iter.Seq[Item] {
	return func(yield func(Item) bool) {
		for it := range all {
			from := &it.Sample.Source
			if (it.Err != nil || s.Has(it.Sample.Dialogue.ID, from.ID, from.File)) && !yield(it) {
				return
			}
		}
	}
}

// Has reports whether a dialogue of a file with a number and the source's own ID is selected.
func (s *IDs) Has(number int, own, file string) bool {
	if len(s.Wanted) == 0 {
		return true
	}
	isIn := false
	for _, name := range run.Names(number, own, file) {
		whole := strings.Split(name, ",")
		for i := range s.Wanted {
			rest := s.Wanted[i:]
			if n := len(whole); n > len(rest) || !slices.Equal(rest[:n], whole) {
				continue
			}
			if isIn = true; s.found == nil {
				s.found = map[string]bool{}
			}
			for _, id := range whole {
				s.found[id] = true
			}
		}
	}
	return isIn
}

// Missing returns the wanted IDs that no dialogue had.
func (s *IDs) Missing() []string {
	return ui.Without(s.Wanted, func(id string) bool { return s.found[id] })
}
