package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"assize/cmd/assize/internal/judging/corpus"
	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/reading/source"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/statistics/agree"
	"assize/cmd/assize/internal/statistics/sample"
	"assize/cmd/assize/internal/statistics/summary"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics"
	"assize/rubric/dialogue/importer"
)

// agreeFlags are the flags of `assize agree`.
type agreeFlags struct {
	outputFlags
	peopleFlags
	worst summary.Portion `flag:"worst"`
	drawFlags
	judgingFlags
	jobsFlag
}

func (o *agreeFlags) validate(given map[string]bool, args []string) error {
	o.findOwn(given, o.columns, args)
	return cmp.Or(o.outputFlags.validate(given), oneStdin(slices.Concat(args, o.ratings)...))
}

// findOwn makes the transcripts' own files those of --ratings, if none are given and --columns
// names columns that only ratings have: of criteria or raters, or of two people (rating=anna,ben).
func (o *peopleFlags) findOwn(given map[string]bool, columns, args []string) {
	for i, pair := range columns {
		use, _, isPair := strings.Cut(pair, "=")
		isOurs := !isPair && i > 0 && strings.HasPrefix(columns[i-1], "rating=") ||
			slices.Contains(ratings.Uses, use) && !slices.Contains(importer.Uses(), use)
		if isOurs && !given["ratings"] && !slices.ContainsFunc(args, run.IsFile) {
			o.ratings, given["ratings"] = args, true
		}
	}
}

func (o *agreeFlags) run(ctx context.Context, p *program, args []string) error {
	c, err := p.corpus(ctx, "agree", args, &o.judgingFlags, o.jobs, o.output, o.ratings...)
	if err != nil || len(c.Files) == 0 {
		return err
	}
	rows, unscored, err := c.Scored(ctx)
	if p.given["questions"] && c.Rules == nil && err == nil {
		err = o.answered(c)
	}
	if err != nil {
		return err
	}
	rated, notes, err := p.people(&o.peopleFlags, rows, agree.Questions(rows)...)
	if err != nil {
		return err
	}
	opt := agree.Options{Scale: o.people, Worst: o.worst.Fraction(),
		Draws: p.drawsFor(&o.drawFlags, len(rated)), Seed: o.seed,
		Questions: p.given["questions"]}
	rated, repeats := ratings.Once(rated)
	notes = append(notes, repeats...)
	rep := agree.New(ctx, rated, opt)
	learned, others := ratings.WithoutTraining(c.Headers, rated)
	if n := len(others); n < len(rated) { // those learned from prove nothing
		rep.Answer = learned
		for _, said := range agree.New(ctx, others, opt).Answer {
			rep.Answer = append(rep.Answer, fmt.Sprintf("The %d others by themselves: %s", n, said))
		}
	}
	if ctx.Err() != nil {
		return corpus.ErrStopped
	}
	rep.Corrected = sample.Of(rows, rated)
	if o.format.Value == "csv" { // CSV has no place for notes
		p.Notes(notes)
	}
	rep.Ratings, rep.Unscored = o.origin(), unscored
	rep.Notes = slices.Concat(p.Warned(), notes, rep.Notes)
	return p.writeTo(&o.outputFlags, func(w io.Writer, page *ui.Page) error {
		return ui.WriteAs(o.format.Value, w, page, rep)
	})
}

// answered returns an error if runs have no answers to the questions of the rubric.
func (o *agreeFlags) answered(c *corpus.Corpus) error {
	card, err := o.readRubric(heuristics.New())
	for _, h := range c.Headers {
		if err == nil && h.Basis.Rubric.Digest() != card.Digest() {
			err = texts.Error("other rubric", corpus.Named(c.Files), o.rubric)
		}
	}
	return err
}

// readRatings reads the files of --ratings for these rows, and the answers to questions in them.
func (p *program) readRatings(o *peopleFlags, rows []*run.Row, questions ...string,
) (files []*ratings.File, err error) {
	isID := func(s string) bool {
		return slices.ContainsFunc(rows, func(row *run.Row) bool { return row.Name == s })
	}
	for i, name := range o.ratings {
		if slices.Contains(o.ratings[:i], name) {
			return nil, fmt.Errorf("--ratings %s is given twice; want each file once", name)
		}
		r, err := source.Open(p.In, name)
		if err != nil {
			return nil, fmt.Errorf("--ratings: %w", err)
		}
		f, err := ratings.ReadFile(r, name, p.columns, isID, questions...)
		r.Close()
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	isMissing := func(named string) bool {
		return !slices.ContainsFunc(files, func(f *ratings.File) bool { return f.Found[named] })
	}
	for _, use := range ratings.Uses {
		if name := p.columns[use]; name != "" && p.transcribed[use] != name && isMissing(use) {
			what := map[bool]string{true: "these columns", false: "this column"}
			return nil, texts.Error("no column", use, name, what[strings.Contains(name, ",")])
		}
	}
	for _, text := range ratings.Conditions(p.columns) {
		if isMissing(text) {
			return nil, texts.Error("no column", "where", text, "this column")
		}
	}
	return files, nil
}

// people returns the ratings from --ratings or, without it, those in the rows, restricted to the
// requested sources, and the answers to questions. If figures are corrected with them and no file
// has a random sample, all rated dialogues count as drawn if the setting sampled says so; otherwise
// a note says what the ratings lack, unless all dialogues are rated.
func (p *program) people(o *peopleFlags, rows []*run.Row, questions ...string,
) ([]ratings.Rated, []string, error) {
	files, err := p.readRatings(o, rows, questions...)
	if err != nil {
		return nil, nil, err
	}
	drawn := slices.ContainsFunc(files, (*ratings.File).Drawn)
	rated, notes, err := ratings.Collect(rows, files, o.sources, o.people)
	switch {
	case err != nil || o.learns || drawn:
	case o.sampled:
		for i := range rated {
			rated[i].Drawn.Probability = float64(len(rated)) / float64(len(rows))
		}
	case len(rated) < len(rows):
		notes = append(notes, texts.Text("not drawn"))
	}
	return rated, notes, err
}
