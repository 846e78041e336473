package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"assize/cmd/assize/internal/bench"
	"assize/cmd/assize/internal/fit"
	"assize/cmd/assize/internal/fit/account"
	"assize/cmd/assize/internal/record"
	"assize/cmd/assize/internal/report"
	"assize/heuristics"
)

func (p *program) fitCommand() *cobra.Command {
	var o fitOptions
	cmd := &cobra.Command{
		Use:   "fit RUN…",
		Short: "Learn from people's ratings how to estimate satisfaction",
		Long: `Learn a profile from dialogues that people rated. A profile turns what the
panel saw into satisfaction, the rating that people would give; assize score
--profile FILE estimates by it. The six scores, their average and the
OverallExperience are never changed by a profile.

Ratings stand in the runs themselves, where the transcripts carried them, or in
a file: a table or JSON lines with the columns dialogue_id, rater and rating, or
a transcript with ratings. 10 rated dialogues are needed, 50 make a good
profile, and from 300 on a curve may take the place of the line.

Where a model judged the runs, its weighted average gets the weight beside the
rules' estimate that makes satisfaction rank better on dialogues that were not
used for fitting; most small models get none.

The profile goes to -o FILE and the report to standard output; without -o the
profile goes to standard output and the report to standard error. Errors are
measured on folds of dialogues that were not used for fitting, beside those of
the mean rating alone.

--points suggests other points for what users say, as a diff of the lexicon on
standard output. Nothing is applied.

Exit code: 0 fine; 2 the command line or an input is wrong, or too few
dialogues are rated.`,
		Example: `  assize fit run.jsonl -o profile.json
  assize fit run.jsonl --ratings stars.csv --scale 0-10 -o profile.json
  assize fit run.jsonl --flag 5% --weights -o profile.json
  assize fit run.jsonl --points > points.diff
  assize score calls.txt --profile profile.json`,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			validate := func(given map[string]bool) error { return o.validate(given, args) }
			if err := prepare(cmd, o.config, validate); err != nil {
				return err
			}
			return p.fit(cmd.Context(), args, &o)
		},
	}
	o.register(cmd.Flags())
	complete(cmd)
	return cmd
}

// fit reads runs and ratings, learns, and tells.
func (p *program) fit(ctx context.Context, args []string, o *fitOptions) error {
	files, err := p.inputs(runFiles("fit"), args, o.output)
	if err != nil || len(files) == 0 {
		return err
	}
	agents, err := heuristics.New()
	if err != nil {
		return err
	}
	var seen lexicons
	var judges evaluators
	records, _, err := p.scoredLines(ctx, files, o.jobs, func(l *record.Line) {
		seen.see(l)
		judges.see(l)
	})
	if err != nil {
		return err
	}
	if err := seen.check(agents.Digest()); err != nil {
		return err
	}
	model, doubt := judges.one(records)
	if doubt != "" && o.learns() {
		p.note(doubt)
	}
	rated, notes, err := p.people(o.ratings, o.people, records)
	if err != nil {
		return err
	}
	for _, n := range notes {
		p.note(n)
	}
	a := account.Account{Seed: o.seed, Scale: o.people.String()}
	failed, err := stoppable(ctx, func() (err error) {
		if o.learns() {
			a.Result, err = fit.Learn(rated, records, o.options(agents.Digest(), model))
		}
		if o.points && err == nil {
			a.Suggestion, err = fit.Suggest(rated, agents.Detectors(), o.seed)
		}
		return err
	})
	if err = cmp.Or(err, failed); err != nil {
		return err
	}
	return p.account(&a, o)
}

// account writes what came of it: the profile to its file, what a program may read to standard output, and the report
// where nothing else goes.
func (p *program) account(a *account.Account, o *fitOptions) error {
	if a.Result != nil {
		if err := p.writeProfile(a.Result.Profile, o.output); err != nil {
			return err
		}
	}
	if o.format.value == "json" {
		data, err := a.JSON()
		if err == nil {
			_, err = p.stdout.Write(data)
		}
		return err
	}
	page := report.Page{Color: p.colored(o.color.value)}
	to := p.stdout
	if o.points || o.toStdout() {
		to = p.stderr
		page.Color = o.color.value == "always"
	}
	if a.Suggestion != nil {
		diff, err := account.Diff(a.Suggestion)
		if err == nil {
			_, err = io.WriteString(p.stdout, diff)
		}
		if err != nil {
			return err
		}
	}
	a.Text(&page)
	if a.Result != nil && !o.toStdout() {
		page.WriteByte('\n')
		page.Line(report.Dim, "Use it: assize score --profile "+report.Visible(o.output)+" …")
	}
	return page.Send(to)
}

// writeProfile puts the profile in its place when it is complete.
func (p *program) writeProfile(profile heuristics.Profile, path string) error {
	out, err := p.create(path)
	if err != nil {
		return err
	}
	_, err = out.Write(profile.File())
	return out.end(err)
}

// lexicons are the digests of the lexicons that runs were scored with, as far as their headers say.
type lexicons []string

// see takes in what the header of a line says.
func (l *lexicons) see(line *record.Line) {
	if line.Header != nil && !slices.Contains(*l, line.Header.Lexicon) {
		*l = append(*l, line.Header.Lexicon)
	}
}

// check refuses runs that were scored with another lexicon than this program's: what is learnt from them would not
// hold for what this program scores.
func (l lexicons) check(own string) error {
	for _, digest := range l {
		if digest != own {
			err := fmt.Errorf("a run was scored with the lexicon %.12s…, and this program has %.12s…: a profile would not fit what it scores", digest, own)
			return withHints(err, "score the dialogues anew with this program")
		}
	}
	return nil
}

// evaluators are the models that were the Evaluator in runs.
type evaluators struct {
	models   []heuristics.Model // by name and digest
	nameless bool               // a run has lost its header, so that nobody knows who judged
}

// see takes in what the header of a line says.
func (e *evaluators) see(line *record.Line) {
	switch h := line.Header; {
	case h == nil:
		e.nameless = true
	case h.Configuration.Evaluator == bench.ByModel && h.Model != nil:
		model := heuristics.Model{Digest: h.Model.Digest, Name: report.Visible(h.Model.Name)}
		e.nameless = e.nameless || !model.Identified()
		if !slices.ContainsFunc(e.models, func(m heuristics.Model) bool { return m.Digest == model.Digest }) {
			e.models = append(e.models, model)
		}
	}
}

// one gives the model whose judgement of records can be weighed: the only one there is. Where there is none although a
// model judged, doubt says why.
func (e *evaluators) one(records []*record.Record) (model heuristics.Model, doubt string) {
	judged := slices.ContainsFunc(records, func(r *record.Record) bool { return r.CrossCheck != nil })
	switch {
	case judged && e.nameless:
		return model, "no model is weighed: a run does not say in its header which model judged it"
	case len(e.models) > 1:
		return model, fmt.Sprintf("no model is weighed: the runs were judged by %s and by %s; want runs of one model", e.models[0].Name, e.models[1].Name)
	case judged && len(e.models) == 1:
		model = e.models[0]
	}
	return model, ""
}
