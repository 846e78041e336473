// Package batch judges many dialogues in the order of the input, and resumes a run that was stopped.
package batch

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"assize/cmd/assize/internal/judge"
	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/source"
	"assize/rubric/dialogue"
)

// Batch is how dialogues are judged.
type Batch struct {
	Judge  *judge.Judge
	Jobs   int // how many dialogues at once
	Run    *run.Writer
	Header *run.Header
}

// Result is what came of an item.
type Result struct {
	Item    source.Item
	Record  *run.Record
	Stored  *run.Line // the line of the run that holds the record already; nil where it was judged now
	Err     error     // why there is no record
	dropped error     // why the run cannot be resumed
	said    run.Key   // of the turns
}

// All judges items, several at once, and yields the results in the order of the items. Records that the run holds
// already are taken from it: the first is that of the first dialogue that can be read, and so on. A dialogue with the
// same turns as one before names it. The error ends everything: the run does not hold the records of these dialogues.
func (b *Batch) All(ctx context.Context, items iter.Seq[source.Item]) iter.Seq2[Result, error] {
	return func(yield func(Result, error) bool) {
		first := map[run.Key]run.Origin{}
		for r := range run.Ordered(ctx, b.Jobs, b.withStored(items), b.judge) {
			if r.dropped != nil {
				yield(r, r.dropped)
				return
			}
			if r.Err == nil {
				if err := r.nameFirst(first); err != nil {
					yield(r, err)
					return
				}
			}
			if !yield(r, nil) {
				return
			}
		}
	}
}

// withStored adds to each dialogue the line that the run holds of it.
func (b *Batch) withStored(items iter.Seq[source.Item]) iter.Seq[Result] {
	return func(yield func(Result) bool) {
		next, stop := iter.Pull2(b.stored())
		defer stop()
		for it := range items {
			r := Result{Item: it}
			if it.Err == nil {
				if line, err, ok := next(); ok {
					r.Stored, r.dropped = &line, err
				}
			}
			if !yield(r) {
				return
			}
		}
		if line, err, ok := next(); ok {
			if err == nil {
				err = &run.LineError{File: line.File, Line: line.Number, Err: errors.New("the input ends before the dialogue of this record")}
				if stored, e := line.Decode(); e == nil {
					err = &run.LineError{File: line.File, Line: line.Number, Err: fmt.Errorf("the input ends before %s", name(stored))}
				}
			}
			yield(Result{dropped: err})
		}
	}
}

func (b *Batch) stored() iter.Seq2[run.Line, error] {
	return func(yield func(run.Line, error) bool) {
		if b.Run == nil {
			return
		}
		for line, err := range b.Run.Lines() {
			if !yield(line.Under(b.Header), err) {
				return
			}
		}
	}
}

// judge makes the record of a dialogue, or takes it from the run.
func (b *Batch) judge(ctx context.Context, r Result) Result {
	switch {
	case r.dropped != nil:
		return r
	case r.Item.Err != nil:
		r.Err = b.Judge.Mask(r.Item.Err)
		return r
	case r.Stored != nil:
		r.Record, r.dropped = b.recall(r.Stored, r.Item.Sample)
	default:
		r.Record, r.Err = b.Judge.Judge(ctx, r.Item.Sample)
	}
	r.said = run.KeyOf(r.Item.Sample.Dialogue.Digest())
	return r
}

// recall decodes the stored record of a dialogue, and checks that it is of this one.
func (b *Batch) recall(line *run.Line, s dialogue.Sample) (*run.Record, error) {
	r, err := line.Decode()
	if err != nil {
		return nil, err
	}
	if err := differs(r, b.Judge.Blank(s)); err != nil {
		return nil, &run.LineError{File: line.File, Line: line.Number, Err: err}
	}
	return r, nil
}

// differs tells why a stored record is not that of a dialogue.
func differs(stored, is *run.Record) error {
	is.Source.DuplicateOf = stored.Source.DuplicateOf // checked in the order of the dialogues
	switch {
	case stored.Dialogue.ID != is.Dialogue.ID || stored.Source.File != is.Source.File:
		return fmt.Errorf("is of %s, but the input has %s in its place", name(stored), name(is))
	case stored.Source.Digest != is.Source.Digest:
		return fmt.Errorf("%s has other turns than when it was judged: it has changed, or dialogues before it were added or removed", name(is))
	case !stored.Same(is):
		return fmt.Errorf("the metadata or ratings of %s have changed since it was judged", name(is))
	}
	return nil
}

func name(r *run.Record) string {
	return fmt.Sprintf("dialogue %d of %s", r.Dialogue.ID, r.Source.File)
}

// nameFirst notes which dialogue of the run said the same first, if one did.
func (r *Result) nameFirst(first map[run.Key]run.Origin) error {
	origin, again := first[r.said]
	if !again {
		first[r.said] = run.Origin{File: r.Record.Source.File, ID: r.Record.Dialogue.ID}
	}
	if r.Stored == nil {
		if again {
			r.Record.Source.DuplicateOf = &origin
		}
		return nil
	}
	if of := r.Record.Source.DuplicateOf; again != (of != nil) || again && *of != origin {
		return &run.LineError{File: r.Stored.File, Line: r.Stored.Number, Err: fmt.Errorf("which dialogue has the same turns as %s has changed since it was judged", name(r.Record))}
	}
	return nil
}
