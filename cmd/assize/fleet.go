package main

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"runtime/debug"

	"assize/cmd/assize/internal/judging/fleet"
	"assize/cmd/assize/internal/judging/judge"
	"assize/cmd/assize/internal/records/run"
)

// connectFlags say how to connect to a NATS server.
type connectFlags struct {
	context string       `flag:"nats-context"`
	server  fleet.Server `flag:"*"`
}

// used reports whether a server is named.
func (o *connectFlags) used() bool { return o.server.URL != "" || o.context != "" }

// connect connects to the server. The command line overrides the context.
func (o *connectFlags) connect(p *program, label string) (*fleet.Conn, error) {
	s := o.server
	if o.context != "" {
		c, err := fleet.ReadContext(o.context)
		if err != nil {
			return nil, err
		}
		for _, f := range []struct{ ours, theirs *string }{{&s.URL, &c.URL}, {&s.Creds, &c.Creds},
			{&s.NKey, &c.NKey},
			{&s.CA, &c.CA}, {&s.Cert, &c.Cert}, {&s.Key, &c.Key}} {
			*f.theirs = cmp.Or(*f.ours, *f.theirs)
		}
		c.Insecure = s.Insecure
		s = c
	}
	return fleet.Connect(s, label, p.Note)
}

// natsFlags let workers on other machines judge.
type natsFlags struct {
	connectFlags
	fleet fleet.Options `flag:"*"`
}

// collector connects and opens the streams of the run that w writes or, if w is nil, of the output
// called name.
func (p *program) collector(ctx context.Context, o *natsFlags, j *judge.Judge, name string,
	w *run.Writer, jobs int,
) (*fleet.Collector, error) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(150 << 20) // the collector mostly waits
	}
	opt := o.fleet
	opt.Name, opt.Jobs = name, jobs
	if w != nil {
		path, err := filepath.Abs(w.Path)
		if err != nil {
			return nil, err
		}
		opt.Name, opt.Resumes, opt.Fresh = path, true, w.Fresh
	}
	conn, err := o.connect(p, "assize collector")
	if err != nil {
		return nil, err
	}
	return fleet.Collect(ctx, conn, j, opt)
}

// workerFlags are the flags of `assize worker`.
type workerFlags struct {
	connectFlags
	scaleFlags
	redact bool `flag:"redact"`
	jobsFlag
	modelFlags
	_ string `flag:"config"`
}

// run judges until it is stopped.
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
	conn, err := o.connect(p, "assize worker")
	if err != nil {
		return err
	}
	defer conn.Close()
	w := &fleet.Worker{Conn: conn, Judge: j, Jobs: o.jobs}
	return w.Run(ctx)
}

// fleetFlags are the flags of `assize fleet`.
type fleetFlags struct {
	displayFlags
	connectFlags
}

func (o *fleetFlags) run(ctx context.Context, p *program, _ []string) error {
	conn, err := o.connect(p, "assize fleet")
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
