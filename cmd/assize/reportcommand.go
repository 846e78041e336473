package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"assize/cmd/assize/internal/accord"
	"assize/cmd/assize/internal/accord/view"
	"assize/cmd/assize/internal/explain"
	"assize/cmd/assize/internal/overview"
	"assize/cmd/assize/internal/page"
	"assize/cmd/assize/internal/record"
	"assize/cmd/assize/internal/redact"
	"assize/cmd/assize/internal/report"
	"assize/cmd/assize/internal/triage"
	"assize/heuristics"
)

func (p *program) reportCommand() *cobra.Command {
	var o reportOptions
	cmd := &cobra.Command{
		Use:   "report RUN…",
		Short: "Draw the picture of a run: one HTML file that opens offline",
		Long: `Draw the picture of runs that assize score -o run.jsonl wrote, as one HTML file
that opens offline, from anywhere: the headline figures, how scores lie, where
conversations go wrong, what the Critic and the Referee changed, and every
dialogue in a list to search, filter and sort; the worst, and some others, open
with their transcripts and the evidence marked in them. The file asks nothing of
any server, and forbids itself to.

Where the runs carry ratings of people, or --ratings has them, the figures of
assize agree are drawn too.

--format markdown is a summary for a merge request; --format csv a row a
dialogue, or with --long a row a criterion.`,
		Example: `  assize report run.jsonl -o report.html
  assize report run.jsonl -o report.html --title "Bot 4.2, week 21" --redact
  assize report run.jsonl --ratings survey.csv -o report.html
  assize report run.jsonl --format markdown --top 5
  assize report run.jsonl --long -o scores.csv`,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			validate := func(given map[string]bool) error { return o.validate(given, p.onTerminal()) }
			if err := prepare(cmd, o.config, validate); err != nil {
				return err
			}
			return p.report(cmd.Context(), args, &o)
		},
	}
	o.register(cmd.Flags())
	complete(cmd)
	return cmd
}

// report reads runs and draws them.
func (p *program) report(ctx context.Context, args []string, o *reportOptions) error {
	files, err := p.inputs(runFiles("report"), args, o.output)
	if err != nil || len(files) == 0 {
		return err
	}
	out, err := p.create(o.output)
	if err != nil {
		return err
	}
	switch o.format.value {
	case "csv":
		err = p.tabulate(ctx, files, o, out)
	default:
		err = p.draw(ctx, files, o, out)
	}
	return out.end(err)
}

// tabulate writes rows as records come.
func (p *program) tabulate(ctx context.Context, files []string, o *reportOptions, w io.Writer) error {
	sink, err := o.table(w)
	if err != nil {
		return err
	}
	err = p.records(ctx, files, o, func(_ *record.Line, r *record.Record) error { return sink.Record(r) })
	return cmp.Or(err, sink.Flush()) // which fails again where a write has failed
}

func (o *reportOptions) table(w io.Writer) (report.Sink, error) {
	if o.long {
		return report.NewLong(w)
	}
	return report.NewCSV(w)
}

// draw writes what all records show together.
func (p *program) draw(ctx context.Context, files []string, o *reportOptions, w io.Writer) error {
	agents, err := heuristics.New()
	if err != nil {
		return err
	}
	worst, others := o.kept()
	all := overview.New(worst, others, triage.Muted(agents.Detectors()))
	var learnt lessons
	err = p.records(ctx, files, o, func(line *record.Line, r *record.Record) error {
		learnt.see(line)
		all.Add(line, r)
		return nil
	})
	if err != nil {
		return err
	}
	drawn := &page.Page{Title: o.heading(files), Overview: all, Notes: p.remarked()}
	if drawn.Groups, err = all.Groups(o.by); err != nil {
		return err
	}
	if err := p.besidePeople(ctx, drawn, o, learnt.notes()); err != nil {
		return err
	}
	if o.format.value == "markdown" {
		return drawn.Markdown(w, o.top)
	}
	return drawn.Write(w)
}

// besidePeople lays people's ratings beside the runs, where there are any. Nobody asked for those that the runs carry, so
// what is wrong with them is said and stops nothing.
func (p *program) besidePeople(ctx context.Context, drawn *page.Page, o *reportOptions, notes []string) error {
	all := drawn.Overview
	if all.Scored == 0 || o.ratings == "" && !all.Carried() {
		return nil
	}
	ratable := all.Ratable()
	rated, joined, err := p.people(o.ratings, o.people, ratable.Records)
	if err != nil && o.ratings == "" {
		without := "agreement with people is left out: " + err.Error()
		p.note(without)
		drawn.Notes = append(drawn.Notes, explain.Sentence(report.Visible(without)))
		return nil
	}
	if err != nil {
		return err
	}
	ratable.Rate(rated)
	measured, err := stoppable(ctx, func() *accord.Report { return accord.New(ctx, rated, o.options(len(rated))) })
	if err != nil {
		return err
	}
	drawn.Rated = rated
	drawn.People = &view.Sheet{Report: measured, Source: view.Source{Ratings: o.ratings, Unscored: all.Unscored, Notes: append(joined, notes...)}}
	return nil
}

// records hands every record of the runs to take. What cannot be read or trusted is complained of, up to mostComplaints
// times, and left out.
func (p *program) records(ctx context.Context, files []string, o *reportOptions, take func(*record.Line, *record.Record) error) error {
	p.pace = p.paced(o.output)
	wrong, taken := 0, 0
	for e := range p.once(p.entries(ctx, files, o.jobs)) {
		p.reads(taken + wrong)
		if e.err != nil {
			if wrong++; wrong <= mostComplaints {
				p.complain(e.err)
			}
			continue
		}
		if o.redact {
			redact.Record(e.record)
		}
		taken++
		if err := take(&e.line, e.record); err != nil {
			return err
		}
	}
	p.clear()
	if rest := wrong - mostComplaints; rest > 0 {
		p.complain(fmt.Errorf("%d more lines are wrong", rest))
	}
	switch {
	case ctx.Err() != nil:
		return errors.New("stopped before all was read; nothing is written")
	case taken == 0 && wrong == 0:
		return fmt.Errorf("there is no dialogue in %s", named(files))
	case taken == 0:
		return withHints(errors.New("no line can be used; want a run, as assize score -o run.jsonl writes"), "assize replay names what is wrong")
	}
	return nil
}
