package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assize/cmd/assize/internal/console"
	"assize/cmd/assize/internal/corpus"
	"assize/cmd/assize/internal/flags"
	"assize/cmd/assize/internal/judge"
	"assize/cmd/assize/internal/redact"
	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/summary"
	"assize/cmd/assize/internal/triage"
	"assize/cmd/assize/internal/ui"
	"assize/heuristics"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// triageFlags are the flags of `assize triage`.
type triageFlags struct {
	outputFlags
	jobsFlag
	judgingFlags
	modelFlags
	sort               flags.Choice
	top                int
	duplicates, redact bool
	budget             summary.Portion
}

func (p *program) triageCommand() *cobra.Command {
	var o triageFlags
	cmd := helpOf("triage")
	o.register(cmd.Flags())
	return flags.Define(cmd, &o.config, o.validate, func(ctx context.Context, args []string) error {
		return p.triage(ctx, args, &o)
	})
}

func (o *triageFlags) register(fs *pflag.FlagSet) {
	o.outputFlags.register(fs, "the ranking", triage.Formats()...)
	o.sort = flags.OneOf(triage.Orders()...)
	fs.IntVar(&o.top, "top", 50, "show the `N` worst")
	fs.Var(&o.sort, "sort", "rank by `WHAT`: "+o.sort.Any())
	fs.BoolVar(&o.duplicates, "duplicates", false, "rank each of several dialogues with the same turns, not only the "+
		"first")
	fs.BoolVar(&o.redact, "redact", false, "mask e-mail addresses, phone, card and account numbers in everything that "+
		"is written")
	fs.Var(&o.budget, "budget", "ask the model of --model about `HOW-MANY`: 10%, or a number of dialogues")
	o.judgingFlags.register(fs)
	o.jobsFlag.register(fs, "let the rules judge")
	o.modelFlags.register(fs)
}

func (o *triageFlags) validate(given map[string]bool, _ []string) error {
	o.judgingFlags.validate(given)
	switch {
	case o.top < 1:
		return fmt.Errorf("--top %d; want 1 or more", o.top)
	case given["budget"] && o.model == "":
		return errors.New("--budget needs --model")
	case given["budget"] && o.budget.None():
		return fmt.Errorf("--budget %s; want a share above 0%%, such as 10%%, or a number of dialogues, 1 or more", o.budget)
	case given["model"] && o.budget.None():
		return errors.New("--model can be used only with --budget, which says how many dialogues it may judge: 10%, or " +
			"a number")
	}
	return errors.Join(o.outputFlags.validate(given), o.jobsFlag.validate(), o.modelFlags.validate(given))
}

// triaging is a triage of a corpus. With a budget everything is read twice: all by the rules, and again to find what
// the model is asked about. In between only rows are kept.
type triaging struct {
	*corpus.Corpus
	o      *triageFlags
	agents *heuristics.Agents
	model  *judge.Judge // with the model; nil where none is asked
}

// triage ranks and writes.
func (p *program) triage(ctx context.Context, args []string, o *triageFlags) error {
	c, err := p.corpus(ctx, "triage", args, &o.judgingFlags, o.jobs, o.output)
	if err != nil || len(c.Files) == 0 {
		return err
	}
	p.Redact = o.redact
	t := &triaging{Corpus: c, o: o}
	if t.agents, err = heuristics.New(); err != nil {
		return err
	}
	if !o.budget.None() && o.used() {
		if err := t.openModel(ctx); err != nil {
			return err
		}
	}
	if j := cmp.Or(t.model, t.Rules); j != nil {
		noteUnusedWeight(t.Console, j)
	}
	return p.writeTo(&o.outputFlags, func(w io.Writer, page *ui.Page) error {
		s, err := t.rank(ctx)
		if err != nil {
			return err
		}
		err = s.Write(w, page, o.format.Value)
		if o.format.Value == "csv" || o.format.Value == "jsonl" { // these have no place for it
			for _, sentence := range s.Sentences() {
				p.Note(sentence)
			}
		}
		return err
	})
}

// openModel makes the model ready before anything is judged.
func (t *triaging) openModel(ctx context.Context) (err error) {
	opt := judge.Options{Redact: t.o.redact}
	if t.Rules != nil {
		opt.Rubric, opt.Profile = t.Rules.Rubric, t.Rules.Profile
	} else if opt.Rubric, opt.Profile, err = t.basis(); err != nil {
		return err
	}
	for _, file := range t.Files {
		if corpus.ReadOnce(file) {
			return fmt.Errorf("%s: --budget reads everything twice, and this can be read only once; want a file", file)
		}
	}
	t.model = judge.New(t.agents, opt)
	if err := t.o.modelFlags.open(ctx, t.model); err != nil {
		return err
	}
	return nil
}

// basis gives what the runs were judged by. The error tells why a model cannot judge their dialogues as the rules did.
func (t *triaging) basis() (rubric.Rubric, heuristics.Profile, error) {
	var first *run.Header
	why := ""
	for _, file := range t.Files {
		for e := range (&corpus.Corpus{Console: t.Console, Files: []string{file}}).Lines() {
			switch h := e.Line.Header; {
			case h.Configuration.Evaluator != judge.ByRules || h.Configuration.Critic != judge.ByRules:
				why = "a model has judged all of the run; --sort disagreement ranks by what it found"
			case h.Configuration.Redacted:
				why = "the run is redacted, and the model would judge the masks"
			case h.Configuration.Transcript != "full":
				why = "the run keeps only the turns that are cited"
			case h.Lexicon != t.agents.Digest():
				why = "the run was made with another lexicon, so the rules would judge differently now"
			case first != nil && h.Fingerprint() != first.Fingerprint():
				why = "it was made otherwise than " + t.Files[0]
			}
			if why != "" {
				return rubric.Rubric{}, heuristics.Profile{}, console.Hint(fmt.Errorf("%s: --budget cannot be used: %s", file,
					why), "assize triage TRANSCRIPTS --budget … judges the transcripts themselves")
			}
			first = cmp.Or(first, e.Line.Header)
			break
		}
	}
	return first.Basis.Rubric, first.Basis.Profile, nil
}

// rank reads everything once, keeps the worst, and asks the model about what it may be asked.
func (t *triaging) rank(ctx context.Context) (*triage.Ranking, error) {
	s := triage.New(triage.Order(t.o.sort.Value), t.o.top, t.o.duplicates, t.model != nil)
	err := t.Each(ctx, t.Once(ctx), "dialogue", func(e *corpus.Entry) (bool, error) {
		s.Add(e.Record, e.At)
		return true, nil
	})
	switch {
	case err != nil:
		return nil, err
	case s.Scored == 0:
		return nil, fmt.Errorf("no dialogue is scored, so none can be ranked; %d %s unscored", s.Unscored, ui.Is(s.Unscored))
	case t.model != nil:
		if err := t.ask(ctx, s); err != nil {
			return nil, err
		}
	}
	// What is masked is masked only here, where little of it is left.
	s.Close(func(r *run.Record) {
		if t.o.redact {
			redact.Record(r)
		}
	}, triage.Muted(t.agents.Detectors()))
	if len(s.Worst) == 0 {
		return nil, console.Hint(errors.New("--sort disagreement: no dialogue was judged by a model and the rules"),
			"assize score --model NAME -o run.jsonl, or here --budget 10% --model NAME")
	}
	s.Warnings = t.Warned()
	return s, nil
}

var errChanged = errors.New("a file changed while it was read; want files that nothing writes to")

// ask has the model judge what is picked, and enters what it says.
func (t *triaging) ask(ctx context.Context, s *triage.Ranking) error {
	picks := s.Picks(t.o.budget, t.model.Profile.Triage)
	var usage judge.Usage
	t.ShowProgress()
	defer t.Progress.Clear()
	for e := range t.Once(ctx) { // judged by the rules again, which costs little beside a model
		pick, ok := picks[e.At]
		if !ok {
			continue
		}
		if e.Err != nil || e.Record.Identity() != pick.Identity || e.Record.Satisfaction != pick.Satisfaction {
			return errChanged
		}
		src := e.Record.Source
		r, err := t.model.Judge(ctx, dialogue.Sample{Dialogue: e.Record.Dialogue, Truth: e.Record.Truth,
			Source: dialogue.Source{File: src.File, Format: src.Format, Position: e.Record.Dialogue.ID, ID: src.ID}})
		if errors.Is(err, context.Canceled) {
			break
		} else if err != nil {
			return err
		}
		usage.Add(r, true)
		usage.ShowProgress(t.Console, len(picks))
		if s.Opine(pick, e.Record, r); s.Asked == len(picks) {
			break
		}
	}
	t.Progress.Clear()
	switch {
	case ctx.Err() != nil:
		return console.Hint(fmt.Errorf("stopped after the model had judged %d of the %d picked dialogues; nothing is ranked",
			s.Asked, len(picks)), "--cache DIR keeps its answers, so that asking again is free")
	case s.Asked < len(picks):
		return errChanged
	}
	usage.Tell(t.Console, t.model.Model)
	s.Model, s.Failed, s.Calls = t.model.Model.Identity().Name, usage.Unscored, usage.Calls
	return nil
}
