package check

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"

	"golang.org/x/text/encoding/unicode"
)

// bufferSize is how much of a stream is held between reads, and how far it is looked ahead.
const bufferSize = 256 << 10

// utf8Mark is the byte-order mark of UTF-8.
const utf8Mark = "\xef\xbb\xbf"

// decode undoes what wraps the text of a stream, gzip and UTF-16, and gives the byte-order mark that an UTF-8 text begins
// with, if any. All else stays as it is, so that a file can be put together again.
func decode(r io.Reader) (in *bufio.Reader, mark []byte, err error) {
	in = bufio.NewReaderSize(r, bufferSize)
	if head, _ := in.Peek(2); bytes.Equal(head, []byte("\x1f\x8b")) {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, nil, fmt.Errorf("not the gzip that it begins like: %w", err)
		}
		in = bufio.NewReaderSize(z, bufferSize)
	}
	head, _ := in.Peek(3)
	var endian unicode.Endianness
	switch {
	case string(head) == utf8Mark:
		in.Discard(len(utf8Mark))
		return in, []byte(utf8Mark), nil
	case bytes.HasPrefix(head, []byte("\xff\xfe")):
		endian = unicode.LittleEndian
	case bytes.HasPrefix(head, []byte("\xfe\xff")):
		endian = unicode.BigEndian
	default:
		return in, nil, nil
	}
	in.Discard(2)
	return bufio.NewReaderSize(unicode.UTF16(endian, unicode.IgnoreBOM).NewDecoder().Reader(in), bufferSize), nil, nil
}
