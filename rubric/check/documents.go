package check

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"assize/rubric/dialogue/importer"
)

// Document is an evaluation as it appears in a file. Concatenating Before, Text and After of all
// documents reproduces the file (after decompression, and without UTF-16 and the byte-order mark),
// so one document can be corrected without changing anything around it.
type Document struct {
	File         string // as the user named it; "-" for standard input
	Number       int    // its index in the file, from 1
	Line, Column int    // the position of Text in the file, from 1; Column counts bytes
	// the text between the previous document, or the beginning of the file, and this one
	Before []byte
	Text   []byte // the JSON of the document, or what should be JSON
	After  []byte // the text after the last document of a file
	Skip   string // why there is nothing to check: Unscored or another reason

	isBroken bool      // Text cannot be parsed; findings explains why
	findings []Finding // about the whole text and the text around it
}

type position struct{ line, column int }

func (p position) after(text []byte) position {
	if n := bytes.Count(text, []byte("\n")); n > 0 {
		return position{p.line + n, len(text) - bytes.LastIndexByte(text, '\n')}
	}
	return position{p.line, p.column + len(text)}
}

// Unscored is the value of Document.Skip for a record without an evaluation.
const Unscored = "unscored"

const (
	maxText = 64 << 20 // maximum size of a file in bytes, the same as for a dialogue
	blanks  = " \t\r\n"
)

// Documents yields the evaluations in r: one JSON object, JSON lines, a list, or a model's answer
// with prose and a code fence around it; the stream may be compressed with gzip. It yields unscored
// records with Skip set, so that nothing is dropped silently. It yields at least one document,
// which may be empty. [Checker.Check] reports all faults of a document, including invalid JSON. The
// only errors are those of reading r, which follow the documents that could be read, and one for a
// file larger than 64 MiB, which has no documents.
func Documents(r io.Reader, name string) iter.Seq2[Document, error] {
	return documentsWithin(maxText, r, name)
}

func documentsWithin(limit int, r io.Reader, name string) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		var text []byte // the text read, even if reading fails
		in, err := importer.Unwrap(r)
		if err == nil {
			text, err = io.ReadAll(io.LimitReader(in, int64(limit)+1))
		}
		if len(text) > limit {
			text, err = nil, fmt.Errorf("more than %d MiB; want the evaluations in several files",
				limit>>20)
		}
		if err == nil || len(text) > 0 {
			s := splitter{name: name, text: text,
				reasoningEnd: bytes.LastIndex(text, []byte("</think>"))}
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

// splitter splits a text into documents.
type splitter struct {
	name         string
	text         []byte
	end          int  // end of the last document
	offset       int  // everything before this offset has been examined
	failedBytes  int  // bytes that were parsed as JSON without success
	reasoningEnd int  // end of the model's last reasoning block; negative if there is none
	hasProse     bool // there is text other than JSON
	before       int  // number of the documents before it
	list         []Document
}

// skip skips n bytes that belong to no document.
func (s *splitter) skip(n int) {
	piece := s.text[s.offset : s.offset+n]
	if !s.hasProse && len(bytes.Trim(piece, blanks+",[]")) > 0 {
		s.hasProse, s.before = true, len(s.list)
	}
	s.offset += n
}

// next finds the next document. It reports whether there may be another.
func (s *splitter) next() bool {
	rest := s.text[s.offset:]
	brace := bytes.IndexByte(rest, '{')
	if brace < 0 {
		s.skip(len(rest))
		return false
	}
	// drafts inside reasoning are not the answer
	if at := bytes.Index(rest[:brace], []byte("<think>")); at >= 0 && s.offset+at < s.reasoningEnd {
		s.skip(at + bytes.Index(rest[at:], []byte("</think>")))
		return true
	}
	s.skip(brace)
	if !objectLike.Match(s.text[s.offset:]) {
		s.skip(1)
		return true
	}
	size, valid := s.value()
	piece := s.text[s.offset : s.offset+size]
	if !valid {
		piece = bytes.TrimRight(piece, blanks+",") // Check reports the fault
	}
	if s.hasProse && !anyKey.Match(piece) {
		s.skip(size)
	} else {
		s.add(piece)
	}
	return true
}

// value finds the end of the object at the current position. An invalid object ends where the next
// object begins a line, or at the code fence, so that a broken line affects only itself.
func (s *splitter) value() (size int, valid bool) {
	rest := s.text[s.offset:]
	if s.failedBytes < maxText {
		dec := jsontext.NewDecoder(bytes.NewBuffer(rest), jsontext.AllowDuplicateNames(true))
		if _, err := dec.ReadValue(); err == nil {
			return int(dec.InputOffset()), true
		}
		s.failedBytes += int(dec.InputOffset())
	}
	if next := nextBegins.FindIndex(rest); next != nil {
		return next[0], false
	}
	return len(rest), false
}

// nextBegins matches the end of a broken object.
var nextBegins = regexp.MustCompile("\n(?:\\{|```)")

// objectLike distinguishes a broken object from braces in prose: {"key", {'key' or {“key”.
var objectLike = regexp.MustCompile(`^\{[ \t\r\n]*(?:["'}/“]|$)`)

// anyKey matches a key of an evaluation or of a record.
var anyKey = regexp.MustCompile(strings.Join(allKeys, "|") + "|dialogue_id")

// add creates a document from the text at the current position.
func (s *splitter) add(text []byte) {
	place := position{1, 1}
	if n := len(s.list); n > 0 {
		last := s.list[n-1]
		place = position{last.Line, last.Column}.after(last.Text)
	}
	place = place.after(s.text[s.end:s.offset])
	d := Document{File: s.name, Number: len(s.list) + 1, Line: place.line, Column: place.column,
		Before: s.text[s.end:s.offset], Text: slices.Clip(text)}
	if IsUnscored(text) {
		d.Skip = Unscored
	}
	s.list = append(s.list, d)
	s.offset += len(text)
	s.end = s.offset
}

// finish returns the documents; the last includes all text after it. The first one that other text
// surrounds has a finding about it.
func (s *splitter) finish() []Document {
	if n := len(s.list); n > 0 {
		s.list[n-1].After = s.text[s.end:]
		if d := &s.list[min(s.before, n-1)]; s.hasProse && d.Number == 1 {
			d.findings = []Finding{finding("text-around")}
		} else if s.hasProse { // not a model's greeting
			d.findings = []Finding{finding("text-around/between")}
		}
		return s.list
	}
	d := Document{File: s.name, Number: 1, Line: 1, Column: 1}
	if s.hasProse { // there is no object
		d.Text, d.isBroken = s.text, true
		d.findings = []Finding{finding("not-an-evaluation/text")}
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

// IsUnscored reports whether text is the record of a dialogue without an evaluation.
func IsUnscored(text []byte) bool {
	return unscored.Match(text) && !bytes.Contains(text, []byte(`"evaluator"`))
}
