package dialogue

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// bufferSize is how much of a stream is held between reads: no more than detection needs, for a folder may hold a
// hundred thousand files of one dialogue each, and every one has buffers of its own.
const bufferSize = headSize

// binaries are the files that people hand in by mistake, by their first bytes.
var binaries = [...]struct{ magic, msg string }{
	{"PK\x03\x04", "this is a zip archive or an office document; unpack it, or save the table as CSV"},
	{"%PDF", "this is a PDF document; export the conversation as text"},
}

// Unwrap undoes what wraps the text of a file: gzip, a byte-order mark and UTF-16 that begins with one, in which a lone
// surrogate becomes U+FFFD. The rest of its bytes stay as they are. The error tells of an archive that cannot be
// unpacked and of files that are not text.
func Unwrap(r io.Reader) (*bufio.Reader, error) {
	in := bufio.NewReader(r)
	head, _ := in.Peek(4)
	for _, b := range binaries {
		if bytes.HasPrefix(head, []byte(b.magic)) {
			return nil, errors.New(b.msg)
		}
	}
	if bytes.HasPrefix(head, []byte("\x1f\x8b")) {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, named(err)
		}
		in = bufio.NewReader(unzip{z})
	}
	return bufio.NewReaderSize(transform.NewReader(in, unicode.BOMOverride(transform.Nop)), bufferSize), nil
}

// unzip unpacks gzip, and says so in its errors.
type unzip struct{ *gzip.Reader }

func (z unzip) Read(p []byte) (int, error) {
	n, err := z.Reader.Read(p)
	return n, named(err)
}

// named gives an error of gzip with its name.
func named(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("gzip: %w", err) // its other errors have the name
	}
	return err
}

// clean makes s the text of a turn: what is not UTF-8 becomes U+FFFD, and NUL is dropped.
func clean(s string) string {
	if utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 {
		return s
	}
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "")
}

// lines reads a stream line by line.
type lines struct {
	*bufio.Scanner     // whose bytes are the line, without its line end
	number         int // of the line, from 1
}

func (f *file) lines() lines {
	l := lines{Scanner: bufio.NewScanner(f.in)}
	l.Buffer(nil, f.most.text)
	return l
}

// next moves to the next line and reports whether there is one. What an error of the stream cuts off is none.
func (l *lines) next() bool {
	l.number++
	return l.Scan() && l.Err() == nil
}
