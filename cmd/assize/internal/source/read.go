package source

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"regexp"
	"slices"
	"strconv"

	"assize/rubric/dialogue"
)

// Item is a dialogue, or the reason why it could not be read.
type Item struct {
	File   string
	Sample dialogue.Sample
	Err    error
}

// Place says where in its file an item that could not be read is.
func (it *Item) Place() string {
	var syntax *dialogue.SyntaxError
	switch isSyntax := errors.As(it.Err, &syntax); {
	case isSyntax && syntax.Line > 0:
		return fmt.Sprintf("line %d", syntax.Line)
	case isSyntax && syntax.Position > 0:
		return fmt.Sprintf("dialogue number %d", syntax.Position)
	}
	return "the file"
}

// Read reads the dialogues of files, one file after the other; [Stdin] is read from stdin.
func Read(stdin io.Reader, files []string, opt dialogue.Options) iter.Seq[Item] {
	opt.Temp = Temporary
	read := func(r io.Reader, file string) iter.Seq2[dialogue.Sample, error] { return dialogue.Read(r, file, opt) }
	return func(yield func(Item) bool) {
		Each(stdin, files, read, func(file string, s dialogue.Sample, err error) bool { return yield(Item{file, s, err}) })
	}
}

// Temporary makes a file that nobody needs once it is closed. Where the system keeps open files, nothing stays behind even
// after a crash.
func Temporary() (dialogue.Temp, error) {
	f, err := os.CreateTemp("", "assize-*")
	if err == nil {
		os.Remove(f.Name())
	}
	return removed{f}, err
}

type removed struct{ *os.File }

// Close removes the file from systems that could not do so while it was open.
func (f removed) Close() error {
	err := f.File.Close()
	os.Remove(f.Name())
	return err
}

// Each opens files one after the other and hands what read makes of them to take, until that gives false. A file that
// cannot be opened is an error among the others.
func Each[T any](stdin io.Reader, files []string, read func(io.Reader, string) iter.Seq2[T, error],
	take func(file string, v T, err error) bool) {
	open := opener{stdin: stdin}
	defer open.close()
	one := func(file string) bool {
		r, err := open.Open(file)
		if err != nil {
			var none T
			return take(file, none, err)
		}
		defer r.Close()
		for v, err := range read(r, file) {
			if !take(file, v, err) {
				return false
			}
		}
		return true
	}
	for _, file := range files {
		if !one(file) {
			return
		}
	}
}

// Open opens a file of the command line; [Stdin] is stdin.
func Open(stdin io.Reader, file string) (io.ReadCloser, error) {
	if file == Stdin {
		return io.NopCloser(stdin), nil
	}
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("%s: no such file", file)
	case err == nil && info.IsDir():
		return nil, fmt.Errorf("%s: is a folder; want a file", file)
	}
	return os.Open(file)
}

// LargeTable reports whether a file is likely to be a table, of which much is held until its end, and is large.
func LargeTable(file string) bool {
	const large = 32 << 20
	packed := map[string]int64{".csv": 1, ".tsv": 1, ".xlsx": 16, ".xlsm": 16}[Extension(file)]
	info, err := os.Stat(file)
	return err == nil && packed*info.Size() > large
}

// IDs lets only the dialogues through that have one of the wanted ids: their number or the source's own id. With no
// wanted ids it lets all through.
type IDs struct {
	Wanted []string
	found  []string
}

// Filter lets through what is wanted, and items that could not be read.
func (s *IDs) Filter(all iter.Seq[Item]) iter.Seq[Item] {
	return func(yield func(Item) bool) {
		for it := range all {
			d, ids := it.Sample, len(s.found)
			for _, id := range s.Wanted {
				if it.Err == nil && (id == strconv.Itoa(d.Dialogue.ID) || id == d.Source.ID) {
					s.found = append(s.found, id)
				}
			}
			if (it.Err != nil || len(s.Wanted) == 0 || len(s.found) > ids) && !yield(it) {
				return
			}
		}
	}
}

// Missing lists the wanted ids that no dialogue had.
func (s *IDs) Missing() []string {
	return slices.DeleteFunc(slices.Clone(s.Wanted), func(id string) bool { return slices.Contains(s.found, id) })
}

// runStart is how a run begins: with its header or, where that is lost, with a record.
var runStart = regexp.MustCompile(`^\s*\{("assize_run":|` +
	`"dialogue_id":-?\d+,("evaluator":\{"TaskSuccess":\{"score"|"source":\{"file":))`)

// IsRun reports whether an input, packed or not, begins as a run does. Nothing is taken from it.
func IsRun(in *bufio.Reader) bool {
	head, _ := in.Peek(1 << 10)
	if unpacked, err := gzip.NewReader(bytes.NewReader(head)); err == nil {
		head, _ = io.ReadAll(unpacked) // what is cut off is an error
	}
	return runStart.Match(head)
}

// FileIsRun is IsRun of a file. A pipe can be read only once, so it counts as no run.
func FileIsRun(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	return IsRun(bufio.NewReader(f))
}
