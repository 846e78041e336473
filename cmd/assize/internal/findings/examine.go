package findings

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"assize/cmd/assize/internal/run"
	"assize/rubric/check"
)

// Examiner checks the evaluations in files.
type Examiner struct {
	Checker     *check.Checker
	Transcripts *Transcripts // nil for none
	OwnRubric   bool         // the user named a rubric, which holds for runs too
	OwnMapping  bool         // and likewise a mapping
	Fix         bool         // correct what can be computed
}

// Examined is a document of a file with what was found in it.
type Examined struct {
	check.Report       // with Fix that of the corrected document, and the edits that it took
	Unverified   error // why its quotes could not be compared with the transcripts
	Err          error // why there is nothing to check; a [*run.Unfinished] behind a run that is not whole
	checker      *check.Checker
}

// Examine reads files one after the other, checks jobs of their documents at once, and yields them in order.
func (x *Examiner) Examine(ctx context.Context, jobs int, files []string,
	open func(file string) (io.ReadCloser, error)) iter.Seq[Examined] {
	return run.Ordered(ctx, jobs, func(yield func(Examined) bool) {
		for _, file := range files {
			r, err := open(file)
			if err != nil {
				if !yield(Examined{Err: err}) {
					return
				}
				continue
			}
			more := x.read(r, file, yield)
			r.Close()
			if !more {
				return
			}
		}
	}, func(_ context.Context, e Examined) Examined { return x.examine(e) })
}

// read reads the documents of a file. A run whose rubric cannot be used is an error, and its evaluations are checked by
// the examiner's own.
func (x *Examiner) read(r io.Reader, file string, yield func(Examined) bool) (more bool) {
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
		if !yield(Examined{Report: check.Report{Document: d}, checker: checker, Err: err}) ||
			wrong != nil && !yield(Examined{Err: wrong}) {
			return false
		}
	}
	return !open || yield(Examined{Err: unfinished})
}

// checkerOf gives the checker of a run: by the rubric in its header, except for what the user chose. Whether the rest
// of the header is as it was written is up to replay.
func (x *Examiner) checkerOf(d *check.Document) (*check.Checker, error) {
	if x.OwnRubric {
		return x.Checker, nil
	}
	h, err := run.ParseHeader(d.Text)
	if err != nil && !errors.As(err, new(*run.HeaderError)) {
		return x.Checker, fmt.Errorf("%s:%d: %w; its evaluations are checked by the default rubric", d.File, d.Line, err)
	}
	own := *x.Checker
	if own.Rubric = h.Basis.Rubric; x.OwnMapping {
		own.Rubric.Mapping = x.Checker.Rubric.Mapping
	}
	return &own, nil
}

// examine checks one document.
func (x *Examiner) examine(e Examined) Examined {
	d := e.Document
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
	e.Report = e.checker.Check(d, t)
	if edits := e.Edits; x.Fix && len(edits) > 0 {
		d.Text = e.Fix()
		e.Report = e.checker.Check(d, t)
		e.Edits = edits
	}
	if unknown != nil && !e.Verified && e.Protocol != "" { // a record has its own turns
		e.Unverified = fmt.Errorf("%s:%d: the quotes of this evaluation are not verified: %w", d.File, d.Line, unknown)
	}
	return e
}
