package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"assize/cmd/assize/internal/judging/corpus"
	"assize/cmd/assize/internal/judging/fleet"
	"assize/cmd/assize/internal/judging/judge"
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
	top, worst         int
	draw               triage.Draw
	duplicates, redact bool
	budget             summary.Portion
}

func (o *triageFlags) register(fs *flags.Set) {
	o.outputFlags.register(fs, "the ranking", triage.Formats()...)
	o.sort = flags.OneOf(run.Orders()...)
	fs.IntVar(&o.top, "top", 50, "show the `N` worst")
	fs.Var(&o.sort, "sort", "rank by `WHAT`: "+o.sort.Any())
	fs.IntVar(&o.draw.N, "sample", 0,
		"draw `N` at random for people to rate; -o sheet.csv is a sheet to fill in")
	fs.StringVar(&o.draw.Column.By, "by", "",
		"draw --sample of each group by the column `NAME`, such as agent")
	fs.IntVar(&o.worst, "also-worst", 0, "add the `N` worst to --sample, in no estimate")
	fs.Settings.Uint64Var(&o.draw.Seed, "seed", 1, "start random numbers from `NUMBER`")
	flags.Bound(fs, "sample", "1 to 100000",
		func() bool { return o.draw.N >= 1 && o.draw.N <= 100_000 })
	flags.Bound(fs, "also-worst", "0 or more", func() bool { return o.worst >= 0 })
	fs.Settings.BoolVar(&o.duplicates, "duplicates", false,
		"rank each of several dialogues with the same turns, not only the "+
			"first")
	fs.BoolVar(&o.redact, "redact", false,
		"mask personal data and passwords, but not names, in everything that is written")
	fs.Var(&o.budget, "budget",
		"ask the model of --model about `HOW-MANY`: 10%, or a number of dialogues")
	flags.Bound(fs, "budget", "a share above 0%, such as 10%, or a number of dialogues, 1 or more",
		func() bool { return !o.budget.None() })
	flags.Bound(fs, "top", "1 or more", func() bool { return o.top >= 1 })
	o.judgingFlags.register(fs)
	o.jobsFlag.register(fs, "let the rules judge")
	o.modelFlags.register(fs)
	o.natsFlags.register(fs)
}

func (o *triageFlags) validate(given map[string]bool, _ []string) error {
	switch {
	case o.draw.N > 0 && (given["top"] || given["sort"] || given["budget"]):
		return errors.New("--sample cannot be used with --top, --sort or --budget")
	case o.draw.N == 0 && (given["by"] || given["also-worst"]):
		return errors.New("--by and --also-worst need --sample")
	case given["budget"] && o.model == "":
		return errors.New("--budget needs --model")
	case given["nats"] && o.budget.None():
		return errors.New(
			"--nats needs --budget and --model; score --nats has workers judge all dialogues")
	case given["model"] && o.budget.None():
		return errors.New("--model can be used only with --budget, which says how many dialogues " +
			"it may judge: 10%, or a number")
	}
	return errors.Join(o.outputFlags.validate(given), o.modelFlags.validate(given),
		o.natsFlags.validate())
}

func (o *triageFlags) run(ctx context.Context, p *program, args []string) error {
	p.redact(o.redact)
	c, err := p.corpus(ctx, "triage", args, &o.judgingFlags, o.jobs, o.output)
	if err != nil || len(c.Files) == 0 {
		return err
	}
	t := triage.Ranker{Corpus: c, Order: run.Order(o.sort.Value), Top: o.top,
		Duplicates: o.duplicates,
		Budget:     o.budget}
	if o.draw.N > 0 { // the worst are additions
		t.Draw, t.Top, t.Duplicates, o.budget = o.draw, o.worst, false, summary.Portion{}
	}
	t.Agents = heuristics.New()
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
				p.Advise(sentence)
			}
			if o.draw.N > 0 && err == nil {
				p.Advise(fmt.Sprintf("next: fill in the column rating, from 1 to 5, then: assize "+
					"agree %s --ratings %s", strings.Join(args, " "), cmp.Or(o.output, "FILE")))
			}
		}
		return err
	})
}
