package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"assize/cmd/assize/internal/compare"
	"assize/cmd/assize/internal/record"
)

// gather reads what is compared of a run. What cannot be read or trusted is complained of and left out.
func (p *program) gather(ctx context.Context, file string, o *compareOptions) (*compare.Run, error) {
	if info, err := os.Stat(file); o.top > 0 && (file == stdinName || err == nil && !info.IsDir() && !info.Mode().IsRegular()) {
		return nil, fmt.Errorf("%s: is read twice, to show what changed most, and can be read only once; want a file, or --top 0", file)
	}
	r := compare.NewRun(file)
	wrong := 0
	for e := range p.entries(ctx, []string{file}, o.jobs) {
		if e.err == nil {
			r.Add(e.line, e.record)
		} else if wrong++; wrong <= mostComplaints {
			p.complain(e.err)
		}
	}
	if rest := wrong - mostComplaints; rest > 0 {
		p.complain(fmt.Errorf("%s: %d more lines are wrong", file, rest))
	}
	switch {
	case ctx.Err() != nil:
		return nil, errors.New("stopped before all was read; nothing is printed")
	case len(r.Cases) == 0 && wrong == 0:
		return nil, fmt.Errorf("%s: no dialogue in it; want a run, as assize score -o run.jsonl writes", file)
	case len(r.Cases) == 0:
		return nil, withHints(fmt.Errorf("%s: no line can be used; want a run, as assize score -o run.jsonl writes", file), "assize replay names what is wrong")
	}
	return r, nil
}

// justify reads the records of the dialogues that changed most once more, since a run of a hundred thousand is not
// kept with all that was said in it.
func (p *program) justify(c *compare.Comparison) error {
	linesA, linesB := map[int]*record.Record{}, map[int]*record.Record{}
	for i := range c.Changed {
		linesA[c.Changed[i].A.Line], linesB[c.Changed[i].B.Line] = nil, nil
	}
	if err := errors.Join(p.reread(c.A.File, linesA), p.reread(c.B.File, linesB)); err != nil {
		return err
	}
	for i := range c.Changed {
		ch := &c.Changed[i]
		ch.RecordA, ch.RecordB = linesA[ch.A.Line], linesB[ch.B.Line]
		for _, side := range []struct {
			file  string
			found bool
		}{{c.A.File, ch.A.Is(ch.RecordA)}, {c.B.File, ch.B.Is(ch.RecordB)}} {
			if !side.found {
				return fmt.Errorf("%s: changed while it was read; want a run that is complete", side.file)
			}
		}
	}
	return nil
}

// reread fills in the records that stand on the wanted lines of a run.
func (p *program) reread(file string, wanted map[int]*record.Record) error {
	if len(wanted) == 0 {
		return nil
	}
	r, err := p.open(file)
	if err != nil {
		return err
	}
	defer r.Close()
	left := len(wanted)
	for line, err := range record.Lines(r, file) {
		if _, ok := wanted[line.Number]; !ok || err != nil {
			continue // what is wrong was told of when it was read first
		}
		if wanted[line.Number], err = line.Decode(); err != nil {
			return err
		}
		if left--; left == 0 {
			return nil
		}
	}
	return nil
}
