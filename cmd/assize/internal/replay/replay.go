package replay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"assize/cmd/assize/internal/record"
	pool "assize/cmd/assize/internal/run"
)

// Replay works runs out again. It is safe for concurrent use.
type Replay struct {
	This  This
	Court *Court // judges the recorded turns again; nil for nobody
	Jobs  int    // how many records are worked out at once
}

// Result is what became of one line of a run.
type Result struct {
	Line        int
	Heading     *Heading       // of a header; nil for a record
	DialogueID  *int           // nil where it cannot be read
	Record      *record.Record // as it comes out of its evidence; nil where no record can be made of the line
	Differences []Difference   // the causes first; of a header, they are the Heading's
	Now         *record.Record // as it comes out where the agents are asked again; nil where nobody is
	Judged      bool           // the agents were asked again, and answered
	Again       *Again         // what they answer otherwise; nil for nothing
	End         bool           // it is a closing line
	Unfinished  bool           // of no line: the run, or one of those in the file, has no closing line
	Unchecked   bool           // there is nothing that the record could be held against
	Err         error          // the line, or all after it, could not be read; or it could not be judged again
}

// Run works a run out again, in the order of its lines. It ends early when ctx does.
func (rp *Replay) Run(ctx context.Context, r io.Reader, file string) iter.Seq[Result] {
	return pool.Ordered(ctx, rp.Jobs, rp.items(ctx, r, file), rp.work)
}

// item is a record to be worked out, or a result that stands already.
type item struct {
	line    record.Line
	section *section
	behind  bool // it stands behind the closing line
	result  *Result
}

// section is a header with what stands under it. Records before any header are one too.
type section struct {
	heading *Heading // nil for none
	hearing *hearing // nil where nobody judges again
	ending
}

// items reads a run.
func (rp *Replay) items(ctx context.Context, r io.Reader, file string) iter.Seq[item] {
	return func(yield func(item) bool) {
		var current *section
		begin := func(h *Heading, e ending, res Result) bool {
			current, res.Err = rp.open(ctx, h)
			current.ending = e
			if res.Err != nil {
				res.Err = fmt.Errorf("%s: %w", file, res.Err)
			}
			return h == nil && res.Err == nil || yield(item{result: &res})
		}
		for l, err := range record.Scan(r, file) {
			var h *Heading
			if err == nil {
				h, err = rp.This.heading(l)
			}
			more := true
			switch {
			case err == nil && l.BeginsEnd():
				more = (current != nil || begin(nil, ending{}, Result{})) && yield(item{result: current.close(l)})
			case err != nil: // what does not even begin as a header is no run
				more = yield(item{result: &Result{Line: l.Number, Err: err}}) && l.BeginsHeader()
				current = &section{heading: h, ending: opened(l)}
			case h != nil:
				more = current.finished(yield) && begin(h, opened(l), Result{Line: l.Number, Heading: h, Differences: h.Differences})
			default:
				more = current != nil || begin(nil, ending{}, Result{})
				more = more && yield(item{line: l, section: current, behind: current.add(l)})
			}
			if !more {
				return
			}
		}
		current.finished(yield)
	}
}

// open begins a section. Its error tells why it cannot be judged again.
func (rp *Replay) open(ctx context.Context, h *Heading) (s *section, refusal error) {
	s = &section{heading: h}
	if rp.Court != nil && (h == nil || !h.NoBasis) {
		s.hearing, refusal = rp.Court.open(ctx, h)
	}
	return s, refusal
}

// work works one record out again.
func (rp *Replay) work(ctx context.Context, it item) Result {
	if it.result != nil {
		return *it.result
	}
	res := Result{Line: it.line.Number}
	h := it.section.heading
	if h != nil && h.NoBasis {
		res.Unchecked = true
		return res
	}
	if h != nil {
		it.line = it.line.Under(&h.Header)
	}
	r, err := it.line.Decode()
	var mismatch *record.Mismatch
	switch {
	case errors.As(err, &mismatch):
		r, res.Differences = mismatch.Record, explain(it.line.Basis(), mismatch)
	case err != nil:
		res.Differences, res.DialogueID = unreadable(it.line, err)
		return res
	}
	res.Record, res.DialogueID = r, &r.Dialogue.ID
	if it.behind {
		res.Differences = append(res.Differences, Difference{Says: "stands behind the closing line; want it before that, or a header between them"})
	}
	res.Differences = append(res.Differences, h.kept(r)...)
	if it.section.hearing != nil && !r.CitedOnly {
		if res.Now, res.Err = it.section.hearing.judge(ctx, r); res.Err == nil {
			res.Again, res.Err = hold(r, res.Now, it.line.Text, len(res.Differences) == 0)
		}
		res.Judged = res.Err == nil
	}
	return res
}

// kept tells where a record keeps less than the header says.
func (h *Heading) kept(r *record.Record) []Difference {
	if h == nil {
		return nil
	}
	return append(h.keptTurns(r), h.keptModel(r)...)
}

// keptModel tells where a record lacks what a model on the bench leaves, or has it without one. Where the dialogue is
// unscored, the model may not have been asked.
func (h *Heading) keptModel(r *record.Record) (list []Difference) {
	conf := h.Header.Configuration
	seated := conf.Evaluator != "rules" || conf.Critic != "rules"
	add := func(pointer, says string) { list = append(list, Difference{Pointer: pointer, Says: says}) }
	switch {
	case seated && r.Scored() && r.Model == nil:
		add("/model", "is missing; the header says that a model was on the bench")
	case !seated && r.Model != nil:
		add("/model", "is there; the header says that the rules alone judged")
	}
	checked := conf.Evaluator == "model" && r.Scored() && !slices.Contains(r.Fallback, record.Evaluator)
	switch {
	case checked && r.CrossCheck == nil:
		add("/cross_check", "is missing; the header says that a model was the Evaluator")
	case !checked && r.CrossCheck != nil:
		add("/cross_check", "is there, though no model was the Evaluator")
	}
	if len(r.Fallback) > 0 && conf.Fallback == "" {
		add("/fallback", "is there; the header says that nobody takes over from the model")
	}
	return list
}

// keptTurns tells where a record keeps other turns than the header says.
func (h *Heading) keptTurns(r *record.Record) []Difference {
	if r.Source.Turns == 0 {
		return nil
	}
	switch cited := h.Header.Configuration.Transcript == "cited"; {
	case r.CitedOnly && !cited:
		return []Difference{{Pointer: "/turns", Says: "are only those that are cited; the header says that all are kept"}}
	case !r.CitedOnly && cited:
		return []Difference{{Pointer: "/turns", Says: "are all; the header says that only those are kept that are cited"}}
	}
	return nil
}

// unreadable tells why no record can be made of a line.
func unreadable(l record.Line, err error) ([]Difference, *int) {
	var field *record.FieldError
	tree, invalid := parse(l.Text)
	switch {
	case invalid != nil && l.Torn:
		return []Difference{{Says: fmt.Sprintf("breaks off after %d bytes: the writing of the run was cut short", len(l.Text))}}, nil
	case invalid != nil:
		return []Difference{{Says: fmt.Sprintf("cannot be read as JSON: %v", invalid)}}, nil
	case !errors.As(err, &field):
		return []Difference{{Says: fmt.Sprintf("cannot be read: %v", err)}}, nil
	}
	d := Difference{Pointer: field.Pointer, Says: field.Msg}
	if n := tree.follow(field.Pointer); n != nil {
		d.Recorded = string(n.raw)
	}
	var id *int
	if n := tree.at("dialogue_id"); n != nil {
		_ = json.Unmarshal(n.raw, &id) // what is no number is no id
	}
	return []Difference{d}, id
}
