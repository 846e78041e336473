package dialogue

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
)

// Options say how to read where the stream does not say it itself. The zero value detects everything.
type Options struct {
	Format      Format
	SystemNames []string        // speakers that are the SYSTEM; every name that is no usual one either is then a USER. Formats that write roles take no notice
	Roles       map[string]Role // more speaker names, compared without regard to case and space
}

// SyntaxError tells what is wrong with one dialogue. The dialogues after it are read all the same.
type SyntaxError struct {
	File     string
	Line     int    // 0 where the format has no lines to speak of
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

// limits are what one dialogue may hold. Nothing that people say to each other comes near; what does is a
// file of another kind, and it must not fill the memory.
type limits struct {
	text  int // bytes of one dialogue in its file
	turns int
}

// What is wrong with a dialogue, a line or a value beyond the limits.
const (
	tooLong  = "more than 64 MiB in one dialogue"
	tooMany  = "more than 1,048,576 turns in one dialogue"
	longHint = "split it, or see with --dry-run that the file is read as what it is"
)

// Read yields the dialogues of r one by one, in the order of the stream; name stands in errors and in
// [Source]. The stream may be compressed with gzip, and be UTF-8 or, with a byte-order mark, UTF-16.
//
// A [*SyntaxError] stands in the place of a broken dialogue and reading goes on; any other error, such as
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
	in       *bufio.Reader // decoded: UTF-8 as far as the source is, lines ended by \n, no NUL
	who      *names
	position int // of the dialogue that was yielded last
	yield    func(Sample, error) bool
}

func (f *file) read(r io.Reader) (err error) {
	if f.in, err = decode(r); err != nil {
		return err
	}
	head, err := f.in.Peek(headSize)
	if err != nil && err != io.EOF && len(head) == 0 {
		return err
	}
	if f.setFormat(f.opt.Format); f.format == Auto {
		f.setFormat(f.detect(head))
	}
	if f.format == Auto && err != nil && err != io.EOF {
		return err // what could be read is too little to tell
	}
	if f.format == Auto && !blank(head) {
		return f.wrong("the format is not recognised", "name it with --input-format, one of "+formatNames()+
			", or begin every turn with a speaker such as \"Agent:\" or \"Customer:\"")
	}
	err, ok := f.readFormat()
	if !ok && f.format != Auto {
		return f.wrong(fmt.Sprintf("unknown format %q", f.format), "want one of "+formatNames())
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

// emit yields a dialogue that was read well.
func (f *file) emit(s Sample) error {
	if !f.yield(s, nil) {
		return errStopped
	}
	return nil
}

// fail yields the error that stands in the place of a broken dialogue.
func (f *file) fail(line int, msg, hint string) error {
	f.position++
	return f.report(&SyntaxError{File: f.name, Line: line, Position: f.position, Msg: msg, Hint: hint})
}

// wrong yields an error about the whole file, of which nothing more can then be read.
func (f *file) wrong(msg, hint string) error {
	f.report(&SyntaxError{File: f.name, Msg: msg, Hint: hint})
	return errStopped
}

func (f *file) report(e *SyntaxError) error {
	if !f.yield(Sample{}, e) {
		return errStopped
	}
	return nil
}
