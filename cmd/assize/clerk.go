package main

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"assize/cmd/assize/internal/report"
	pool "assize/cmd/assize/internal/run"
)

// clerk writes down what becomes of dialogues, and counts it.
type clerk struct {
	*program
	ledger       *ledger
	sink         report.Sink
	run          *pool.File // the sink, where that is a run on disk
	remedy       string     // what to do about a run that cannot go on
	onward       string     // how a run that was stopped goes on
	tally        *tally
	progress     *progress
	nameUnscored bool // the sink leaves unscored dialogues out
	isRun        bool // what is written is a run, be it on disk or not
}

// write hands every record to the sink and tells of every dialogue that could not be read.
func (k *clerk) write(postings iter.Seq[posting]) error {
	for p := range postings {
		switch {
		case p.stop != nil:
			return withHints(p.stop, k.remedy)
		case errors.Is(p.err, context.Canceled): // the run was stopped, which is told once; a record after this one would leave a gap
			return nil
		case p.record == nil:
			k.complain(p.err)
			k.tally.unread++
			if err := k.unread(&p); err != nil {
				return err
			}
			continue
		}
		if err := k.enter(&p); err != nil {
			return err
		}
		if p.unusable != nil {
			k.regret(p.unusable)
		}
		k.tally.add(&p)
		k.progress.step(k.tally, p.due.standing != nil)
	}
	return nil
}

// unread writes what could not be read where that has a place: a build server would see what is well alone.
func (k *clerk) unread(p *posting) error {
	if j, ok := k.sink.(*report.JUnit); ok {
		return j.Unread(p.due.file, p.due.place(), p.err)
	}
	return nil
}

// enter writes a record, unless it stands in the run already.
func (k *clerk) enter(p *posting) error {
	if p.due.standing == nil {
		if err := k.goOn(false); err != nil {
			return err
		}
		if err := k.ledger.complete(p); err != nil {
			return err
		}
	}
	k.ledger.enter(p)
	r := p.record
	if p.due.standing != nil {
		k.run.Pass(*p.due.standing, r)
		return nil
	}
	if k.nameUnscored && !r.Scored() {
		k.note(fmt.Sprintf("%s: dialogue %d is unscored and left out: %s", r.Source.File, r.Dialogue.ID, r.Reason))
	}
	return k.keeps(k.sink.Record(r))
}

// regret tells of a record that could not be taken over.
func (k *clerk) regret(err error) {
	if k.tally.unusable++; k.tally.unusable <= mostTold {
		k.note(fmt.Sprintf("%v; the dialogue is judged again", err))
	}
}

// finish ends the output.
func (k *clerk) finish() error {
	if rest := k.tally.unusable - mostTold; rest > 0 {
		k.note(fmt.Sprintf("%d more records cannot be taken over", rest))
	}
	if err := k.goOn(true); err != nil {
		return err
	}
	return k.keeps(k.sink.Flush())
}

// keeps tells that what is written of a run is not lost by an error.
func (k *clerk) keeps(err error) error {
	switch {
	case errors.Is(err, pool.ErrTouched):
		return withHints(err, "the same command tells what is left of it")
	case err != nil && k.run != nil:
		return withHints(err, fmt.Sprintf("%s are kept; %s", report.Counted(k.tally.records, "record"), k.onward))
	}
	return err
}

// stopped ends the output of a run that was stopped. Such a run is not closed.
func (k *clerk) stopped(out *output) error {
	err := fmt.Errorf("stopped after %s; the rest is not scored", report.Counted(k.tally.records, "dialogue"))
	if k.run != nil {
		err = withHints(err, k.onward)
	}
	k.complain(err)
	if k.isRun {
		return out.abandon()
	}
	return errors.Join(k.sink.Flush(), out.abandon())
}

// goOn looks at what stood in a run before anything is added to it, and tells how the run goes on; ends is whether there
// is nothing to add but its end.
func (k *clerk) goOn(ends bool) error {
	if k.run == nil || k.run.Written() > 0 {
		return nil
	}
	if err := k.run.Check(); err != nil {
		return withHints(err, k.remedy)
	}
	passed, torn := report.Counted(k.run.Passed(), "record"), k.run.Torn()
	switch {
	case ends && k.run.Finished():
		k.note(fmt.Sprintf("%s: is complete with %s; nothing is judged", k.run.Path(), passed))
	case k.run.Passed() > 0:
		k.note(fmt.Sprintf("%s: goes on after %s", k.run.Path(), passed))
	}
	if torn > 0 {
		k.note(fmt.Sprintf("%s: the last line was not written to its end; %s of it %s cut off", k.run.Path(), report.Counted(int(torn), "byte"), is(int(torn))))
	}
	return nil
}
