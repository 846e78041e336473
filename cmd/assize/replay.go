package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assize/cmd/assize/internal/replay"
	"assize/cmd/assize/internal/report"
	"assize/heuristics"
)

// replayOptions are the flags of `assize replay`.
type replayOptions struct {
	askOptions
	config        string
	format, color choice
	rejudge       bool
	jobs, limit   int
	asking        []string // the flags of askOptions
}

func (p *program) replayCommand() *cobra.Command {
	var o replayOptions
	cmd := &cobra.Command{
		Use:   "replay RUN…",
		Short: "Work a run out again from its own evidence, and name what differs",
		Long: `Work runs out again from themselves alone, without model or lexicon: every
decision of the Referee, average, level, audit, justification, satisfaction and
digest, from what the agents and detectors said. The bytes must be the same. A
difference is named with what is recorded and what comes out, its cause first.

--rejudge asks the agents again too, about the turns in the run. This needs the
lexicon that made the run, and all turns as they were judged. Where a model
judged, it is asked again, one dialogue after the other: the same model by its
digest, with the prompts and options of the run, or nobody.

Exit code: 0 everything follows; 1 something does not, or is answered otherwise;
2 the command line or an input is wrong, a run cannot be judged again, or the
replay was stopped.`,
		Example: `  assize replay run.jsonl
  assize replay run.jsonl --rejudge
  assize replay by-model.jsonl --rejudge --ollama http://127.0.0.1:11434
  assize replay monday.jsonl tuesday.jsonl --format json
  assize score transcripts/ --format jsonl | assize replay -`,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := prepare(cmd, o.config, o.validate); err != nil {
				return err
			}
			return p.replay(cmd.Context(), args, &o)
		},
	}
	o.register(cmd.Flags())
	complete(cmd)
	return cmd
}

func (o *replayOptions) register(fs *pflag.FlagSet) {
	o.format, o.color = oneOf(replay.Formats()...), oneOf("auto", "always", "never")
	fs.SortFlags = false
	fs.BoolVar(&o.rejudge, "rejudge", false, "ask the agents again, and show which answers differ")
	o.asking = added(fs, func() { o.askOptions.register(fs) })
	fs.Var(&o.format, "format", "write the results as `FORMAT`: "+o.format.any())
	fs.IntVar(&o.limit, "limit", 10, "show at most `N` lines of a run in text; 0 shows all")
	fs.IntVar(&o.jobs, "jobs", runtime.GOMAXPROCS(0), "work out `N` records at once")
	fs.Var(&o.color, "color", "colours `WHEN`: auto, always or never; auto means on a terminal without NO_COLOR")
	fs.StringVar(&o.config, "config", "", "settings from `FILE` (default "+usualPlace()+")")
	fs.Lookup("jobs").DefValue = "one for each processor"
}

func (o *replayOptions) validate(given map[string]bool) error {
	switch {
	case o.jobs < 1:
		return fmt.Errorf("--jobs %d; want 1 or more", o.jobs)
	case o.limit < 0:
		return fmt.Errorf("--limit %d; want 0 or more", o.limit)
	case !o.rejudge:
		return without("rejudge", given, o.asking)
	}
	return o.serverOptions.validate()
}

// replay works runs out again and writes what differs.
func (p *program) replay(ctx context.Context, args []string, o *replayOptions) error {
	defer collectAt(400)() // a third less time for 15 MB
	files, err := p.inputs(runFiles("replay"), args, "")
	if err != nil || len(files) == 0 {
		return err
	}
	agents, err := heuristics.New()
	if err != nil {
		return err
	}
	rp := &replay.Replay{This: replay.This{Program: programVersion(), Lexicon: agents.Digest()}, Jobs: o.jobs}
	if o.rejudge {
		asking, err := o.options()
		if err != nil {
			return err
		}
		rp.Court = replay.NewCourt(agents, asking)
	}
	var sink replay.Sink = replay.NewText(p.stdout, o.limit, p.colored(o.color.value))
	if o.format.value == "json" {
		sink = replay.NewJSON(p.stdout)
	}
	var differ []string
	for _, file := range files {
		s, err := p.replayRun(ctx, rp, file, sink)
		if err != nil {
			return err
		}
		if s.Differs() {
			differ = append(differ, file)
		}
		if s.Stopped {
			break
		}
	}
	if err := sink.Flush(); err != nil {
		return err
	}
	if len(differ) > 0 {
		return answerNo("differences in " + named(differ))
	}
	return nil
}

// replayRun works out one run again. What cannot be read of it is complained of; the error is of writing.
func (p *program) replayRun(ctx context.Context, rp *replay.Replay, file string, sink replay.Sink) (*replay.Summary, error) {
	s := &replay.Summary{File: file}
	if err := sink.Begin(file); err != nil {
		return s, err
	}
	in, err := p.open(file)
	if err != nil {
		p.complain(err)
		s.Errors++
		return s, sink.End(s)
	}
	defer in.Close()
	read := false // whether there was anything
	var asked benchTally
	p.pace = p.asked()
	defer p.clear()
	for res := range rp.Run(ctx, in, file) {
		read = true
		switch {
		case errors.Is(res.Err, context.Canceled): // it was stopped, which is told once
			continue
		case res.Err != nil:
			p.refuse(res.Err)
		}
		s.Add(&res)
		p.clear()
		if err := sink.Line(&res); err != nil {
			return s, err
		}
		if res.Now != nil {
			asked.add(res.Now, true)
			p.step(&asked, 0)
		}
	}
	p.clear()
	switch s.Stopped = ctx.Err() != nil; {
	case s.Stopped:
		p.complain(fmt.Errorf("%s: stopped after %s; the rest is not worked out", file, report.Counted(s.Records(), "record")))
	case !read:
		s.Errors++
		p.complain(fmt.Errorf("%s: is empty; want a run, as assize score -o run.jsonl writes", file))
	}
	return s, sink.End(s)
}

// refuse complains of what cannot be read or judged again, with the advice that there is.
func (p *program) refuse(err error) {
	var refusal *replay.Refusal
	if errors.As(err, &refusal) && refusal.Hint != "" {
		err = withHints(err, refusal.Hint)
	}
	p.complain(err)
}
