package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assize/cmd/assize/internal/judge"
	"assize/cmd/assize/internal/redact"
	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/source"
	"assize/cmd/assize/internal/summary"
	"assize/cmd/assize/internal/triage"
	"assize/cmd/assize/internal/ui"
	"assize/heuristics"
	"assize/rubric/dialogue"
)

// triageFlags are the flags of `assize triage`.
type triageFlags struct {
	outputFlags
	jobsFlag
	readingFlags
	scaleFlags
	modelFlags
	sort               choice
	top                int
	duplicates, redact bool
	budget             summary.Portion
	ofTranscripts      []string // the flags that mean nothing for a run
}

func (p *program) triageCommand() *cobra.Command {
	var o triageFlags
	cmd := helpOf("triage")
	o.register(cmd.Flags())
	return define(cmd, &o.config, o.validate, func(ctx context.Context, args []string) error {
		return p.triage(ctx, args, &o)
	})
}

func (o *triageFlags) register(fs *pflag.FlagSet) {
	o.outputFlags.register(fs, "the ranking", triage.Formats()...)
	o.sort = oneOf(triage.Orders()...)
	fs.IntVar(&o.top, "top", 50, "show the `N` worst")
	fs.Var(&o.sort, "sort", "rank by `WHAT`: "+o.sort.any())
	fs.BoolVar(&o.duplicates, "duplicates", false, "rank each of several dialogues with the same turns, not only the first")
	fs.BoolVar(&o.redact, "redact", false, "mask e-mail addresses, phone, card and account numbers in everything that is written")
	fs.Var(&o.budget, "budget", "ask the model of --model about `HOW-MANY`: 10%, or a number of dialogues")
	o.ofTranscripts = added(fs, func() {
		o.scaleFlags.register(fs)
		o.readingFlags.register(fs)
	})
	o.jobsFlag.register(fs, "let the rules judge")
	o.modelFlags.register(fs)
}

func (o *triageFlags) validate(given map[string]bool, _ []string) error {
	o.ofTranscripts = slices.DeleteFunc(o.ofTranscripts, func(flag string) bool { return !given[flag] })
	switch {
	case o.top < 1:
		return fmt.Errorf("--top %d; want 1 or more", o.top)
	case given["budget"] && o.model == "":
		return errors.New("--budget can be used only with --model, which it is for")
	case given["budget"] && o.budget.None():
		return fmt.Errorf("--budget %s; want a share above 0%%, such as 10%%, or a number of dialogues, 1 or more", o.budget)
	case given["model"] && o.budget.None():
		return errors.New("--model can be used only with --budget, which says how many dialogues it may judge: 10%, or a number")
	}
	return errors.Join(o.outputFlags.validate(given), o.jobsFlag.validate(), o.modelFlags.validate(given))
}

// triage ranks and writes.
func (p *program) triage(ctx context.Context, args []string, o *triageFlags) error {
	files, err := p.inputs(source.Transcripts, args, o.output, "assize triage transcripts/", "assize triage run.jsonl", "assize triage --help")
	if err != nil || len(files) == 0 {
		return err
	}
	t := &triaging{program: p, files: files, o: o}
	if err := t.open(ctx); err != nil {
		return err
	}
	return p.writeTo(&o.outputFlags, func(w io.Writer, page *ui.Page) error {
		s, err := t.rank(ctx)
		if err != nil {
			return err
		}
		if o.format.value == "csv" || o.format.value == "jsonl" { // these have no place for it
			defer func() {
				for _, sentence := range s.Sentences() {
					p.note(sentence)
				}
			}()
		}
		return s.Write(w, page, o.format.value)
	})
}

// triaging is a triage of transcripts, which the rules judge now, or of runs. With a budget everything is read twice: all
// by the rules, and again to find what the model is asked about. In between only rows are kept.
type triaging struct {
	*program
	o       *triageFlags
	files   []string
	runs    bool
	reading dialogue.Options // of transcripts
	rules   *judge.Judge     // of transcripts
	agents  *heuristics.Agents
	model   *judge.Judge // with the model; nil where none is asked
	header  *run.Header  // the first of the runs
	mixed   bool         // the runs were judged by different rubrics, lexicons or profiles
}

// open recognises what the files hold, and makes everything ready before anything is judged.
func (t *triaging) open(ctx context.Context) (err error) {
	if t.runs, err = t.areRuns(ctx, t.files); err != nil {
		return err
	}
	if t.runs {
		if len(t.o.ofTranscripts) > 0 {
			return fmt.Errorf("--%s cannot be used with a run, whose dialogues are judged already", t.o.ofTranscripts[0])
		}
		t.agents, err = heuristics.New()
	} else {
		if t.reading, err = t.o.readingFlags.options(); err != nil {
			return err
		}
		if t.rules, err = t.o.scaleFlags.judge(judge.Options{Redact: t.o.redact}); err == nil {
			t.agents = t.rules.Agents
		}
	}
	if err == nil && !t.o.budget.None() && t.o.used() {
		err = t.openModel(ctx)
	}
	if j := cmp.Or(t.model, t.rules); err == nil && j != nil {
		t.noteUnusedWeight(j)
	}
	return err
}

// openModel makes the judge of the dialogues that are picked.
func (t *triaging) openModel(ctx context.Context) error {
	for _, file := range t.files {
		if info, err := os.Stat(file); file == stdinName || err == nil && !info.Mode().IsRegular() {
			return fmt.Errorf("%s: --budget reads everything twice, and this can be read only once; want a file", file)
		}
	}
	if !t.runs {
		rules := *t.rules
		t.model = &rules
		return t.o.modelFlags.open(ctx, t.model)
	}
	for e := range t.lines(t.files[:1]) {
		t.see(e.line.Header)
		break
	}
	h := t.header
	why := ""
	switch {
	case h == nil:
		why = "the run has no header, so it is unknown what judged it"
	case h.Configuration.Evaluator != judge.ByRules || h.Configuration.Critic != judge.ByRules:
		why = "a model has judged all of the run; --sort disagreement ranks by what it found"
	case h.Configuration.Redacted:
		why = "the run is redacted, and the model would judge the masks"
	case h.Configuration.Transcript != "full":
		why = "the run keeps only the turns that are cited"
	case h.Lexicon != t.agents.Digest():
		why = "the run was made with another lexicon, so the rules would judge differently now"
	}
	if why != "" {
		return withHints(fmt.Errorf("%s: --budget cannot be used: %s", t.files[0], why), "assize triage TRANSCRIPTS --budget … judges the transcripts themselves")
	}
	t.model = judge.New(t.agents, judge.Options{Rubric: h.Basis.Rubric, Profile: h.Basis.Profile, Redact: t.o.redact})
	return t.o.modelFlags.open(ctx, t.model)
}

// see notes who judged, as a header says.
func (t *triaging) see(h *run.Header) {
	switch {
	case h == nil || h == t.header:
	case t.header == nil:
		t.header = h
	case !t.mixed:
		is, was := h.Provenance(), t.header.Provenance()
		t.mixed = is.Rubric != was.Rubric || is.Lexicon != was.Lexicon || is.Profile != was.Profile
	}
}

// rankable is a dialogue with the record of the rules or of a run.
type rankable struct {
	place  int
	sample dialogue.Sample
	record *run.Record
	err    error
}

// all reads everything, in order. A dialogue that is in several runs comes once.
func (t *triaging) all(ctx context.Context) iter.Seq[rankable] {
	return func(yield func(rankable) bool) {
		if t.runs {
			for e := range t.once(t.entries(ctx, t.files, t.o.jobs)) {
				t.see(e.line.Header)
				if e.err != nil && t.o.redact {
					e.err = errors.New(redact.Text(e.err.Error()))
				}
				r := rankable{place: e.at, record: e.record, err: e.err}
				if e.err == nil {
					src := dialogue.Source{File: e.record.Source.File, Format: e.record.Source.Format, Position: e.record.Dialogue.ID, ID: e.record.Source.ID}
					r.sample = dialogue.Sample{Dialogue: e.record.Dialogue, Truth: e.record.Truth, Source: src}
				}
				if !yield(r) {
					return
				}
			}
			return
		}
		place := 0
		for j := range run.Ordered(ctx, t.o.jobs, t.samples(t.files, t.reading), t.byRules) {
			j.place = place
			if place++; !yield(j) {
				return
			}
		}
	}
}

func (t *triaging) byRules(ctx context.Context, it source.Item) rankable {
	if it.Err != nil {
		return rankable{err: t.rules.Mask(it.Err)}
	}
	r, err := t.rules.Judge(ctx, it.Sample)
	return rankable{sample: it.Sample, record: r, err: err}
}

// rank reads everything once, keeps the worst, and asks the model about what it may be asked.
func (t *triaging) rank(ctx context.Context) (*triage.Ranking, error) {
	s := &triage.Ranking{Order: triage.Order(t.o.sort.value)}
	worst := triage.NewWorst(t.o.top, s.Order)
	var rows []run.Row // of everything that is ranked, for the model
	same := map[run.Key]int{}
	t.progress = t.asked()
	wrong := 0
	for j := range t.all(ctx) {
		t.reads(s.Scored + s.Unscored + wrong)
		switch r := j.record; {
		case errors.Is(j.err, context.Canceled): // reported below
			continue
		case j.err != nil:
			if wrong++; wrong <= maxTold {
				t.complain(j.err)
			}
			continue
		case !r.Scored():
			s.Unscored++
			continue
		}
		s.Scored++
		row := j.record.Row(j.place)
		ranked := s.Order != triage.ByDisagreement || row.CrossCheck != nil
		if !ranked && t.model == nil {
			s.Unchecked++
			continue
		}
		if same[row.Said]++; same[row.Said] > 1 && !t.o.duplicates {
			s.Duplicates++
			continue
		}
		if t.model != nil {
			rows = append(rows, row)
		}
		if ranked {
			worst.Add(triage.Ranked{Row: row, Record: j.record})
		}
	}
	t.clear()
	if rest := wrong - maxTold; rest > 0 {
		t.complain(fmt.Errorf("%d more cannot be read either", rest))
	}
	switch {
	case ctx.Err() != nil:
		return nil, errors.New("stopped before everything was read; nothing is ranked")
	case s.Scored == 0 && s.Unscored > 0:
		return nil, fmt.Errorf("no dialogue is scored, so none can be ranked; %d %s unscored", s.Unscored, is(s.Unscored))
	case s.Scored == 0 && wrong > 0:
		return nil, errors.New("nothing could be read, so nothing is ranked")
	case s.Scored == 0:
		return nil, fmt.Errorf("there is no dialogue in %s", named(t.files))
	}
	s.Worst = worst.List()
	if t.model != nil {
		if err := t.ask(ctx, s, rows); err != nil {
			return nil, err
		}
	}
	if len(s.Worst) == 0 {
		return nil, withHints(errors.New("--sort disagreement: no dialogue was judged by a model and the rules"),
			"assize score --model NAME -o run.jsonl, or here --budget 10% --model NAME")
	}
	t.complete(s, same)
	return s, nil
}

// complete works out what is shown of each ranked dialogue. What comes from a run is masked only here, where little of it
// is left.
func (t *triaging) complete(s *triage.Ranking, same map[run.Key]int) {
	if t.mixed {
		t.note("the runs were judged by different rubrics, lexicons or profiles, so the figures that dialogues are ranked by are not comparable")
	}
	mute := triage.Muted(t.agents.Detectors())
	for _, list := range [][]triage.Ranked{s.Worst, s.Disputed} {
		for i := range list {
			r := &list[i]
			if !t.o.duplicates {
				r.Duplicates = same[r.Said] - 1
			}
			if t.runs && t.o.redact {
				redact.Record(r.Record)
				r.Name, r.File = r.Record.Name(), r.Record.Source.File
			}
			r.Explanation = triage.Explain(r.Record.Evaluation, mute)
		}
	}
	for i := range s.Worst {
		s.Worst[i].Rank = i + 1
	}
	s.Warnings = t.warned()
}

var errChanged = errors.New("a file changed while it was read; want files that nothing writes to")

// ask has the model judge what is picked, and enters what it says.
func (t *triaging) ask(ctx context.Context, s *triage.Ranking, rows []run.Row) error {
	if t.mixed {
		return errors.New("--budget cannot be used with runs that were judged by different rubrics, lexicons or profiles")
	}
	picks := map[int]triage.Pick{}
	for _, pick := range triage.Choose(rows, t.o.budget.Of(len(rows)), t.o.top, t.model.Profile.Triage) {
		picks[pick.Place] = pick
	}
	opinions := triage.NewOpinions(s, t.o.top)
	var usage judge.Usage
	t.progress = t.asked()
	defer t.clear()
	asked := 0
	for j := range t.all(ctx) { // judged by the rules again, which costs little beside a model
		pick, ok := picks[j.place]
		if !ok {
			continue
		}
		switch {
		case j.err != nil:
			return j.err
		case !j.record.Scored() || j.record.Row(j.place).Identity != pick.Identity || j.record.Satisfaction != pick.Satisfaction:
			return errChanged
		}
		r, err := t.model.Judge(ctx, j.sample)
		if errors.Is(err, context.Canceled) {
			break
		} else if err != nil {
			return err
		}
		asked++
		usage.Add(r, true)
		t.step(&usage, len(picks))
		opinions.Add(pick, j.record, r)
		if asked == len(picks) {
			break
		}
	}
	t.clear()
	switch {
	case ctx.Err() != nil:
		return withHints(fmt.Errorf("stopped after the model had judged %d of the %d picked dialogues; nothing is ranked", asked, len(picks)),
			"--cache DIR keeps its answers, so that asking again is free")
	case asked < len(picks):
		return errChanged
	}
	t.reportUsage(&usage, t.model.Model)
	opinions.Close(rows)
	s.Cascade = &triage.Cascade{Model: t.model.Model.Identity().Name, Asked: asked, Unscored: usage.Unscored, Calls: usage.Calls}
	return nil
}
