package main

import (
	"bytes"
	"context"
	"fmt"
	"iter"

	"assize/cmd/assize/internal/record"
	"assize/cmd/assize/internal/redact"
	pool "assize/cmd/assize/internal/run"
	"assize/rubric/dialogue"
)

// ledger knows which dialogues need not be judged: those whose records stand in the run already, those that come again,
// and those that an earlier run has.
type ledger struct {
	court   *court
	header  *record.Header
	run     *pool.File                 // nil where no run on disk is written
	places  pool.Firsts[int64]         // where in that run the records of dialogues are that come for the first time
	origins pool.Firsts[record.Origin] // and which they are, where there is none
	earlier []*pool.Earlier
}

// due is an item with what is known of it before it is judged.
type due struct {
	item
	key      pool.Key     // of its turns
	again    bool         // they have come before
	standing *record.Line // of the run on disk; nil where it does not hold the dialogue yet
	stop     error        // why that run cannot go on
}

// posting is what became of an item, and how.
type posting struct {
	due due
	outcome
	stop     error // as in due
	copied   bool  // the turns have come before, and the record has no judgement yet
	reused   bool  // an earlier run has judged them
	unusable error // why the record that an earlier run has was not taken over
}

// judged reports whether the record was judged now.
func (p *posting) judged() bool { return p.due.standing == nil && !p.copied && !p.reused }

// from hands every dialogue on with what is known of it. Of the records that stand in the run, the first is of the
// first dialogue that could be read, and so on.
func (g *ledger) from(all iter.Seq[item]) iter.Seq[due] {
	return func(yield func(due) bool) {
		next, stop := iter.Pull2(g.standing())
		defer stop()
		for it := range all {
			d := due{item: it}
			if it.err == nil {
				d.key = pool.KeyOf(it.sample.Dialogue.Digest())
				d.again = g.meets(d.key)
				if line, err, ok := next(); ok {
					d.standing, d.stop = &line, err
				}
			}
			if !yield(d) {
				return
			}
		}
		if line, err, ok := next(); ok && err != nil {
			yield(due{stop: err})
		} else if ok {
			yield(due{stop: left(line)})
		}
	}
}

// standing yields the lines that stand in the run.
func (g *ledger) standing() iter.Seq2[record.Line, error] {
	return func(yield func(record.Line, error) bool) {
		if g.run == nil {
			return
		}
		for line, err := range g.run.Lines() {
			if !yield(line.Under(g.header), err) {
				return
			}
		}
	}
}

// meets reports whether the turns of a dialogue have come before.
func (g *ledger) meets(k pool.Key) bool {
	if g.run == nil {
		return g.origins.Meet(k)
	}
	return g.places.Meet(k)
}

// try makes a record of a dialogue, by judging only if there is no other way.
func (g *ledger) try(ctx context.Context, d due) posting {
	p := posting{due: d, stop: d.stop}
	switch {
	case d.stop != nil:
	case d.err != nil:
		p.err = g.court.mask(d.err)
	case d.standing != nil:
		p.record, p.stop = g.recall(d)
	case d.again && g.run != nil: // what the first was given is read back once it is written for certain
		p.record, p.copied = g.court.bare(d.sample), true
	default:
		if p.record, p.unusable = g.takeOver(d.sample); p.record != nil {
			p.reused = true
		} else {
			p.outcome = g.court.try(ctx, d.item)
		}
	}
	return p
}

// recall takes a dialogue's record from the run, in which it stands already.
func (g *ledger) recall(d due) (*record.Record, error) {
	r, err := d.standing.Decode()
	if err != nil {
		return nil, err
	}
	is := g.court.bare(d.sample)
	is.Source.DuplicateOf = r.Source.DuplicateOf // which of the dialogues before was the first is not known here
	same := r.For(is)
	if d.again != (is.Source.DuplicateOf != nil) || !bytes.Equal(same.Append(nil), d.standing.Text) {
		return nil, &record.LineError{File: d.standing.File, Line: d.standing.Number, Err: misfit(r, is)}
	}
	return r, nil
}

// takeOver looks for a dialogue in earlier runs. The error tells why the record that is there cannot be used.
func (g *ledger) takeOver(s dialogue.Sample) (r *record.Record, unusable error) {
	if len(g.earlier) == 0 {
		return nil, nil
	}
	is := record.New(s)
	for _, e := range g.earlier {
		r, err := e.Record(is.Source.Digest)
		switch {
		case err != nil:
			unusable = err
		case r != nil && r.Source.Digest == is.Source.Digest:
			return r.For(is), nil
		}
	}
	return nil, unusable
}

// complete completes the record of a dialogue whose turns have come before.
func (g *ledger) complete(p *posting) error {
	switch {
	case p.copied:
		first, err := g.run.At(g.places.At(p.due.key), g.header)
		if err != nil {
			return err
		}
		p.record.Source.DuplicateOf = &record.Origin{File: first.Source.File, ID: first.Dialogue.ID}
		p.record = first.For(p.record)
	case p.due.again && g.run == nil:
		first := g.origins.At(p.due.key)
		p.record.Source.DuplicateOf = &first
	}
	return nil
}

// enter keeps where the record of a dialogue is that has come for the first time.
func (g *ledger) enter(p *posting) {
	switch {
	case p.due.again:
	case g.run != nil:
		g.places.Set(p.due.key, g.run.Size())
	default:
		g.origins.Set(p.due.key, record.Origin{File: p.record.Source.File, ID: p.record.Dialogue.ID})
	}
}

// left is the error of a record for which there is no dialogue any more.
func left(l record.Line) error {
	is := "its dialogue"
	if g, ok := l.Glance(); ok {
		is = called(g.ID, g.Source.File)
	}
	return &record.LineError{File: l.File, Line: l.Number, Err: fmt.Errorf("the input ends before %s", is)}
}

func called(id int, file string) string { return fmt.Sprintf("dialogue %d of %s", id, file) }

// bare makes the record of a sample as it is before it is judged.
func (c *court) bare(s dialogue.Sample) *record.Record {
	r := record.New(s)
	r.CitedOnly = c.citedOnly
	if c.redact {
		redact.Record(r)
	}
	return r
}

// misfit tells why a record is not that of a dialogue.
func misfit(r, is *record.Record) error {
	name := called(is.Dialogue.ID, is.Source.File)
	switch {
	case r.Dialogue.ID != is.Dialogue.ID || r.Source.File != is.Source.File:
		return fmt.Errorf("is of %s, but the input has %s in its place", called(r.Dialogue.ID, r.Source.File), name)
	case r.Source.Digest != is.Source.Digest:
		return fmt.Errorf("%s has other turns than when it was judged: it was changed, or one before it came or went", name)
	}
	return fmt.Errorf("what is known of %s besides its turns has changed since it was judged", name)
}
