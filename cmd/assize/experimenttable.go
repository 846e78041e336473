package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"assize/cmd/assize/internal/accord"
	"assize/cmd/assize/internal/experiment"
	"assize/cmd/assize/internal/ratings"
	"assize/cmd/assize/internal/record"
)

// measure reads the runs of an experiment, row by row.
func (p *program) measure(ctx context.Context, l *laboratory, o *experimentOptions) (*experiment.Table, error) {
	t := &experiment.Table{File: l.plan.File, Dialogues: l.dialogues, Draws: o.draws, Seed: 1}
	for from := 0; from < len(l.cells); {
		to := from + 1
		for to < len(l.cells) && l.cells[to].Repeats(&l.cells[from].Cell) {
			to++
		}
		row, err := p.row(ctx, l, t, l.cells[from:to], o)
		if err != nil {
			return nil, err
		}
		t.Rows = append(t.Rows, row)
		from = to
	}
	t.Close()
	return t, nil
}

// row measures the repeats of a cell.
func (p *program) row(ctx context.Context, l *laboratory, t *experiment.Table, cells []cell, o *experimentOptions) (*experiment.Row, error) {
	r := experiment.NewRow(cells[0].Cell)
	for i := range cells {
		if cells[i].state() != "done" {
			r.Missing++
		}
	}
	if r.Missing > 0 {
		return r, nil
	}
	var scored []*record.Record // of the first repeat
	for i := range cells {
		judged, err := p.addRun(ctx, r, &cells[i], o.jobs)
		switch {
		case ctx.Err() != nil:
			return nil, errors.New("stopped before all was measured; nothing is printed")
		case err != nil:
			p.complain(err)
			r = experiment.NewRow(cells[0].Cell)
			r.Missing = len(cells)
			return r, nil
		case i == 0:
			scored = judged
		}
	}
	return r, p.agreement(ctx, l, t, r, scored, o)
}

// agreement holds the scored dialogues of a row against people, where they rated any. What is wrong with the ratings costs
// no more than that.
func (p *program) agreement(ctx context.Context, l *laboratory, t *experiment.Table, r *experiment.Row, scored []*record.Record, o *experimentOptions) error {
	said, notes, err := l.people(scored)
	switch {
	case err != nil:
		p.complain(fmt.Errorf("%s: %w", r.Cell.Row(), err))
		return nil
	case len(said) == 0:
		return nil
	}
	t.Note(notes...)
	opt := accord.Options{Scale: l.scale, Worst: .2, Draws: o.draws, Seed: t.Seed, Jobs: o.jobs}
	_, err = stoppable(ctx, func() struct{} {
		t.Agree(ctx, r, said, opt)
		return struct{}{}
	})
	return err
}

// people gives what people said of dialogues; nothing where nobody rated any.
func (l *laboratory) people(records []*record.Record) ([]ratings.Rated, []string, error) {
	rated := func(r *record.Record) bool { return len(r.Truth.Overall) > 0 }
	switch {
	case l.ratings != nil && len(records) > 0:
		return l.ratings.Join(records, l.scale)
	case slices.ContainsFunc(records, rated):
		return ratings.FromTruth(records, l.scale)
	}
	return nil, nil, nil
}

// addRun counts the records of a complete run, and gives those that are scored.
func (p *program) addRun(ctx context.Context, r *experiment.Row, c *cell, jobs int) (scored []*record.Record, err error) {
	begun := false
	for e := range p.entries(ctx, []string{c.run}, jobs) {
		if e.err != nil {
			return nil, withHints(e.err, "assize replay "+c.run, "remove the file to judge its dialogues anew")
		}
		if !begun {
			r.Begin(c.run, e.line.Header)
			begun = true
		}
		r.Add(e.record)
		if e.record.Scored() {
			scored = append(scored, e.record)
		}
	}
	mark, err := experiment.ReadMark(c.run)
	r.Timed += mark.Timed
	r.Seconds += mark.Seconds
	return scored, err
}
