package main

import (
	"context"
	"errors"

	"assize/cmd/assize/internal/report"
	"assize/rubric/dialogue"
)

// dryRun shows how each file is read. Nothing is scored. What people
// wrote passes through show before it is printed.
func (p *program) dryRun(ctx context.Context, files []string, opt dialogue.Options, show func(string) string) error {
	for _, file := range files {
		in := report.Intake{File: file, Show: show}
		for it := range p.read(file, opt) {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if it.err != nil {
				in.Broken++
				p.complain(errors.New(show(it.err.Error())))
				continue
			}
			in.Add(it.sample)
		}
		if err := in.Write(p.stdout); err != nil {
			return err
		}
	}
	return nil
}
