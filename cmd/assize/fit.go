package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"assize/cmd/assize/internal/judging/corpus"
	"assize/cmd/assize/internal/judging/judge"
	"assize/cmd/assize/internal/output"
	"assize/cmd/assize/internal/statistics/fit"
	"assize/cmd/assize/internal/statistics/summary"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics"
	"assize/heuristics/satisfaction"
)

// fitFlags are the flags of `assize fit`.
type fitFlags struct {
	output string `flag:"output"`
	peopleFlags
	flag    summary.Portion `flag:"flag"`
	seed    uint64          `flag:"seed"`
	noWords bool            `flag:"no-words"`
	judgingFlags
	jobsFlag
	displayFlags
}

func (o *fitFlags) validate(given map[string]bool, args []string) error {
	o.findOwn(given, o.columns, args)
	if len(args) == 0 && slices.Contains(o.ratings, ui.Stdin) {
		return texts.Error("two inputs")
	}
	return oneStdin(slices.Concat(args, o.ratings)...)
}

func (o *fitFlags) run(ctx context.Context, p *program, args []string) error {
	o.learns = true
	c, err := p.corpus(ctx, "fit", args, &o.judgingFlags, o.jobs, o.output, o.ratings...)
	if err != nil || len(c.Files) == 0 {
		return err
	}
	agents := heuristics.New()
	m := fit.NewMaterial(agents,
		fit.Options{Flag: satisfaction.Millionths(o.flag.Share) * 100, Seed: o.seed,
			Scale: o.people, Source: strings.Join(o.sources, ","), Program: judge.Version(),
			NoWords: o.noWords, Tell: func(done, all int) error {
				if p.Progress.Due() {
					p.Progress.Print(fmt.Sprintf("learning: %d of %d strengths tried", done, all))
				}
				return nil
			}})
	err = c.Each(ctx, c.Records(ctx), "scored dialogue", func(e *corpus.Entry) (bool, error) {
		return m.Add(e.Record, e.Line.Header)
	})
	if err != nil {
		return err
	}
	rated, notes, err := p.people(&o.peopleFlags, m.Rows)
	if err != nil {
		return err
	}
	p.Notes(notes)
	res, note, err := m.Learn(rated)
	p.Progress.Clear()
	if note != "" {
		p.Note(note)
	}
	if err != nil {
		return err
	}
	out, err := output.Create(p.Out, o.output, "json")
	if err != nil {
		return err
	}
	_, err = out.Write(res.Profile.File())
	if err := out.End(err); err != nil {
		return err
	}
	page, to := p.Page(o.color.Value), p.Out
	if o.output == "" || o.output == ui.Stdin { // the profile goes to standard output
		page, to = ui.NewPage(p.Err, o.color.Value == "always"), p.Err
	}
	if o.format.Value == "json" {
		return ui.WriteJSON(to, struct {
			Seed   uint64      `json:"seed"`
			Scale  string      `json:"scale"`
			Result *fit.Result `json:"profile"`
		}{o.seed, o.people.String(), res}, "  ")
	}
	res.Text(&page)
	return page.Send(to)
}
