// Package importer reads dialogues from files: exports of help desks and contact centers, chat
// logs, training data and rated research sets.
//
// [Read] detects the format of a stream and yields one [dialogue.Sample] after another. Only data
// that must be sorted, such as a table, is held until its end, using Options.Temp. Guesses are
// reported to Options.Note. A broken dialogue yields one [*SyntaxError] in its place, and reading
// continues.
//
// The readers are packages, none of which imports one that is further down in this list. The
// documentation of each says where it answers which question.
//
//	lex         words, expressions, times, ratings, JSON values, and messages about a file
//	stream      what every reader passes on, and how it becomes dialogues
//	transcript  texts: transcripts, chats, subtitles and mail, also in a cell
//	formats     the messages of JSON, as a format or --columns describes them
//	table       tables and workbooks
//	jsonfile    files of JSON
//	importer    encodings (Unwrap), and the format of a stream (detect)
package importer

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/runes"
	"golang.org/x/text/transform"

	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer/formats"
	"assize/rubric/dialogue/importer/jsonfile"
	"assize/rubric/dialogue/importer/lex"
	"assize/rubric/dialogue/importer/stream"
	"assize/rubric/dialogue/importer/table"
	"assize/rubric/dialogue/importer/transcript"
)

// These names, of the packages that document them, are for callers, which import none of those.
type (
	Options     = stream.Options
	SyntaxError = stream.SyntaxError
	Opening     = stream.Opening
	Temp        = stream.Temp
)

const (
	USS                = stream.USS
	Plain              = stream.Plain
	Chat               = stream.Chat
	DefaultMaxDialogue = stream.DefaultMaxDialogue
)

var (
	FoldName     = lex.FoldName
	ParseRatings = lex.ParseRatings
	Dates        = lex.Dates
	FindColumn   = table.FindColumn
	Where        = table.Where
)

// Read yields the dialogues of r one by one, in the order of the stream; name appears in errors and
// in [dialogue.Source]. The stream may be compressed with gzip, and may be UTF-8 or UTF-16.
//
// A [*SyntaxError] takes the place of a broken dialogue and reading continues; any other error,
// such as a read error of r, is the last element. A dialogue may have only one side: the reader
// does not decide whether it can be judged. Dialogues without a turn are left out. The sequence
// reads r to its end and so can be used only once.
func Read(r io.Reader, name string, opt Options) iter.Seq2[dialogue.Sample, error] {
	return readWithin(opt.Limits(), r, name, opt)
}

func readWithin(limits stream.Limits, r io.Reader, name string, opt Options) (
	dialogues iter.Seq2[dialogue.Sample, error]) {
	return func(yield func(dialogue.Sample, error) bool) {
		run(&stream.File{Name: name, Opt: opt, Limits: limits, Yield: yield,
			IsSheet: table.IsHeader}, r, read)
	}
}

// read detects the format, if it is unknown, and reads the dialogues.
func read(f *stream.File, head []byte) {
	if f.Format = f.Opt.Format; f.Format == stream.Auto {
		f.Format = detect(f, head)
	}
	switch f.Format {
	case stream.Auto:
		_, err := f.In.Peek(stream.HeadSize)
		if f.Fail(err); !stream.Blank(head) { // after an error, the format may be unclear
			f.Wrong(lex.Problem("unrecognised"))
		}
	case USS, Plain, Chat, stream.Subtitles, stream.Mail:
		transcript.Read(f, head)
	case stream.Table:
		table.Read(f, head, jsonfile.ReadRecords)
	case stream.AnyJSON:
		jsonfile.Read(f, nil)
	default:
		if !slices.Contains(formats.Names(), f.Format) {
			names := lex.Each(Formats(), func(f dialogue.Format) string { return string(f) })
			f.Wrong(lex.Problem("unknown-format", strconv.Quote(string(f.Format)),
				strings.Join(names, ", ")))
			return
		}
		jsonfile.Read(f, formats.Named(f.Format))
	}
}

// texts are the formats of package transcript.
var texts = []dialogue.Format{USS, Plain, Chat, stream.Subtitles, stream.Mail}

// Formats returns the values of --input-format; JSON formats defined by layouts come last.
func Formats() []dialogue.Format {
	return slices.Concat(texts, []dialogue.Format{stream.Table}, formats.Names())
}

// detect returns the format of a stream, or auto: JSON by its first bracket, a table by its header,
// text by the first line that looks like a turn, so that a heading above does no harm.
func detect(f *stream.File, head []byte) dialogue.Format {
	text := strings.TrimLeft(string(head), " \t\r\n")
	if jsonfile.IsJSON(text) {
		return stream.AnyJSON
	} else if format := transcript.FormatOfHead(text); format != stream.Auto {
		return format
	} else if _, ok := table.HeaderIn(f, text); ok {
		return stream.Table
	}
	return transcript.FormatOfTurns(f, text)
}

// Uses returns the names of the uses that a column of a table may have, as in Options.Columns.
func Uses() []string { return slices.Clone(table.Uses[:]) }

// HasColumns reports whether files of a format may have what Options.Columns names.
func HasColumns(f dialogue.Format) bool { return !slices.Contains(texts, f) }

// run reads the stream from its beginning, and finally yields errors of the whole file.
func run(f *stream.File, r io.Reader, read func(f *stream.File, head []byte)) {
	var plain latin
	f.Who, f.Agents = stream.NewNames(f.Opt), map[string]dialogue.Role{}
	f.Omissions, f.Aside = stream.Omissions{}, map[string]bool{}
	f.Dates.Said = f.Opt.Dates
	closeBook, err := open(f, bufio.NewReader(r), &plain)
	defer closeBook()
	if f.Fail(err); err == nil {
		read(f, peekHead(f))
		stream.ReportOmissions(f)
	}
	if errors.Is(f.Err, stream.ErrTooLong) {
		f.Err = nil
		f.Wrong(lex.Problem("long", fmt.Sprintf("after dialogue %d: %s", f.Position, f.Limits)))
	}
	if f.Err == nil && plain.isLatin {
		f.Note("not UTF-8, so read as Windows-1252")
	}
	if line := plain.wrong; line > 0 && f.Format != stream.Mail { // whose parts differ
		f.Note(lex.Text("encodings", line))
	}
	if f.Silent > 0 {
		f.Report("left out: " + lex.Counted(f.Silent, "dialogue") + " without a turn")
	}
	if f.Err == nil && f.Position == f.Silent {
		msg := "holds no dialogue"
		if f.Silent > 0 {
			msg += " with a turn"
		}
		f.Wrong(msg, f.Keys)
	}
	switch f.Err {
	case nil, stream.ErrStopped:
	case io.ErrUnexpectedEOF: // the other errors of gzip name it
		f.Yield(dialogue.Sample{}, fmt.Errorf("%s: gzip: %w", f.Name, f.Err))
	default:
		f.Yield(dialogue.Sample{}, fmt.Errorf("%s: %w", f.Name, f.Err))
	}
}

// ReadCells yields the rows of a table in any form that Read accepts, or of JSON, in which columns,
// such as marks[].by, name lists that have a row for each element. An error is the last element.
func ReadCells(r io.Reader, name string, columns ...string) iter.Seq2[table.Cells, error] {
	return func(yield func(table.Cells, error) bool) {
		f := &stream.File{Name: name, Opt: Options{Format: stream.Table}}
		f.Limits = f.Opt.Limits()
		f.IsSheet = func(cells []string) bool {
			return FindColumn(cells, "id") >= 0 && FindColumn(cells, "rating") >= 0
		}
		f.Yield = func(_ dialogue.Sample, e error) bool { return yield(table.Cells{}, e) && false }
		run(f, r, func(f *stream.File, head []byte) {
			if jsonfile.IsJSON(strings.TrimLeft(string(head), " \t\r\n")) {
				jsonfile.ReadCells(f, columns, yield)
			} else {
				table.ReadCells(f, head, yield)
			}
		})
	}
}

// Unwrap returns a reader of the text in r: it decompresses gzip, removes byte-order marks and
// decodes UTF-16, in which a lone surrogate becomes U+FFFD. All other bytes are unchanged, except
// that text that cannot be UTF-8 is read as Windows-1252. It returns an error for archives that
// cannot be unpacked and for files that are not text.
func Unwrap(r io.Reader) (*bufio.Reader, error) { return unwrap(r, new(latin)) }

func unwrap(r io.Reader, plain *latin) (*bufio.Reader, error) {
	in := bufio.NewReader(r)
	head, _ := in.Peek(9)
	for magic, msg := range lex.Entries("binaries") {
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
	if zeros[0]+zeros[1] > len(head)*5/8 {
		return nil, errors.New(lex.Text("utf-32"))
	}
	var text io.Reader = in
	order := unicode.LittleEndian
	if zeros[0] > 0 {
		order = unicode.BigEndian
	}
	switch {
	case isMarked:
		text = transform.NewReader(in, unicode.BOMOverride(transform.Nop))
	case zeros[0]+zeros[1] > len(head)/3 && (zeros[0] == 0 || zeros[1] == 0):
		text = unicode.UTF16(order, unicode.IgnoreBOM).NewDecoder().Reader(in)
	}
	out := bufio.NewReaderSize(transform.NewReader(text, plain), stream.HeadSize)
	for { // some programs add a second mark
		if mark, _ := out.Peek(len(marks[0])); string(mark) != marks[0] {
			return out, nil
		}
		out.Discard(len(marks[0]))
	}
}

// latin is a [transform.Transformer] that passes text on, as Windows-1252 if its first non-ASCII
// bytes cannot be UTF-8, and finds the line of the first bytes that are not, if later ones are not.
type latin struct {
	transform.NopResetter
	isLatin, isUTF8 bool // once it is known
	lines           int  // that end in what was passed on
	wrong           int  // the line; 0 if there is none so far
}

func (l *latin) Transform(to, from []byte, atEOF bool) (written, read int, err error) {
	if l.isLatin {
		return charmap.Windows1252.NewDecoder().Transform(to, from, atEOF)
	}
	for {
		w, r, err := encoding.UTF8Validator.Transform(to[written:], from[read:], atEOF)
		l.isUTF8 = l.isUTF8 || slices.ContainsFunc(from[read:read+r],
			func(c byte) bool { return c >= utf8.RuneSelf })
		l.lines += bytes.Count(from[read:read+r], []byte("\n"))
		if written, read = written+w, read+r; err != encoding.ErrInvalidUTF8 {
			return written, read, err
		} else if !l.isUTF8 {
			l.isLatin = true
			w, r, err := l.Transform(to[written:], from[read:], atEOF)
			return written + w, read + r, err
		}
		l.wrong = cmp.Or(l.wrong, l.lines+1)
		if written == len(to) {
			return written, read, transform.ErrShortDst
		}
		to[written] = from[read]
		written, read = written+1, read+1
	}
}

// open opens the text of the stream, which may be a sheet of a workbook.
func open(f *stream.File, in *bufio.Reader, plain *latin) (closeBook func(), err error) {
	if magic, _ := in.Peek(len(stream.ZipMagic)); string(magic) != stream.ZipMagic {
		f.In, err = unwrap(in, plain)
		return func() {}, err
	}
	s, note, err := table.OpenSheet(in, f.Opt.Sheet, f.IsSheet)
	if s == nil {
		return func() {}, err
	}
	if f.Note(note); err == nil {
		f.In = bufio.NewReaderSize(s, stream.HeadSize)
		if s.Width > 1 && f.Opt.Format == stream.Auto {
			f.Opt.Format = stream.Table
		}
	}
	return s.Close, err
}

// peekHead returns the beginning of the stream. Files of old Macs and of some spreadsheets have
// lines that end in \r alone, whatever a program has added at the end.
func peekHead(f *stream.File) []byte {
	head, err := f.In.Peek(stream.HeadSize)
	if len(head) == 0 {
		f.Fail(err)
	}
	if cr := bytes.IndexByte(head, '\r'); cr >= 0 && cr < len(head)-1 && head[cr+1] != '\n' &&
		bytes.IndexByte(head[:len(head)-1], '\n') < 0 {
		f.In = bufio.NewReaderSize(transform.NewReader(f.In, runes.Map(func(r rune) rune {
			if r == '\r' {
				return '\n'
			}
			return r
		})), stream.HeadSize)
		head, _ = f.In.Peek(stream.HeadSize)
	}
	return head
}
