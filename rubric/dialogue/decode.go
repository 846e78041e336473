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
)

// bufferSize is how much of a stream is held between reads: no more than detection needs, for a folder may hold a hundred
// thousand files of a dialogue each, and every one has buffers of its own.
const bufferSize = headSize

// decode undoes what wraps the text of a stream, line ends other than \n and NUL bytes included. Bytes that are
// no UTF-8 stay; clean replaces them where they become the text of a turn.
func decode(r io.Reader) (*bufio.Reader, error) {
	in, err := Unwrap(r)
	if err != nil {
		return nil, err
	}
	return bufio.NewReaderSize(&newlines{r: in}, bufferSize), nil
}

// Unwrap undoes what wraps the text of a file that people hand in: gzip, a byte-order mark, UTF-16. The rest of
// its bytes stay as they are. The error tells of an archive that cannot be unpacked and of files that are no text.
func Unwrap(r io.Reader) (*bufio.Reader, error) {
	in := bufio.NewReader(r) // which stands aside where who reads from it asks for more
	head, _ := in.Peek(4)
	for _, b := range binaries {
		if bytes.HasPrefix(head, []byte(b.magic)) {
			return nil, errors.New(b.msg)
		}
	}
	if bytes.HasPrefix(head, []byte("\x1f\x8b")) {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, unpackError(err)
		}
		in = bufio.NewReader(gzipReader{z})
	}
	if text := decodeUnicode(in); text != io.Reader(in) {
		return bufio.NewReader(text), nil
	}
	return in, nil
}

// binaries are the files that people hand in by mistake, by their first bytes.
var binaries = [...]struct{ magic, msg string }{
	{"PK\x03\x04", "this is a zip archive or an office document; unpack it, or save the table as CSV"},
	{"%PDF", "this is a PDF document; export the conversation as text"},
	{"\x28\xb5\x2f\xfd", "this is compressed with zstd; unpack it, or compress it with gzip"},
	{"BZh", "this is compressed with bzip2; unpack it, or compress it with gzip"},
}

// gzipReader names the layer in errors: a transcript that ends too early is not the same as an archive that does.
type gzipReader struct{ z *gzip.Reader }

func (g gzipReader) Read(p []byte) (int, error) {
	n, err := g.z.Read(p)
	if err != nil && err != io.EOF {
		err = unpackError(err)
	}
	return n, err
}

// unpackError names the layer, once: some errors of the package do it themselves.
func unpackError(err error) error {
	if strings.HasPrefix(err.Error(), "gzip: ") {
		return err
	}
	return fmt.Errorf("gzip: %w", err)
}

// decodeUnicode drops a byte-order mark and turns UTF-16 into UTF-8; a lone surrogate becomes U+FFFD.
// UTF-16 without a mark is told by the NULs that every Latin letter then carries.
func decodeUnicode(in *bufio.Reader) io.Reader {
	head, _ := in.Peek(512)
	endian, utf16 := unicode.LittleEndian, true
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		in.Discard(3)
		utf16 = false
	case bytes.HasPrefix(head, []byte("\xff\xfe")):
		in.Discard(2)
	case bytes.HasPrefix(head, []byte("\xfe\xff")):
		in.Discard(2)
		endian = unicode.BigEndian
	default:
		even, odd := countNUL(head)
		utf16 = even+odd > len(head)/3 && (even == 0 || odd == 0)
		if even > 0 {
			endian = unicode.BigEndian
		}
	}
	if !utf16 {
		return in
	}
	return unicode.UTF16(endian, unicode.IgnoreBOM).NewDecoder().Reader(in)
}

// countNUL counts the NUL bytes at even and at odd places.
func countNUL(b []byte) (even, odd int) {
	for i, c := range b {
		switch {
		case c != 0:
		case i%2 == 0:
			even++
		default:
			odd++
		}
	}
	return even, odd
}

// newlines ends every line with \n, whether the source wrote \r\n, \r or \n, and drops NUL bytes.
type newlines struct {
	r   io.Reader
	cr  bool // the last byte was \r, so a \n now belongs to it
	err error
}

func (n *newlines) Read(p []byte) (int, error) {
	for n.err == nil && len(p) > 0 {
		var k int
		k, n.err = n.r.Read(p)
		if k = n.fold(p[:k]); k > 0 {
			return k, nil
		}
	}
	return 0, n.err
}

// fold rewrites b in place and gives the length that is left.
func (n *newlines) fold(b []byte) int {
	if !n.cr && bytes.IndexByte(b, '\r') < 0 && bytes.IndexByte(b, 0) < 0 {
		return len(b)
	}
	k := 0
	for _, c := range b {
		after := n.cr
		n.cr = c == '\r'
		switch {
		case c == 0, c == '\n' && after:
			continue
		case c == '\r':
			c = '\n'
		}
		b[k] = c
		k++
	}
	return k
}

// clean makes s the text of a turn: what is not UTF-8 becomes U+FFFD, and NUL, which JSON may spell \u0000, goes.
func clean(s string) string {
	if utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 {
		return s
	}
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "")
}
