package main

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"assize/cmd/assize/internal/record"
	"assize/cmd/assize/internal/redact"
	pool "assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/triage"
	"assize/heuristics"
	"assize/rubric/dialogue"
)

// desk is what a triage reads: transcripts, which the rules judge now, or runs.
type desk struct {
	p      *program
	files  []string
	runs   bool
	jobs   int
	redact bool

	court   *court           // of transcripts
	reading dialogue.Options // of transcripts
	agents  *heuristics.Agents
	under   *record.Header // the first header of the runs
	mixed   bool           // another header of theirs says that they were judged otherwise
}

// openDesk recognises what the files hold.
func (p *program) openDesk(ctx context.Context, files []string, o *triageOptions) (*desk, error) {
	d := &desk{p: p, files: files, jobs: o.jobs, redact: o.court.redact}
	var err error
	if d.runs, err = p.areRuns(ctx, files); err != nil {
		return nil, err
	}
	if d.runs {
		if len(o.ofTranscripts) > 0 {
			return nil, fmt.Errorf("--%s cannot be used with a run, whose dialogues are judged already", o.ofTranscripts[0])
		}
		d.agents, err = heuristics.New()
		return d, err
	}
	if d.reading, err = o.court.reading(); err != nil {
		return nil, err
	}
	if d.court, err = newCourt(&o.court); err != nil {
		return nil, err
	}
	d.agents = d.court.agents
	return d, nil
}

// areRuns tells whether the files are runs or transcripts, by how they begin. What cannot be opened is told of where it
// is read.
func (p *program) areRuns(ctx context.Context, files []string) (bool, error) {
	run, transcript := "", ""
	for _, file := range files {
		is, err := p.isRun(ctx, file)
		switch {
		case err != nil:
			return false, err
		case is:
			run = file
		default:
			transcript = file
		}
	}
	if run != "" && transcript != "" {
		return false, fmt.Errorf("%s is a run and %s is none; want runs alone, or transcripts alone", run, transcript)
	}
	return run != "", nil
}

// records reads everything, in order, each with its place in it. What stands in several runs comes once.
func (d *desk) records(ctx context.Context) iter.Seq2[int, outcome] {
	if !d.runs {
		return counted(pool.Ordered(ctx, d.jobs, d.p.samples(d.files, d.reading), d.court.try))
	}
	return func(yield func(int, outcome) bool) {
		for e := range d.p.once(d.p.entries(ctx, d.files, d.jobs)) {
			d.see(e.line.Header)
			if e.err != nil && d.redact {
				e.err = errors.New(redact.Text(e.err.Error()))
			}
			if !yield(e.at, outcome{record: e.record, err: e.err}) {
				return
			}
		}
	}
}

// see notes what a header says of who judged.
func (d *desk) see(h *record.Header) {
	switch {
	case h == nil || h == d.under:
	case d.under == nil:
		d.under = h
	case !d.mixed:
		is, was := h.Provenance(), d.under.Provenance()
		d.mixed = is.Rubric != was.Rubric || is.Lexicon != was.Lexicon || is.Profile != was.Profile
	}
}

// finish works out the reasons of the rows. What stands in a run is masked only here, where little of it is left.
func (d *desk) finish(s *triage.Sheet) {
	if d.mixed {
		d.p.note("the runs were judged by different rubrics, lexicons or profiles, so the figures that dialogues are ranked by are not alike")
	}
	mute := triage.Muted(d.agents.Detectors())
	for _, rows := range [][]triage.Row{s.Rows, s.Beside} {
		for i := range rows {
			if d.runs && d.redact {
				redact.Record(rows[i].Record)
			}
			rows[i].Explain(mute)
		}
	}
	for i := range s.Rows {
		s.Rows[i].Rank = i + 1
	}
}

// counted numbers what is read, from 0.
func counted[T any](all iter.Seq[T]) iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		n := 0
		for v := range all {
			if !yield(n, v) {
				return
			}
			n++
		}
	}
}
