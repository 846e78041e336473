package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"assize/cmd/assize/internal/accord"
	"assize/cmd/assize/internal/accord/view"
	"assize/cmd/assize/internal/ratings"
	"assize/cmd/assize/internal/record"
)

func (p *program) agreeCommand() *cobra.Command {
	var o agreeOptions
	cmd := &cobra.Command{
		Use:   "agree RUN…",
		Short: "Measure agreement with people's ratings, or with another judge",
		Long: `Measure how the scores of a run agree with the ratings that people gave: those
in the run itself, where the transcripts carried them, or those of --ratings, a
table or JSON lines with the columns dialogue_id, rater and rating, and perhaps
criterion and file, or a transcript that carries ratings.

Everything stands beside what it must be compared with: a constant, one
annotator against the others, and the limit that no scorer can be expected to
pass, since the ratings are only so reliable. Figures are taken within files, or
what --by says, and the headline is their mean; each has a bootstrap interval.

--against holds the run against another judge's run of the same dialogues, and
against several it tells how stable they are, as for one judge asked again.

Exit code: 0 fine; 1 a measure is under --fail-below; 2 the command line or an
input is wrong, or --fail-below has no answer.`,
		Example: `  assize agree run.jsonl
  assize agree run.jsonl --ratings survey.csv --scale 0-10
  assize agree run.jsonl --by folder --full
  assize agree run.jsonl --fail-below satisfaction=.35 -o agree.json
  assize agree rules.jsonl --against model.jsonl
  assize agree once.jsonl --against twice.jsonl --against thrice.jsonl`,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			validate := func(given map[string]bool) error { return o.validate(given, args) }
			if err := prepare(cmd, o.config, validate); err != nil {
				return err
			}
			return p.agree(cmd.Context(), args, &o)
		},
	}
	o.register(cmd.Flags())
	complete(cmd)
	return cmd
}

// agree measures the run against people, or against other judges.
func (p *program) agree(ctx context.Context, args []string, o *agreeOptions) error {
	files, err := p.inputs(agreeFiles, args, o.output)
	if err != nil || len(files) == 0 {
		return err
	}
	var report agreeReport
	var verdict error
	if len(o.against) > 0 {
		report, err = p.agreeOfJudges(ctx, files, o)
	} else {
		var sheet *view.Sheet
		if sheet, err = p.agreeWithPeople(ctx, files, o); err == nil {
			report, verdict = sheet, o.answer(sheet.Report)
		}
	}
	switch {
	case err != nil:
		return err
	case ctx.Err() != nil:
		return errors.New("stopped before all was measured; nothing is printed")
	}
	out, err := p.create(o.output)
	if err != nil {
		return err
	}
	if err := out.end(writeAgreement(out, report, o.format.value)); err != nil {
		return err
	}
	return verdict
}

// agreeReport is what came of it.
type agreeReport interface {
	Text(io.Writer) error
	JSON(io.Writer) error
	CSV(io.Writer) error
}

func writeAgreement(w io.Writer, r agreeReport, format string) error {
	switch format {
	case "json":
		return r.JSON(w)
	case "csv":
		return r.CSV(w)
	}
	return r.Text(w)
}

// agreeWithPeople lays people's ratings beside the records and measures.
func (p *program) agreeWithPeople(ctx context.Context, files []string, o *agreeOptions) (*view.Sheet, error) {
	var learnt lessons
	records, unscored, err := p.scoredLines(ctx, files, o.jobs, learnt.see)
	if err != nil {
		return nil, err
	}
	rated, notes, err := p.people(o.ratings, o.people, records)
	if err != nil {
		return nil, err
	}
	notes = append(notes, learnt.notes()...)
	if o.format.value == "csv" { // which has no place for them
		for _, n := range notes {
			p.note(n)
		}
	}
	measured, err := stoppable(ctx, func() *accord.Report { return accord.New(ctx, rated, o.options()) })
	if err != nil {
		return nil, err
	}
	return &view.Sheet{
		Report: measured,
		Source: view.Source{Ratings: o.ratings, Unscored: unscored, Notes: append(p.remarked(), notes...)},
		Full:   o.full,
		Color:  o.output == "" && p.colored(o.color.value),
	}, nil
}

// lessons are the profiles of runs that were learnt from people's ratings.
type lessons struct {
	last *record.Header
	from []int // how many dialogues each was learnt from
}

func (l *lessons) see(line *record.Line) {
	if line.Header == l.last || line.Header == nil {
		return
	}
	l.last = line.Header
	if learned := line.Header.Basis.Profile.Learned; learned != nil && !slices.Contains(l.from, learned.Dialogues) {
		l.from = append(l.from, learned.Dialogues)
	}
}

func (l *lessons) notes() (notes []string) {
	for _, n := range l.from {
		notes = append(notes, fmt.Sprintf("The profile was learnt from %d rated dialogues; where these are among them, the errors of satisfaction are too small.", n))
	}
	return notes
}

// people gives the ratings of a file, or those that the records carry.
func (p *program) people(file string, s ratings.Scale, records []*record.Record) ([]ratings.Rated, []string, error) {
	if file == "" {
		return ratings.FromTruth(records, s)
	}
	r, err := p.open(file)
	if err != nil {
		return nil, nil, fmt.Errorf("--ratings: %w", err)
	}
	defer r.Close()
	f, err := ratings.ReadFile(r, file)
	if err != nil {
		return nil, nil, err
	}
	return f.Join(records, s)
}

// agreeOfJudges holds runs against the first.
func (p *program) agreeOfJudges(ctx context.Context, files []string, o *agreeOptions) (*view.Bench, error) {
	first, err := p.judge(ctx, named(files), files, o.jobs)
	if err != nil {
		return nil, err
	}
	var others []*accord.Judge
	for _, file := range o.against {
		other, err := p.judge(ctx, file, []string{file}, o.jobs)
		if err != nil {
			return nil, fmt.Errorf("--against: %w", err)
		}
		others = append(others, other)
	}
	measured, err := stoppable(ctx, func() *accord.Judges { return accord.NewJudges(ctx, first, others, o.options()) })
	if err != nil {
		return nil, err
	}
	bench := &view.Bench{Judges: measured, Color: o.output == "" && p.colored(o.color.value)}
	for i := range bench.Against {
		if len(bench.Against[i].Pairs) == 0 {
			return nil, fmt.Errorf("--against %s: no dialogue of %s is in it; want runs of the same transcripts", o.against[i], named(files))
		}
	}
	for i, file := range o.against {
		for _, before := range slices.Concat(files, o.against[:i]) {
			if sameFile(before, file) {
				bench.Against[i].Notes = append([]string{fmt.Sprintf("%s and %s are the same file.", before, file)}, bench.Against[i].Notes...)
			}
		}
	}
	bench.Against[0].Notes = append(p.remarked(), bench.Against[0].Notes...)
	return bench, nil
}

// judge reads what a judge said. What cannot be read or trusted is complained of and left out.
func (p *program) judge(ctx context.Context, name string, files []string, jobs int) (*accord.Judge, error) {
	j := accord.NewJudge(name)
	wrong := 0
	for e := range p.entries(ctx, files, jobs) {
		if e.err == nil {
			j.Add(e.line, e.record)
		} else if wrong++; wrong <= mostComplaints {
			p.complain(e.err)
		}
	}
	if rest := wrong - mostComplaints; rest > 0 {
		p.complain(fmt.Errorf("%s: %d more lines are wrong", name, rest))
	}
	switch {
	case ctx.Err() != nil:
		return nil, errors.New("stopped before all was read; nothing is printed")
	case j.Scored == 0:
		return nil, fmt.Errorf("%s: no scored dialogue; want a run, as assize score -o run.jsonl writes", name)
	}
	return j, nil
}
