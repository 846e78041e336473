// Package output writes results to their destination: standard output, a file that is replaced when
// they are complete, or a run.
package output

import (
	"archive/zip"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/prose"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric/dialogue/importer"
)

var texts = prose.Of("output")

// File is the destination of a command's results.
type File struct {
	io.Writer
	Replaces string                    // the file to replace at the end; may be empty
	temp     string                    // the file written until then
	close    func(complete bool) error // incomplete results replace nothing
}

// Of returns a File for a run on disk, which w writes.
func Of(w *run.Writer) *File { return &File{close: func(bool) error { return w.Release() }} }

// Abandon closes the file and discards incomplete results.
func (f *File) Abandon() error { return f.close(false) }

// End keeps the results, unless err says that they are incomplete.
func (f *File) End(err error) error {
	if err == nil {
		return f.close(true)
	}
	_ = f.close(false) // the first error counts
	// The user does not know the name of the temporary file.
	if failed, ok := errors.AsType[*fs.PathError](err); ok && failed.Path == f.temp {
		err = fmt.Errorf("-o %s: %w", f.Replaces, failed.Err)
	}
	return err
}

// Target returns the file that a path refers to and reports whether it can be a regular file,
// rather than a device or a pipe, which keeps its path: a link of /dev/fd to a pipe names no file.
// The target of another link is replaced, not the link. For the file to which standard output was
// redirected, such as /dev/stdout, it returns "-".
func Target(path string) (file string, regular bool) {
	if path == "" || path == ui.Stdin {
		return path, false
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return path, false
	}
	leads, err := filepath.EvalSymlinks(path)
	if err == nil {
		path = leads
	} else if to, e := os.Readlink(path); e == nil && errors.Is(err, fs.ErrNotExist) {
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		return Target(to) // which does not exist yet
	}
	info, _ := os.Stat(path)
	if stdout, _ := os.Stdout.Stat(); os.SameFile(info, stdout) {
		return ui.Stdin, false
	}
	return path, true
}

// Create opens the file given with -o for results in a format, unless it contains anything that a
// person may need, see [Check]. If path is empty or "-", it uses standard output.
func Create(stdout io.Writer, path, format string) (*File, error) {
	if _, regular := Target(path); regular && run.IsFile(path) {
		return nil, texts.Error("run", path)
	}
	if err := Check(path); err != nil {
		return nil, err
	}
	f, err := Overwrite(stdout, path)
	if err != nil || f.Replaces == "" {
		return f, err
	}
	abandon := f.close
	f.close = func(complete bool) error {
		defer abandon(false)
		if !complete {
			return nil
		}
		to, changed := f.Replaces, Check(path) // since the command began
		if changed != nil {
			to = run.FreePath(to, "new")
			changed = texts.Error("changed", changed, to)
		}
		results, err := os.Open(f.temp)
		if err != nil {
			return err
		}
		defer results.Close()
		out, err := Overwrite(nil, to)
		if err == nil {
			err = out.End(copySealed(out, results, format))
		}
		return cmp.Or(err, changed)
	}
	return f, nil
}

// Check returns an error if a file given with -o may only be replaced by the person who wrote it:
// unless it is empty or a run, see [Create], it must be as this program wrote it.
func Check(path string) error {
	info, err := os.Stat(path)
	if _, regular := Target(path); err != nil || !regular || info.Size() == 0 || run.IsFile(path) {
		return nil
	}
	in, err := os.Open(path)
	if err != nil {
		return texts.Error("unreadable", path)
	}
	defer in.Close()
	if isSealed(in, info.Size()) {
		return nil
	}
	return texts.Error("not ours", path, reading(in, path))
}

// reading names the command that reads the ratings in a file, if it has any. In the sheet of a
// sample, they may be in columns with the names of people.
func reading(in *os.File, path string) string {
	read := func(columns map[string]string) bool {
		_, err := in.Seek(0, io.SeekStart)
		_, err2 := ratings.ReadFile(in, path, columns, nil)
		return err == nil && err2 == nil
	}
	command := " (assize agree RUN --ratings " + ui.Word(path)
	ours := ui.NewTable("", append(run.Columns("triage sample").Heading(), sealColumn)...).Columns
	var names []string
	in.Seek(0, io.SeekStart)
	for row := range importer.ReadCells(in, path) {
		names = row.Names
		break
	}
	people := ui.Without(names, func(name string) bool {
		isOurs := func(c ui.Column) bool { return c.Title == name }
		isSheet := slices.Contains(names, "probability") && !slices.Contains(names, "score")
		return !isSheet || slices.ContainsFunc(ours, isOurs) ||
			!read(map[string]string{"rating": name})
	})
	switch {
	case len(people) > 0:
		command += " --columns " + ui.Word("rating="+strings.Join(people, ","))
	case !read(nil):
		return ""
	}
	return command + " reads its ratings)"
}

// WriteFile calls write to replace a file atomically. If path is empty, it does nothing.
func WriteFile(path string, write func(io.Writer) error) error {
	if path == "" {
		return nil
	}
	out, err := Overwrite(os.Stdout, path)
	if err != nil {
		return err
	}
	return out.End(write(out))
}

// Overwrite opens the file given with -o, whatever it contains. Results are written to a temporary
// file next to it, which replaces it when they are complete.
func Overwrite(stdout io.Writer, path string) (*File, error) {
	path, regular := Target(path)
	if path == "" || path == ui.Stdin {
		return &File{Writer: stdout, close: func(bool) error { return nil }}, nil
	}
	if !regular { // a device or a pipe cannot be replaced
		f, err := os.Create(path)
		return &File{Writer: f, close: func(bool) error { return f.Close() }}, err
	}
	mode := os.FileMode(0o666)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	} else if !errors.Is(err, fs.ErrNotExist) { // such as links in a circle
		return nil, fmt.Errorf("-o %s: %w", path, WithoutName(err))
	}
	f, err := createBeside(path, mode)
	if err != nil {
		return nil, texts.Error("no room", path, WithoutName(err))
	}
	temp := f.Name()
	return &File{Writer: f, Replaces: path, temp: temp, close: func(complete bool) error {
		err := errors.Join(f.Sync(), f.Close())
		if complete && err == nil {
			err = os.Rename(temp, path)
		}
		if !complete || err != nil {
			os.Remove(temp)
		}
		return err
	}}, nil
}

// createBeside creates the temporary file for path, locked while this process writes it. A process
// that was killed left it unlocked; then it is replaced. A second writer has one of its own. No
// other program gives a file such a name.
func createBeside(path string, mode os.FileMode) (*os.File, error) {
	const flags = os.O_CREATE | os.O_EXCL | os.O_WRONLY
	name := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".assize")
	if left, err := os.OpenFile(name+".tmp", os.O_RDWR, 0); err == nil {
		if run.Lock(left) == nil {
			os.Remove(name + ".tmp")
		}
		left.Close()
	}
	if f, err := os.OpenFile(name+".tmp", flags, mode); err == nil {
		locked := run.Lock(f) == nil
		is, _ := f.Stat()
		if now, err := os.Stat(f.Name()); err == nil && locked && os.SameFile(is, now) {
			return f, nil
		}
		f.Close() // a writer that found it unlocked has removed it, or will
	}
	return os.OpenFile(fmt.Sprintf("%s.%08x.tmp", name, rand.Uint32()), flags, mode)
}

// WithoutName removes the file name from a system error, for messages that already contain it.
func WithoutName(err error) error {
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		return failed.Err
	}
	return err
}

// A seal is a checksum in a file given with -o, by which [Check] recognises the file as long as
// nobody has changed it. A row of CSV has it in the last column, a page or text in its last line,
// JSON in the white space at its end, and a workbook as in [ui.Seal].
const (
	sealColumn = "seal"
	sealLine   = "<!-- assize seal s%08x -->\n"
)

// sealRow returns the seal of a row of CSV. It does not depend on how lines end.
func sealRow(heading, row []string) string {
	all := strings.Join(slices.Concat(heading, row), "\x00")
	return fmt.Sprintf("s%08x", crc32.ChecksumIEEE([]byte(strings.ReplaceAll(all, "\r", ""))))
}

// sealJSON returns the seal of JSON before the end of its last line: a space or a tab for each bit.
func sealJSON(sum uint32) string {
	return strings.NewReplacer("0", " ", "1", "\t").Replace(fmt.Sprintf("%032b\n", sum))
}

// copySealed copies results in a format, and adds their seals.
func copySealed(to io.Writer, results io.ReadSeeker, format string) error {
	if format != "csv" {
		size, last := int64(math.MaxInt64), make([]byte, 1)
		isJSON := format == "json" || format == "jsonl"
		if isJSON { // its last line ends after the seal
			size, _ = results.Seek(-1, io.SeekEnd)
			if results.Read(last); last[0] != '\n' {
				size++
			}
			results.Seek(0, io.SeekStart)
		}
		sum := crc32.NewIEEE()
		n, err := io.Copy(io.MultiWriter(to, sum), io.LimitReader(results, size))
		switch {
		case err != nil:
		case isJSON && n > 0:
			_, err = io.WriteString(to, sealJSON(sum.Sum32()))
		case slices.Contains([]string{"text", "html", "markdown", "junit"}, format):
			_, err = fmt.Fprintf(to, sealLine, sum.Sum32())
		}
		return err
	}
	var heading []string
	for in, out := csv.NewReader(results), csv.NewWriter(to); ; {
		row, err := in.Read()
		switch {
		case err == io.EOF:
			out.Flush()
			return out.Error()
		case err != nil:
			return err
		case heading == nil:
			heading, row = row, append(slices.Clone(row), sealColumn)
		default:
			row = append(row, sealRow(heading, row))
		}
		out.Write(row) // Error returns the error
	}
}

// isSealed reports whether a file of this size is as [copySealed] wrote it.
func isSealed(f *os.File, size int64) bool {
	if book, err := zip.NewReader(f, size); err == nil {
		return book.Comment == ui.Seal(book.File)
	}
	line := func(sum uint32) string { return fmt.Sprintf(sealLine, sum) }
	for _, seal := range []func(uint32) string{line, sealJSON} {
		sum, last := crc32.NewIEEE(), make([]byte, len(seal(0)))
		text := size - int64(len(last))
		io.Copy(sum, io.NewSectionReader(f, 0, text))
		if n, _ := f.ReadAt(last, text); string(last[:n]) == seal(sum.Sum32()) {
			return true
		}
	}
	var heading []string
	for rows := csv.NewReader(f); ; {
		row, err := rows.Read()
		last := len(row) - 1
		switch {
		case err != nil:
			return err == io.EOF && heading != nil
		case heading == nil && row[last] == sealColumn:
			heading = row[:last]
		case heading == nil || row[last] != sealRow(heading, row[:last]):
			return false
		}
	}
}
