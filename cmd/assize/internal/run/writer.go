package run

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Writer writes a run to a file, by one process at a time. It implements report.Sink.
//
// Where the file already holds the beginning of the same run, [Writer.Lines] yields its records. The first new record is
// written behind them, and cuts off what else there is: a closing line, or a line that was not written to its end. Until
// then nothing in the file is changed. Every record is written whole as soon as it is known.
type Writer struct {
	Path   string
	Stored int  // records that the file held
	Torn   int  // bytes of a line in it that was not written to its end
	Fresh  bool // it held no header
	// Changed says that the closing line is not that of the records; nil where it is, or there is none.
	Changed error

	file    *os.File
	closing *Closing
	line    []byte
	start   int64 // where the records that it held begin
	end     int64 // and end
	size    int64 // of the header and the records that are stored or written
	length  int64 // of the file

	finished *End      // the closing line that was there; nil for none, and once something was written
	synced   time.Time // when what is written was last brought to the disk
}

// mostLost is how much time's work a loss of power may cost at most.
const mostLost = 10 * time.Second

// ErrBusy is the error of a run that another process is writing.
var ErrBusy = errors.New("another assize is writing this run; want it to end first, or another name")

// Other is the error of a file that holds a run of another configuration.
type Other struct{ Header Header }

func (*Other) Error() string { return "holds a run of another configuration" }

// Create opens the run at path to be continued, or begins one. A file that is there must begin with the same header,
// or else the error is an [*Other]. Where another process writes the file, it is [ErrBusy]. A line that is no record is an
// error too.
func Create(path string, header *Header) (*Writer, error) { return openRun(path, header, false) }

// Extend opens the run at path so that records can be added behind those that it has: to its last part, where that has
// this header, or to another part.
func Extend(path string, header *Header) (*Writer, error) { return openRun(path, header, true) }

func openRun(path string, header *Header, parts bool) (*Writer, error) {
	file, err := open(path)
	if err != nil {
		return nil, err
	}
	w := &Writer{Path: path, file: file, synced: time.Now()}
	if err := w.scan(header.Append(nil), parts); err != nil {
		file.Close()
		return nil, err
	}
	return w, nil
}

// scan goes behind the last record, and begins a part with this header there unless it is in one. A file may have several
// parts, or must be the run with this header. A closing line counts until a record takes its place.
func (w *Writer) scan(header []byte, parts bool) error {
	info, err := w.file.Stat()
	if err != nil {
		return err
	}
	w.length = info.Size()
	at, open := int64(0), false // where the next line begins, and whether records may follow
	for l, err := range Scan(io.NewSectionReader(w.file, 0, w.length), w.Path) {
		wrong := func(err error) error { return &LineError{w.Path, l.Number, err} }
		isHeader, first := l.begins(Beginning), l.Number == 1
		switch {
		case err != nil:
			return err
		case first && !parts && !bytes.Equal(l.Text, header) && !(l.Torn && bytes.HasPrefix(header, l.Text)):
			h, err := ParseHeader(l.Text)
			if err == nil && bytes.Equal(h.Append(nil), header) { // which no difference would tell
				err = wrong(errors.New("is not the header as it was written; want a run that nobody has edited"))
			}
			return cmp.Or(err, error(&Other{h}))
		case l.Torn:
			w.Torn = len(l.Text)
			continue
		case isHeader && (first || parts):
			open, w.closing, w.finished = bytes.Equal(l.Text, header), NewClosing(l.Text), nil
			w.start, w.Stored = at+int64(len(l.Text))+1, 0
		case open && w.finished == nil && l.begins(endBeginning):
			end, err := ParseEnd(l.Text)
			if err != nil {
				return wrong(err)
			}
			if w.finished = &end; end != w.closing.End() {
				w.Changed = wrong(errors.New("is not the closing line of the lines before it; want a run that nobody has edited"))
			}
			at += int64(len(l.Text)) + 1
			continue
		case !parts && (isHeader || w.finished != nil || len(bytes.TrimSpace(l.Text)) == 0):
			return wrong(errors.New("is not the record that should be here; want a run that nobody has edited"))
		case open && w.finished != nil: // a record behind a closing line
			open = false
		case open:
			w.closing.Add(l.Text)
			w.Stored++
		}
		at += int64(len(l.Text)) + 1
		w.size = at
	}
	if w.end = w.size; open {
		return nil
	}
	w.Fresh = w.start == 0
	w.size, w.closing, w.finished = at, NewClosing(header), nil
	err = w.write(header)
	w.start, w.end, w.Stored = w.size, w.size, 0
	return err
}

func open(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	if err := lock(f); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Lines yields the lines of the records that were in the file of one part.
func (w *Writer) Lines() iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		for l, err := range Scan(io.NewSectionReader(w.file, w.start, w.end-w.start), w.Path) {
			l.Number++ // the header is above
			if !yield(l, err) {
				return
			}
		}
	}
}

// Finished reports whether the file holds a finished run, and nothing was written since.
func (w *Writer) Finished() bool { return w.finished != nil }

// Add writes r. The error leaves the records before it as they are.
func (w *Writer) Add(r *Record) error {
	w.line = r.Append(w.line[:0])
	if err := w.write(w.line); err != nil {
		return err
	}
	w.closing.Add(w.line)
	w.finished = nil
	if time.Since(w.synced) < mostLost {
		return nil
	}
	w.synced = time.Now()
	return w.file.Sync()
}

// Close finishes the run: it writes the closing line, unless that is there. The file stays open, see [Writer.Leave].
func (w *Writer) Close() error {
	if w.Finished() && w.Torn == 0 {
		return nil
	}
	return w.write(w.closing.End().Append(nil))
}

// write writes a whole line, or nothing, behind what is passed or written. What a failed write has left is of no use;
// where it cannot be cut off either, the next process does.
func (w *Writer) write(line []byte) error {
	if w.length > w.size {
		if err := w.file.Truncate(w.size); err != nil {
			return err
		}
	}
	n, err := w.file.WriteAt(append(line, '\n'), w.size)
	if w.length = w.size + int64(n); err != nil {
		_ = w.file.Truncate(w.size)
		return err
	}
	w.size = w.length
	return nil
}

// Leave leaves the file to others, with all that was written on the disk.
func (w *Writer) Leave() error { return errors.Join(w.file.Sync(), w.file.Close()) }

// SetAside gives the run at path a name that is free, run.old.jsonl or run.old2.jsonl and so on, and tells which. It is
// empty where there is nothing to keep.
func SetAside(path string) (kept string, err error) {
	f, err := open(path)
	if err != nil {
		return "", err
	}
	info, err := f.Stat()
	if err := errors.Join(err, f.Close()); err != nil || info.Size() == 0 {
		return "", err
	}
	ending := filepath.Ext(path)
	stem := strings.TrimSuffix(path, ending) + ".old"
	kept = stem + ending
	for n := 2; ; n++ {
		if _, err := os.Lstat(kept); err != nil {
			return kept, os.Rename(path, kept)
		}
		kept = fmt.Sprintf("%s%d%s", stem, n, ending)
	}
}

// Remove leaves a record out of the run at path, the one of this identity and number, and writes a new closing line
// where the run has one. The file is replaced when that is done; one without the record stays as it is.
func Remove(path string, number int, is Identity) error {
	in, err := open(path) // which nobody else may write meanwhile
	if err != nil {
		return err
	}
	defer in.Close()
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name()) // which does nothing once it has the run's name
	out, found := bufio.NewWriter(temp), false
	var sum *Closing
	begins := fmt.Appendf(nil, `{"dialogue_id":%d,`, number)
	for l, err := range Lines(in, path) {
		switch {
		case err == nil || l.Kind == EndLine:
		case errors.As(err, new(*Unfinished)):
			continue // the place where a closing line is missing
		default: // what cannot be read could not be kept
			return errors.Join(err, temp.Close())
		}
		if bytes.HasPrefix(l.Text, begins) {
			if r, err := l.Decode(); err == nil && r.Identity() == is {
				found = true
				continue
			}
		}
		switch {
		case l.Kind == HeaderLine:
			sum = NewClosing(l.Text)
		case l.Kind == EndLine && !l.Torn:
			l.Text = sum.End().Append(nil)
		case !l.Torn:
			sum.Add(l.Text)
		}
		if out.Write(l.Text); !l.Torn { // an error comes again from Flush
			out.WriteByte('\n')
		}
	}
	err = errors.Join(out.Flush(), temp.Sync(), temp.Close())
	if err != nil || !found {
		return err
	}
	if info, err := os.Stat(path); err == nil {
		os.Chmod(temp.Name(), info.Mode().Perm()) // one that cannot be set is the usual one
	}
	return os.Rename(temp.Name(), path)
}
