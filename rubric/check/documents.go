package check

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"regexp"
	"slices"
	"strings"

	"assize/rubric/dialogue"

	"github.com/go-json-experiment/json/jsontext"
)

// Document is an evaluation as it is in a file.
//
// Before, Text and After of all the documents of a file, one after the other, are the file, without gzip, UTF-16 and
// byte-order mark: so a document can be corrected while everything around it stays. Only where one is Cut is that not so.
type Document struct {
	File         string // as the user named it; "-" for standard input
	Number       int    // its place in the file, from 1
	Line, Column int    // where Text begins in the file, from 1; the column counts bytes
	Before       []byte // the text between the document before it, or the beginning of the file, and this one
	Text         []byte // the JSON of the document, or of what should be one
	After        []byte // the text after the last document of a file
	Skip         string // why there is nothing to check: Unscored, or other words
	Cut          bool   // it is too large, and the rest of the file is not read

	isBroken bool      // Text is not to be parsed; findings tell why
	findings []Finding // about the text as a whole and about what is around it
}

type position struct{ line, column int }

func (p position) after(text []byte) position {
	if n := bytes.Count(text, []byte("\n")); n > 0 {
		return position{p.line + n, len(text) - bytes.LastIndexByte(text, '\n')}
	}
	return position{p.line, p.column + len(text)}
}

// Unscored is why there is nothing to check in a record without an evaluation.
const Unscored = "unscored"

const (
	mostText = 64 << 20 // how many bytes of a file one document may take, as for dialogues
	chunk    = 256 << 10
	blanks   = " \t\r\n"
)

// Documents yields the evaluations in r: one JSON object, JSON lines, a list, or the answer of a model with prose
// and a code fence around it; the stream may be compressed with gzip. Unscored records are yielded with Skip set, so that
// nothing is dropped silently.
//
// There is at least one document, possibly an empty one. [Checker.Check] reports what is wrong with a document,
// even that it is not JSON. The only errors are those of r itself; an error is yielded last. The sequence
// reads r to its end and so works once; it holds no more than one document at a time, 64 MiB at most.
func Documents(r io.Reader, name string) iter.Seq2[Document, error] {
	return documentsWithin(mostText, r, name)
}

func documentsWithin(most int, r io.Reader, name string) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		in, err := dialogue.Unwrap(r)
		if err == nil {
			s := splitter{in: in, name: name, most: most, yield: yield, position: position{1, 1}}
			for !s.stopped && s.next() {
			}
			s.end()
			if s.stopped || s.err == io.EOF {
				return
			}
			err = s.err
		}
		yield(Document{}, fmt.Errorf("%s: %w", name, err))
	}
}

// splitter cuts a stream into documents.
type splitter struct {
	in      io.Reader
	name    string
	most    int
	yield   func(Document, error) bool
	stopped bool // the consumer wants no more

	buf      []byte // what is read and not passed; documents keep pieces of it, so it is never overwritten
	err      error  // why there is no more to read
	position        // of the first byte of buf
	before   []byte // passed since the last document
	last     *Document
	number   int
	wasted   int  // bytes that were read as JSON in vain
	prose    bool // there is text that is not JSON
	told     bool // a document says so
}

// more reads on until there is twice as much in the buffer. It reports whether there is anything new.
func (s *splitter) more() bool {
	had := len(s.buf)
	if s.err != nil || had > s.most {
		return false
	}
	if cap(s.buf)-had < max(had, 1) {
		s.buf = append(make([]byte, 0, max(chunk, 3*had)), s.buf...)
	}
	for s.err == nil && len(s.buf) < max(2*had, 1) {
		var n int
		n, s.err = s.in.Read(s.buf[len(s.buf):cap(s.buf)])
		s.buf = s.buf[:len(s.buf)+n]
	}
	return len(s.buf) > had
}

// pass moves n bytes of the buffer to what stands before the next document.
func (s *splitter) pass(n int) {
	piece := s.buf[:n]
	s.prose = s.prose || len(bytes.Trim(piece, blanks+",[]")) > 0
	s.position = s.position.after(piece)
	s.before, s.buf = append(s.before, piece...), s.buf[n:]
}

// next emits the next document. It reports whether there may be another.
func (s *splitter) next() bool {
	brace := bytes.IndexByte(s.buf, '{')
	if brace < 0 && len(s.before) <= s.most {
		s.pass(len(s.buf))
		return s.more()
	}
	s.pass(max(brace, 0))
	thought := bytes.LastIndex(s.before, []byte("<think>"))
	if thought >= 0 && !bytes.Contains(s.before[thought:], []byte("</think>")) {
		if end := s.find("</think>"); end < len(s.buf) { // what a model drafted in a thought is not its answer
			s.pass(end)
			return true
		}
	}
	size, valid := s.value()
	piece := s.buf[:size]
	switch {
	case size > s.most || len(s.before) > s.most:
		d := s.emit(nil)
		d.Cut = true
		d.fail("json-syntax", "more than 64 MiB in one document or around it; the rest of the file is not read")
		s.before, s.err = nil, io.EOF
		return false
	case !valid && size == len(s.buf) && s.err != io.EOF: // it could not be read to its end
		s.pass(size)
		return false
	case valid && s.prose && !anyKey.Match(piece):
		s.pass(size)
	case valid:
		s.emit(piece)
	case !objectLike.Match(piece) || s.prose && !anyKey.Match(piece):
		s.pass(1)
	default:
		s.emit(bytes.TrimRight(piece, blanks+",")) // Check reports what is wrong with it
	}
	return true
}

// value finds the end of the object that the buffer begins with. Where it is not valid, it ends where the next
// object begins a line, or with the code fence: so a broken line spoils only itself.
func (s *splitter) value() (size int, valid bool) {
	for s.wasted < mostText {
		dec := jsontext.NewDecoder(bytes.NewBuffer(s.buf), jsontext.AllowDuplicateNames(true))
		_, err := dec.ReadValue()
		if err == nil {
			return int(dec.InputOffset()), true
		}
		if !errors.Is(err, io.ErrUnexpectedEOF) || !s.more() {
			s.wasted += int(dec.InputOffset())
			break
		}
	}
	return min(s.find("\n{"), s.find("\n```")), false
}

// find gives where a text begins after the first byte of the buffer, reading on if need be. It gives the end of
// the buffer where the text does not occur.
func (s *splitter) find(what string) int {
	for from := 1; ; {
		if i := bytes.Index(s.buf[min(from, len(s.buf)):], []byte(what)); i >= 0 {
			return from + i
		}
		from = max(1, len(s.buf)-len(what))
		if !s.more() {
			return len(s.buf)
		}
	}
}

// objectLike tells a broken object from braces in prose: {"key", {'key' or {“key”.
var objectLike = regexp.MustCompile(`^\{[ \t\r\n]*(?:["'}/“]|$)`)

// anyKey is a key of an evaluation or of a record.
var anyKey = regexp.MustCompile(strings.Join(slices.Concat(debateKeys, singleKeys), "|") + "|dialogue_id")

// emit makes a document of the text that the buffer begins with. It is yielded when the next one begins.
func (s *splitter) emit(text []byte) *Document {
	s.send()
	s.number++
	d := &Document{File: s.name, Number: s.number, Line: s.line, Column: s.column, Before: s.before, Text: slices.Clip(text)}
	if IsUnscored(text) {
		d.Skip = Unscored
	}
	s.tellProse(d)
	s.last, s.before = d, nil
	s.position, s.buf = s.position.after(text), s.buf[len(text):]
	return d
}

// tellProse has the first document of a file with text around it say so.
func (s *splitter) tellProse(d *Document) {
	if s.told || !s.prose {
		return
	}
	s.told = true
	f := Finding{ID: "text-around", Severity: Note, Message: "there is text around the JSON"}
	if d.Number > 1 { // the file begins with evaluations, so this is no greeting of a model
		f.Severity = Error
		f.Message = "there is text around this evaluation that is not JSON; another evaluation may be missing there"
	}
	d.findings = append(d.findings, f)
}

// fail notes why a document is not parsed.
func (d *Document) fail(id, message string) {
	d.isBroken = true
	d.findings = append(d.findings, Finding{ID: id, Severity: Error, Message: message})
}

// send yields the document that was kept back.
func (s *splitter) send() {
	if s.last != nil && !s.stopped {
		s.stopped = !s.yield(*s.last, nil)
	}
	s.last = nil
}

// end yields the last document, with all that stands after it.
func (s *splitter) end() {
	switch {
	case s.last != nil:
		s.last.After = s.before
		s.tellProse(s.last)
	case s.number > 0 || s.err != io.EOF || s.stopped:
	case s.prose: // there is no object
		s.last = &Document{File: s.name, Number: 1, Line: 1, Column: 1, Text: s.before}
		s.last.fail("not-an-evaluation", "the text holds no evaluation: no JSON object with "+keysOfBoth+
			"; assize score makes one of a transcript")
	default:
		s.last = &Document{File: s.name, Number: 1, Line: s.line, Column: s.column, Before: s.before}
		if bytes.ContainsAny(s.before, "[]") {
			s.last.Skip = "an empty list"
		}
	}
	s.send()
}

var unscored = regexp.MustCompile(`"status"\s*:\s*"unscored"`)

// IsUnscored reports whether a text is the record of a dialogue that has no evaluation.
func IsUnscored(text []byte) bool {
	return unscored.Match(text) && !bytes.Contains(text, []byte(`"evaluator"`))
}
