package findings

import (
	"errors"
	"fmt"
	"io"
	"iter"

	"assize/cmd/assize/internal/run"
	"assize/rubric/check"
)

// Examiner checks documents. It is safe for concurrent use.
type Examiner struct {
	Checker     *check.Checker
	Transcripts *Transcripts // nil for none
	OwnRubric   bool         // the user named a rubric, which holds for runs too
	OwnMapping  bool         // and likewise a mapping
	Fix         bool         // correct what can be computed
}

// Document is a document that was read, or why one could not be.
type Document struct {
	check.Document
	checker *check.Checker // that of its run; the examiner's own where it is in none
	Err     error
}

// Documents reads the documents of a file. Err is a [*run.Unfinished] behind a run without its closing line, or with
// another number of records than that counts. A run whose rubric cannot be used is an Err too, and is checked by the
// examiner's own.
func (x *Examiner) Documents(r io.Reader, file string) iter.Seq[Document] {
	return func(yield func(Document) bool) {
		checker, open := x.Checker, false // open is whether this is a run that is not closed yet
		unfinished := &run.Unfinished{File: file}
		for d, err := range check.Documents(r, file) {
			var wrong error // with the run
			switch d.Skip {
			case check.HeaderOfRun:
				checker, wrong = x.checkerOf(&d)
				open, unfinished.Records = true, 0
			case check.EndOfRun:
				if e, err := run.ParseEnd(d.Text); err == nil && open && e.Records != unfinished.Records {
					wrong = &run.Unfinished{File: file, Closing: &e, Records: unfinished.Records}
				}
				open = false
			case check.Unscored, "":
				unfinished.Records++
			}
			if !yield(Document{d, checker, err}) || wrong != nil && !yield(Document{Err: wrong}) {
				return
			}
		}
		if open {
			yield(Document{Err: unfinished})
		}
	}
}

// checkerOf gives the checker of a run: by the rubric in its header, except for what the user chose. Whether the rest of
// the header is as it was written is up to replay.
func (x *Examiner) checkerOf(d *check.Document) (*check.Checker, error) {
	if x.OwnRubric {
		return x.Checker, nil
	}
	h, _, err := run.ParseHeader(d.Text)
	var changed *run.HeaderError
	if err != nil && (!errors.As(err, &changed) || changed.NoBasis) {
		return x.Checker, fmt.Errorf("%s:%d: %w; its evaluations are checked by the default rubric", d.File, d.Line, err)
	}
	own := *x.Checker
	if own.Rubric = h.Basis.Rubric; x.OwnMapping {
		own.Rubric.Mapping = x.Checker.Rubric.Mapping
	}
	return &own, nil
}

// Examined is the result of a check.
type Examined struct {
	Report     check.Report // with Fix that of the corrected document, and the edits that it took
	Unverified error        // why its quotes could not be compared with the transcripts
	Err        error        // why there is nothing to check
}

// Examine checks one document.
func (x *Examiner) Examine(d Document) (e Examined) {
	e.Report.Document, e.Err = d.Document, d.Err
	if x.Fix && e.Err == nil && d.Cut {
		e.Err = fmt.Errorf("%s:%d: the document is too large to be corrected", d.File, d.Line)
	}
	if e.Err != nil || d.Skip != "" {
		return e
	}
	var t *check.Transcript
	var unknown error
	if x.Transcripts != nil {
		t, unknown = x.Transcripts.find(d.Text)
	}
	e.Report = d.checker.Check(d.Document, t)
	if edits := e.Report.Edits; x.Fix && len(edits) > 0 {
		d.Text = e.Report.Fix()
		e.Report = d.checker.Check(d.Document, t)
		e.Report.Edits = edits
	}
	if unknown != nil && !e.Report.Verified && e.Report.Protocol != "" { // a record has its own turns
		e.Unverified = fmt.Errorf("%s:%d: the quotes of this evaluation are not verified: %w", d.File, d.Line, unknown)
	}
	return e
}
