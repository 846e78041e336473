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
// Where the file already holds the beginning of the same run, [Writer.Lines] yields its records, which are passed one by
// one. The first new record is written behind them, and cuts off what else there is: a closing line, or a line that was
// not written to its end. Until then nothing in the file is changed. Every record is written whole as soon as it is
// known.
type Writer struct {
	file    *os.File
	path    string
	closing *Closing
	line    []byte
	size    int64 // of what is passed or written
	length  int64 // of the file

	end     *End  // the closing line that was there; nil for none
	torn    int64 // bytes of a line that was not written to its end
	passed  int   // records
	written int
	synced  time.Time // when what is written was last brought to the disk
}

// mostLost is how much time's work a loss of power may cost at most.
const mostLost = 10 * time.Second

// ErrBusy is the error of a run that another process is writing.
var ErrBusy = errors.New("another assize is writing this run; want it to end first, or another name")

// Other is the error of a file that holds a run of another configuration.
type Other struct{ Header Header }

func (*Other) Error() string { return "holds a run of another configuration" }

// Create opens the run at path to be continued, or begins one. A file that is there must begin with the same header,
// or else the error is an [*Other]. Where another process writes the file, it is [ErrBusy].
func Create(path string, header *Header) (*Writer, error) {
	file, err := open(path)
	if err != nil {
		return nil, err
	}
	w := &Writer{file: file, path: path, synced: time.Now()}
	if err := w.begin(header.Append(nil)); err != nil {
		file.Close()
		return nil, err
	}
	return w, nil
}

// Extend opens the run at path so that records can be added behind those that it has: to its last part, where that has
// this header, or to another part.
func Extend(path string, header *Header) (*Writer, error) {
	file, err := open(path)
	if err != nil {
		return nil, err
	}
	w := &Writer{file: file, path: path, synced: time.Now()}
	if err := w.goTo(header.Append(nil)); err != nil {
		file.Close()
		return nil, err
	}
	return w, nil
}

// goTo goes behind the last record, and begins a part with this header there unless it is in one. A closing line counts
// until a record takes its place.
func (w *Writer) goTo(header []byte) error {
	info, err := w.file.Stat()
	if err != nil {
		return err
	}
	w.length = info.Size()
	at, open := int64(0), false // where the next line begins, and whether records may follow
	for l, err := range Scan(io.NewSectionReader(w.file, 0, w.length), w.path) {
		switch {
		case err != nil:
			return err
		case l.Torn:
			continue
		case l.begins(headerMember):
			open, w.closing = bytes.Equal(l.Text, header), NewClosing(l.Text)
		case open && l.begins(endMember):
			at += int64(len(l.Text)) + 1
			continue
		case open && at > w.size: // a record behind a closing line
			open = false
		case open:
			w.closing.Add(l.Text)
		}
		at += int64(len(l.Text)) + 1
		w.size = at
	}
	if open {
		return nil
	}
	w.size, w.closing = at, NewClosing(header)
	return w.write(header)
}

// open opens and locks a file.
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

// begin compares the first line with the header, or writes that.
func (w *Writer) begin(header []byte) error {
	w.closing = NewClosing(header)
	info, err := w.file.Stat()
	if err != nil {
		return err
	}
	w.length = info.Size()
	first := Line{Torn: true} // of a file that is empty
	for l, err := range Scan(io.NewSectionReader(w.file, 0, w.length), w.path) {
		if err != nil {
			return err
		}
		first = l
		break
	}
	switch {
	case first.Torn && bytes.HasPrefix(header, first.Text): // there is nothing, or it was being written when the run stopped
		w.torn = w.length
		return w.write(header)
	case !first.Torn && bytes.Equal(first.Text, header):
		w.size = int64(len(first.Text)) + 1
		return nil
	}
	h, err := ParseHeader(first.Text)
	return cmp.Or(err, error(&Other{h}))
}

// Lines yields the lines of the records that are in the file. A line that is no record is an error, the last thing that
// is yielded.
func (w *Writer) Lines() iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		for l, err := range Scan(io.NewSectionReader(w.file, w.size, w.length-w.size), w.path) {
			l.Number++ // the header is above
			if err == nil && l.Torn {
				w.torn = int64(len(l.Text))
				return
			}
			if err == nil && l.begins(endMember) && w.end == nil {
				end, wrong := ParseEnd(l.Text)
				if wrong == nil {
					w.end = &end
					continue
				}
				err = &LineError{w.path, l.Number, wrong}
			}
			if err == nil && (w.end != nil || len(bytes.TrimSpace(l.Text)) == 0 || l.begins(headerMember)) {
				err = &LineError{w.path, l.Number, errors.New("is not the record that should be here; want a run that nobody has edited")}
			}
			if !yield(l, err) || err != nil {
				return
			}
		}
	}
}

// Pass goes over the line of a record that [Writer.Lines] yielded, in its turn.
func (w *Writer) Pass(l *Line) {
	w.closing.Add(l.Text)
	w.size += int64(len(l.Text)) + 1
	w.passed++
}

// Path is where the run is.
func (w *Writer) Path() string { return w.path }

// Passed is how many records were in the file and were passed.
func (w *Writer) Passed() int { return w.passed }

// Torn is how many bytes there were of a line that was not written to its end, once Lines has come to it.
func (w *Writer) Torn() int64 { return w.torn }

// Finished reports whether Lines has come to the closing line of a finished run, and nothing was written since.
func (w *Writer) Finished() bool { return w.end != nil && w.written == 0 }

// Add writes r. The error leaves the records before it as they are.
func (w *Writer) Add(r *Record) error {
	w.line = r.Append(w.line[:0])
	if err := w.write(w.line); err != nil {
		return err
	}
	w.closing.Add(w.line)
	w.written++
	if time.Since(w.synced) < mostLost {
		return nil
	}
	w.synced = time.Now()
	return w.file.Sync()
}

// Close finishes the run: it writes the closing line, unless that is there. The file stays open, see [Writer.Leave].
func (w *Writer) Close() error {
	if w.Finished() && w.torn == 0 {
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

// Check compares the closing line of a finished run with the records that were passed, which must be all.
func (w *Writer) Check() error {
	if w.Finished() && *w.end != w.closing.End() {
		return &LineError{w.path, w.passed + 2, errors.New("is not the closing line of the lines before it; want a run that nobody has edited")}
	}
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
		if l.Text == nil || err != nil && !errors.As(err, new(*HeaderError)) {
			continue // the place where a closing line is missing
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
