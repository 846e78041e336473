// Package batch judges many dialogues in the order of the input, and resumes a run that was stopped.
package batch

import (
	"context"
	"fmt"
	"iter"

	"assize/cmd/assize/internal/judge"
	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/source"

	"golang.org/x/sync/semaphore"
)

// Batch is how dialogues are judged.
type Batch struct {
	Judge  *judge.Judge
	Jobs   int // how many dialogues at once
	Run    *run.Writer
	Header *run.Header
	// Deleted are left out of the results. They still count as the first to say what they said.
	Deleted map[run.Identity]bool
}

// Result is what came of an item.
type Result struct {
	Item    source.Item
	Record  *run.Record
	Stored  *run.Line // the line of the run that holds the record already; nil where it was judged now
	Err     error     // why there is no record
	deleted bool
	dropped error   // why the run cannot be resumed
	said    run.Key // of the turns
	size    int64   // what it counts for in maxUnderWay
}

// maxUnderWay bounds the dialogues that are judged or wait to be written, in bytes of their turns with a little for
// each: a long one takes twenty times as much memory while it is judged. One that is longer is judged alone.
const maxUnderWay = 6 << 20

// All judges items, several at once, and yields the results in the order of the items. Records that the run holds
// already are taken from it: the first is that of the first dialogue that can be read, and so on. A dialogue with the
// same turns as one before names it. The error ends everything: the run does not hold the records of these dialogues.
func (b *Batch) All(ctx context.Context, items iter.Seq[source.Item]) iter.Seq2[Result, error] {
	return func(yield func(Result, error) bool) {
		first := map[run.Key]run.Origin{}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		room := semaphore.NewWeighted(maxUnderWay)
		bounded := func(yield func(Result) bool) {
			for r := range b.withStored(items) {
				for _, t := range r.Item.Sample.Dialogue.Turns {
					r.size += int64(len(t.Text)) + 200
				}
				r.size = min(r.size, maxUnderWay)
				if room.Acquire(ctx, r.size) != nil || !yield(r) {
					return
				}
			}
		}
		for r := range run.Ordered(ctx, b.Jobs, bounded, b.judge) {
			if r.dropped == nil && r.Err == nil {
				r.nameFirst(first)
			}
			if (!r.deleted || r.dropped != nil) && !yield(r, r.dropped) || r.dropped != nil {
				return
			}
			room.Release(r.size)
		}
	}
}

// withStored adds to each dialogue the line that the run holds of it.
func (b *Batch) withStored(items iter.Seq[source.Item]) iter.Seq[Result] {
	stored := func(func(run.Line, error) bool) {}
	if b.Run != nil {
		stored = b.Run.Lines()
	}
	return func(yield func(Result) bool) {
		next, stop := iter.Pull2(stored)
		defer stop()
		for it := range items {
			r := Result{Item: it}
			if it.Err == nil && b.Deleted != nil {
				r.deleted = b.Deleted[b.Judge.Blank(it.Sample).Identity()]
			}
			if it.Err == nil && !r.deleted {
				if line, err, ok := next(); ok {
					line = line.Under(b.Header)
					r.Stored, r.dropped = &line, err
				}
			}
			if !yield(r) {
				return
			}
		}
		if line, err, ok := next(); ok {
			if err == nil {
				line = line.Under(b.Header)
				what := "the dialogue of this record"
				if r, e := line.Decode(); e == nil {
					what = name(r)
				}
				err = wrong(&line, "the input ends before %s", what)
			}
			yield(Result{dropped: err})
		}
	}
}

// judge makes the record of a dialogue, or takes it from the run.
func (b *Batch) judge(ctx context.Context, r Result) Result {
	switch {
	case r.dropped != nil:
	case r.Item.Err != nil:
		r.Err = b.Judge.Mask(r.Item.Err)
	case r.Stored != nil:
		if r.Record, r.dropped = r.Stored.Decode(); r.dropped == nil {
			r.dropped = r.check(b.Judge.Blank(r.Item.Sample))
		}
	case r.deleted:
		r.Record = b.Judge.Blank(r.Item.Sample)
	default:
		r.Record, r.Err = b.Judge.Judge(ctx, r.Item.Sample)
	}
	r.said = run.KeyOf(r.Item.Sample.Dialogue.Digest())
	return r
}

// check tells why a stored record is not that of the dialogue.
func (r *Result) check(is *run.Record) error {
	is.Source.DuplicateOf = r.Record.Source.DuplicateOf // checked in the order of the dialogues
	switch stored := r.Record; {
	case stored.Dialogue.ID != is.Dialogue.ID || stored.Source.File != is.Source.File:
		return wrong(r.Stored, "is of %s, but the input has %s in its place", name(stored), name(is))
	case stored.Source.Digest != is.Source.Digest:
		return wrong(r.Stored, "%s has other turns than when it was judged: it has changed, or dialogues "+
			"before it were added or removed", name(is))
	case !stored.Same(is):
		return wrong(r.Stored, "the metadata or ratings of %s have changed since it was judged", name(is))
	}
	return nil
}

// nameFirst notes which dialogue of the run said the same first, if one did.
func (r *Result) nameFirst(first map[run.Key]run.Origin) {
	origin, again := first[r.said]
	if !again {
		first[r.said] = run.Origin{File: r.Record.Source.File, ID: r.Record.Dialogue.ID}
	}
	of := r.Record.Source.DuplicateOf
	switch {
	case r.Stored != nil && (again != (of != nil) || again && *of != origin):
		r.dropped = wrong(r.Stored, "which dialogue has the same turns as %s has changed since it was judged", name(r.Record))
	case r.Stored == nil && again:
		r.Record.Source.DuplicateOf = &origin
	}
}

func name(r *run.Record) string {
	return fmt.Sprintf("dialogue %d of %s", r.Dialogue.ID, r.Source.File)
}

func wrong(line *run.Line, format string, args ...any) error {
	return &run.LineError{File: line.File, Line: line.Number, Err: fmt.Errorf(format, args...)}
}
