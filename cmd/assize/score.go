package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"assize/cmd/assize/internal/judging/batch"
	"assize/cmd/assize/internal/judging/corpus"
	"assize/cmd/assize/internal/judging/fleet"
	"assize/cmd/assize/internal/judging/judge"
	"assize/cmd/assize/internal/output"
	"assize/cmd/assize/internal/reading/ratings"
	"assize/cmd/assize/internal/reading/redact"
	"assize/cmd/assize/internal/reading/source"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/showing/results"
	"assize/cmd/assize/internal/statistics/summary"
	"assize/cmd/assize/internal/stats"
	"assize/cmd/assize/internal/terminal/console"
	"assize/cmd/assize/internal/terminal/flags"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics"
	"assize/rubric"
	"assize/rubric/dialogue/importer"
)

// scoreFlags are the flags of `assize score`.
type scoreFlags struct {
	outputFlags
	protocol    flags.Choice `flag:"protocol"`
	full        bool         `flag:"full"`
	by          []string     `flag:"by"`
	peopleFlags `flag:"ratings sampled"`
	redact      bool                `flag:"redact"`
	restart     bool                `flag:"restart"`
	failUnder   []string            `flag:"fail-under"`
	failOn      []string            `flag:"fail-on"`
	gates       []summary.Threshold // parsed from failUnder and failOn
	maxBelow    summary.Portion     `flag:"max-below"`
	confidence  summary.Portion     `flag:"confidence"`
	strict      bool                `flag:"strict"`
	readingFlags
	ids    []string `flag:"id"`
	dryRun bool     `flag:"dry-run"`
	scaleFlags
	jobsFlag
	modelFlags
	server fleet.Server  `flag:"*"` // of workers on other machines, which judge
	fleet  fleet.Options `flag:"*"`
	folder string        // of an experiment, from which its files are named; else ""
}

// validate returns an error if flags on the command line conflict; others give way to them.
func (o *scoreFlags) validate(given map[string]bool, _ []string) error {
	// the first determines the format
	if err := cmp.Or(o.outputFlags.validate(given), o.set.Conflicts(given)); err != nil {
		return err
	}
	gates, err := summary.ParseThresholds(o.failUnder)
	o.people = ratings.DefaultScale
	switch o.gates = gates; {
	case err != nil:
		return fmt.Errorf("--fail-under %w", err)
	case o.format.Value == "junit" && len(gates)+len(o.failOn) == 0:
		return texts.Error("nothing can fail")
	case given["max-below"] && len(gates) == 0:
		return errors.New("--max-below can be used only with --fail-under; --fail-on allows none")
	case given["confidence"] && (o.maxBelow.Share == 0 || o.maxBelow.Share == 100*100):
		return errors.New("--confidence needs --max-below with a share, such as 5%")
	}
	return o.modelFlags.validate(given, nil)
}

func (o *scoreFlags) run(ctx context.Context, p *program, args []string) error {
	o.settle(o.modelFlags.used())
	p.redact(o.redact)
	reading, err := p.reading(&o.readingFlags, args, o.ratings)
	if err != nil {
		return err
	}
	runs, files, missed, err := corpus.FindTranscripts(ctx, p.Console, "score", args, o.output)
	// a build server must see that nothing was scored
	if err != nil || runs == nil && len(files) == 0 && o.format.Value != "junit" {
		return err
	}
	if runs != nil {
		return o.rewrite(ctx, p, runs, missed)
	}
	j, err := o.scaleFlags.judge(judge.Options{Redact: o.redact, Dates: o.dates.Value})
	switch {
	case err != nil:
		return err
	case o.dryRun:
		return p.dryRun(ctx, files, reading, j)
	}
	if err := o.addAnswers(j.Rubric); err != nil {
		return err
	}
	if err := o.modelFlags.open(ctx, j); err != nil {
		return err
	}
	useWeights(p.Console, j)
	s, err := p.scoring(o, j, j.Header(reading), files)
	if err != nil {
		return err
	}
	s.LeaveOut(missed...)
	ids := source.IDs{Wanted: o.ids}
	if !p.Quiet {
		p.ShowProgressBeside(o.output)
		s.Total = corpus.Counter(ctx, files, reading, ids)
	}
	begun := time.Now()
	if o.server.URL != "" {
		if s.Fleet, err = o.collector(ctx, p, s); err != nil {
			return s.Out.End(err)
		}
	}
	items := corpus.Samples(p.Console, files, reading)
	if o.folder != "" {
		items = source.Renamed(items,
			func(file string) string { return source.From(o.folder, file) })
	}
	err = s.Write(ctx, ids.Filter(items))
	if ctx.Err() == nil && err == nil && !p.Quiet {
		p.sumUp(s, o, time.Since(begun))
	}
	if err != nil || ctx.Err() != nil {
		return err
	}
	o.missing(p, ids)
	return p.answerScore(s, o.strict)
}

// addAnswers adds the gates of --fail-on, which are answers to the questions of the rubric.
func (o *scoreFlags) addAnswers(r rubric.Rubric) error {
	answers, err := summary.ParseAnswers(o.failOn, r)
	if err != nil {
		return fmt.Errorf("--fail-on %w", err)
	}
	if len(r.Questions) == 0 && slices.ContainsFunc(o.gates,
		func(t summary.Threshold) bool { return t.Name == run.ChecklistName }) {
		return texts.Error("no questions")
	}
	o.gates = append(o.gates, answers...)
	return nil
}

// rewrite writes the records of kept runs in another format and applies the gates to them.
func (o *scoreFlags) rewrite(ctx context.Context, p *program, c *corpus.Corpus,
	missed []source.Item) error {
	if err := p.onlyForTranscripts("score", "transcripts"); err != nil {
		return err
	}
	p.transcribed = nil
	if o.format.Value == "jsonl" {
		return texts.Error("run as JSON lines")
	}
	out, err := output.Create(p.Out, o.output, o.format.Value)
	if err != nil {
		return err
	}
	if c.Jobs = o.jobs; len(o.gates)+len(o.failOn) > 0 {
		c.Verify = heuristics.New()
	}
	s := batch.Scoring{Console: p.Console, Out: out, Format: o.format.Value}
	ids := source.IDs{Wanted: o.ids}
	all := func(yield func(corpus.Entry) bool) {
		for e := range c.Once(ctx) {
			if j, ok := s.Sink.(*results.JUnit); ok && e.Err != nil {
				j.Unread(e.Line.File, fmt.Sprint("line ", e.Line.Number), e.Err)
			}
			if !yield(e) {
				return
			}
		}
	}
	err = c.Each(ctx, all, "dialogue", func(e *corpus.Entry) (bool, error) {
		var err error
		if s.Sink == nil {
			if err := o.addAnswers(e.Line.Header.Basis.Rubric); err != nil {
				return false, err
			}
			s.Gates = summary.NewThresholds(o.gates, o.maxBelow, o.confidence.Fraction())
			header := *e.Line.Header
			if s.Sink, err = p.sink(&s, o, header, len(c.Files)); err == nil {
				s.LeaveOut(missed...)
			}
		}
		if err != nil || !ids.Has(e.Record.Dialogue.ID, e.Record.Source.ID, e.Record.Source.File) {
			return true, err
		}
		if o.redact {
			redact.Record(e.Record)
		}
		_, err = s.Put(&batch.Result{Record: e.Record})
		return true, err
	})
	isOpen := c.Unfinished > 0 && len(o.gates) > 0
	if j, ok := s.Sink.(*results.JUnit); ok && isOpen {
		j.Undecided(string(errUnfinished))
	}
	if err == nil {
		err = s.Sink.Close()
	}
	if err := out.End(err); err != nil {
		return err
	}
	o.missing(p, ids)
	err = p.answerScore(&s, o.strict)
	if err == nil && isOpen {
		return errUnfinished
	}
	return err
}

// missing reports the ids of --id that no dialogue has.
func (o *scoreFlags) missing(p *program, ids source.IDs) {
	if missing := ids.Missing(); len(missing) > 0 {
		err := fmt.Errorf("--id %s: no dialogue has this id", strings.Join(missing, ","))
		p.Complain(console.Hint(err, "--format csv without --id lists the ids and the files"))
	}
}

// scoring opens the output. JSON lines in a file are a run, which resumes where it was stopped.
func (p *program) scoring(o *scoreFlags, j *judge.Judge, header run.Header, files []string,
) (*batch.Scoring, error) {
	s := &batch.Scoring{
		Console: p.Console,
		Batch:   batch.Batch{Judge: j, Jobs: o.jobs, Header: &header}, Format: o.format.Value,
		Gates:  summary.NewThresholds(o.gates, o.maxBelow, o.confidence.Fraction()),
		Inputs: files,
		Flags:  o.set.Given(p.given, "output", "restart"),
	}
	if o.folder == "" { // not of an experiment
		s.HowToRestart = "--restart starts the run again and keeps the old file"
	}
	var err error
	file, regular := output.Target(o.output)
	if o.format.Value != "jsonl" || !regular {
		if s.Out, err = output.Create(p.Out, o.output, o.format.Value); err != nil {
			return nil, err
		}
		if s.Sink, err = p.sink(s, o, header, len(files)); err != nil {
			return nil, s.Out.End(err)
		}
		return s, nil
	}
	if o.restart {
		s.HowToResume = "run the same command without --restart to resume"
		kept, err := run.SetAside(file)
		if err != nil {
			return nil, fmt.Errorf("-o %s: %w", o.output, output.WithoutName(err))
		}
		if kept != "" {
			p.Note(fmt.Sprintf("-o %s: the old file is kept as %s", o.output, kept))
		}
	}
	err = s.Resume(o.output)
	return s, err
}

// sumUp prints a summary of a run and, for several dialogues, suggests what to do next.
func (p *program) sumUp(s *batch.Scoring, o *scoreFlags, elapsed time.Duration) {
	const enough = 50 // rated dialogues, enough to trust a profile
	next, file := "next: ", o.output
	if s.Run != nil {
		p.Notes(s.Totals.Summaries(s.Run.Path, elapsed))
	} else {
		next, file = "next: -o run.jsonl keeps the scores; ", "run.jsonl"
	}
	if len(o.gates) > 0 || s.Totals.Scored < 2 || o.format.Value != "text" && s.Run == nil {
		return
	}
	next += "assize triage " + file + " shows the worst first"
	if s.Totals.Rated >= enough {
		next += texts.Text("next fit", file, s.Totals.Rated)
	}
	p.Note(next)
}

// dryRun shows how each file is read.
func (p *program) dryRun(ctx context.Context, files []string, opt importer.Options, j *judge.Judge,
) error {
	names := corpus.Names{Wanted: opt}
	opt.Note = p.Guess
	for file, items := range source.ByFile(p.In, files, opt) {
		in := results.Intake{File: file, Show: j.MaskText}
		for it := range corpus.Noted(p.Console, items) {
			switch names.Add(it); {
			case ctx.Err() != nil:
				return ctx.Err()
			case it.Err != nil:
				in.AddBroken(it.Err)
				p.Unread(it.Err)
			default:
				in.Add(it.Sample)
			}
		}
		in.Notes = p.PrintGuesses()
		if err := in.Write(p.Out); err != nil {
			return err
		}
	}
	names.Warn(p.Console)
	return nil
}

// sink returns the sink for a format other than a run in a file.
func (p *program) sink(s *batch.Scoring, o *scoreFlags, header run.Header, files int,
) (run.Sink, error) {
	w := s.Out
	opt := results.Options{Full: o.full, Files: files > 1, Header: header,
		Notes: func() []string { return append(p.redacted(&header), p.Warnings()...) }}
	var rated func(scored []*run.Row) ([]ratings.Rated, error)
	if o.ratings != nil || o.sampled {
		rated = func(scored []*run.Row) ([]ratings.Rated, error) {
			list, notes, err := p.people(&o.peopleFlags, scored)
			p.Notes(notes)
			for i := range list {
				if len(list) == len(scored) { // who rates all draws all
					list[i].Drawn.Probability = 1
				}
			}
			return list, err
		}
	}
	opt.Groups = summary.NewGroupers(groupedBy(header.Configuration.Columns, o.by...), rated)
	if o.output == "" {
		opt.Page = p.Page(o.color.Value)
	}
	switch o.format.Value {
	case "jsonl":
		return results.NewJSONL(w, header)
	case "json":
		if o.protocol.Value == "single" {
			return results.NewJSON(w, (*rubric.Evaluation).AppendSingle), nil
		}
		return results.NewJSON(w, (*rubric.Evaluation).AppendDebate), nil
	case "csv":
		if len(o.by) > 0 {
			p.Advise("--by writes one row per group to csv; without it, there is one per dialogue")
			return results.NewGroups(w, opt), nil
		}
		return results.NewCSV(w), nil
	case "xlsx":
		return results.NewXLSX(w, opt.Notes), nil
	case "markdown":
		return results.NewMarkdown(w, opt), nil
	case "text":
		return results.NewText(w, opt), nil
	}
	return results.NewJUnit(w, s.Gates, p.shown, opt.Notes), nil
}

// answerScore returns the exit status for --fail-under and --strict.
func (p *program) answerScore(s *batch.Scoring, strict bool) error {
	verdict, lines, err := s.Gates.Answer()
	if err != nil {
		return err
	}
	if n := s.Gates.Unscored; strict && n > 0 {
		verdict = stats.Failed
		lines = append(lines, texts.Text("unscored", n, ui.Counted(s.Totals.Records, "dialogue"),
			ui.Is(n)))
	}
	again := s.Totals.Duplicates - (s.Gates.Unscored - s.Totals.Unscored) // that are scored
	if len(lines) > 0 && (again > 0 || strict && s.Totals.Duplicates > 0) {
		lines = append(lines, "gates count repeats, too, which the figures leave out")
	}
	if verdict == stats.Passed {
		p.Notes(lines)
	}
	return gate(verdict, lines)
}
