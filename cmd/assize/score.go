package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assize/cmd/assize/internal/batch"
	"assize/cmd/assize/internal/console"
	"assize/cmd/assize/internal/corpus"
	"assize/cmd/assize/internal/judge"
	"assize/cmd/assize/internal/report"
	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/source"
	"assize/cmd/assize/internal/summary"
	"assize/cmd/assize/internal/ui"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// scoreFlags are the flags of `assize score`.
type scoreFlags struct {
	outputFlags
	jobsFlag
	readingFlags
	scaleFlags
	modelFlags
	protocol                           choice
	ids, failUnder                     []string
	by                                 string
	gates                              []summary.Threshold // what failUnder says
	maxBelow                           summary.Portion
	full, redact, noTranscript, dryRun bool
	restart, strict, quiet             bool
}

func (p *program) scoreCommand() *cobra.Command {
	var o scoreFlags
	cmd := helpOf("score")
	o.register(cmd.Flags())
	return define(cmd, &o.config, o.validate, func(ctx context.Context, args []string) error {
		if o.used() && !cmd.Flags().Changed("jobs") {
			o.jobs = 1
		}
		return p.score(ctx, args, &o)
	})
}

func (o *scoreFlags) register(fs *pflag.FlagSet) {
	o.protocol = oneOf("debate", "single")
	group(fs, "Output", func() {
		o.outputFlags.register(fs, "scores", report.Formats()...)
		fs.Var(&o.protocol, "protocol", "`DOCUMENT` of --format json: the debate's (003) or the single evaluator's (004)")
		fs.BoolVar(&o.full, "full", false, "show every dialogue in full, not in one line")
		fs.StringVar(&o.by, "by", "", "also sum up by the column `NAME` of the source, such as agent or channel, or by file")
		fs.BoolVar(&o.redact, "redact", false,
			"mask e-mail addresses, phone, card and account numbers in everything that is written")
		fs.BoolVar(&o.noTranscript, "no-transcript", false, "keep in records only the turns that are cited")
		fs.BoolVar(&o.restart, "restart", false, "start the run behind -o again, and keep the old file under another name")
		fs.BoolVar(&o.quiet, "quiet", false, "print no progress, no summary of a run, and no advice")
	})
	group(fs, "Gates", func() {
		fs.StringSliceVar(&o.failUnder, "fail-under", nil, "exit 1 if a scored dialogue is below `SCORE`: 60 for the "+
			"OverallExperience, Empathy=40 for a criterion; repeatable")
		fs.Var(&o.maxBelow, "max-below",
			"allow `HOW-MANY` below --fail-under: a share of the scored dialogues, 5%, or a number")
		fs.BoolVar(&o.strict, "strict", false, "exit 1 if a dialogue is unscored")
	})
	group(fs, "Reading transcripts", func() {
		o.readingFlags.register(fs)
		fs.StringSliceVar(&o.ids, "id", nil, "only the dialogues with these `IDS`: 335 or 25,26")
		fs.BoolVar(&o.dryRun, "dry-run", false, "show how each file is read, and score nothing")
	})
	group(fs, "Judging", func() {
		o.scaleFlags.register(fs)
		o.jobsFlag.register(fs, "judge")
	})
	o.modelFlags.register(fs)
	fs.Lookup("jobs").DefValue = "one for each processor; with --model one"
}

// validate refuses what does not go together. A conflict counts where the command line makes it: what the config file
// says for all calls gives way.
func (o *scoreFlags) validate(given map[string]bool, _ []string) error {
	if err := o.outputFlags.validate(given); err != nil {
		return err
	}
	for _, of := range []struct {
		flag    string
		formats []string // that have a use for it
	}{
		{"full", []string{"text", "markdown"}}, {"protocol", []string{"json"}}, {"no-transcript", []string{"jsonl"}},
		{"restart", []string{"jsonl"}}, {"by", []string{"text", "markdown", "csv"}},
	} {
		if given[of.flag] && !slices.Contains(of.formats, o.format.value) {
			want := oneOf(of.formats...)
			return fmt.Errorf("--%s cannot be used with --format %s; want %s", of.flag, o.format.value, want.any())
		}
	}
	for _, flag := range []string{"by", "format", "output", "fail-under", "model", "strict"} {
		if given[flag] && o.dryRun {
			return fmt.Errorf("--%s cannot be used with --dry-run", flag)
		}
	}
	gates, err := parseGates(o.failUnder)
	if err != nil {
		return err
	}
	switch o.gates = gates; {
	case given["fail-under"] && len(o.failUnder) == 0: // such as from a variable that is not set
		return errors.New("--fail-under \"\": want a score from 20 to 100, or 0 for no gate")
	case o.format.value == "junit" && len(gates) == 0:
		return errors.New("--format junit can be used only with --fail-under, without which nothing can fail")
	case given["max-below"] && len(gates) == 0:
		return errors.New("--max-below can be used only with --fail-under")
	case given["by"] && o.by == "":
		return errors.New(`--by "": want a column, such as agent, or file`)
	case slices.Contains(o.ids, ""):
		return errors.New("--id has an empty id; want 335 or 25,26")
	case given["restart"] && (o.output == "" || o.output == source.Stdin):
		return errors.New("--restart needs -o FILE")
	}
	return errors.Join(o.jobsFlag.validate(), o.modelFlags.validate(given))
}

// score reads, judges and writes.
func (p *program) score(ctx context.Context, args []string, o *scoreFlags) error {
	p.Redact = o.redact
	reading, err := o.readingFlags.options()
	if err != nil {
		return err
	}
	files, missed, err := corpus.FindTranscripts(ctx, p.Console, args, o.output, "assize score chat.txt",
		"assize score --help")
	if err != nil || len(files) == 0 && o.format.value != "junit" { // a build server must see that there was nothing
		return err
	}
	j, err := o.scaleFlags.judge(judge.Options{Redact: o.redact, CitedOnly: o.noTranscript})
	switch {
	case err != nil:
		return err
	case o.dryRun:
		return p.dryRun(ctx, files, reading, j)
	}
	if err := o.modelFlags.open(ctx, j); err != nil {
		return err
	}
	noteUnusedWeight(p.Console, j)
	header := j.Header(reading)
	out, err := p.openScores(o, &header)
	if err != nil {
		return err
	}
	sink, err := p.sink(out, o, len(files), missed, header)
	if err != nil {
		return out.end(err)
	}
	s := scoring{
		program: p, out: out, sink: sink, gates: summary.NewThresholds(o.gates, o.maxBelow), format: o.format.value,
		batch: batch.Batch{Judge: j, Jobs: o.jobs, Run: out.run, Header: &header}, howToRestart: restartHint,
	}
	if o.restart {
		s.howToResume = "run the same command without --restart to resume"
	}
	ids := source.IDs{Wanted: o.ids}
	if !o.quiet {
		p.ShowProgressBeside(o.output)
		s.total = corpus.Counter(ctx, files, reading, ids)
	}
	defer p.Progress.Clear()
	begun := time.Now()
	err = s.write(ctx, ids.Filter(corpus.Samples(p.Console, files, reading)))
	if ctx.Err() == nil && err == nil && out.run != nil && !o.quiet {
		for _, line := range s.totals.Lines(out.run.Path(), time.Since(begun)) {
			p.Note(line)
		}
	}
	if ctx.Err() == nil && err == nil && !o.quiet && len(o.gates) == 0 {
		s.advise(o.output)
	}
	if j.Model != nil && (err == nil || ctx.Err() != nil) {
		reportUsage(p.Console, &s.totals.Usage, j.Model)
	}
	if err != nil || ctx.Err() != nil {
		return err
	}
	if missing := ids.Missing(); len(missing) > 0 {
		err := fmt.Errorf("--id %s: no dialogue has this id", strings.Join(missing, ","))
		p.Complain(console.Hint(err, "--format csv without --id lists the ids"))
	}
	return s.answer(o.strict)
}

// advise says what to do next with the scores of several dialogues.
func (s *scoring) advise(output string) {
	const enough = 50 // rated dialogues, from which a profile can be trusted
	next := "next: "
	switch {
	case s.totals.Scored < 2 || s.format != "text" && s.out.run == nil:
		return
	case s.out.run == nil:
		next, output = "next: -o run.jsonl keeps the scores; ", "run.jsonl"
	}
	next += "assize triage " + output + " shows the worst first"
	if s.totals.Rated >= enough {
		next += fmt.Sprintf("; assize fit %s -o profile.json learns from the %d rated", output, s.totals.Rated)
	}
	s.Note(next)
}

// dryRun shows how each file is read.
func (p *program) dryRun(ctx context.Context, files []string, opt dialogue.Options, j *judge.Judge) error {
	for _, file := range files {
		in := report.Intake{File: file, Show: j.Shown}
		for it := range corpus.Samples(p.Console, []string{file}, opt) {
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case it.Err != nil:
				in.Broken++
				p.Unread(it.Err)
			default:
				in.Add(it.Sample)
			}
		}
		in.Notes = p.TellGuesses()
		if err := in.Write(p.Out); err != nil {
			return err
		}
	}
	return nil
}

// sink makes the sink for a format, and has it sum up by groups where --by says so.
func (p *program) sink(w *output, o *scoreFlags, files int, missed []source.Item, header run.Header) (report.Sink, error) {
	opt := report.Options{Full: o.full, Files: files > 1,
		CrossCheck: header.Configuration.Evaluator == judge.ByModel, By: o.by}
	if o.output == "" {
		opt.Page = p.Page(o.color.value)
	}
	switch format := o.format.value; {
	case w.run != nil:
		return runSink{w.run}, nil
	case format == "jsonl":
		return report.NewJSONL(w, header)
	case format == "json" && o.protocol.value == "single":
		return report.NewJSON(w, (*rubric.Evaluation).AppendSingle), nil
	case format == "json":
		return report.NewJSON(w, (*rubric.Evaluation).AppendDebate), nil
	case format == "csv" && o.by != "":
		return report.NewGroups(w, o.by), nil
	case format == "csv":
		return report.NewCSV(w)
	case format == "markdown":
		return report.NewMarkdown(w, opt), nil
	case format == "text":
		return report.NewText(w, opt), nil
	}
	j := report.NewJUnit(w, o.gates)
	for _, it := range missed {
		if err := j.Unread(it.File, it.Place(), it.Err); err != nil {
			return nil, err
		}
	}
	return j, nil
}

// runSink is a run on disk as a sink. Closing the sink completes the run; the file stays open.
type runSink struct{ *run.Writer }

func (s runSink) Add(r *run.Record) error { return s.Record(r) }
func (s runSink) Close() error            { return s.Flush() }

// scoring is a batch on its way into an output.
type scoring struct {
	*program
	batch                     batch.Batch
	out                       *output
	sink                      report.Sink
	format                    string
	howToResume, howToRestart string                  // hints
	accept                    func(*run.Record) error // sees every new record; one that it refuses is not written, and ends the batch
	gates                     *summary.Thresholds
	totals                    batch.Totals

	begun   time.Time  // of judging
	total   func() int // of dialogues, 0 while unknown; nil where nobody is told
	resumed bool       // the run has been checked, and what is new follows
}

// write writes the records of items, in their order, and completes the output. A run that is stopped stays without its
// closing line.
func (s *scoring) write(ctx context.Context, items iter.Seq[source.Item]) error {
	s.begun = time.Now()
	for r, err := range s.batch.All(ctx, items) {
		if errors.Is(r.Err, context.Canceled) { // a record after this one would leave a gap
			break
		}
		if err == nil {
			err = s.take(&r)
		} else {
			err = s.cannotResume(err)
		}
		if err != nil {
			return s.out.end(err)
		}
	}
	s.TellGuesses()
	s.TellProblems()
	if ctx.Err() == nil {
		err := s.resume(true)
		if err == nil {
			err = s.sink.Close()
		}
		return s.out.end(err)
	}
	err := fmt.Errorf("stopped after %s; the rest is not scored", ui.Counted(s.totals.Records, "dialogue"))
	if s.out.run != nil {
		err = console.Hint(err, cmp.Or(s.howToResume, "run the same command again to resume"))
	}
	s.Complain(err)
	err = nil
	if s.format != "jsonl" {
		err = s.sink.Close()
	}
	if path := s.out.replaces; path != "" {
		s.Note(fmt.Sprintf("-o %s: is as it was before; --format jsonl keeps the results of a run that is stopped", path))
	}
	return errors.Join(err, s.out.close(false))
}

// take writes and counts a result.
func (s *scoring) take(r *batch.Result) (err error) {
	s.TellGuesses()
	switch rec := r.Record; {
	case r.Err != nil:
		s.Unread(r.Err)
		if j, ok := s.sink.(*report.JUnit); ok { // a build server would see only what is well otherwise
			err = j.Unread(r.Item.File, r.Item.Place(), r.Err)
		}
	case r.Stored != nil:
		s.out.run.Pass(*r.Stored, rec)
		s.begun = time.Now() // what was there before says nothing of the rate
	default:
		if s.accept != nil {
			err = s.accept(rec)
		}
		if err == nil {
			err = s.resume(false)
		}
		if s.format == "json" && !rec.Scored() {
			s.Note(fmt.Sprintf("%s: dialogue %d is unscored and left out: %s", rec.Source.File, rec.Dialogue.ID, rec.Reason))
		}
		if err == nil {
			err = s.sink.Add(rec)
		}
	}
	if err != nil {
		return err
	}
	if s.gates != nil && r.Record != nil {
		row := r.Record.Row(s.totals.Records)
		s.gates.Add(&row)
	}
	s.totals.Add(r)
	if s.total != nil && s.Progress.Due() {
		s.Progress.Tell(s.totals.Progress(time.Since(s.begun), s.total()))
	}
	return nil
}

// resume checks what the run holds, before anything is added to it, and tells where it continues; last is whether only
// its end is to be written.
func (s *scoring) resume(last bool) error {
	f := s.out.run
	if f == nil || s.resumed {
		return nil
	}
	s.resumed = true
	if err := f.Check(); err != nil {
		return s.cannotResume(err)
	}
	if stored := ui.Counted(f.Passed(), "record"); last && f.Finished() {
		s.Note(fmt.Sprintf("%s: already complete with %s; nothing to judge", f.Path(), stored))
	} else if f.Passed() > 0 {
		s.Note(fmt.Sprintf("%s: resuming after %s", f.Path(), stored))
	}
	if n := f.Torn(); n > 0 {
		s.Note(fmt.Sprintf("%s: removed an incomplete last line of %s", f.Path(), ui.Counted(int(n), "byte")))
	}
	return nil
}

func (s *scoring) cannotResume(err error) error {
	return console.Hint(err, cmp.Or(s.howToRestart, "remove the file to judge its dialogues again"))
}

// answer answers --fail-under and --strict.
func (s *scoring) answer(strict bool) error {
	passed, lines, err := s.gates.Answer()
	if err != nil {
		return err
	}
	if n := s.totals.Unscored; strict && n > 0 {
		passed = false
		lines = append(lines, fmt.Sprintf("%d of %s %s unscored, which --strict does not allow", n,
			ui.Counted(s.totals.Records, "dialogue"), ui.Is(n)))
	}
	if !passed {
		return console.Answer(strings.Join(lines, "\n"))
	}
	for _, line := range lines {
		s.Note(line)
	}
	return nil
}
