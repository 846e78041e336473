package main

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/spf13/cobra"

	"assize/cmd/assize/internal/gate"
	"assize/cmd/assize/internal/report"
	pool "assize/cmd/assize/internal/run"
)

func (p *program) scoreCommand() *cobra.Command {
	var o scoreOptions
	cmd := &cobra.Command{
		Use:   "score PATH…",
		Short: "Score dialogues: one in full, several as a row each",
		Long: `Score the dialogues in files, in folders, or on standard input (-).

One dialogue gets the full view, several get a row each and a summary. A
dialogue that cannot be judged (one side says nothing, or it is mostly not in
English) is unscored, with the reason, and never low.

With --model an Ollama model is the Evaluator, and the Critic together with the
rules; these judge as well, and every record says how far the two differ.
Without it no server is contacted. What the model fails at is unscored, unless
--fallback rules lets them take over.

Every flag can also be given as a variable, --fail-under as ASSIZE_FAIL_UNDER,
or stand in the config file, as fail-under: 60. The command line comes first,
then the variable, then the file.

Exit code: 0 fine; 1 more dialogues are below --fail-under than --max-below
allows, which is none by default; 2 the command line or an input is wrong (what
could be read is scored all the same), the model cannot be used or judged no
dialogue at all, or the run was stopped.`,
		Example: `  assize score chat.txt
  assize score transcripts/ --fail-under 60
  assize score new.jsonl --fail-under 60,Empathy=40 --max-below 5% -o gate.xml
  assize score calls.txt --id 25,26 --full
  assize score 'export/*.json.gz' --redact -o run.jsonl
  zcat chats.jsonl.gz | assize score --format csv > scores.csv
  assize score transcripts/ --model qwen2.5:1.5b -o run.jsonl
  assize score odd.txt --role-map "BOT=system,Ann=user" --dry-run`,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := prepare(cmd, o.config, o.validate); err != nil {
				return err
			}
			if o.bench.seated() && !cmd.Flags().Changed("jobs") {
				o.jobs = 1
			}
			return p.score(cmd.Context(), args, &o)
		},
	}
	o.register(cmd.Flags())
	complete(cmd)
	return cmd
}

// score reads, judges and writes.
func (p *program) score(ctx context.Context, args []string, o *scoreOptions) error {
	reading, err := o.reading()
	if err != nil {
		return err
	}
	files, err := p.inputs(transcriptFiles, args, o.output)
	if err != nil || len(files) == 0 {
		return err
	}
	if o.dryRun {
		return p.dryRun(ctx, files, reading, o.show())
	}
	c, err := newCourt(o)
	if err != nil {
		return err
	}
	if err := c.seat(ctx, &o.bench); err != nil {
		return err
	}
	if c.bench.Model != nil && o.jobs > 1 {
		p.note(fmt.Sprintf("--jobs %d: the model's server answers one after the other all the same, and the bytes of two runs may differ", o.jobs))
	}
	if s := c.unheard(); s != "" {
		p.note(s)
	}
	out, err := p.create(o.output, o.format.value)
	if err != nil {
		return err
	}
	sink, err := p.sink(out, o, len(files), c.header(o, reading))
	if err != nil {
		return err
	}
	ids := selection{wanted: o.ids, only: o.only}
	t := tally{gates: gate.NewTally(o.gates, gate.Allowance(o.maxBelow))}
	results := pool.Ordered(ctx, o.jobs, ids.from(p.samples(files, reading)), c.try)
	p.pace = p.paced(o.output)
	defer p.clear()
	if err := p.write(results, sink, &t, o.format.value == "json"); err != nil {
		out.discard()
		return err
	}
	if c.bench.Model != nil {
		defer t.bench.report(p, c.bench.Model)
	}
	if ctx.Err() != nil {
		p.complain(t.interrupted())
		return errors.Join(sink.Flush(), out.abandon())
	}
	if err := errors.Join(sink.Flush(), out.close()); err != nil {
		return err
	}
	if err := ids.missing(); err != nil {
		p.complain(err)
	}
	return p.answer(t.gates)
}

// write hands every record to the sink and tells of every dialogue that could not be read.
func (p *program) write(results iter.Seq[outcome], sink report.Sink, t *tally, nameUnscored bool) error {
	for res := range results {
		r := res.record
		switch {
		case errors.Is(res.err, context.Canceled): // the run was stopped, which is told once
			continue
		case r == nil:
			p.complain(res.err)
			continue
		}
		if nameUnscored && !r.Scored() {
			p.note(fmt.Sprintf("%s: dialogue %d is unscored and left out: %s", r.Source.File, r.Dialogue.ID, r.Reason))
		}
		t.add(r)
		p.step(&t.bench)
		if err := sink.Record(r); err != nil {
			return err
		}
	}
	return nil
}
