package check

import (
	"fmt"
	"io"
	"iter"
)

// Document is an evaluation as it stands in a file.
//
// Before, Text and After of all the documents of a file, one behind the other, are the file, free of gzip and UTF-16: so
// a document can be put right, and everything around it stays. Only where one is Cut is that not so.
type Document struct {
	File         string // as the user named it; "-" for standard input
	Number       int    // its place in the file, from 1; a broken document takes a place too, the header and the closing line of a run none
	Line, Column int    // where Text begins in the file, from 1; the column counts bytes
	Before       []byte // what stands between the document before it, or the beginning of the file, and this one
	Text         []byte // the JSON of the document, or of what should be one
	After        []byte // what stands behind the last document of a file
	Skip         string // why there is nothing to check: HeaderOfRun, EndOfRun, Unscored or "an empty list"; empty for an evaluation
	Cut          bool   // it is too large, and not all of it is here
	broken       string // why there is no use in parsing Text
	prose        bool   // it is the first in its file with text around it that is no JSON
	faults       []fault
}

// fault is what is wrong with the list that a document stands in.
type fault struct {
	line, column int
	msg          string
}

// mostText is how many bytes of a file one document may take, as for dialogues.
const mostText = 64 << 20

// Documents yields the evaluations in r: one JSON object, JSON lines, a list, or the answer of a model with
// prose and a code fence around it; the stream may be compressed with gzip. Runs are read too: their header,
// their closing line and their unscored records are yielded with Skip set, so that nothing is passed over in silence.
//
// There is at least one document, be it an empty one. What is wrong with a document is for [Checker.Check] to
// find, be it that it is no JSON at all. An error is only ever one of r itself, and the last thing that is
// yielded. The sequence reads r to its end and so works once; it holds no more than one document at a time,
// except that text which is not JSON is read whole, up to 64 MiB.
func Documents(r io.Reader, name string) iter.Seq2[Document, error] {
	return documentsWithin(mostText, r, name)
}

func documentsWithin(most int, r io.Reader, name string) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		s := splitter{name: name, most: most, yield: yield, position: position{1, 1}}
		var err error
		if s.in, s.before, err = decode(r); err == nil {
			err = s.split()
		}
		if err != nil && !s.stopped {
			s.flush()
		}
		if err != nil && !s.stopped {
			yield(Document{}, fmt.Errorf("%s: %w", name, err))
		}
	}
}

// Why there is nothing to check in a document.
const (
	HeaderOfRun = "header of a run"
	EndOfRun    = "closing line of a run"
	Unscored    = "unscored"
	emptyList   = "an empty list"
)

// skip tells why a value of a run is no evaluation.
func skip(text []byte) string {
	if !mayBeSkipped(text) {
		return ""
	}
	root, err := parse(string(text))
	switch {
	case err != nil || root.has("evaluator"):
		return ""
	case root.has("assize_run"):
		return HeaderOfRun
	case root.has("assize_run_end"):
		return EndOfRun
	}
	if status, _ := root.get("status").words(); status == Unscored {
		return Unscored
	}
	return ""
}
