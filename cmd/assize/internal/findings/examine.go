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

// Document is a document that was read, or why the rest of its file could not be.
type Document struct {
	check.Document
	checker   *check.Checker // that of its run; the examiner's own where it is in none
	headerErr error          // why the rubric of its run cannot be used; reported with the first evaluation of the run
	Err       error
}

// Documents reads the documents of a file. An unfinished run is an Err of type [*run.Unfinished].
func (x *Examiner) Documents(r io.Reader, file string) iter.Seq[Document] {
	return func(yield func(Document) bool) {
		d := Document{checker: x.Checker}
		var headerErr error       // not reported yet
		open, records := false, 0 // whether this is a run that is not closed yet, and what is in it
		for d.Document, d.Err = range check.Documents(r, file) {
			var closing *run.End
			switch d.headerErr = nil; d.Skip {
			case check.HeaderOfRun:
				d.checker, headerErr = x.checkerOf(&d.Document)
				open, records = true, 0
			case check.EndOfRun:
				if e, err := run.ParseEnd(d.Text); err == nil && open && e.Records != records {
					closing = &e
				}
				open = false
			case check.Unscored:
				records++
			case "":
				records++
				d.headerErr, headerErr = headerErr, nil
			}
			if !yield(d) || closing != nil && !yield(Document{Err: &run.Unfinished{File: file, Closing: closing, Records: records}}) {
				return
			}
		}
		if len(d.After) == 0 && (d.Skip == "" || d.Skip == check.Unscored) { // a record without a line break, in which the run ends
			records--
		}
		if open {
			yield(Document{Err: &run.Unfinished{File: file, Records: records}})
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
	Note       string       // on the dialogue that they were compared with
	HeaderErr  error        // why the rubric of its run was not used
	Err        error        // why there is nothing to check
}

// Examine checks one document.
func (x *Examiner) Examine(d Document) (e Examined) {
	e.Report.Document, e.HeaderErr = d.Document, d.headerErr
	if e.Err = d.Err; e.Err != nil || d.Skip != "" {
		return e
	}
	var t *check.Transcript
	if x.Transcripts != nil {
		t, e.Note, e.Unverified = x.Transcripts.find(d.Text)
	}
	e.Report = d.checker.Check(d.Document, t)
	if x.Fix && len(e.Report.Edits) > 0 {
		edits := e.Report.Edits
		d.Text = e.Report.Fix()
		e.Report = d.checker.Check(d.Document, t)
		e.Report.Edits = edits
	}
	where := fmt.Sprintf("%s:%d: ", d.File, d.Line)
	switch {
	case e.Report.Verified || e.Report.Protocol == "": // a record has its own turns; what is no evaluation has no quotes
		e.Unverified = nil
	case e.Unverified != nil:
		e.Unverified = fmt.Errorf("%sthe quotes of this evaluation are not verified: %w", where, e.Unverified)
	}
	if e.Note != "" {
		e.Note = where + e.Note
	}
	return e
}
