package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/spf13/cobra"

	"assize/cmd/assize/internal/gate"
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

With -o run.jsonl a run is written, which goes on where it was stopped when the
same command is given again.

Exit code: 0 fine; 1 more dialogues are below --fail-under than --max-below
allows, which is none by default, or one is unscored and --strict is given; 2
the command line or an input is wrong (what could be read is scored all the
same), the model cannot be used or judged no dialogue at all, a run cannot go
on, or it was stopped.`,
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
	if err == nil {
		files, err = p.withoutRuns(ctx, files, args)
	}
	if err != nil || len(files) == 0 && o.format.value != "junit" { // a build server must see that there was nothing
		return err
	}
	if o.dryRun {
		return p.dryRun(ctx, files, reading, o.show())
	}
	c, err := p.sit(ctx, o)
	if err != nil {
		return err
	}
	head := c.header(o, reading)
	earlier, err := p.earlier(o, &head)
	if err != nil {
		return err
	}
	out, err := p.scores(o, head, earlier)
	if err != nil {
		return err
	}
	for _, e := range earlier {
		if err := e.Open(); err != nil {
			return err
		}
		defer e.Close()
	}
	if len(earlier) > 0 || out.run != nil && out.run.Standing() {
		defer collectAt(200)() // half the time for what is read back, and 50 MB where more is judged
	}
	sink, err := p.sink(out, o, len(files), head)
	if err != nil {
		return err
	}
	ids := selection{wanted: o.ids, only: o.only}
	g := ledger{court: c, header: &head, run: out.run, earlier: earlier}
	postings := pool.Ordered(ctx, o.jobs, g.from(ids.from(p.samples(files, reading))), g.try)
	k := clerk{
		program: p, ledger: &g, sink: sink, run: out.run, remedy: o.remedy(), onward: o.run.onward(), nameUnscored: o.format.value == "json", isRun: o.format.value == "jsonl",
		tally: &tally{gates: gate.NewTally(o.gates, o.maxBelow)}, progress: p.follow(ctx, o, files, reading),
	}
	defer p.clear()
	if err := k.hear(ctx, postings, out, o); err != nil || ctx.Err() != nil {
		return err
	}
	if err := ids.missing(); err != nil {
		p.complain(err)
	}
	return p.verdict(k.tally, o)
}

// sit seats the panel, and tells what is to be known of it beforehand.
func (p *program) sit(ctx context.Context, o *scoreOptions) (*court, error) {
	c, err := newCourt(o)
	if err != nil {
		return nil, err
	}
	if err := c.seat(ctx, &o.bench); err != nil {
		return nil, err
	}
	if c.bench.Model != nil && o.jobs > 1 {
		p.note(fmt.Sprintf("--jobs %d: the model's server answers one after the other all the same, and the bytes of two runs may differ", o.jobs))
	}
	p.noteUnheard(c)
	return c, nil
}

// hear writes down what becomes of every dialogue, ends the output, and sums a run on disk up.
func (k *clerk) hear(ctx context.Context, postings iter.Seq[posting], out *output, o *scoreOptions) error {
	begun := time.Now()
	if err := k.write(postings); err != nil {
		out.discard()
		return err
	}
	if model := k.ledger.court.bench.Model; model != nil {
		defer k.tally.bench.report(k.program, model)
	}
	if ctx.Err() != nil {
		return k.stopped(out)
	}
	if err := errors.Join(k.finish(), out.close()); err != nil {
		return err
	}
	if k.run != nil && !o.run.quiet && !o.run.part {
		for _, line := range k.tally.summary(k.run.Path(), time.Since(begun)) {
			k.note(line)
		}
	}
	return nil
}

// verdict answers --fail-under and --strict.
func (p *program) verdict(t *tally, o *scoreOptions) error {
	err := p.answer(t.gates)
	if !o.run.strict || t.sum.Unscored == 0 {
		return err
	}
	switch no := answerNo(""); {
	case errors.As(err, &no):
		p.note(err.Error())
	case err != nil:
		return err
	}
	return t.strict()
}
