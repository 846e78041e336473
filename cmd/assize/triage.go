package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/pflag"

	"assize/cmd/assize/internal/judging/corpus"
	"assize/cmd/assize/internal/judging/fleet"
	"assize/cmd/assize/internal/judging/judge"
	"assize/cmd/assize/internal/reading/redact"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/showing/triage"
	"assize/cmd/assize/internal/statistics/summary"
	"assize/cmd/assize/internal/terminal/flags"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics"
)

// triageFlags are the flags of `assize triage`.
type triageFlags struct {
	outputFlags
	jobsFlag
	judgingFlags
	modelFlags
	natsFlags
	sort               flags.Choice
	top                int
	teach              int
	duplicates, redact bool
	budget             summary.Portion
}

func (o *triageFlags) register(fs *pflag.FlagSet) {
	o.outputFlags.register(fs, "the ranking", triage.Formats()...)
	o.sort = flags.OneOf(run.Orders()...)
	fs.IntVar(&o.top, "top", 50, "show the `N` worst")
	fs.Var(&o.sort, "sort", "rank by `WHAT`: "+o.sort.Any())
	fs.IntVar(&o.teach, "teach", 0,
		"pick the `N` dialogues whose rating would teach assize fit most, instead of the worst")
	fs.BoolVar(&o.duplicates, "duplicates", false,
		"rank each of several dialogues with the same turns, not only the "+
			"first")
	fs.BoolVar(&o.redact, "redact", false,
		"mask personal data and passwords, but not names, in everything that is written")
	fs.Var(&o.budget, "budget",
		"ask the model of --model about `HOW-MANY`: 10%, or a number of dialogues")
	flags.Bound(fs, "budget", "a share above 0%, such as 10%, or a number of dialogues, 1 or more",
		func() bool { return !o.budget.None() })
	flags.Bound(fs, "top", "1 or more", func() bool { return o.top >= 1 })
	flags.Bound(fs, "teach", "1 or more", func() bool { return o.teach >= 1 })
	o.judgingFlags.register(fs)
	o.jobsFlag.register(fs, "let the rules judge")
	o.modelFlags.register(fs)
	o.natsFlags.register(fs)
}

func (o *triageFlags) validate(given map[string]bool, _ []string) error {
	switch {
	case given["budget"] && o.model == "":
		return errors.New("--budget needs --model")
	case given["nats"] && o.budget.None():
		return errors.New(
			"--nats needs --budget and --model; score --nats has workers judge all dialogues")
	case given["model"] && o.budget.None():
		return errors.New("--model can be used only with --budget, which says how many dialogues " +
			"it may judge: 10%, or a number")
	}
	for _, flag := range []string{"sort", "top", "duplicates", "budget", "model"} {
		if given[flag] && o.teach > 0 {
			return fmt.Errorf("--%s cannot be used with --teach, which ranks nothing", flag)
		}
	}
	if o.teach > 0 { // for people to fill in
		o.result, o.format.Words = "a sheet", []string{"text", "csv", "xlsx"}
		if !slices.Contains(o.format.Words, o.format.Value) {
			return fmt.Errorf("--format %s cannot be used with --teach; want text, csv or xlsx",
				o.format.Value)
		}
	}
	return errors.Join(o.outputFlags.validate(given), o.modelFlags.validate(given),
		o.natsFlags.validate(given))
}

func (o *triageFlags) run(ctx context.Context, p *program, args []string) error {
	p.Redact = o.redact
	c, err := p.corpus(ctx, "triage", args, &o.judgingFlags, o.jobs, o.output)
	if err != nil || len(c.Files) == 0 {
		return err
	}
	t := triage.Ranker{Corpus: c, Order: run.Order(o.sort.Value), Top: o.top,
		Duplicates: o.duplicates,
		Budget:     o.budget}
	t.Agents = heuristics.New()
	if o.teach > 0 {
		return o.pick(ctx, p, c)
	}
	if !o.budget.None() && o.modelFlags.used() {
		opt, err := t.ModelOptions()
		if err != nil {
			return err
		}
		t.Model = judge.New(t.Agents, opt)
		if err := o.modelFlags.open(ctx, t.Model); err != nil {
			return err
		}
		if o.natsFlags.used() {
			t.Gather = func(ctx context.Context) (*fleet.Collector, error) {
				return p.collector(ctx, &o.natsFlags, t.Model, "triage of "+corpus.Named(c.Files),
					nil, 1)
			}
		}
	}
	if j := cmp.Or(t.Model, c.Rules); j != nil {
		useWeights(p.Console, j)
	}
	return p.writeTo(&o.outputFlags, func(w io.Writer, page *ui.Page) error {
		s, err := t.Rank(ctx)
		if err != nil {
			return err
		}
		err = ui.WriteAs(o.format.Value, w, page, s)
		// these formats have no place for it
		if f := o.format.Value; f == "csv" || f == "xlsx" || f == "jsonl" {
			for _, sentence := range s.Sentences() {
				p.Note(sentence)
			}
		}
		return err
	})
}

// pick selects the dialogues that people should rate.
func (o *triageFlags) pick(ctx context.Context, p *program, c *corpus.Corpus) error {
	s := triage.NewCandidates(o.teach)
	err := c.Each(ctx, c.Once(ctx), "scored dialogue", func(e *corpus.Entry) (bool, error) {
		s.Add(e.Record, e.Index)
		return e.Record.Scored(), nil
	})
	if err != nil {
		return err
	}
	s.Close(func(r *run.Record) {
		if o.redact {
			redact.Record(r)
		}
	})
	if len(s.Picked) == 0 {
		return errors.New("every scored dialogue is rated already; assize fit learns from them")
	}
	if o.format.Value != "text" {
		p.Advise(s.Summary())
	}
	return p.write(&o.outputFlags, s)
}
