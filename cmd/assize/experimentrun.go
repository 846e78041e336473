package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"assize/cmd/assize/internal/experiment"
	"assize/cmd/assize/internal/record"
	"assize/cmd/assize/internal/report"
	"assize/localllm"
)

// errGone is the error of a model whose server has failed for good: what it would leave unscored is left for later.
var errGone = errors.New("the model's server is gone; what is judged is kept, and the same command goes on")

// runCell runs a cell that is not complete yet.
func (p *program) runCell(ctx context.Context, l *laboratory, i int) error {
	c := &l.cells[i]
	mark, err := experiment.ReadMark(c.run)
	if err != nil {
		return err
	}
	if mark.Done(c.run, c.settings) {
		return nil
	}
	if _, err := os.Stat(c.run); errors.Is(err, os.ErrNotExist) {
		mark = experiment.Mark{}
	}
	p.note(fmt.Sprintf("%s (%d of %d): %s to %s", c, i+1, len(l.cells), report.Counted(l.dialogues, "dialogue"), c.run))
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	was := mark
	s := *c.score
	s.watch = func(r *record.Record) error {
		if gone(r) {
			stop(errGone)
			return context.Canceled
		}
		mark.Time(r)
		return nil
	}
	err = p.score(ctx, l.files, &s)
	if errors.Is(context.Cause(ctx), errGone) {
		err = errGone
	}
	if info, e := os.Stat(c.run); e == nil && err == nil && ctx.Err() == nil {
		mark.Complete, mark.Settings = info.Size(), c.settings
	}
	switch {
	case mark == was: // nothing came of it
		return err
	case mark.Timed > was.Timed && (err != nil || ctx.Err() != nil):
		mark.Complete = 0
	}
	return errors.Join(err, mark.Write(c.run))
}

// gone reports whether the server failed in a way in which it would fail for every dialogue that follows.
func gone(r *record.Record) bool {
	if r.Model == nil || len(r.Model.Calls) == 0 {
		return false
	}
	switch r.Model.Calls[len(r.Model.Calls)-1].Failure {
	case localllm.ServerDown, localllm.ModelAbsent, localllm.DigestDiffers:
		return true
	}
	return false
}
