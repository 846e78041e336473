package main

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strings"

	"assize/cmd/assize/internal/judging/corpus"
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
	top    int             `flag:"top"`
	sort   flags.Choice    `flag:"sort"`
	sample int             `flag:"sample"`
	by     string          `flag:"by"`
	worst  int             `flag:"also-worst"`
	seed   uint64          `flag:"seed"`
	redact bool            `flag:"redact"`
	budget summary.Portion `flag:"budget"`
	judgingFlags
	jobsFlag
	modelFlags
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
	t := triage.Ranker{Corpus: c, Order: run.Order(o.sort.Value), Top: o.top, Budget: o.budget}
	if o.sample > 0 { // the worst are additions
		by := summary.Column{By: groupedBy(c.Columns(), o.by)[0]}
		t.Draw = triage.Draw{N: o.sample, Column: by, Seed: o.seed}
		t.Top, o.budget = o.worst, summary.Portion{}
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
	}
	if j := cmp.Or(t.Model, c.Rules); j != nil {
		useWeights(p.Console, j)
	}
	return p.writeTo(&o.outputFlags, func(w io.Writer, page *ui.Page) error {
		s, err := t.Rank(ctx)
		if err != nil {
			return err
		}
		s.Warnings = append(s.Warnings, p.redacted(c.Headers...)...)
		err = ui.WriteAs(o.format.Value, w, page, s)
		// these formats have no place for it
		if f := o.format.Value; f == "csv" || f == "xlsx" || f == "jsonl" {
			p.Advise(s.Sentences()...)
			if o.sample > 0 && err == nil {
				p.Advise(p.nextAgree(args, cmp.Or(o.output, "FILE")))
			}
		}
		return err
	})
}

// nextAgree says which command reads the sheet of a sample. FILE stands for a masked name.
func (p *program) nextAgree(files []string, sheet string) string {
	given := map[string]bool{}
	for _, name := range append(flags.Group("agree", "Judging transcripts"),
		corpus.DayFlags[:]...) {
		given[name] = p.given[name]
	}
	next := "next: fill in the column rating, from 1 to 5, then: assize agree"
	for _, word := range slices.Concat(files, p.commands["triage"].Given(given),
		[]string{"--ratings", sheet}) {
		if p.shown(word) != word {
			word = "FILE"
		}
		next += " " + ui.Word(word)
	}
	if strings.Contains(next, " FILE ") {
		next += ", with the name of your file for FILE, which is masked here"
	}
	return next
}
