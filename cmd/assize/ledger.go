package main

import (
	"bytes"
	"fmt"
	"iter"

	"assize/cmd/assize/internal/record"
	"assize/cmd/assize/internal/redact"
	pool "assize/cmd/assize/internal/run"
	"assize/rubric/dialogue"
)

// ledger knows which dialogues need not be judged.
type ledger struct {
	run    *pool.File // what stands in it goes by position; nil where no run is written
	header *record.Header
}

// from hands every dialogue on with the record that stands in the run for it. The first record stands for the first
// dialogue that could be read, and so on.
func (g *ledger) from(all iter.Seq[item]) iter.Seq[item] {
	if g.run == nil {
		return all
	}
	return func(yield func(item) bool) {
		next, stop := iter.Pull2(g.run.Lines())
		defer stop()
		for it := range all {
			if it.err == nil {
				line, err, ok := next()
				if ok {
					line = line.Under(g.header)
					it.standing, it.stop = &line, err
				}
			}
			if !yield(it) {
				return
			}
		}
		if line, err, ok := next(); ok && err != nil {
			yield(item{stop: err})
		} else if ok {
			yield(item{stop: left(line)})
		}
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

// recall takes a dialogue's record from the run, in which it stands already.
func (c *court) recall(it item) outcome {
	r, err := it.standing.Decode()
	if err != nil {
		return outcome{stop: err}
	}
	is := c.bare(it.sample)
	is.Source.DuplicateOf = r.Source.DuplicateOf
	if same := r.For(is); !bytes.Equal(same.Append(nil), it.standing.Text) {
		return outcome{stop: &record.LineError{File: it.standing.File, Line: it.standing.Number, Err: misfit(r, is)}}
	}
	return outcome{record: r, standing: it.standing}
}

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
		return fmt.Errorf("%s has changed since it was judged", name)
	}
	return fmt.Errorf("what is known of %s besides its turns has changed since it was judged", name)
}
