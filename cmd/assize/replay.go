package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"assize/cmd/assize/internal/judge"
	"assize/cmd/assize/internal/replay"
	"assize/cmd/assize/internal/source"
	"assize/cmd/assize/internal/ui"
	"assize/heuristics"
)

// replayFlags are the flags of `assize replay`.
type replayFlags struct {
	serverFlags
	jobsFlag
	config, prompts, cache string
	format, color          choice
	rejudge                bool
	limit                  int
	asking                 []string // the flags that need --rejudge
}

func (p *program) replayCommand() *cobra.Command {
	var o replayFlags
	cmd := helpOf("replay")
	fs := cmd.Flags()
	fs.SortFlags = false
	o.format, o.color = oneOf("text", "json"), oneOf("auto", "always", "never")
	fs.BoolVar(&o.rejudge, "rejudge", false, "ask the agents again, and show which answers differ")
	o.asking = added(fs, func() {
		o.serverFlags.register(fs)
		registerAsking(fs, &o.prompts, &o.cache)
	})
	fs.Var(&o.format, "format", "write the results as `FORMAT`: "+o.format.any())
	fs.IntVar(&o.limit, "limit", 10, "show at most `N` lines of a run in text; 0 shows all")
	o.jobsFlag.register(fs, "settle")
	fs.Var(&o.color, "color", "use colours `WHEN`: auto, always or never; auto means on a terminal without NO_COLOR")
	fs.StringVar(&o.config, "config", "", "read settings from `FILE` (default "+usualPlace()+")")
	validate := func(given map[string]bool, _ []string) error {
		switch {
		case o.limit < 0:
			return fmt.Errorf("--limit %d; want 0 or more", o.limit)
		case !o.rejudge:
			return errors.Join(without("rejudge", given, o.asking), o.jobsFlag.validate())
		}
		return errors.Join(o.serverFlags.validate(), o.jobsFlag.validate())
	}
	return define(cmd, &o.config, validate, func(ctx context.Context, args []string) error { return p.replay(ctx, args, &o) })
}

// replay replays runs and writes what differs.
func (p *program) replay(ctx context.Context, args []string, o *replayFlags) error {
	files, err := p.inputs(source.Runs, args, "", "assize replay run.jsonl", "assize replay --help")
	if err != nil || len(files) == 0 {
		return err
	}
	agents, err := heuristics.New()
	if err != nil {
		return err
	}
	rp := &replay.Replay{Lexicon: agents.Digest(), Jobs: o.jobs}
	if o.rejudge {
		asking, err := askingOptions(&o.serverFlags, o.prompts, o.cache)
		if err != nil {
			return err
		}
		rp.Rejudge = &replay.Rejudge{Agents: agents, Asking: asking}
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

// replayRun replays one run. What cannot be read of it is complained of; the error is of writing.
func (p *program) replayRun(ctx context.Context, rp *replay.Replay, file string, sink replay.Sink) (*replay.Summary, error) {
	s := &replay.Summary{File: file}
	if err := sink.Begin(file); err != nil {
		return nil, err
	}
	in, err := p.open(file)
	if err != nil {
		p.complain(err)
		s.Errors++
		return s, sink.End(s.Close())
	}
	defer in.Close()
	var asked judge.Usage
	p.progress = p.asked()
	read := false
	for res := range rp.Run(ctx, in, file) {
		read = true
		if errors.Is(res.Err, context.Canceled) { // it was stopped, which is told once
			continue
		}
		p.clear()
		if refusal := (*replay.Refusal)(nil); errors.As(res.Err, &refusal) && refusal.Hint != "" {
			p.complain(withHints(res.Err, refusal.Hint))
		} else if res.Err != nil {
			p.complain(res.Err)
		}
		s.Add(&res)
		if err := sink.Line(&res); err != nil {
			return nil, err
		}
		if res.Now != nil {
			asked.Add(res.Now, true)
			p.step(&asked, 0)
		}
	}
	p.clear()
	if s.Stopped = ctx.Err() != nil; s.Stopped {
		p.complain(fmt.Errorf("%s: stopped after %s; the rest is not read", file, ui.Counted(s.Scored+s.Unscored, "record")))
	} else if !read {
		p.complain(fmt.Errorf("%s: is empty; want a run, as assize score -o run.jsonl writes", file))
		s.Errors++
	}
	return s, sink.End(s.Close())
}
