package main

import (
	"cmp"
	"context"
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
	sort       flags.Choice
	top, worst int
	draw       triage.Draw
	redact     bool
	budget     summary.Portion
}

func (o *triageFlags) register(fs *flags.Set) {
	o.outputFlags.register(fs, "the ranking", triage.Formats()...)
	o.sort = flags.OneOf(run.Orders()...)
	fs.Add("top", &o.top)
	fs.Add("since", &o.since)
	fs.Add("sort", &o.sort)
	fs.Add("sample", &o.draw.N)
	fs.Add("by", &o.draw.Column.By)
	fs.Add("also-worst", &o.worst)
	fs.Add("seed", &o.draw.Seed)
	fs.Add("redact", &o.redact)
	fs.Add("budget", &o.budget)
	o.judgingFlags.register(fs)
	o.jobsFlag.register(fs)
	o.modelFlags.register(fs)
	o.natsFlags.register(fs)
}

func (o *triageFlags) validate(given map[string]bool, _ []string) error {
	return cmp.Or(o.outputFlags.validate(given), o.modelFlags.validate(given, nil))
}

func (o *triageFlags) run(ctx context.Context, p *program, args []string) error {
	p.redact(o.redact)
	c, err := p.corpus(ctx, "triage", args, &o.judgingFlags, o.jobs, o.output)
	if err != nil || len(c.Files) == 0 {
		return err
	}
	t := triage.Ranker{Corpus: c, Order: run.Order(o.sort.Value), Top: o.top,
		Budget: o.budget}
	if o.draw.N > 0 { // the worst are additions
		t.Draw, t.Top, o.budget = o.draw, o.worst, summary.Portion{}
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
				if o.columns != nil {
					args = append(args, "--columns '"+strings.Join(o.columns, ",")+"'")
				}
				p.Advise(fmt.Sprintf("next: fill in the column rating, from 1 to 5, then: assize "+
					"agree %s --ratings %s", strings.Join(args, " "), cmp.Or(o.output, "FILE")))
			}
		}
		return err
	})
}
