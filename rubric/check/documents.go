package check

import (
	"bytes"
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
// byte-order mark: so a document can be corrected while everything around it stays.
type Document struct {
	File         string // as the user named it; "-" for standard input
	Number       int    // its place in the file, from 1
	Line, Column int    // where Text begins in the file, from 1; the column counts bytes
	Before       []byte // the text between the document before it, or the beginning of the file, and this one
	Text         []byte // the JSON of the document, or of what should be one
	After        []byte // the text after the last document of a file
	Skip         string // why there is nothing to check: Unscored, or other words

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
	mostText = 64 << 20 // how many bytes a file may have, as a dialogue may
	blanks   = " \t\r\n"

	thoughtEnds = "</think>"
)

// Documents yields the evaluations in r: one JSON object, JSON lines, a list, or the answer of a model with prose
// and a code fence around it; the stream may be compressed with gzip. Unscored records are yielded with Skip set, so
// that nothing is dropped silently.
//
// There is at least one document, possibly an empty one. [Checker.Check] reports what is wrong with a document, even
// that it is not JSON. The only errors are those of r itself, behind what could be read, and one of a file of more
// than 64 MiB; there is no document then.
func Documents(r io.Reader, name string) iter.Seq2[Document, error] {
	return documentsWithin(mostText, r, name)
}

func documentsWithin(most int, r io.Reader, name string) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		var text []byte // what could be read, also where reading fails
		in, err := dialogue.Unwrap(r)
		if err == nil {
			text, err = io.ReadAll(io.LimitReader(in, int64(most)+1))
		}
		if len(text) > most {
			text, err = nil, fmt.Errorf("more than %d MiB; want the evaluations in several files", most>>20)
		}
		if err == nil || len(text) > 0 {
			s := splitter{name: name, text: text, thought: bytes.LastIndex(text, []byte(thoughtEnds))}
			for s.next() {
			}
			for _, d := range s.finish() {
				if !yield(d, nil) {
					return
				}
			}
		}
		if err != nil {
			yield(Document{}, fmt.Errorf("%s: %w", name, err))
		}
	}
}

// splitter cuts a text into documents.
type splitter struct {
	name    string
	text    []byte
	end     int  // of the last document
	at      int  // what is before it has been looked at
	wasted  int  // bytes that were read as JSON in vain
	thought int  // where the last thought of a model ends; below 0 for none
	thinks  bool // one has begun
	prose   bool // there is text that is not JSON
	told    bool // a document says so
	list    []Document
}

// pass moves over n bytes, which are no document.
func (s *splitter) pass(n int) {
	piece := s.text[s.at : s.at+n]
	s.prose = s.prose || len(bytes.Trim(piece, blanks+",[]")) > 0
	s.thinks = s.thinks || bytes.Contains(piece, []byte("<think>"))
	s.at += n
}

// next finds the next document. It reports whether there may be another.
func (s *splitter) next() bool {
	brace := bytes.IndexByte(s.text[s.at:], '{')
	if brace < 0 {
		s.pass(len(s.text) - s.at)
		return false
	}
	s.pass(brace)
	if s.thinks && s.at < s.thought { // what was drafted is not the answer
		s.pass(bytes.Index(s.text[s.at:], []byte(thoughtEnds)))
		s.thinks = false
		return true
	}
	if !objectLike.Match(s.text[s.at:]) {
		s.pass(1)
		return true
	}
	size, valid := s.value()
	piece := s.text[s.at : s.at+size]
	if !valid {
		piece = bytes.TrimRight(piece, blanks+",") // Check reports what is wrong with it
	}
	if s.prose && !anyKey.Match(piece) {
		s.pass(size)
	} else {
		s.add(piece)
	}
	return true
}

// value finds the end of the object that begins here. Where it is not valid, it ends where the next object begins a
// line, or with the code fence: so a broken line spoils only itself.
func (s *splitter) value() (size int, valid bool) {
	rest := s.text[s.at:]
	if s.wasted < mostText {
		dec := jsontext.NewDecoder(bytes.NewBuffer(rest), jsontext.AllowDuplicateNames(true))
		if _, err := dec.ReadValue(); err == nil {
			return int(dec.InputOffset()), true
		}
		s.wasted += int(dec.InputOffset())
	}
	if next := nextBegins.FindIndex(rest); next != nil {
		return next[0], false
	}
	return len(rest), false
}

// nextBegins is where a broken object ends.
var nextBegins = regexp.MustCompile("\n(?:\\{|```)")

// objectLike tells a broken object from braces in prose: {"key", {'key' or {“key”.
var objectLike = regexp.MustCompile(`^\{[ \t\r\n]*(?:["'}/“]|$)`)

// anyKey is a key of an evaluation or of a record.
var anyKey = regexp.MustCompile(strings.Join(slices.Concat(debateKeys, singleKeys), "|") + "|dialogue_id")

// add makes a document of the text that begins here.
func (s *splitter) add(text []byte) {
	place := position{1, 1}
	if n := len(s.list); n > 0 {
		last := s.list[n-1]
		place = position{last.Line, last.Column}.after(last.Text)
	}
	place = place.after(s.text[s.end:s.at])
	d := Document{File: s.name, Number: len(s.list) + 1, Line: place.line, Column: place.column,
		Before: s.text[s.end:s.at], Text: slices.Clip(text)}
	if IsUnscored(text) {
		d.Skip = Unscored
	}
	s.tellProse(&d)
	s.list = append(s.list, d)
	s.at += len(text)
	s.end = s.at
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

// finish gives the documents, the last with all that is behind it.
func (s *splitter) finish() []Document {
	if n := len(s.list); n > 0 {
		s.list[n-1].After = s.text[s.end:]
		s.tellProse(&s.list[n-1])
		return s.list
	}
	d := Document{File: s.name, Number: 1, Line: 1, Column: 1}
	if s.prose { // there is no object
		d.Text, d.isBroken = s.text, true
		message := "the text holds no evaluation: no JSON object with " + keysOfBoth +
			"; assize score makes one of a transcript"
		d.findings = []Finding{{ID: "not-an-evaluation", Severity: Error, Message: message}}
		return []Document{d}
	}
	end := position{1, 1}.after(s.text)
	d.Line, d.Column, d.Before = end.line, end.column, s.text
	if bytes.ContainsAny(s.text, "[]") {
		d.Skip = "an empty list"
	}
	return []Document{d}
}

var unscored = regexp.MustCompile(`"status"\s*:\s*"unscored"`)

// IsUnscored reports whether a text is the record of a dialogue that has no evaluation.
func IsUnscored(text []byte) bool {
	return unscored.Match(text) && !bytes.Contains(text, []byte(`"evaluator"`))
}
