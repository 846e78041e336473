package run

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"time"

	"assize/cmd/assize/internal/record"
)

// File is a run on disk that is being written, by one process at a time. It implements report.Sink.
//
// The records that stand in it when it is opened are passed one by one; the first new one is written behind them, and
// cuts off what else stands there: a closing line, or a line that was not written to its end. Until then nothing in the
// file is changed. Every record is written whole, as soon as it is known, and brought to the disk within mostLost.
type File struct {
	file    *os.File
	path    string
	closing *record.Closing
	line    []byte
	size    int64 // of what is passed or written
	length  int64 // of all that stands in the file, unless somebody else changes it

	standing int64       // bytes of whole lines that stand in the file, the closing line left out
	end      *record.End // the closing line that stands behind them; nil for none
	torn     int64       // bytes of a line that was not written to its end
	passed   int         // records
	written  int
	synced   time.Time // when what is written was last brought to the disk
}

// mostLost is how much time's work a loss of power may cost at most.
const mostLost = 10 * time.Second

// ErrBusy is the error of a run that another process is writing.
var ErrBusy = errors.New("another assize is writing this run; want it to end first, or another name")

// ErrTouched is the error of a run that is not what was written, or not where.
var ErrTouched = errors.New("something else moved, deleted or changed it while it was written")

// Other is the error of a file that holds a run of another configuration.
type Other struct{ Header record.Header }

func (*Other) Error() string { return "holds a run of another configuration" }

// Open opens the run behind path, or begins one. Its first line must be the header.
func Open(path string, header record.Header) (*File, error) {
	file, err := open(path)
	if err != nil {
		return nil, err
	}
	f := &File{file: file, path: path, synced: time.Now()}
	if err := f.begin(header.Append(nil)); err != nil {
		file.Close()
		return nil, err
	}
	return f, nil
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

// begin passes the header that stands in the file, or writes it.
func (f *File) begin(header []byte) error {
	if err := f.survey(); err != nil {
		return err
	}
	f.closing = record.NewClosing(header)
	line := append(header, '\n')
	if f.standing > 0 {
		return f.expect(line)
	}
	if f.torn > 0 {
		start := make([]byte, min(f.torn, int64(len(line))))
		if _, err := f.file.ReadAt(start, 0); err != nil {
			return err
		}
		if f.torn > int64(len(line)) || !bytes.HasPrefix(line, start) {
			return errNoRun
		}
	}
	return f.write(line)
}

// expect passes the first line where it is the header.
func (f *File) expect(line []byte) error {
	for l, err := range record.Scan(io.NewSectionReader(f.file, 0, f.standing), f.path) {
		switch {
		case err != nil:
			return err
		case l.Number > 1:
			return errNoRun
		case string(l.Text) == string(line[:len(line)-1]):
			f.size = int64(len(line))
			return nil
		}
		h, ok, err := record.ParseHeader(l.Text)
		switch {
		case err != nil:
			return err
		case !ok:
			return errors.New("is not a run with a header; want one, or a file that is not there yet")
		}
		return &Other{h}
	}
	return errNoRun
}

var errNoRun = errors.New("is not a run; want one, or a file that is not there yet")

// survey measures the lines of the file, and looks for a closing line.
func (f *File) survey() error {
	info, err := f.file.Stat()
	if err != nil {
		return err
	}
	f.length = info.Size()
	if f.standing, err = f.lineBreak(f.length); err != nil {
		return err
	}
	f.torn = f.length - f.standing
	if f.standing == 0 {
		return nil
	}
	start, err := f.lineBreak(f.standing - 1)
	if err != nil {
		return err
	}
	const mostEnd = 1 << 10 // a closing line has some 150 bytes
	last := make([]byte, min(f.standing-1-start, mostEnd))
	if _, err := f.file.ReadAt(last, start); err != nil {
		return err
	}
	if end, err := record.ParseEnd(last); err == nil && start > 0 {
		f.end, f.standing = &end, start
	}
	return nil
}

// lineBreak gives the place behind the last line break before a place; 0 where there is none.
func (f *File) lineBreak(before int64) (int64, error) {
	buf := make([]byte, 64<<10)
	for before > 0 {
		part := buf[:min(int64(len(buf)), before)]
		before -= int64(len(part))
		if _, err := f.file.ReadAt(part, before); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(part, '\n'); i >= 0 {
			return before + int64(i) + 1, nil
		}
	}
	return 0, nil
}

// Lines yields the lines of the records that stand in the file. What is no record is an error, and the last thing that
// is yielded.
func (f *File) Lines() iter.Seq2[record.Line, error] {
	return func(yield func(record.Line, error) bool) {
		number := 0
		for l, err := range record.Scan(io.NewSectionReader(f.file, 0, f.standing), f.path) {
			number++
			switch {
			case err != nil:
			case l.Number != number:
				err = &record.LineError{File: f.path, Line: number, Err: errors.New("is empty; want a record")}
			case number == 1: // the header, which is known
				continue
			case l.BeginsHeader():
				err = &record.LineError{File: f.path, Line: number, Err: errors.New("is a second header; want one run")}
			case l.BeginsEnd():
				err = &record.LineError{File: f.path, Line: number, Err: errors.New("is a closing line that does not close the run; want a record")}
			}
			if !yield(l, err) || err != nil {
				return
			}
		}
	}
}

// Pass goes over the line of a record that stands in the file, in its turn.
func (f *File) Pass(l record.Line, r *record.Record) {
	f.add(l.Text, r)
	f.size += int64(len(l.Text)) + 1
	f.passed++
}

func (f *File) add(line []byte, r *record.Record) {
	f.closing.Add(line, r.Scored(), r.Source.DuplicateOf != nil)
}

// At gives the record that begins at a place in what was passed or written.
func (f *File) At(offset int64, header *record.Header) (*record.Record, error) {
	text, err := lineAt(f.file, offset)
	if err != nil {
		return nil, err
	}
	r, err := header.Basis.Decode(text)
	if err != nil {
		return nil, fmt.Errorf("%s: changed while it was written: %w", f.path, err)
	}
	return r, nil
}

// Size is how many bytes are passed or written: where the next record begins.
func (f *File) Size() int64 { return f.size }

// Path is where the run is.
func (f *File) Path() string { return f.path }

// Standing reports whether records stand in the file that are not passed yet.
func (f *File) Standing() bool { return f.standing > f.size }

// Passed is how many records stood in the file and were passed, Written how many were written behind them.
func (f *File) Passed() int { return f.passed }

// Written is how many records were written.
func (f *File) Written() int { return f.written }

// Torn is how many bytes there were of a line that was not written to its end.
func (f *File) Torn() int64 { return f.torn }

// Finished reports whether the run was finished when it was opened, and nothing was written since.
func (f *File) Finished() bool { return f.end != nil && f.written == 0 }

// Record writes r. The error leaves the records before it as they are.
func (f *File) Record(r *record.Record) error {
	if err := f.prepare(); err != nil {
		return err
	}
	f.line = append(r.Append(f.line[:0]), '\n')
	if err := f.write(f.line); err != nil {
		return err
	}
	f.add(f.line[:len(f.line)-1], r)
	f.written++
	if time.Since(f.synced) < mostLost {
		return nil
	}
	f.synced = time.Now()
	return errors.Join(f.file.Sync(), f.there())
}

// prepare makes the file ready for a line: it cuts off what stands behind the records that were passed. It refuses a file
// that somebody has cut or written to since it was opened. What stands in it is then not what was passed or written, and a
// record behind that would hide it.
func (f *File) prepare() error {
	switch is, err := f.file.Stat(); {
	case err != nil:
		return err
	case is.Size() != f.length:
		return fmt.Errorf("%s: has %d bytes, where %d were written: %w", f.path, is.Size(), f.length, ErrTouched)
	case f.length == f.size:
		return nil
	}
	f.length = f.size
	return f.file.Truncate(f.size)
}

// there tells whether somebody has moved or deleted the file since it is written to.
func (f *File) there() error {
	is, err := f.file.Stat()
	if err != nil || f.written == 0 {
		return err
	}
	if named, err := os.Stat(f.path); err != nil || !os.SameFile(is, named) {
		return fmt.Errorf("%s: is not under its name any more: %w", f.path, ErrTouched)
	}
	return nil
}

// Flush finishes the run: it writes the closing line, unless that is there.
func (f *File) Flush() error {
	if f.Finished() && f.torn == 0 {
		return nil
	}
	if err := f.prepare(); err != nil {
		return err
	}
	return f.write(append(f.closing.End().Append(nil), '\n'))
}

// Check holds the closing line that stands in the file against the records that were passed, which must be all.
func (f *File) Check() error {
	if f.Finished() && *f.end != f.closing.End() {
		return &record.LineError{File: f.path, Line: f.passed + 2, Err: errors.New("is not the closing line of the lines before it; want a run that nobody has edited")}
	}
	return nil
}

// write writes a whole line, or nothing. What a failed write has left is of no use; where it cannot be cut off either,
// the next process does.
func (f *File) write(line []byte) error {
	if _, err := f.file.WriteAt(line, f.size); err != nil {
		_ = f.file.Truncate(f.size)
		return err
	}
	f.size += int64(len(line))
	f.length = max(f.length, f.size)
	return nil
}

// Close leaves the file to others, with all that was written on the disk. The error tells where it is not there.
func (f *File) Close() error { return errors.Join(f.file.Sync(), f.there(), f.file.Close()) }
