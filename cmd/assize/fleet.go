package main

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"time"

	"assize/cmd/assize/internal/judging/batch"
	"assize/cmd/assize/internal/judging/fleet"
	"assize/cmd/assize/internal/judging/judge"
	"assize/cmd/assize/internal/reading/source"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/flags"
)

// connectFlags say how to connect to a NATS server.
type connectFlags struct {
	server  fleet.Server
	context string
}

func (o *connectFlags) register(fs *flags.Set, what string) {
	flags.Group(fs, "Fleet", func() {
		fs.StringVar(&o.server.URL, "nats", "",
			what+" the NATS server at `URL`, or several separated by commas; see assize help fleet")
	})
	more := fs.Settings
	more.StringVar(&o.context, "nats-context", "",
		"connect as described by the NATS context `NAME`, or by a file with a context")
	more.StringVar(&o.server.Creds, "nats-creds", "", "`FILE` with the credentials of a user")
	more.StringVar(&o.server.NKey, "nats-nkey", "", "`FILE` with the seed of an NKey")
	more.StringVar(&o.server.CA, "nats-tls-ca", "",
		"`FILE` with the authorities that may sign the server's certificate")
	more.StringVar(&o.server.Cert, "nats-tls-cert", "", "`FILE` with a certificate for the server")
	more.StringVar(&o.server.Key, "nats-tls-key", "", "`FILE` with the key of the certificate")
	more.BoolVar(&o.server.Insecure, "insecure-nats", false,
		"let a server on another machine be without TLS or credentials")
}

var errNoServer = errors.New("no server; want --nats URL, such as nats://127.0.0.1:4222")

// used reports whether a server is named.
func (o *connectFlags) used() bool { return o.server.URL != "" || o.context != "" }

func (o *connectFlags) validate() error {
	if (o.server.Cert == "") != (o.server.Key == "") {
		return errors.New("nats-tls-cert and nats-tls-key can be set only together")
	}
	return nil
}

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
	fleet fleet.Options
}

func (o *natsFlags) register(fs *flags.Set) {
	o.connectFlags.register(fs, "let workers judge, which fetch the dialogues from")
	f := &o.fleet
	fs.Settings.BoolVar(&f.Keep, "keep", false,
		"leave the streams of the run on the server when it is complete")
	fs.Settings.IntVar(&f.Replicas, "nats-replicas", 1,
		"`N` servers of a cluster hold each message: 1, 3 or 5")
	fs.Settings.IntVar(&f.Storage, "nats-storage", 256,
		"let each of the two streams of the run use up to `MIB` on the server")
	fs.Settings.DurationVar(&f.AckWait, "nats-ack-wait", 30*time.Second,
		"give the work of a worker that says nothing for this `TIME` to another")
	registerMetrics(fs, &f.Metrics)
	flags.Bound(fs, "nats-storage", "MiB, 1 to 1048576",
		func() bool { return f.Storage >= 1 && f.Storage <= 1<<20 })
	flags.Bound(fs, "nats-replicas", "1, 3 or 5",
		func() bool { return slices.Contains([]int{1, 3, 5}, f.Replicas) })
	flags.Bound(fs, "nats-ack-wait", "a time of 1s or more",
		func() bool { return f.AckWait >= time.Second })
}

// registerMetrics adds the setting of the address that serves figures of the work.
func registerMetrics(fs *flags.Set, address *string) {
	fs.Settings.StringVar(address, "metrics", "",
		"serve figures for Prometheus at `ADDRESS`, such as 127.0.0.1:9100")
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

// judge scores items and writes them to the output. It uses a fleet if the flags name a server.
func (p *program) judge(ctx context.Context, s *batch.Scoring, o *natsFlags, output string,
	items iter.Seq[source.Item],
) (err error) {
	if o.used() {
		if s.Fleet, err = p.collector(ctx, o, s.Judge, output, s.Run, s.Jobs); err != nil {
			return s.Out.End(err)
		}
	}
	return s.Write(ctx, items)
}

// workerFlags are the flags of `assize worker`.
type workerFlags struct {
	connectFlags
	scaleFlags
	modelFlags
	jobsFlag
	redact  bool
	metrics string
}

func (o *workerFlags) register(fs *flags.Set) {
	o.connectFlags.register(fs, "fetch dialogues from")
	registerMetrics(fs, &o.metrics)
	flags.Group(fs, "Judging", func() {
		o.scaleFlags.register(fs)
		fs.BoolVar(&o.redact, "redact", false, "judge for runs of score --redact")
		o.jobsFlag.register(fs, "judge")
	})
	o.modelFlags.register(fs)
	o.oneWithModel()
	flags.Config(fs)
}

func (o *workerFlags) validate(given map[string]bool, _ []string) error {
	if !o.connectFlags.used() {
		return errNoServer
	}
	return errors.Join(o.connectFlags.validate(), o.modelFlags.validate(given))
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
	w := &fleet.Worker{Conn: conn, Judge: j, Jobs: o.jobs, Metrics: o.metrics}
	return w.Run(ctx)
}

// fleetFlags are the flags of `assize fleet`.
type fleetFlags struct {
	connectFlags
	displayFlags
	wait time.Duration
}

func (o *fleetFlags) register(fs *flags.Set) {
	o.displayFlags.register(fs, "the survey", "text", "json")
	fs.Settings.DurationVar(&o.wait, "wait", time.Second,
		"count the workers that answer within this `TIME`")
	flags.Bound(fs, "wait", "a time of more than 0s", func() bool { return o.wait > 0 })
	o.connectFlags.register(fs, "ask")
}

func (o *fleetFlags) validate(given map[string]bool, _ []string) error {
	if !o.used() {
		return errNoServer
	}
	return o.connectFlags.validate()
}

func (o *fleetFlags) run(ctx context.Context, p *program, _ []string) error {
	conn, err := o.connect(p, "assize fleet")
	if err != nil {
		return err
	}
	defer conn.Close()
	s, err := fleet.Inspect(ctx, conn, o.wait)
	if err != nil {
		return err
	}
	return p.show(&o.displayFlags, s)
}
