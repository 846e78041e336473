package run

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Sink accepts records one at a time. Close ends the output, but does not close the writer.
type Sink interface {
	Add(*Record) error
	Close() error
}

// Writer writes a run to a file; only one process can do so at a time. If the file already holds
// the beginning of the same run, [Writer.Lines] yields its records. The first new record is written
// after them and replaces whatever follows: a closing line, or an incomplete line. Until then the
// file is unchanged. Every record is written as a whole as soon as it is available.
type Writer struct {
	Path   string
	Stored int  // records that the file already held
	Torn   int  // bytes of an incomplete line in it
	Fresh  bool // the file had no header
	// Changed is set if there is a closing line that does not match the records.
	Changed error

	*Closing // of the header and the records passed or written
	file     storage
	line     []byte
	start    int64 // offset of the records that the file already held
	end      int64 // end of these records
	size     int64 // bytes of the header and of the records stored or written
	length   int64 // size of the file when it was opened

	// the closing line of the file; nil if there is none, and after the first write
	finished *End
	synced   time.Time // time of the last sync to disk
}

// maxLost is the maximum time whose work a power failure may lose.
const maxLost = 10 * time.Second

// ErrBusy is the error for a run that another process is writing.
var ErrBusy = errors.New(
	"another process is writing this run; wait until it ends, or use another name")

// ConfigurationError is the error for a file that holds a run with another configuration.
type ConfigurationError struct{ Header Header }

func (*ConfigurationError) Error() string { return "contains a run with another configuration" }

// Create creates the run at path, or opens it to be continued. An existing file must begin with the
// same header, or have no records; otherwise the error is a [*ConfigurationError]. If only the line
// numbers of facts differ, the rubric in header is replaced by that of the file. If another process
// is writing it, the error is [ErrBusy]. It also returns an error if a line is not a record.
func Create(path string, header *Header) (*Writer, error) {
	file, err := open(path)
	if err != nil {
		return nil, err
	}
	w := &Writer{Path: path, synced: time.Now()}
	if err = w.use(file, file); err == nil {
		err = w.scan(header)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return w, nil
}

// use makes a file the storage of the run, compressed if the file like is or will be.
func (w *Writer) use(file, like *os.File) error {
	isPacked, err := isPacked(like, w.Path)
	switch {
	case err != nil:
	case isPacked:
		var p *packed
		if p, w.length, err = openPacked(file); err == nil {
			w.file, w.Torn = p, p.torn
		}
	default:
		var info os.FileInfo
		if info, err = file.Stat(); err == nil {
			w.file, w.length = plain{file}, info.Size()
		}
	}
	return err
}

// scan reads to the end of the last record, and writes the header if the file is empty. Otherwise
// the file must be the run with this header. A closing line counts until a record replaces it.
func (w *Writer) scan(header *Header) error {
	at, open := int64(0), false // offset after the line; whether records may follow
	for l, err := range Scan(w.file.Text(0, w.length), w.Path) {
		wrong := func(err error) error { return &LineError{w.Path, l.Number, err} }
		isHeader, first := l.begins(Beginning), l.Number == 1
		if first && err == nil {
			err = header.adopt(l)
			end := NewClosing(l.Text).End()
			end.Unread = math.MaxInt // any number of them is shorter than a record
			empty := len(l.Text) + len(end.Append(nil)) + 2
			if errors.As(err, new(*ConfigurationError)) && w.length <= int64(empty) {
				break // without a record, it is replaced
			}
		}
		at += int64(len(l.Text)) + 1
		switch {
		case err != nil:
			return err
		case l.Torn:
			w.Torn = len(l.Text)
			continue
		case isHeader && first:
			open, w.Closing, w.start = true, NewClosing(l.Text), at
		case open && w.finished == nil && l.begins(endBeginning):
			end, err := ParseEnd(l.Text)
			if err != nil {
				return wrong(err)
			}
			w.finished = new(end)
			if end.Unread = 0; end != w.Closing.End() { // what was not read is read again
				w.Changed = wrong(texts.Error("other closing line"))
			}
			continue
		case isHeader || w.finished != nil || len(bytes.TrimSpace(l.Text)) == 0:
			return wrong(texts.Error("other record"))
		default:
			w.Closing.Add(l.Text)
			w.Stored++
		}
		w.size = at
	}
	if w.end = w.size; open {
		return nil
	}
	w.Fresh, w.Closing = true, NewClosing(header.Append(nil))
	err := w.write(header.Append(nil))
	w.start, w.end = w.size, w.size
	return err
}

// adopt replaces the rubric by that of a run with the first line l. The run's header must be the
// same, except for the line numbers of facts.
func (h *Header) adopt(l Line) error {
	own := h.Append(nil)
	if bytes.Equal(l.Text, own) || l.Torn && bytes.HasPrefix(own, l.Text) {
		return nil
	}
	of, err := ParseHeader(l.Text)
	switch {
	case err != nil:
		return err
	case of.Fingerprint() != h.Fingerprint():
		return &ConfigurationError{of}
	case !bytes.Equal(of.Append(nil), l.Text): // Differences would not find this one
		return &LineError{l.File, l.Number, texts.Error("other header")}
	}
	h.Basis.Rubric = of.Basis.Rubric
	return nil
}

// open opens the run at path, locks it, and removes the temporary file of a killed process.
func open(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	if err = Lock(f); err == nil && isMoved(f, path) != nil {
		err = ErrBusy // the process that had locked it has replaced it
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	os.Remove(tempOf(path))
	return f, nil
}

// tempOf returns the name of the temporary file of [Remove].
func tempOf(path string) string {
	return filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".rest.tmp")
}

// Tidy removes what [Remove] left in a process that was killed, unless the run is being written.
func Tidy(path string) {
	if f, err := open(path); err == nil {
		f.Close()
	}
}

// isMoved returns an error if the open file f is no longer at path.
func isMoved(f interface{ Stat() (os.FileInfo, error) }, path string) error {
	is, err := f.Stat()
	if now, gone := os.Stat(path); err == nil && (gone != nil || !os.SameFile(is, now)) {
		err = texts.Error("moved", path)
	}
	return err
}

// Lines yields the lines of the records that the file already held.
func (w *Writer) Lines() iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		for l, err := range Scan(w.file.Text(w.start, w.end), w.Path) {
			l.Number++ // to account for the header
			if !yield(l, err) {
				return
			}
		}
	}
}

// Finished reports whether the file holds a finished run and nothing has been written since.
func (w *Writer) Finished() bool { return w.finished != nil }

// Add writes r. If it fails, the records before it are unchanged.
func (w *Writer) Add(r *Record) error {
	w.line = r.Append(w.line[:0])
	if err := w.write(w.line); err != nil {
		return err
	}
	w.Closing.Add(w.line)
	w.finished = nil
	if time.Since(w.synced) < maxLost {
		return nil
	}
	w.synced = time.Now()
	return w.file.Sync()
}

// Close writes the closing line, unless it exists. [Writer.Release] closes the file.
func (w *Writer) Close() error {
	end := w.Closing.End()
	if w.Finished() && w.Torn == 0 && *w.finished == end {
		return nil
	}
	return w.write(end.Append(nil))
}

// write writes a whole line, or nothing, after the records passed or written. It cuts off the
// remains of a failed write; if that fails as well, the next process does so.
func (w *Writer) write(line []byte) error {
	if err := w.file.Truncate(w.size); err != nil {
		return err
	}
	if _, err := w.file.WriteAt(append(line, '\n'), w.size); err != nil {
		_ = w.file.Truncate(w.size)
		return err
	}
	w.size += int64(len(line)) + 1
	return nil
}

// Release syncs the file to disk and closes it, so that others can open it.
func (w *Writer) Release() error {
	return errors.Join(isMoved(w.file, w.Path), w.file.Sync(), w.file.Close())
}

// SetAside renames the run at path to the first free name of run.old.jsonl, run.old2.jsonl and so
// on, and returns that name. It is empty if there is nothing to keep.
func SetAside(path string) (kept string, err error) {
	f, err := open(path)
	if err != nil {
		return "", err
	}
	info, err := f.Stat()
	if err := errors.Join(err, f.Close()); err != nil || info.Size() == 0 {
		return "", err
	}
	kept = FreePath(path, "old")
	return kept, os.Rename(path, kept)
}

// FreePath returns the path of a file that does not exist, such as run.old2.jsonl for run.jsonl.
func FreePath(path, mark string) string {
	ending := path[len(strings.TrimSuffix(path, Packed)):]
	ending = filepath.Ext(strings.TrimSuffix(path, ending)) + ending
	stem := strings.TrimSuffix(path, ending) + "." + mark
	free := stem + ending
	for n := 2; ; n++ {
		if _, err := os.Lstat(free); err != nil {
			return free
		}
		free = fmt.Sprintf("%s%d%s", stem, n, ending)
	}
}

// Remove removes the record with this identity from the run at path, and updates the closing line
// if there is one. It replaces the file only at the end; a file without the record is unchanged.
func Remove(path string, is Identity) error {
	if leads, err := filepath.EvalSymlinks(path); err == nil {
		path = leads // or the record would stay where the link leads
	}
	in, err := open(path) // prevents others from writing meanwhile
	if err != nil {
		return err
	}
	defer in.Close()
	temp, err := os.OpenFile(tempOf(path), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	found, err := copyWithout(is, in, temp, path)
	if err == nil && found {
		if info, err := in.Stat(); err == nil {
			os.Chmod(temp.Name(), info.Mode().Perm()) // on failure, the default mode remains
		}
		err = os.Rename(temp.Name(), path)
	}
	if err != nil || !found { // otherwise the name may be another process's by now
		os.Remove(temp.Name())
	}
	return err
}

// copyWithout copies the run at path, which is open as from, without the record with an identity,
// and closes the copy. It reports whether the run had that record.
func copyWithout(is Identity, from, to *os.File, path string) (found bool, err error) {
	w := &Writer{Path: path}
	if err := w.use(to, from); err != nil {
		return false, errors.Join(err, to.Close())
	}
	defer func() { err = errors.Join(err, w.file.Sync(), w.file.Close()) }()
	for l, err := range Lines(from, path) {
		switch r, unread := l.Decode(); {
		case l.Kind == recordLine && err == nil && unread == nil && r.Identity() == is:
			found = true
			continue
		case l.Torn, l.Kind != EndLine && errors.As(err, new(*Unfinished)):
			continue // what would follow replaces it, or a closing line is missing
		case l.Kind != EndLine && err != nil: // unreadable content could not be preserved
			return false, err
		case l.Kind == HeaderLine:
			w.Closing = NewClosing(l.Text)
		case l.Kind == EndLine:
			l.Text = w.End().Append(nil)
		default:
			w.Closing.Add(l.Text)
		}
		if err := w.write(l.Text); err != nil {
			return false, err
		}
	}
	return found, nil
}
