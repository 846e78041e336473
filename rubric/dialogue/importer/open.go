package importer

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"

	"assize/rubric/dialogue"
)

// This file opens a stream, whatever it is packed in.

// run reads the stream from its beginning, and finally yields errors of the whole file.
func run(f *file, r io.Reader, read func(f *file, head []byte)) {
	var plain latin
	f.who, f.agents, f.omissions = newNames(f.opt), map[string]bool{}, omissions{}
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
	if f.unrated > 0 {
		f.report(fmt.Sprintf("the ratings of %s cannot be read and are left out; the first is %s",
			counted(f.unrated, "dialogue"),
			f.firstUnrated))
	}
	f.leftOut(f.nothing, "turn",
		" of the SYSTEM that is None or null, as programs write where there is no text")
	if f.err == nil && plain.isLatin {
		f.note("not UTF-8, so read as Windows-1252")
	}
	if f.leftOut(f.silent, "dialogue", " without a turn"); f.err == nil && f.position == f.silent {
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
		if f.in = bufio.NewReaderSize(s, bufferSize); s.width > 1 && f.opt.Format == auto {
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
		})), bufferSize)
		head, _ = f.in.Peek(headSize)
	}
	return head
}

func blank(b []byte) bool { return len(bytes.TrimSpace(b)) == 0 }
