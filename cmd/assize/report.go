package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"assize/cmd/assize/internal/judging/corpus"
	"assize/cmd/assize/internal/output"
	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/reading/redact"
	"assize/cmd/assize/internal/reading/source"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/showing/report"
	"assize/cmd/assize/internal/showing/results"
	"assize/cmd/assize/internal/statistics/agree"
	"assize/cmd/assize/internal/statistics/sample"
	"assize/cmd/assize/internal/statistics/summary"
	"assize/cmd/assize/internal/terminal/ui"
)

// reportFlags are the flags of `assize report`.
type reportFlags struct {
	outputFlags  `flag:"format output"`
	title        string   `flag:"title"`
	top          int      `flag:"top"`
	by           []string `flag:"by"`
	noTranscript bool     `flag:"no-transcript"`
	redact       bool     `flag:"redact"`
	long         bool     `flag:"long"`
	peopleFlags
	drawFlags
	judgingFlags
	jobsFlag
	_        string `flag:"config"`
	terminal bool   // standard output is a terminal
}

// validate checks the combination of flags and sets the default of --top.
func (o *reportFlags) validate(given map[string]bool, _ []string) error {
	err := o.outputFlags.validate(given) // which determines the format
	switch format := o.format.Value; {
	case err != nil:
		return err
	case format == "html" && o.output == "" && o.terminal:
		return errors.New("a page cannot be shown on a terminal; want -o report.html")
	case o.top < 0 && format == "markdown":
		o.top = 10
	case o.top < 0:
		o.top = 200
	}
	return nil
}

// kept returns how many of the worst dialogues to keep in full, and how many of the others. The
// others are half as many, to show good dialogues as well.
func (o *reportFlags) kept() (worst, others int) {
	switch {
	case o.noTranscript:
		return 0, 0
	case o.format.Value == "markdown":
		return o.top, 0
	}
	return o.top, o.top / 2
}

func (o *reportFlags) run(ctx context.Context, p *program, args []string) error {
	p.redact(o.redact)
	c, err := p.corpus(ctx, "report", args, &o.judgingFlags, o.jobs, o.output, o.ratings...)
	if err != nil || len(c.Files) == 0 {
		return err
	}
	p.ShowProgressBeside(o.output)
	out, err := output.Create(p.Out, o.output, o.format.Value)
	if err != nil {
		return err
	}
	table := results.NewCSV
	switch {
	case o.format.Value == "xlsx":
		table = func(w io.Writer) run.Sink {
			return results.NewXLSX(w, func() []string { return p.redacted(c.Headers...) })
		}
	case o.format.Value != "csv":
		return out.End(p.reportPage(ctx, c, o, out))
	case o.long:
		table = results.NewLong
	}
	sink := table(out)
	var records []*run.Record // until the ratings of all are known
	err = toReport(ctx, c, func(e *corpus.Entry) error {
		if o.ratings != nil {
			if judged := e.Record.Evaluation; judged != nil { // without room for more
				judged.Signals = slices.Clone(judged.Signals)
			}
			records = append(records, e.Record)
			return nil
		}
		return sink.Add(e.Record)
	})
	if err == nil && o.ratings != nil {
		err = p.addRatings(sink, &o.peopleFlags, records)
	}
	return out.End(cmp.Or(err, sink.Close())) // closing fails again after a failed write
}

// addRatings writes records with people's ratings, on their own scale: the mean, and columns with
// those of each rater, unless the raters are too many to have the same position everywhere.
func (p *program) addRatings(sink run.Sink, o *peopleFlags, records []*run.Record) error {
	var scored []*run.Row
	of := map[*run.Row]*run.Record{}
	for _, r := range records {
		row := r.Row(0)
		if of[&row], r.Truth.Overall = r, nil; row.Scored() {
			scored = append(scored, &row)
		}
	}
	o.learns = true // no figure is corrected
	rated, notes, err := p.people(o, scored)
	p.Notes(notes)
	isOther := func(r ratings.Rated) bool { return !slices.Equal(r.Raters, rated[0].Raters) }
	var names []string
	if slices.ContainsFunc(rated, isOther) {
		p.Note(texts.Text("many raters"))
	} else if len(rated) > 0 {
		names = p.named(rated[0].Raters)
	}
	for _, one := range rated {
		r := of[one.Row]
		if one.Overall != nil {
			r.Truth.Overall = []float64{o.people.FromFive(one.Mean())}
		}
		if names != nil {
			r.Source.Meta = append(slices.Clone(r.Source.Meta), one.Fields(o.people, names)...)
		}
	}
	for i := 0; err == nil && i < len(records); i++ {
		err = sink.Add(records[i])
	}
	return err
}

// named returns the names of raters, redacted if --redact is set, each unlike the others.
func (p *program) named(raters []string) (names []string) {
	for _, name := range raters {
		one := p.shown(name)
		for n := 2; slices.Contains(names, one); n++ {
			one = fmt.Sprint(p.shown(name), " ", n)
		}
		names = append(names, one)
	}
	return names
}

// reportPage writes the page that summarises all records.
func (p *program) reportPage(ctx context.Context, c *corpus.Corpus, o *reportFlags, out io.Writer,
) error {
	worst, others := o.kept()
	drawn := report.New(worst, others)
	drawn.By = groupedBy(c.Columns(), o.by...)
	err := toReport(ctx, c, func(e *corpus.Entry) error {
		drawn.Add(&e.Line, e.Record)
		return nil
	})
	if err != nil {
		return err
	}
	drawn.Notes = append(p.redacted(c.Headers...), p.Warned()...)
	drawn.Title = p.shown(cmp.Or(o.title, titleOf(c.Files)))
	if err := p.addPeople(ctx, drawn, o, c.Headers); err != nil {
		return err
	}
	if drawn.Groups, err = summary.GroupBy(drawn.Rows, drawn.By, drawn.Rated); err != nil {
		return err
	}
	if o.format.Value == "markdown" {
		return drawn.Markdown(out)
	}
	return drawn.Write(out)
}

// addPeople compares the runs with people's ratings, if there are any. An error in ratings that are
// part of the runs becomes a note on the page, because the user did not ask for them.
func (p *program) addPeople(ctx context.Context, drawn *report.Page, o *reportFlags,
	headers []*run.Header) error {
	rows := drawn.Scored()
	carried := slices.ContainsFunc(rows, func(r *run.Row) bool { return len(r.Ratings) > 0 })
	if len(rows) == 0 || o.ratings == nil && !carried {
		return nil
	}
	rated, joined, err := p.people(&o.peopleFlags, append(rows, drawn.Repeats...))
	switch {
	case err != nil && o.ratings == nil:
		without := p.shown("agreement with people is left out: " + err.Error())
		p.Note(without)
		drawn.Notes = append(drawn.Notes, ui.Sentence(ui.Visible(without)))
		return nil
	case err != nil:
		return err
	}
	opt := agree.Options{Scale: o.people, Worst: .2, Draws: p.drawsFor(&o.drawFlags, len(rated)),
		Seed: o.seed}
	drawn.Rated = rated
	rated, repeats := ratings.Once(rated)
	drawn.People, drawn.Corrected = agree.New(ctx, rated, opt), sample.Of(rows, rated)
	drawn.People.Differ = ui.Each(drawn.People.Differ, p.shown)
	drawn.People.Ratings, drawn.People.Unscored = o.origin(), drawn.Summary.Unscored
	if learned, _ := ratings.WithoutTraining(headers, rated); len(learned) > 0 {
		drawn.People.Answer = learned
	}
	drawn.People.Notes = ui.Each(slices.Concat(joined, repeats, drawn.People.Notes), p.shown)
	if ctx.Err() != nil {
		return corpus.ErrStopped
	}
	return nil
}

// redact masks what messages quote, if --redact is set.
func (p *program) redact(isSet bool) {
	if isSet {
		p.Mask = redact.Error
	}
}

// redacted returns a note if --redact is set, or if a run is redacted.
func (p *program) redacted(headers ...*run.Header) []string {
	return redact.Notes(p.Mask != nil, headers...)
}

// shown returns a text, redacted if --redact is set.
func (p *program) shown(text string) string {
	if p.Mask != nil {
		return redact.Text(text)
	}
	return text
}

// titleOf returns the title of a report on files.
func titleOf(files []string) string {
	switch file := filepath.Base(files[0]); {
	case len(files) > 1:
		return corpus.Named(files)
	case file == ui.Stdin:
		return "Dialogues"
	default:
		return strings.TrimSuffix(source.Stem(file), ".run")
	}
}

// toReport calls take for every record, redacted if --redact is set.
func toReport(ctx context.Context, c *corpus.Corpus, take func(*corpus.Entry) error) error {
	return c.Each(ctx, c.Latest(ctx), "dialogue", func(e *corpus.Entry) (bool, error) {
		if c.Mask != nil {
			redact.Record(e.Record)
			e.Line.File = redact.Text(e.Line.File)
		}
		return true, take(e)
	})
}
