package main

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"assize/cmd/assize/internal/record"
	"assize/rubric"
	"assize/rubric/check"
	"assize/rubric/dialogue"
)

// examiner looks at evaluations. It is safe for concurrent use.
type examiner struct {
	checker *check.Checker
	docket  *docket       // nil where there is no transcript
	court   *scoreOptions // what of the rubric the user chose
	fix     bool
}

// examiner reads the rubric and the transcripts. The detectors are made only where there is a transcript for
// them to look at: that takes a while.
func (p *program) examiner(ctx context.Context, o *checkOptions) (x *examiner, err error) {
	x = &examiner{court: &o.court, fix: o.fix}
	var rub rubric.Rubric
	var observe func(dialogue.Dialogue) ([]rubric.Signal, error)
	if len(o.transcripts) == 0 {
		rub, err = readRubric(&o.court)
	} else if x.docket, err = p.readDocket(ctx, o); err == nil {
		var c *court
		if c, err = newCourt(&o.court); err == nil {
			rub, observe = c.bench.Rules.Rubric, c.agents.Observe
		}
	}
	if err != nil {
		return nil, err
	}
	x.checker, err = check.New(rub, observe)
	return x, err
}

// paper is a document that was read, or why no more of its file could be.
type paper struct {
	doc     check.Document
	checker *check.Checker // that of its run; the examiner's own where it is in none
	header  error          // why that goes by the examiner's rubric after all; told with the first evaluation of the run
	err     error
}

// papers reads one file after the other.
func (p *program) papers(files []string, x *examiner) iter.Seq[paper] {
	return func(yield func(paper) bool) {
		for _, file := range files {
			it, unread := paper{checker: x.checker}, error(nil)
			r, err := p.open(file)
			if err != nil {
				if !yield(paper{err: err}) {
					return
				}
				continue
			}
			open, records := false, 0 // whether it is a run and not closed yet, and what is in it
			for it.doc, it.err = range check.Documents(r, file) {
				var end *record.End
				switch it.header = nil; it.doc.Skip {
				case check.HeaderOfRun:
					it.checker, unread = x.byHeader(&it.doc)
					open, records = true, 0
				case check.EndOfRun:
					if e, err := record.ParseEnd(it.doc.Text); err == nil && open && e.Records != records {
						end = &e
					}
					open = false
				case check.Unscored:
					records++
				case "":
					records++
					it.header, unread = unread, nil
				}
				if !yield(it) || end != nil && !yield(paper{err: &record.Unfinished{File: file, Closing: end, Records: records}}) {
					r.Close()
					return
				}
			}
			r.Close()
			if tornOff(&it.doc) { // within which the run ends
				records--
			}
			if open && !yield(paper{err: &record.Unfinished{File: file, Records: records}}) {
				return
			}
		}
	}
}

// tornOff reports whether the last document of a file is a record of a run that no line break ends.
func tornOff(last *check.Document) bool {
	return len(last.After) == 0 && (last.Skip == "" || last.Skip == check.Unscored)
}

// byHeader gives the checker of a run: by the rubric that its header carries, but for what the user chose. Whether
// the rest of the header is as it was written is for replay to say.
func (x *examiner) byHeader(d *check.Document) (*check.Checker, error) {
	if x.court.rubric != "" {
		return x.checker, nil
	}
	h, _, err := record.ParseHeader(d.Text)
	var changed *record.HeaderError
	if err != nil && (!errors.As(err, &changed) || changed.NoBasis) {
		return x.checker, fmt.Errorf("%s:%d: %w; its evaluations are checked by the usual rubric", d.File, d.Line, err)
	}
	own := *x.checker
	if own.Rubric = h.Basis.Rubric; x.court.mapping.value != "" {
		own.Rubric.Mapping = x.checker.Rubric.Mapping
	}
	return &own, nil
}

// examined is what became of a paper.
type examined struct {
	report    check.Report // with --fix of the document put right; Edits then tell what that took
	unmatched error        // why its quotes could not be held against the transcripts
	aside     string       // what is to be told of the dialogue that they were held against
	header    error        // why the rubric of its run was not used
	err       error        // why there is nothing to examine
}

// examine looks at one document.
func (x *examiner) examine(_ context.Context, it paper) (e examined) {
	e.report.Document, e.header = it.doc, it.header
	if e.err = it.err; e.err != nil || it.doc.Skip != "" {
		return e
	}
	var t *check.Transcript
	if x.docket != nil {
		var h *hearing
		if h, e.aside, e.unmatched = x.docket.find(it.doc.Text); h != nil {
			t = h.transcript()
		}
	}
	e.report = it.checker.Check(it.doc, t)
	if x.fix && len(e.report.Edits) > 0 {
		edits := e.report.Edits
		it.doc.Text = e.report.Fix()
		e.report = it.checker.Check(it.doc, t)
		e.report.Edits = edits
	}
	where := fmt.Sprintf("%s:%d: ", it.doc.File, it.doc.Line)
	switch {
	case e.report.Verified || e.report.Protocol == "": // a record has its dialogue with it; what is no evaluation has no quotes
		e.unmatched = nil
	case e.unmatched != nil:
		e.unmatched = fmt.Errorf("%sthe quotes of this evaluation are not verified: %w", where, e.unmatched)
	}
	if e.aside != "" {
		e.aside = where + e.aside
	}
	return e
}
