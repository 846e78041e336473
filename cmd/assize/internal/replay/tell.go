package replay

import (
	"context"
	"errors"
	"fmt"

	"assize/cmd/assize/internal/console"
	"assize/cmd/assize/internal/judge"
	"assize/cmd/assize/internal/ui"
)

// File replays the run in a file, and keeps so many lines that differ. The console is told of what cannot be read.
func (rp *Replay) File(ctx context.Context, c *console.Console, file string, most int) *Summary {
	s := &Summary{File: file, Most: most}
	in, err := c.Open(file)
	if err != nil {
		c.Complain(err)
		s.Errors++
		return s.Close()
	}
	defer in.Close()
	var asked judge.Usage
	c.ShowProgress()
	read := false
	for res := range rp.Run(ctx, in, file) {
		read = true
		if errors.Is(res.Err, context.Canceled) { // it was stopped, which is told once
			continue
		}
		c.Progress.Clear()
		if res.Err != nil {
			c.Complain(res.Err)
		}
		s.Add(&res)
		if res.Now != nil {
			asked.Add(res.Now, true)
			asked.ShowProgress(c, 0)
		}
	}
	c.Progress.Clear()
	if s.Stopped = ctx.Err() != nil; s.Stopped {
		c.Complain(fmt.Errorf("%s: stopped after %s; the rest is not read", file, ui.Counted(s.Scored+s.Unscored, "record")))
	} else if !read {
		c.Complain(fmt.Errorf("%s: is empty; want a run, as assize score -o run.jsonl writes", file))
		s.Errors++
	}
	return s.Close()
}
