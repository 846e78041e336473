// Package output writes results to their destination: standard output, a file that is replaced when
// they are complete, or a run.
package output

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/rubric"
	"assize/rubric/dialogue/importer"
)

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
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) && failed.Path == f.temp {
		err = fmt.Errorf("-o %s: %w", f.Replaces, failed.Err)
	}
	return err
}

// Target returns the file that a path refers to and reports whether it can be a regular file,
// rather than a device or a pipe. The target of a link is replaced, not the link.
func Target(path string) (file string, regular bool) {
	if path == "" || path == ui.Stdin {
		return path, false
	}
	if leads, err := filepath.EvalSymlinks(path); err == nil {
		path = leads
	}
	info, err := os.Stat(path)
	return path, err != nil || info.Mode().IsRegular()
}

// Create opens the file given with -o, unless it contains a run, which may have taken days, or what
// people wrote, see [Check]. If path is empty or "-", it uses standard output.
func Create(stdout io.Writer, path string) (*File, error) {
	if path != ui.Stdin && run.IsFile(path) {
		return nil, fmt.Errorf(
			"-o %s: contains a run, which is never overwritten; want another name", path)
	}
	if err := Check(path); err != nil {
		return nil, err
	}
	return Overwrite(stdout, path)
}

// scored is a column that only tables of scores have.
const scored = "numeric_weighted_average"

// Check returns an error if the file given with -o is a store of reviews or has people's ratings.
func Check(path string) error {
	const maxSheet = 1 << 30 // bytes of the largest table of ratings that can be read
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	in, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer in.Close()
	const store = "SQLite format 3"
	head := make([]byte, len(store))
	if n, _ := io.ReadFull(in, head); string(head[:n]) == store {
		return fmt.Errorf("-o %s: is a database, as assize review keeps reviews in one, and "+
			"nothing that people wrote is overwritten; want another name", path)
	}
	if _, err := in.Seek(0, io.SeekStart); err != nil || info.Size() > maxSheet {
		return nil
	}
	column, filled := isFilled(in, path)
	if !filled {
		return nil
	}
	where, reads := "have rated in it", path
	if column != "" {
		where = "may have rated in its column " + column
		reads += fmt.Sprintf(" --columns %q", "rating="+column)
	}
	return fmt.Errorf("-o %s: people %s, and nothing that people wrote is overwritten; want "+
		"another name (assize agree RUN --ratings %s reads it)", path, where, reads)
}

// isFilled reports whether people have rated in a file: in a sheet, as triage --sample and review
// write it, whose columns for it or columns that were added are filled, or in a table of another
// program with an id and ratings. A table that cannot be read to its end counts as filled. The
// column is that of the ratings if its name does not say so. A file of JSON lines is filled if the
// first one has a rating.
func isFilled(in io.ReadSeeker, path string) (column string, filled bool) {
	var first map[string]any // of JSON lines
	const longest = 1 << 20  // bytes of a line with a rating
	line, _ := bufio.NewReader(io.LimitReader(in, longest)).ReadBytes('\n')
	if rubric.ParseJSON(line, &first) == nil {
		return "", first["rating"] != nil || first["rater"] != nil
	}
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return "", false
	}
	ours, isSheet, id, rated := run.Columns("triage sample").Heading(), false, -1, -1
	for row, err := range importer.ReadCells(in, path) {
		if row.Cells == nil && err == nil { // the heading
			has := func(name string) bool {
				return slices.ContainsFunc(row.Names,
					func(s string) bool { return strings.EqualFold(s, name) })
			}
			isSheet = has("probability") || has("rater")
			// only tables by score, report and triage have these
			if !slices.ContainsFunc([]string{scored, "critic_by", "Failed most"}, has) {
				id = importer.FindColumn(row.Names, "id")
			}
			rated = importer.FindColumn(row.Names, "rating")
			continue
		}
		if err != nil || !isSheet && id < 0 {
			return "", isSheet || id >= 0
		}
		for i, text := range row.Cells {
			name := strings.ToLower(row.Names[i])
			switch _, err := rubric.ParseCriterion(strings.ReplaceAll(name, "_", "")); {
			case strings.TrimSpace(text) == "" || i == id:
			case isSheet && (name == "rating" || name == "note" || !slices.Contains(ours, name)),
				!isSheet && (i == rated || err == nil):
				return "", true
			case !isSheet && ratings.IsRating(text):
				column = cmp.Or(column, row.Names[i])
			}
		}
		if column != "" {
			return column, true
		}
	}
	return "", false
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
	if path == "" || path == ui.Stdin {
		return &File{Writer: stdout, close: func(bool) error { return nil }}, nil
	}
	given := path
	path, regular := Target(path)
	if !regular { // a device or a pipe cannot be replaced
		f, err := os.Create(path)
		return &File{Writer: f, close: func(bool) error { return f.Close() }}, err
	}
	mode := os.FileMode(0o666)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	f, err := createBeside(path, mode)
	if err != nil {
		return nil, fmt.Errorf("-o %s: no file can be created next to it: %w", path,
			WithoutName(err))
	}
	temp := f.Name()
	return &File{Writer: f, Replaces: path, temp: temp, close: func(complete bool) error {
		err := errors.Join(f.Sync(), f.Close())
		if complete && err == nil {
			if why := lost(path, temp); why != "" {
				path = unused(path)
				err = fmt.Errorf("-o %s: %s, and nothing that people wrote is overwritten; the "+
					"new table is %s", given, why, path)
			}
			err = cmp.Or(os.Rename(temp, path), err)
		}
		if !complete || err != nil {
			os.Remove(temp)
		}
		return err
	}}, nil
}

// createBeside creates the temporary file for path, locked while this process writes it. A process
// that was killed left it unlocked; then it is replaced. A second writer has one of its own.
func createBeside(path string, mode os.FileMode) (*os.File, error) {
	const flags = os.O_CREATE | os.O_EXCL | os.O_WRONLY
	name := filepath.Join(filepath.Dir(path), "."+filepath.Base(path))
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

// unused returns the path of a file that does not exist, for what may not replace a file:
// scores.new.csv next to scores.csv, or scores.new2.csv.
func unused(path string) string {
	extension := filepath.Ext(path)
	name := strings.TrimSuffix(path, extension) + ".new"
	for n := 2; ; n++ {
		if _, err := os.Lstat(name + extension); errors.Is(err, fs.ErrNotExist) {
			return name + extension
		}
		name = fmt.Sprintf("%s.new%d", strings.TrimSuffix(path, extension), n)
	}
}

// lost says what a table of scores has that the new one lacks: the rating of a dialogue, which
// somebody has typed, or rows that cannot be read. It returns "" if nothing is lost.
func lost(table, newTable string) (why string) {
	old, err := ratingsIn(table)
	if err != nil {
		return fmt.Sprintf("it may have ratings, but cannot be read (%v)", err)
	}
	now := map[[2]string]string{}
	if len(old) > 0 {
		now, _ = ratingsIn(newTable)
	}
	id := ""
	for dialogue, rating := range old {
		if rating != "" && rating != now[dialogue] {
			id = max(id, dialogue[1])
		}
	}
	if id != "" {
		why = fmt.Sprintf("it has a rating of dialogue %s that the new table lacks", id)
	}
	return why
}

// ratingsIn returns the ratings in a table of scores, some of them "", by file and dialogue, or nil
// for any other file.
func ratingsIn(table string) (map[[2]string]string, error) {
	in, err := os.Open(table)
	if err != nil {
		return nil, nil
	}
	defer in.Close()
	all, names := map[[2]string]string{}, []string(nil)
	for row, err := range importer.ReadCells(in, table) {
		if row.Cells == nil && err == nil {
			names = append(row.Names, "rating") // the last cell, which is empty, if there is none
		}
		for _, name := range []string{scored, "file", "dialogue_id"} {
			if !slices.Contains(names, name) {
				return nil, nil
			}
		}
		if err != nil {
			return nil, err
		}
		cell := func(name string) string { return append(row.Cells, "")[slices.Index(names, name)] }
		if row.Cells != nil {
			all[[2]string{cell("file"), cell("dialogue_id")}] = cell("rating")
		}
	}
	return all, nil
}

// WithoutName removes the file name from a system error, for messages that already contain it.
func WithoutName(err error) error {
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		return failed.Err
	}
	return err
}
