package main

import (
	"context"
	"errors"

	"assize/cmd/assize/internal/accord"
	"assize/cmd/assize/internal/experiment"
	"assize/cmd/assize/internal/record"
)

// measure reads the runs of an experiment, row by row.
func (p *program) measure(ctx context.Context, l *laboratory, o *experimentOptions) (*experiment.Table, error) {
	t := &experiment.Table{File: l.plan.File, Dialogues: l.dialogues, Draws: o.draws, Seed: 1}
	for from := 0; from < len(l.cells); {
		to := from + 1
		for to < len(l.cells) && l.cells[to].Row() == l.cells[from].Row() {
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
		if err != nil {
			return nil, err
		}
		if i == 0 {
			scored = judged
		}
	}
	if !ratedByPeople(l.plan, scored) {
		return r, nil
	}
	people := ""
	if l.plan.Ratings != "" {
		people = l.path(l.plan.Ratings)
	}
	said, notes, err := p.people(people, l.scale, scored)
	if err != nil {
		return nil, err
	}
	t.Note(notes...)
	opt := accord.Options{Scale: l.scale, Worst: .2, Draws: o.draws, Seed: t.Seed, Jobs: o.jobs}
	_, err = stoppable(ctx, func() struct{} {
		t.Agree(ctx, r, said, opt)
		return struct{}{}
	})
	return r, err
}

// addRun counts the records of a complete run, and gives those that are scored.
func (p *program) addRun(ctx context.Context, r *experiment.Row, c *cell, jobs int) (scored []*record.Record, err error) {
	begun := false
	for e := range p.entries(ctx, []string{c.run}, jobs) {
		if e.err != nil {
			return nil, withHints(e.err, "assize replay "+c.run+" names what is wrong", "remove the file to judge its dialogues anew")
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
	if ctx.Err() != nil {
		return nil, errors.New("stopped before all was measured; nothing is printed")
	}
	mark, err := experiment.ReadMark(c.run)
	r.Timed += mark.Timed
	r.Seconds += mark.Seconds
	return scored, err
}

// ratedByPeople reports whether there is anything that people said of the dialogues.
func ratedByPeople(plan *experiment.Plan, records []*record.Record) bool {
	for _, r := range records {
		if plan.Ratings != "" || len(r.Truth.Overall) > 0 {
			return true
		}
	}
	return false
}
