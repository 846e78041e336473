package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assize/cmd/assize/internal/batch"
	"assize/cmd/assize/internal/flags"
	"assize/cmd/assize/internal/fleet"
	"assize/cmd/assize/internal/judge"
	"assize/cmd/assize/internal/ui"
)

// connectFlags say how a NATS server is reached.
type connectFlags struct {
	server  fleet.Server
	context string
	names   []string // of the flags that need --nats or --nats-context
}

func (o *connectFlags) register(fs *pflag.FlagSet, what string) {
	flags.Group(fs, "Fleet", func() {
		fs.StringVar(&o.server.URL, "nats", "", what+" the NATS server at `URL`, or several behind commas; see assize help fleet")
		fs.StringVar(&o.context, "nats-context", "", "connect as the context `NAME` of NATS says, or the one in a file")
	})
	o.names = flags.Group(fs, "Fleet", func() {
		fs.StringVar(&o.server.Creds, "nats-creds", "", "`FILE` with the credentials of a user")
		fs.StringVar(&o.server.NKey, "nats-nkey", "", "`FILE` with the seed of an NKey")
		fs.StringVar(&o.server.CA, "nats-tls-ca", "", "`FILE` with the authorities that the server's certificate is checked by")
		fs.StringVar(&o.server.Cert, "nats-tls-cert", "", "`FILE` with a certificate for the server")
		fs.StringVar(&o.server.Key, "nats-tls-key", "", "`FILE` with the key of the certificate")
		fs.BoolVar(&o.server.Insecure, "insecure-nats", false, "let a server on another machine be without TLS or credentials")
	})
}

var errNoServer = errors.New("no server; want --nats URL, such as nats://127.0.0.1:4222")

// used reports whether a server is named.
func (o *connectFlags) used() bool { return o.server.URL != "" || o.context != "" }

func (o *connectFlags) validate(given map[string]bool) error {
	switch {
	case !o.used():
		return flags.Without("nats", given, o.names)
	case (o.server.Cert == "") != (o.server.Key == ""):
		return errors.New("--nats-tls-cert and --nats-tls-key can be used only together")
	}
	return nil
}

// connect connects. What the command line says comes before the context.
func (o *connectFlags) connect(p *program, label string) (*fleet.Conn, error) {
	s := o.server
	if o.context != "" {
		c, err := fleet.ReadContext(o.context)
		if err != nil {
			return nil, err
		}
		for _, f := range []struct{ ours, theirs *string }{{&s.URL, &c.URL}, {&s.Creds, &c.Creds}, {&s.NKey, &c.NKey}, {&s.CA, &c.CA},
			{&s.Cert, &c.Cert}, {&s.Key, &c.Key}} {
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
	keep     bool
	replicas int
	storage  int
	ackWait  time.Duration
	metrics  string
}

func (o *natsFlags) register(fs *pflag.FlagSet) {
	o.connectFlags.register(fs, "let the workers judge that pull from")
	names := flags.Group(fs, "Fleet", func() {
		fs.BoolVar(&o.keep, "keep", false, "leave the streams of the run on the server when it is complete")
		fs.IntVar(&o.replicas, "nats-replicas", 1, "`N` servers of a cluster hold each message: 1, 3 or 5")
		fs.IntVar(&o.storage, "nats-storage", 256, "let each of the two streams of the run take so many `MIB` of the server")
		fs.DurationVar(&o.ackWait, "nats-ack-wait", 30*time.Second, "give the work of a worker that says nothing for this `TIME` to another")
		fs.StringVar(&o.metrics, "metrics", "", "serve figures for Prometheus at `ADDRESS`, such as 127.0.0.1:9100")
	})
	o.names = append(o.names, names...)
}

func (o *natsFlags) validate(given map[string]bool) error {
	switch {
	case o.storage < 1 || o.storage > 1<<20:
		return fmt.Errorf("--nats-storage %d; want MiB, 1 to %d", o.storage, 1<<20)
	case o.replicas != 1 && o.replicas != 3 && o.replicas != 5:
		return fmt.Errorf("--nats-replicas %d; want 1, 3 or 5", o.replicas)
	case o.ackWait < time.Second:
		return fmt.Errorf("--nats-ack-wait %s; want a time of 1s or more", o.ackWait)
	}
	return o.connectFlags.validate(given)
}

// gather has a fleet judge the dialogues of a scoring, where the flags say so. The function that it gives ends that,
// and tells what ended ctx if the fleet did.
func (p *program) gather(ctx context.Context, s *batch.Scoring, o *natsFlags, output string,
) (context.Context, func(complete bool) error, error) {
	if !o.used() {
		return ctx, func(bool) error { return nil }, nil
	}
	name := output
	if s.Run != nil {
		path, err := filepath.Abs(s.Run.Path)
		if err != nil {
			return ctx, nil, err
		}
		name = path
	}
	c, stop, err := p.collector(ctx, o, s.Judge, fleet.Options{Name: name, Resumes: s.Run != nil, Fresh: s.Run != nil && s.Run.Fresh,
		Jobs: s.Jobs})
	if err != nil {
		return ctx, nil, err
	}
	s.Fleet = c
	return c.Context(), stop, nil
}

// collector connects and opens the streams of a run.
func (p *program) collector(ctx context.Context, o *natsFlags, j *judge.Judge, opt fleet.Options,
) (*fleet.Collector, func(complete bool) error, error) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(150 << 20) // it waits most of the time
	}
	conn, err := o.connect(p, "assize collector")
	if err != nil {
		return nil, nil, err
	}
	opt.Keep, opt.Replicas, opt.Storage = o.keep, o.replicas, int64(o.storage)<<20
	opt.AckWait, opt.Metrics = o.ackWait, o.metrics
	outer := ctx
	ctx, stop := context.WithCancelCause(ctx)
	c, err := fleet.Collect(ctx, stop, conn, j, opt)
	if err != nil {
		stop(nil)
		conn.Close()
		return nil, nil, err
	}
	return c, func(complete bool) error {
		err := c.Close(complete)
		if cause := context.Cause(ctx); cause != nil && outer.Err() == nil {
			err = errors.Join(cause, err)
		}
		stop(nil)
		conn.Close()
		return err
	}, nil
}

// workerFlags are the flags of `assize worker`.
type workerFlags struct {
	connectFlags
	scaleFlags
	modelFlags
	jobsFlag
	redact          bool
	metrics, config string
}

func (p *program) workerCommand() *cobra.Command {
	var o workerFlags
	cmd := helpOf("worker")
	cmd.Args = cobra.NoArgs
	fs := cmd.Flags()
	fs.SortFlags = false
	o.connectFlags.register(fs, "judge what runs have published to")
	flags.Group(fs, "Fleet", func() {
		fs.StringVar(&o.metrics, "metrics", "", "serve figures for Prometheus at `ADDRESS`, such as 127.0.0.1:9100")
	})
	flags.Group(fs, "Judging", func() {
		o.scaleFlags.register(fs)
		fs.BoolVar(&o.redact, "redact", false, "judge for runs of score --redact")
		o.jobsFlag.register(fs, "judge")
	})
	o.modelFlags.register(fs)
	fs.Lookup("jobs").DefValue = "one for each processor; with --model one"
	fs.StringVar(&o.config, "config", "", "read settings from `FILE` (default "+flags.UsualPlace(flags.ConfigFile)+")")
	validate := func(given map[string]bool, _ []string) error {
		if !o.connectFlags.used() {
			return errNoServer
		}
		return errors.Join(o.connectFlags.validate(given), o.jobsFlag.validate(), o.modelFlags.validate(given))
	}
	return flags.Define(cmd, &o.config, validate, func(ctx context.Context, _ []string) error {
		if o.modelFlags.used() && !fs.Changed("jobs") {
			o.jobs = 1
		}
		return p.worker(ctx, &o)
	})
}

// worker judges until it is stopped.
func (p *program) worker(ctx context.Context, o *workerFlags) error {
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

func (p *program) fleetCommand() *cobra.Command {
	var o fleetFlags
	cmd := helpOf("fleet")
	cmd.Long += "\n\n" + strings.TrimSpace(helpText("help/topics/fleet.md"))
	cmd.Args = cobra.NoArgs
	o.displayFlags.register(cmd.Flags(), "the survey", "text", "json")
	cmd.Flags().DurationVar(&o.wait, "wait", time.Second, "count the workers that answer within this `TIME`")
	o.connectFlags.register(cmd.Flags(), "ask")
	validate := func(given map[string]bool, _ []string) error {
		switch {
		case !o.connectFlags.used():
			return errNoServer
		case o.wait <= 0:
			return fmt.Errorf("--wait %s; want a time of more than 0s", o.wait)
		}
		return o.connectFlags.validate(given)
	}
	return flags.Define(cmd, &o.config, validate, func(ctx context.Context, _ []string) error {
		conn, err := o.connect(p, "assize fleet")
		if err != nil {
			return err
		}
		defer conn.Close()
		s, err := fleet.Look(ctx, conn, o.wait)
		if err != nil {
			return err
		}
		page := p.Page(o.color.Value)
		if err := ui.WriteAs(o.format.Value, p.Out, &page, s); err != nil {
			return err
		}
		return page.Send(p.Out)
	})
}
