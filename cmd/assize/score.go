package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assize/cmd/assize/internal/batch"
	"assize/cmd/assize/internal/judge"
	"assize/cmd/assize/internal/redact"
	"assize/cmd/assize/internal/report"
	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/source"
	"assize/cmd/assize/internal/summary"
	"assize/cmd/assize/internal/ui"
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
	o.outputFlags.register(fs, "scores", report.Formats()...)
	o.protocol = oneOf("debate", "single")
	fs.Var(&o.protocol, "protocol", "`DOCUMENT` of --format json: the debate's (003) or the single evaluator's (004)")
	fs.BoolVar(&o.restart, "restart", false, "start the run behind -o again, and keep the old file under another name")
	fs.BoolVar(&o.strict, "strict", false, "exit 1 if a dialogue is unscored")
	fs.BoolVar(&o.quiet, "quiet", false, "print no progress, and no summary of a run")
	fs.BoolVar(&o.full, "full", false, "show every dialogue in full, not in one line")
	fs.StringVar(&o.by, "by", "", "also sum up by the column `NAME` of the source, such as agent or channel, or by file")
	fs.StringSliceVar(&o.ids, "id", nil, "only the dialogues with these `IDS`: 335 or 25,26")
	fs.StringSliceVar(&o.failUnder, "fail-under", nil, "exit 1 if a scored dialogue is below `SCORE`: 60 for the OverallExperience, Empathy=40 for a criterion; repeatable")
	fs.Var(&o.maxBelow, "max-below", "allow `HOW-MANY` below --fail-under: a share of the scored dialogues, 5%, or a number")
	o.scaleFlags.register(fs)
	o.readingFlags.register(fs)
	fs.BoolVar(&o.dryRun, "dry-run", false, "show how each file is read, and score nothing")
	fs.BoolVar(&o.redact, "redact", false, "mask e-mail addresses, phone, card and account numbers in everything that is written")
	fs.BoolVar(&o.noTranscript, "no-transcript", false, "keep in records only the turns that are cited")
	o.jobsFlag.register(fs, "judge")
	o.modelFlags.register(fs)
	fs.Lookup("jobs").DefValue = "one for each processor; with --model one"
}

// validate refuses what does not go together. A conflict counts where the command line makes it: what the config file
// says for all calls gives way.
func (o *scoreFlags) validate(given map[string]bool, _ []string) error {
	if err := o.outputFlags.validate(given); err != nil {
		return err
	}
	format := "--format " + o.format.value
	text := o.format.value == "text" || o.format.value == "markdown"
	for _, c := range []struct {
		flag, with string
		is         bool
	}{
		{"full", format, !text},
		{"protocol", format + "; it chooses the document of --format json", o.format.value != "json"},
		{"no-transcript", format + "; only --format jsonl keeps transcripts", o.format.value != "jsonl"},
		{"restart", format + "; only --format jsonl writes a run", o.format.value != "jsonl"},
		{"by", format + "; want text, markdown or csv", !text && o.format.value != "csv"},
		{"by", "--dry-run, which names the columns", o.dryRun},
		{"format", "--dry-run", o.dryRun},
		{"output", "--dry-run", o.dryRun},
		{"fail-under", "--dry-run", o.dryRun},
		{"model", "--dry-run", o.dryRun},
		{"strict", "--dry-run", o.dryRun},
	} {
		if given[c.flag] && c.is {
			return fmt.Errorf("--%s cannot be used with %s", c.flag, c.with)
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
	case given["by"] && o.by == "": // such as from a variable that is not set
		return errors.New(`--by "": want a column, such as agent, or file`)
	case slices.Contains(o.ids, ""):
		return fmt.Errorf("--id has an empty id; want 335 or 25,26")
	case given["restart"] && (o.output == "" || o.output == stdinName):
		return errors.New("--restart needs -o FILE")
	}
	return errors.Join(o.jobsFlag.validate(), o.modelFlags.validate(given))
}

// score reads, judges and writes.
func (p *program) score(ctx context.Context, args []string, o *scoreFlags) error {
	reading, err := o.readingFlags.options()
	if err != nil {
		return err
	}
	files, err := p.inputs(source.Transcripts, args, o.output, "assize score chat.txt", "assize score --help")
	if err == nil {
		files, err = p.withoutRuns(ctx, files, args)
	}
	if err != nil || len(files) == 0 && o.format.value != "junit" { // a build server must see that there was nothing
		return err
	}
	if o.dryRun {
		return p.dryRun(ctx, files, reading, o.redact)
	}
	j, err := o.openJudge(ctx)
	if err != nil {
		return err
	}
	if j.Model != nil && o.jobs > 1 {
		p.note(fmt.Sprintf("--jobs %d: the model's server still answers one request at a time, and the bytes of two runs may differ", o.jobs))
	}
	p.noteUnusedWeight(j)
	header := j.Header(reading)
	out, err := p.openScores(o, &header)
	if err != nil {
		return err
	}
	sink, err := p.sink(out, o, len(files), header)
	if err != nil {
		return err
	}
	ids := source.IDs{Wanted: o.ids}
	s := scoring{
		program: p, out: out, sink: sink, gates: summary.NewThresholds(o.gates, o.maxBelow),
		batch: batch.Batch{Judge: j, Jobs: o.jobs, Run: out.run, Header: &header}, restart: o.restart, format: o.format.value,
	}
	if !o.quiet {
		s.follow(ctx, o, files, reading)
	}
	defer p.clear()
	begun := time.Now()
	err = s.write(ctx, ids.Filter(p.samples(files, reading)))
	if err != nil && ctx.Err() == nil {
		return err
	}
	if ctx.Err() == nil && out.run != nil && !o.quiet {
		for _, line := range s.totals.Lines(out.run.Path(), time.Since(begun)) {
			p.note(line)
		}
	}
	if j.Model != nil {
		p.reportUsage(&s.totals.Usage, j.Model)
	}
	if err != nil || ctx.Err() != nil {
		return err
	}
	if missing := ids.Missing(); len(missing) > 0 {
		p.complain(withHints(fmt.Errorf("--id %s: no dialogue has this id", strings.Join(missing, ",")), "--format csv without --id lists the ids"))
	}
	return p.answer(&s, o.strict)
}

// openJudge makes the judge that the flags describe, and its model ready.
func (o *scoreFlags) openJudge(ctx context.Context) (*judge.Judge, error) {
	j, err := o.scaleFlags.judge(judge.Options{Redact: o.redact, CitedOnly: o.noTranscript})
	if err != nil {
		return nil, err
	}
	return j, o.modelFlags.open(ctx, j)
}

// dryRun shows how each file is read.
func (p *program) dryRun(ctx context.Context, files []string, opt dialogue.Options, masked bool) error {
	show := func(s string) string { return s }
	if masked {
		show = redact.Text
	}
	for _, file := range files {
		in := report.Intake{File: file, Show: show}
		for it := range p.samples([]string{file}, opt) {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if it.Err != nil {
				in.Broken++
				p.complain(errors.New(show(it.Err.Error())))
				continue
			}
			in.Add(it.Sample)
		}
		if err := in.Write(p.stdout); err != nil {
			return err
		}
	}
	return nil
}

// scoring is a batch on its way into an output.
type scoring struct {
	*program
	batch   batch.Batch
	out     *output
	sink    report.Sink
	format  string
	restart bool                    // --restart is given, which would start the run again once more
	accept  func(*run.Record) error // sees every new record; one that it refuses is not written, and ends the batch
	gates   *summary.Thresholds
	totals  batch.Totals

	begun   time.Time    // of judging
	count   func()       // counts the dialogues of the input; nil where nobody is told
	total   atomic.Int64 // of dialogues; 0 while unknown
	resumed bool         // the run has been checked, and what is new follows
}

// write writes the records of items, in their order, and completes the output.
func (s *scoring) write(ctx context.Context, items func(func(source.Item) bool)) error {
	s.begun = time.Now()
	err := s.writeRecords(ctx, items)
	switch {
	case err != nil:
		s.out.discard()
		return err
	case ctx.Err() != nil:
		return s.stopped()
	}
	if err := s.resume(true); err != nil {
		s.out.discard()
		return err
	}
	return errors.Join(s.kept(s.sink.Close()), s.out.close())
}

func (s *scoring) writeRecords(ctx context.Context, items func(func(source.Item) bool)) error {
	for r, err := range s.batch.All(ctx, items) {
		switch {
		case err != nil:
			return withHints(err, s.startAgain())
		case errors.Is(r.Err, context.Canceled): // reported once; a record after this one would leave a gap
			return nil
		case r.Err != nil:
			s.complain(r.Err)
			if j, ok := s.sink.(*report.JUnit); ok { // a build server would see only what is well otherwise
				if err := j.Unread(r.Item.File, r.Item.Place(), r.Err); err != nil {
					return err
				}
			}
		default:
			if err := s.writeRecord(&r); err != nil {
				return err
			}
			if s.gates != nil {
				row := r.Record.Row(s.totals.Records)
				s.gates.Add(&row)
			}
		}
		s.totals.Add(&r)
		if r.Stored != nil {
			s.begun = time.Now() // what was there before says nothing of the rate
		}
		if s.count != nil && s.progress.Due() {
			s.count()
			s.progress.Tell(s.totals.Progress(time.Since(s.begun), int(s.total.Load())))
		}
	}
	return nil
}

func (s *scoring) writeRecord(r *batch.Result) error {
	if r.Stored != nil {
		s.out.run.Pass(*r.Stored, r.Record)
		return nil
	}
	if s.accept != nil {
		if err := s.accept(r.Record); err != nil {
			return err
		}
	}
	if err := s.resume(false); err != nil {
		return err
	}
	if s.format == "json" && !r.Record.Scored() {
		s.note(fmt.Sprintf("%s: dialogue %d is unscored and left out: %s", r.Record.Source.File, r.Record.Dialogue.ID, r.Record.Reason))
	}
	return s.kept(s.sink.Add(r.Record))
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
		return withHints(err, s.startAgain())
	}
	stored := ui.Counted(f.Passed(), "record")
	switch {
	case last && f.Finished():
		s.note(fmt.Sprintf("%s: already complete with %s; nothing to judge", f.Path(), stored))
	case f.Passed() > 0:
		s.note(fmt.Sprintf("%s: resuming after %s", f.Path(), stored))
	}
	if n := f.Torn(); n > 0 {
		s.note(fmt.Sprintf("%s: removed an incomplete last line of %s", f.Path(), ui.Counted(int(n), "byte")))
	}
	return nil
}

// kept adds to an error that the records which are written are not lost.
func (s *scoring) kept(err error) error {
	switch {
	case errors.Is(err, run.ErrTouched):
		return withHints(err, "run the same command again to see what is left of it")
	case err != nil && s.out.run != nil:
		return withHints(err, fmt.Sprintf("%s kept; %s", ui.Counted(s.totals.Records, "record"), s.resumeHint()))
	}
	return err
}

// stopped ends the output of a batch that was stopped. A run stays without its closing line.
func (s *scoring) stopped() error {
	err := fmt.Errorf("stopped after %s; the rest is not scored", ui.Counted(s.totals.Records, "dialogue"))
	if s.out.run != nil {
		err = withHints(err, s.resumeHint())
	}
	s.complain(err)
	if s.format == "jsonl" {
		return s.out.abandon()
	}
	return errors.Join(s.sink.Close(), s.out.abandon())
}

func (s *scoring) resumeHint() string {
	if s.restart {
		return "run the same command without --restart to resume"
	}
	return "run the same command again to resume"
}

func (s *scoring) startAgain() string {
	if s.accept != nil { // an experiment, which has no --restart
		return "remove the file to judge its dialogues again"
	}
	return "--restart starts the run again and keeps the old file"
}

// follow has the progress reported. Files that can be read twice are counted meanwhile, once the batch takes long enough
// to be reported at all.
func (s *scoring) follow(ctx context.Context, o *scoreFlags, files []string, reading dialogue.Options) {
	s.program.progress = s.paced(o.output)
	counted := false
	s.count = func() {
		if counted {
			return
		}
		counted = true
		go func() {
			for _, file := range files {
				if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
					return
				}
			}
			n := int64(0)
			ids := source.IDs{Wanted: o.ids}
			for it := range ids.Filter(source.Read(nil, files, reading)) {
				if ctx.Err() != nil {
					return
				}
				if it.Err == nil {
					n++
				}
			}
			s.total.Store(n)
		}()
	}
}

// answer answers --fail-under and --strict.
func (p *program) answer(s *scoring, strict bool) error {
	passed, lines, err := s.gates.Answer()
	if err != nil {
		return err
	}
	failed := ""
	for i, line := range lines {
		if i == len(lines)-1 && !passed {
			failed = line
		} else {
			p.note(line)
		}
	}
	if n := s.totals.Unscored; strict && n > 0 {
		if failed != "" {
			p.note(failed)
		}
		failed = fmt.Sprintf("%d of %s %s unscored, which --strict does not allow", n, ui.Counted(s.totals.Records, "dialogue"), is(n))
	}
	if failed == "" {
		return nil
	}
	return answerNo(failed)
}

func is(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}
