package run

import (
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
// known, and is on the disk within mostLost.
type Writer struct {
	file    *os.File
	path    string
	closing *Closing
	line    []byte
	size    int64 // of what is passed or written
	length  int64 // of the file, unless somebody else changes it

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

// ErrTouched is the error of a run that is not what was written, or not where.
var ErrTouched = errors.New("something else moved, deleted or changed it while it was written")

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

// open opens and locks a file. One that was moved away before it was locked is not the one that was asked for.
func open(path string) (*os.File, error) {
	for {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return nil, err
		}
		is, err := f.Stat()
		if err == nil {
			err = lock(f)
		}
		if err != nil {
			f.Close()
			return nil, err
		}
		if named, err := os.Stat(path); err == nil && os.SameFile(is, named) {
			return f, nil
		}
		f.Close()
	}
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
		return w.write(append(header, '\n'))
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
			if err == nil && (w.end != nil || l.blank() || l.begins(headerMember)) {
				err = &LineError{w.path, l.Number, errors.New("is not the record that should be here; want a run that nobody has edited")}
			}
			if !yield(l, err) || err != nil {
				return
			}
		}
	}
}

// Pass goes over the line of a record that [Writer.Lines] yielded, in its turn, which was decoded.
func (w *Writer) Pass(l Line, r *Record) {
	w.closing.Add(l.Text, r.Scored(), r.Source.DuplicateOf != nil)
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

// Record writes r. The error leaves the records before it as they are.
func (w *Writer) Record(r *Record) error {
	if err := w.prepare(); err != nil {
		return err
	}
	w.line = append(r.Append(w.line[:0]), '\n')
	if err := w.write(w.line); err != nil {
		return err
	}
	w.closing.Add(w.line[:len(w.line)-1], r.Scored(), r.Source.DuplicateOf != nil)
	w.written++
	if time.Since(w.synced) < mostLost {
		return nil
	}
	w.synced = time.Now()
	return errors.Join(w.file.Sync(), w.there())
}

// prepare makes the file ready for a line: it cuts off what is behind the records that were passed. It refuses a file
// that somebody has cut or written to since it was opened: what is in it is then not what was passed or written, and a
// record behind that would hide it.
func (w *Writer) prepare() error {
	switch is, err := w.file.Stat(); {
	case err != nil:
		return err
	case is.Size() != w.length:
		return fmt.Errorf("%s: has %d bytes, where %d were written: %w", w.path, is.Size(), w.length, ErrTouched)
	case w.length == w.size:
		return nil
	}
	w.length = w.size
	return w.file.Truncate(w.size)
}

// there tells whether somebody has moved or deleted the file since it is written to.
func (w *Writer) there() error {
	is, err := w.file.Stat()
	if err != nil || w.written == 0 {
		return err
	}
	if named, err := os.Stat(w.path); err != nil || !os.SameFile(is, named) {
		return fmt.Errorf("%s: is not under its name any more: %w", w.path, ErrTouched)
	}
	return nil
}

// Flush finishes the run: it writes the closing line, unless that is there.
func (w *Writer) Flush() error {
	if w.Finished() && w.torn == 0 {
		return nil
	}
	if err := w.prepare(); err != nil {
		return err
	}
	return w.write(append(w.closing.End().Append(nil), '\n'))
}

// Check compares the closing line of a finished run with the records that were passed, which must be all.
func (w *Writer) Check() error {
	if w.Finished() && *w.end != w.closing.End() {
		return &LineError{w.path, w.passed + 2, errors.New("is not the closing line of the lines before it; want a run that nobody has edited")}
	}
	return nil
}

// write writes a whole line, or nothing. What a failed write has left is of no use; where it cannot be cut off either,
// the next process does.
func (w *Writer) write(line []byte) error {
	if _, err := w.file.WriteAt(line, w.size); err != nil {
		_ = w.file.Truncate(w.size)
		return err
	}
	w.size += int64(len(line))
	w.length = max(w.length, w.size)
	return nil
}

// Close leaves the file to others, with all that was written on the disk. The error tells where it is not there.
func (w *Writer) Close() error { return errors.Join(w.file.Sync(), w.there(), w.file.Close()) }

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
