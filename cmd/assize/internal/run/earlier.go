package run

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"

	"assize/cmd/assize/internal/record"
)

// Earlier is a run whose records are taken over for dialogues with the same turns. It is safe for concurrent use once
// it is open.
type Earlier struct {
	path   string
	header *record.Header
	at     map[Key]place // of scored records
	file   *os.File
}

// place is where a line stands.
type place struct {
	offset int64
	line   int
}

// Index finds what can be taken over from the run at path: from a stopped or damaged one, what can be read of it. Its
// header must be the same as that of the run that is being written; the error is else an [*Other].
func Index(path string, header *record.Header) (*Earlier, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	switch info, err := file.Stat(); {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("is no file, and would be read twice; want a run, as assize score -o run.jsonl writes")
	case info.Size() == 0:
		return nil, errors.New("is empty; want a run, as assize score -o run.jsonl writes")
	}
	e := &Earlier{path: path, header: header, at: map[Key]place{}}
	fingerprint := header.Fingerprint()
	var known *record.Header
	for l, err := range record.Lines(file, path) {
		switch {
		case errors.As(err, new(*record.Unfinished)):
			continue
		case err != nil:
			return nil, err
		case l.Header == nil:
			return nil, errors.New("has no header, so nobody knows how it was made; want a run, as assize score -o run.jsonl writes")
		case l.Header != known:
			if err := reusable(l.Header, fingerprint); err != nil {
				return nil, err
			}
			known = l.Header
		}
		if g, ok := l.Glance(); ok && g.Scored {
			k := KeyOf(g.Source.Digest)
			if _, again := e.at[k]; !again {
				e.at[k] = place{l.Offset, l.Number}
			}
		}
	}
	return e, nil
}

// reusable tells why nothing can be taken over from what stands under a header.
func reusable(h *record.Header, fingerprint string) error {
	switch {
	case h.Configuration.Redacted:
		return errors.New("is redacted: what was judged is not what stands in it, so nobody can tell whether the same was said")
	case h.Configuration.Transcript != "full":
		return errors.New("keeps only the turns that are cited: what was judged is not in it, so nobody can tell whether the same was said")
	case h.Fingerprint() != fingerprint:
		return &Other{*h}
	}
	return nil
}

// Same reports whether the run is the file at path.
func (e *Earlier) Same(path string) bool {
	is, err := os.Stat(e.path)
	that, wrong := os.Stat(path)
	return err == nil && wrong == nil && os.SameFile(is, that)
}

// Moved tells that the run has another path now.
func (e *Earlier) Moved(path string) { e.path = path }

// Open makes the records readable.
func (e *Earlier) Open() (err error) {
	e.file, err = os.Open(e.path)
	return err
}

// Close ends the reading.
func (e *Earlier) Close() error { return e.file.Close() }

// Record gives the record of a dialogue whose turns have a digest; nil where there is none. It is verified: the error
// tells why the one that is there cannot be used.
func (e *Earlier) Record(digest string) (*record.Record, error) {
	at, ok := e.at[KeyOf(digest)]
	if !ok {
		return nil, nil
	}
	text, err := lineAt(e.file, at.offset)
	if err != nil {
		return nil, err
	}
	return record.Line{File: e.path, Number: at.line, Text: text}.Under(e.header).Decode()
}

// lineAt reads the line that begins at a place, without its line break.
func lineAt(file io.ReaderAt, offset int64) ([]byte, error) {
	const most = 1 << 62
	text, err := bufio.NewReaderSize(io.NewSectionReader(file, offset, most), 1<<14).ReadBytes('\n')
	if err != nil && err != io.EOF {
		return nil, err
	}
	return bytes.TrimSuffix(text, []byte("\n")), nil
}
