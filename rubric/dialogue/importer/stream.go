package importer

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/runes"
	"golang.org/x/text/transform"

	"assize/rubric/dialogue"
)

// headSize is the number of bytes that detection looks at. Buffers are no larger, because each of a
// hundred thousand files in a folder has its own.
const headSize = 64 << 10

// zipMagic begins archives and workbooks.
const zipMagic = "PK\x03\x04"

// Unwrap returns a reader of the text in r: it decompresses gzip, removes byte-order marks and
// decodes UTF-16, in which a lone surrogate becomes U+FFFD. All other bytes are unchanged, except
// that text that cannot be UTF-8 is read as Windows-1252. It returns an error for archives that
// cannot be unpacked and for files that are not text.
func Unwrap(r io.Reader) (*bufio.Reader, error) { return unwrap(r, new(latin)) }

func unwrap(r io.Reader, plain *latin) (*bufio.Reader, error) {
	in := bufio.NewReader(r)
	head, _ := in.Peek(9)
	for magic, msg := range entries("binaries") {
		if magic, _ = strconv.Unquote(`"` + magic + `"`); bytes.HasPrefix(head, []byte(magic)) {
			return nil, errors.New(msg)
		}
	}
	if bytes.HasPrefix(head, []byte("\x1f\x8b")) {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, err
		}
		in = bufio.NewReader(z)
	}
	head, _ = in.Peek(512)
	marks := []string{"\xef\xbb\xbf", "\xff\xfe", "\xfe\xff"} // of UTF-8 and UTF-16
	isMarked := slices.ContainsFunc(marks,
		func(m string) bool { return bytes.HasPrefix(head, []byte(m)) })
	var zeros [2]int // at even and at odd offsets; in UTF-16, every Latin letter has one
	for i, c := range head {
		if c == 0 {
			zeros[i%2]++
		}
	}
	var text io.Reader = plain
	order := unicode.LittleEndian
	if zeros[0] > 0 {
		order = unicode.BigEndian
	}
	switch plain.in = in; {
	case isMarked:
		text = transform.NewReader(in, unicode.BOMOverride(transform.Nop))
	case zeros[0]+zeros[1] > len(head)/3 && (zeros[0] == 0 || zeros[1] == 0):
		text = unicode.UTF16(order, unicode.IgnoreBOM).NewDecoder().Reader(in)
	}
	out := bufio.NewReaderSize(text, headSize)
	for { // some programs add a second mark
		if mark, _ := out.Peek(len(marks[0])); string(mark) != marks[0] {
			return out, nil
		}
		out.Discard(len(marks[0]))
	}
}

// latin reads text as Windows-1252 if its first non-ASCII bytes cannot be UTF-8.
type latin struct {
	in      *bufio.Reader
	rest    io.Reader // from the first non-ASCII byte on
	isLatin bool
}

// Read implements [io.Reader].
func (l *latin) Read(p []byte) (int, error) {
	if l.rest != nil {
		return l.rest.Read(p)
	}
	l.in.Peek(1) // the error will be returned again
	head, _ := l.in.Peek(min(l.in.Buffered(), len(p)))
	at := bytes.IndexFunc(head, func(r rune) bool { return r >= utf8.RuneSelf })
	switch {
	case at < 0:
		return l.in.Read(p[:max(1, len(head))])
	case at > 0:
		return l.in.Read(p[:at])
	}
	head, _ = l.in.Peek(utf8.UTFMax)
	r, size := utf8.DecodeRune(head)
	if l.rest = l.in; r == utf8.RuneError && size == 1 {
		l.rest, l.isLatin = charmap.Windows1252.NewDecoder().Reader(l.in), true
	}
	return l.rest.Read(p)
}

// lines reads a stream line by line, where \r alone ends one, too. Lines that are too long are cut.
type lines struct {
	in     *bufio.Reader
	most   int
	read   []byte   // the line up to the next \n
	text   []byte   // of the line, without its line ending; valid until the next one
	rest   []byte   // of read, after a \r
	number int      // of the line, from 1
	long   *outline // of a line that is cut; else nil
	err    error    // of the stream
}

// next advances to the next line and reports whether one exists.
func (l *lines) next() bool {
	l.number++
	if len(l.rest) > 0 {
		l.text, l.rest, _ = bytes.Cut(l.rest, []byte("\r"))
		return true
	}
	l.read, l.long = l.read[:0], nil
	for isPart := true; isPart; {
		var part []byte
		if part, isPart, l.err = l.in.ReadLine(); l.err != nil {
			break
		}
		room := l.most - len(l.read)
		if len(part) > room && l.long == nil {
			l.long = &outline{most: l.most}
			l.long.end(l.read)
		}
		if l.long != nil {
			l.long.end(part)
		}
		l.read = append(l.read, part[:min(len(part), room)]...)
	}
	l.text, l.rest, _ = bytes.Cut(bytes.TrimRight(l.read, "\r"), []byte("\r"))
	isLine := l.err == nil
	if l.err == io.EOF {
		l.err = nil
	}
	return isLine
}

// feed passes a stream to a decoder line by line, to know the line, and limits the size of a value.
type feed struct {
	in   *bufio.Reader
	most int
	left int  // remaining bytes of this value
	line int  // of the last bytes that were passed on, from 1
	ends bool // they were the end of that line
	err  error
}

func (r *feed) Read(p []byte) (int, error) {
	if _, err := r.in.Peek(1); err != nil {
		if err != io.EOF {
			r.err = err
		}
		return 0, err
	}
	if r.left <= 0 {
		r.err = errTooLong
		return 0, r.err
	}
	if r.ends {
		r.line++
	}
	chunk, _ := r.in.Peek(min(r.in.Buffered(), len(p), r.left))
	end := bytes.IndexByte(chunk, '\n') + 1
	if r.ends = end > 0; r.ends {
		chunk = chunk[:end]
	}
	r.left -= len(chunk)
	return r.in.Read(p[:len(chunk)])
}

// errTooLong ends a file that has an element without an end.
var errTooLong = bufio.ErrTooLong

// run reads the stream from its beginning, and finally yields errors of the whole file.
func run(f *file, r io.Reader, read func(f *file, head []byte)) {
	var plain latin
	f.who, f.agents, f.omissions = newNames(f.opt), map[string]dialogue.Role{}, omissions{}
	f.aside = map[string]bool{}
	closeBook, err := open(f, bufio.NewReader(r), &plain)
	defer closeBook()
	if f.fail(err); err == nil {
		read(f, peekHead(f))
		reportOmissions(f)
	}
	if errors.Is(f.err, errTooLong) {
		f.err = nil
		f.wrong(fmt.Sprintf("after dialogue %d: %s", f.position, f.most), longHint)
	}
	if f.err == nil && plain.isLatin {
		f.note("not UTF-8, so read as Windows-1252")
	}
	if f.silent > 0 {
		f.report("left out: " + counted(f.silent, "dialogue") + " without a turn")
	}
	if f.err == nil && f.position == f.silent {
		msg := "holds no dialogue"
		if f.silent > 0 {
			msg += " with a turn"
		}
		f.wrong(msg, f.keys)
	}
	switch f.err {
	case nil, errStopped:
	case io.ErrUnexpectedEOF: // the other errors of gzip name it
		f.yield(dialogue.Sample{}, fmt.Errorf("%s: gzip: %w", f.name, f.err))
	default:
		f.yield(dialogue.Sample{}, fmt.Errorf("%s: %w", f.name, f.err))
	}
}

// open opens the text of the stream, which may be a sheet of a workbook.
func open(f *file, in *bufio.Reader, plain *latin) (closeBook func(), err error) {
	if magic, _ := in.Peek(len(zipMagic)); string(magic) != zipMagic {
		f.in, err = unwrap(in, plain)
		return func() {}, err
	}
	s, note, err := openSheet(in, f.opt.Sheet, f.isSheet)
	if s == nil {
		return func() {}, err
	}
	if f.note(note); err == nil {
		if f.in = bufio.NewReaderSize(s, headSize); s.width > 1 && f.opt.Format == auto {
			f.opt.Format = table
		}
	}
	return s.close, err
}

// peekHead returns the beginning of the stream. Files of old Macs and of some spreadsheets have
// lines that end in \r alone, whatever a program has added at the end.
func peekHead(f *file) []byte {
	head, err := f.in.Peek(headSize)
	if len(head) == 0 {
		f.fail(err)
	}
	if cr := bytes.IndexByte(head, '\r'); cr >= 0 && cr < len(head)-1 && head[cr+1] != '\n' &&
		bytes.IndexByte(head[:len(head)-1], '\n') < 0 {
		f.in = bufio.NewReaderSize(transform.NewReader(f.in, runes.Map(func(r rune) rune {
			if r == '\r' {
				return '\n'
			}
			return r
		})), headSize)
		head, _ = f.in.Peek(headSize)
	}
	return head
}

func blank(b []byte) bool { return len(bytes.TrimSpace(b)) == 0 }
