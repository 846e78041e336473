package main

import (
	"errors"
	"fmt"

	"assize/cmd/assize/internal/record"
	pool "assize/cmd/assize/internal/run"
)

// earlier finds what can be taken over from the runs behind --reuse.
func (p *program) earlier(o *scoreOptions, head *record.Header) (list []*pool.Earlier, err error) {
	for _, path := range o.run.reuse {
		e, err := pool.Index(path, head)
		var other *pool.Other
		var wrong *record.LineError
		switch {
		case errors.As(err, &other):
			return nil, &hinted{error: fmt.Errorf("--reuse %s: %w, whose results are others", path, err), details: differing(&other.Header, head)}
		case errors.As(err, &wrong): // which names the file
			return nil, fmt.Errorf("--reuse %w", wrong)
		case err != nil:
			return nil, fmt.Errorf("--reuse %s: %w", path, withoutName(err))
		case e.Same(o.output) && !o.run.restart:
			return nil, withHints(fmt.Errorf("--reuse %s: is the run behind -o, which goes on by itself", path), "with --restart it is begun anew, and what was judged is taken over")
		}
		list = append(list, e)
	}
	return list, nil
}

// setAside makes room for a run that is begun anew. Where something is to be taken over from the file that was there,
// it is read under its new name.
func (p *program) setAside(o *scoreOptions, path string, earlier []*pool.Earlier) error {
	if !o.run.restart {
		return nil
	}
	var moved []*pool.Earlier
	for _, e := range earlier {
		if e.Same(path) {
			moved = append(moved, e)
		}
	}
	kept, err := pool.SetAside(path)
	if err != nil || kept == "" {
		return err
	}
	p.note(fmt.Sprintf("-o %s: the file that was there is kept as %s", o.output, kept))
	for _, e := range moved {
		e.Moved(kept)
	}
	return nil
}

// remedy tells what can be done about a run that cannot go on.
func (o *scoreOptions) remedy() string {
	if o.redact || o.noTranscript || o.run.part { // nothing can be taken over from such a run, or nobody can ask for it
		return o.anew()
	}
	return fmt.Sprintf("--restart --reuse %s begins anew, keeps the old file, and judges only what it lacks", o.output)
}

// anew tells how a run can be begun anew.
func (o *scoreOptions) anew() string {
	if o.run.part {
		return "remove the file to judge its dialogues anew"
	}
	return "--restart begins anew and keeps the old file"
}
