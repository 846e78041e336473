package triage

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"assize/cmd/assize/internal/console"
	"assize/cmd/assize/internal/corpus"
	"assize/cmd/assize/internal/judge"
	"assize/cmd/assize/internal/redact"
	"assize/cmd/assize/internal/run"
	"assize/cmd/assize/internal/summary"
	"assize/cmd/assize/internal/ui"
	"assize/heuristics"
	"assize/rubric/dialogue"
)

// Reading ranks a corpus. With a model everything is read twice: all by the rules, and again to find what the model is
// asked about. In between only rows are kept.
type Reading struct {
	*corpus.Corpus
	Order      Order
	Top        int  // how many of the worst are kept
	Duplicates bool // rank each of several dialogues with the same turns
	Agents     *heuristics.Agents
	Model      *judge.Judge    // nil where no model is asked
	Budget     summary.Portion // how many dialogues the model may be asked about
}

// ModelOptions are those of a judge that asks a model about dialogues that the rules have judged. The error tells why a
// model cannot judge as the rules did.
func (t *Reading) ModelOptions() (judge.Options, error) {
	opt := judge.Options{Redact: t.Redact}
	for _, file := range t.Files {
		if corpus.ReadOnce(file) {
			return opt, fmt.Errorf("%s: --budget reads everything twice, and this can be read only once; want a file", file)
		}
	}
	if t.Rules != nil {
		opt.Rubric, opt.Profile = t.Rules.Rubric, t.Rules.Profile
		return opt, nil
	}
	var first *run.Header
	why := ""
	for _, file := range t.Files {
		for e := range (&corpus.Corpus{Console: t.Console, Files: []string{file}}).Lines() {
			h := e.Line.Header
			if h == nil { // a run that was stopped before its first record
				if e.Err != nil && !errors.As(e.Err, new(*run.Unfinished)) {
					return opt, e.Err
				}
				continue
			}
			switch {
			case h.Configuration.Evaluator != judge.ByRules || h.Configuration.Critic != judge.ByRules:
				why = "a model has judged all of the run; --sort disagreement ranks by what it found"
			case h.Configuration.Redacted:
				why = "the run is redacted, and the model would judge the masks"
			case h.Configuration.Transcript != "full":
				why = "the run keeps only the turns that are cited"
			case h.Lexicon != t.Agents.Digest():
				why = "the run was made with another lexicon, so the rules would judge differently now"
			case first != nil && h.Fingerprint() != first.Fingerprint():
				why = "it was made with other settings than " + t.Files[0]
			}
			if why != "" {
				return opt, console.Hint(fmt.Errorf("%s: --budget cannot be used: %s", file, why),
					"assize triage TRANSCRIPTS --budget … judges the transcripts themselves")
			}
			first = cmp.Or(first, h)
			break
		}
	}
	if first == nil {
		return opt, errors.New("--budget cannot be used: the runs hold no records")
	}
	opt.Rubric, opt.Profile = first.Basis.Rubric, first.Basis.Profile
	return opt, nil
}

// Rank reads everything once, keeps the worst, and asks the model about what it may be asked.
func (t *Reading) Rank(ctx context.Context) (*Ranking, error) {
	s := New(t.Order, t.Top, t.Duplicates, t.Model != nil)
	err := t.Each(ctx, t.Once(ctx), "dialogue", func(e *corpus.Entry) (bool, error) {
		s.Add(e.Record, e.At)
		return true, nil
	})
	switch {
	case err != nil:
		return nil, err
	case s.Scored == 0:
		return nil, fmt.Errorf("no dialogue is scored, so none can be ranked; %d %s unscored", s.Unscored, ui.Is(s.Unscored))
	case t.Model != nil:
		if err := t.ask(ctx, s); err != nil {
			return nil, err
		}
	}
	// What is masked is masked only here, where little of it is left.
	s.Close(func(r *run.Record) {
		if t.Redact {
			redact.Record(r)
		}
	}, Muted(t.Agents.Detectors()))
	if len(s.Worst) == 0 {
		return nil, console.Hint(errors.New("--sort disagreement: no dialogue was judged by a model and the rules"),
			"assize score --model NAME -o run.jsonl, or here --budget 10% --model NAME")
	}
	s.Warnings = t.Warned()
	return s, nil
}

// errChanged is the error of a second reading that is not as the first.
var errChanged = errors.New("a file changed while it was read; want files that nothing writes to")

// ask has the model judge what is picked, and enters what it says.
func (t *Reading) ask(ctx context.Context, s *Ranking) error {
	picks := s.Picks(t.Budget, t.Model.Profile.Triage)
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
		r, err := t.Model.Judge(ctx, dialogue.Sample{Dialogue: e.Record.Dialogue, Truth: e.Record.Truth,
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
	usage.Tell(t.Console, t.Model.Model)
	s.Model, s.Failed, s.Calls = t.Model.Model.Identity().Name, usage.Unscored, usage.Calls
	return nil
}
