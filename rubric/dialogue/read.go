package dialogue

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
)

// Options say how to read where the stream does not say it itself. The zero value detects everything.
type Options struct {
	Format Format
	// SystemNames are speakers that are the SYSTEM; any other name that is not a usual one is then a USER. Formats
	// that write roles ignore them.
	SystemNames []string
	Roles       map[string]Role // more speaker names, compared without regard to case and space
	// Columns says which column of a table holds what, by its use: id, turn, time, speaker, text, rating, agent,
	// customer. The id NoColumn makes the whole file one dialogue.
	Columns map[string]string
	Dates   string                  // "us" if 03/12/2024 is in March, "eu" if in December; "" as the whole file tells
	Strict  bool                    // a reading that needs a guess is an error of the file
	Note    func(string)            // is told of every reading that needed a guess; may be nil
	Scratch func() (Scratch, error) // holds what is put in order and does not fit into memory; nil: memory holds it
}

// NoColumn is the name for a use that no column has.
const NoColumn = "none"

// SyntaxError tells what is wrong with one dialogue. The dialogues after it are read all the same, unless nothing
// tells where they begin: after a value of JSON that is broken, save in JSON lines, and after something without an end.
type SyntaxError struct {
	File     string
	Line     int    // 0 where the format has no lines
	Position int    // the dialogue's place in the file, from 1; 0 where the whole file is meant
	Msg      string // what is wrong
	Hint     string // what would be right
}

func (e *SyntaxError) Error() string {
	where := e.File
	if e.Line > 0 {
		where = fmt.Sprintf("%s:%d", where, e.Line)
	}
	if e.Position > 0 {
		where = fmt.Sprintf("%s: dialogue %d", where, e.Position)
	}
	if e.Hint == "" {
		return where + ": " + e.Msg
	}
	return where + ": " + e.Msg + "; " + e.Hint
}

// limits are what one dialogue may hold. No conversation comes near; what does is a file of another kind, and it
// must not fill the memory.
type limits struct {
	text  int // bytes of one dialogue in its file
	turns int
}

// What is wrong with a dialogue beyond the limits.
const (
	tooLong  = "more than 64 MiB or 1,048,576 turns in one dialogue"
	longHint = "split it, or see with --dry-run that the file is read as what it is"
)

// Read yields the dialogues of r one by one, in the order of the stream; name appears in errors and in
// [Source]. The stream may be compressed with gzip, and be UTF-8 or UTF-16.
//
// A [*SyntaxError] takes the place of a broken dialogue and reading continues; any other error, such as
// one of r itself, is the last thing that is yielded. A dialogue may hold no turn or only one side: whether
// it can be judged is not for the reader to say. The sequence reads r to its end and so works once.
func Read(r io.Reader, name string, opt Options) iter.Seq2[Sample, error] {
	return readWithin(limits{text: 64 << 20, turns: 1 << 20}, r, name, opt)
}

func readWithin(most limits, r io.Reader, name string, opt Options) iter.Seq2[Sample, error] {
	return func(yield func(Sample, error) bool) {
		f := &file{name: name, opt: opt, most: most, who: newNames(opt), yield: yield}
		if err := f.read(r); err != nil && err != errStopped {
			yield(Sample{}, fmt.Errorf("%s: %w", name, err))
		}
	}
}

// errStopped ends reading when the consumer wants no more.
var errStopped = errors.New("stopped")

// file is one stream while it is read. The method that reads a format gives nil at the end of the stream,
// errStopped, or the error of the stream itself.
type file struct {
	name     string
	opt      Options
	most     limits
	format   Format
	in       *bufio.Reader // UTF-8 as far as the source is
	who      *names
	position int // of the dialogue that was yielded last
	yield    func(Sample, error) bool
}

func (f *file) read(r io.Reader) (err error) {
	if f.in, err = Unwrap(r); err != nil {
		return err
	}
	head, err := f.in.Peek(headSize)
	if err != nil && err != io.EOF && len(head) == 0 {
		return err
	}
	if cr := bytes.IndexByte(head, '\r'); cr >= 0 && cr < len(head)-1 && bytes.IndexByte(head, '\n') < 0 {
		f.in = bufio.NewReaderSize(oldMac{f.in}, bufferSize)
		head, _ = f.in.Peek(headSize)
	}
	if f.setFormat(f.opt.Format); f.format == Auto {
		f.setFormat(f.detect(head))
	}
	switch f.format {
	case Auto:
		if err != nil && err != io.EOF {
			return err // what could be read is too little to tell
		}
		if err = nil; !blank(head) {
			return f.wrong("the format is not recognised", "name it with --input-format, one of "+formatNames()+
				", or begin every turn with a speaker such as \"Agent:\" or \"Customer:\"")
		}
	case USS:
		err = f.readText(ussBreak, nil, parseUSS)
	case Plain:
		err = f.readText(textBreak, f.plain(""), func(d *draft, text string) { d.parse(f.plain(text), text) })
	case Chat:
		err = f.readText(textBreak, chatLine, func(d *draft, text string) { d.parse(chatLine, text) })
	case Table:
		err = f.readTable(head)
	case anyJSON, OpenAI, ShareGPT, Connect, Zendesk, Intercom, ConvoKit:
		err = f.readJSON()
	default:
		return f.wrong(fmt.Sprintf("unknown format %q", f.format), "want one of "+formatNames())
	}
	if errors.Is(err, errTooLong) {
		return f.wrong(fmt.Sprintf("after dialogue %d: %s", f.position, tooLong), longHint)
	}
	if err == nil && f.position == 0 {
		return f.wrong("holds no dialogue", "")
	}
	return err
}

// setFormat settles the format. Options.SystemNames are names of people: they say nothing about formats
// that name the speaker's role, so that one folder may hold chats and messages.
func (f *file) setFormat(format Format) {
	f.format = format
	switch format {
	case USS, OpenAI, ShareGPT, Connect, Intercom:
		f.who = newNames(Options{Roles: f.opt.Roles})
	}
}

// emit yields a dialogue, or the error in its place.
func (f *file) emit(s Sample, err error) error {
	if !f.yield(s, err) {
		return errStopped
	}
	return nil
}

// note tells what was guessed. Where nothing may be, it is what is wrong with the file.
func (f *file) note(s string) error {
	if f.opt.Strict {
		return f.wrong("read with a guess: "+clean(s), "settle it with --columns or --dates, or allow it")
	}
	if f.opt.Note != nil {
		f.opt.Note(f.name + ": " + clean(s))
	}
	return nil
}

// wrong yields an error about the whole file, of which nothing more can then be read.
func (f *file) wrong(msg, hint string) error {
	f.emit(Sample{}, &SyntaxError{File: f.name, Msg: msg, Hint: hint})
	return errStopped
}
