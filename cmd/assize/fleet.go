package main

import (
	"context"
	"os"
	"path/filepath"
	"runtime/debug"

	"assize/cmd/assize/internal/judging/batch"
	"assize/cmd/assize/internal/judging/fleet"
	"assize/cmd/assize/internal/judging/judge"
)

// collector connects and opens the streams of the run or, if there is none, of the output.
func (o *scoreFlags) collector(ctx context.Context, p *program, s *batch.Scoring,
) (*fleet.Collector, error) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(150 << 20) // the collector mostly waits
	}
	opt := o.fleet
	opt.Name, opt.Jobs = o.output, s.Jobs
	if s.Run != nil {
		path, err := filepath.Abs(s.Run.Path)
		if err != nil {
			return nil, err
		}
		opt.Name, opt.Resumes, opt.Fresh = path, true, s.Run.Fresh
	}
	conn, err := fleet.Connect(o.server, "assize collector", p.Note)
	if err != nil {
		return nil, err
	}
	return fleet.Collect(ctx, conn, s.Judge, opt)
}

// workerFlags are the flags of `assize worker`.
type workerFlags struct {
	server  fleet.Server `flag:"*"`
	metrics string       `flag:"metrics"`
	scaleFlags
	redact bool `flag:"redact"`
	jobsFlag
	modelFlags
	_ string `flag:"config"`
}

func (o *workerFlags) run(ctx context.Context, p *program, _ []string) error {
	o.settle(o.modelFlags.used())
	p.redact(o.redact)
	j, err := o.scaleFlags.judge(judge.Options{Redact: o.redact})
	if err != nil {
		return err
	}
	if err := o.modelFlags.open(ctx, j); err != nil {
		return err
	}
	useWeights(p.Console, j)
	conn, err := fleet.Connect(o.server, "assize worker", p.Note)
	if err != nil {
		return err
	}
	defer conn.Close()
	w := &fleet.Worker{Conn: conn, Judge: j, Jobs: o.jobs, Metrics: o.metrics}
	return w.Run(ctx)
}

// fleetFlags are the flags of `assize fleet`.
type fleetFlags struct {
	displayFlags
	server fleet.Server `flag:"*"`
}

func (o *fleetFlags) run(ctx context.Context, p *program, _ []string) error {
	conn, err := fleet.Connect(o.server, "assize fleet", p.Note)
	if err != nil {
		return err
	}
	defer conn.Close()
	s, err := fleet.Inspect(ctx, conn)
	if err != nil {
		return err
	}
	return p.show(&o.displayFlags, s)
}
