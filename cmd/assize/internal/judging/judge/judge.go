// Package judge creates records of dialogues: judged by the rules, by a model, or by both.
package judge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"

	"assize/cmd/assize/internal/reading/redact"
	"assize/cmd/assize/internal/records/calibration"
	"assize/cmd/assize/internal/records/run"
	"assize/cmd/assize/internal/terminal/ui"
	"assize/heuristics"
	"assize/heuristics/evidence"
	"assize/heuristics/satisfaction"
	"assize/heuristics/talk"
	"assize/localllm"
	"assize/rubric"
	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer"
)

// The ways to fill an agent's role, as named in headers and on the command line.
const (
	ByRules = "rules"
	ByModel = calibration.ByModel
	ByBoth  = "both"
	BySkill = calibration.BySkill // for each criterion, the better one according to the calibration
)

// Options are the settings that a judgement depends on, in addition to the dialogue.
type Options struct {
	Rubric  rubric.Rubric
	Profile satisfaction.Profile
	Kind    string // "request" or "service" for all dialogues; "" to decide for each dialogue
	Redact  bool   // mask personal data in all parts of a record
	Dates   string // how a source's ambiguous dates are read: "us", "eu" or ""
}

// Judge judges dialogues. It is safe for concurrent use.
type Judge struct {
	Options
	Agents *heuristics.Agents
	Rules  rubric.Panel // the rule agents, which always judge

	// nil if only the rules judge; the following fields are about the model
	Model *localllm.Model
	// how reliable the model's answers are; nil if unknown
	Calibration *calibration.Calibration
	// who fills the role: [ByRules], [ByModel], for the Evaluator also [BySkill], and for the
	// Critic also [ByBoth]
	Evaluator, Critic string
	Fallback          bool // the rules take over if the model fails

	watch evidence.Watch
	err   error // the rubric's questions or facts cannot be compiled
}

// New returns a judge that uses only the rule agents.
func New(agents *heuristics.Agents, o Options) *Judge {
	j := &Judge{Options: o, Agents: agents, Evaluator: ByRules, Critic: ByRules}
	if k, err := talk.ParseKind(o.Kind); err == nil {
		j.watch.Kind = &k
	}
	j.watch.Scorecard, j.err = agents.Scorecard(o.Rubric)
	j.Rules.Observe = j.observe("", "")
	j.SetRubric(o.Rubric)
	return j
}

// Again returns a judge for the dialogues of a run with this header, or nil if this program did not
// judge them, or not by rules alone on the words that the run holds.
func Again(agents *heuristics.Agents, h *run.Header) *Judge {
	conf := h.Configuration
	if h.Model != nil || conf.Redacted || h.Lexicon != agents.Digest() || h.Program != Version() {
		return nil
	}
	return New(agents, Options{Rubric: h.Basis.Rubric, Profile: h.Basis.Profile, Kind: conf.Kind,
		Dates: conf.Dates})
}

// Verify returns the record of a line of a run as its evidence yields it, see [run.Line.Recompute],
// or an error if the line differs. If j is not nil and judges by rules on unmasked words, the rules
// decide again from the signals or, if the dialogue is unscored and so has none, from its words.
// What another version of this program wrote is not compared, since it may word it otherwise.
func (j *Judge) Verify(ctx context.Context, l run.Line, lexicon string) (*run.Record, error) {
	r, err := l.Recompute(lexicon)
	if err != nil || l.Header.Program != Version() || l.Header.Lexicon != lexicon {
		return r, err
	}
	// Words that were changed are found below by their digest, and not judged.
	if j != nil && j.Model == nil && !j.Redact && bytes.Contains(l.Text, []byte(r.Source.Digest)) {
		panel, unscored := j.Rules, (*rubric.Unscored)(nil)
		if e := r.Evaluation; e != nil {
			for _, s := range e.Signals {
				if t, ok := r.Dialogue.Turn(s.Turn); !ok || s.End > len(t.Text) {
					return nil, &run.LineError{File: l.File, Line: l.Number, Err: fmt.Errorf(
						"dialogue %s was changed after it was judged: a signal ends at byte %d "+
							"of turn %d, which has fewer", r.Name(), s.End, s.Turn)}
				}
			}
			panel.Observe = func(dialogue.Dialogue) ([]rubric.Signal, error) {
				return e.Signals, nil
			}
		}
		r.Reason = ""
		if r.Evaluation, err = panel.Judge(ctx, r.Dialogue); errors.As(err, &unscored) {
			r.Reason = unscored.Reason
		} else if err != nil {
			return nil, err
		} else {
			r.Rate(j.Profile)
			r.AnswerChecklist()
		}
	}
	if list := run.Diff(l.Text, r.Append(nil), "its signals yield"); len(list) > 0 {
		return nil, &run.LineError{File: l.File, Line: l.Number, Err: fmt.Errorf("dialogue %s was "+
			"changed after it was judged: %w; assize replay %s --format json lists all", r.Name(),
			&list[0], l.File)}
	}
	return r, nil
}

// SetRubric replaces the rubric by an equal one, whose facts may be in other lines of its file.
func (j *Judge) SetRubric(r rubric.Rubric) {
	j.Rubric, j.Rules.Rubric = r, r
	j.Rules.Evaluator, j.Rules.Critic = j.Agents.Evaluator(r), j.Agents.Critic(r)
}

// observe returns the function that observes a dialogue of a day and a queue.
func (j *Judge) observe(day, queue string) func(dialogue.Dialogue) ([]rubric.Signal, error) {
	return func(d dialogue.Dialogue) ([]rubric.Signal, error) {
		w := j.watch
		w.Valid = func(f *rubric.Fact) bool { return f.When.Holds(day, queue) }
		return j.Agents.ObserveWith(d, w)
	}
}

// Header returns the header of a run with this judge; reading is how the transcripts were read.
func (j *Judge) Header(reading importer.Options) run.Header {
	h := run.Header{
		Program: Version(), Lexicon: j.Agents.Digest(), Basis: run.Basis{Rubric: j.Rubric,
			Profile: j.Profile},
		Configuration: run.Configuration{
			Evaluator: j.Evaluator, Critic: j.Critic, Mapping: j.Rubric.Mapping.String(),
			Kind: j.Kind, InputFormat: string(reading.Format), Columns: reading.Columns,
			Dates: reading.Dates, Sheet: reading.Sheet, Roles: map[string]string{},
			Redacted: j.Redact,
		},
	}
	c := &h.Configuration
	if reading.MaxDialogue != importer.DefaultMaxDialogue {
		c.MaxDialogue = reading.MaxDialogue
	}
	c.SystemNames = ui.Each(reading.SystemNames, j.MaskText)
	for name, role := range reading.Roles {
		c.Roles[j.MaskText(name)] = role.String()
	}
	if j.Model != nil {
		id := j.Model.Identity()
		h.Model, h.Basis.Calibration = &id, j.Calibration
		if j.Fallback {
			c.Fallback = ByRules
		}
	}
	return h
}

// Version returns the version of this program's module; "(devel)" for a build from a working tree.
var Version = sync.OnceValue(func() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
})

// MaskText returns text, masked if Redact is set.
func (o *Options) MaskText(text string) string {
	if o.Redact {
		return redact.Text(text)
	}
	return text
}

// NewRecord returns the record of a sample before judging.
func (j *Judge) NewRecord(s dialogue.Sample) *run.Record {
	r := run.New(s)
	if j.Redact {
		redact.Record(r)
	}
	return r
}

// Judge judges a dialogue. The record is scored, or contains the reason why not. It includes
// people's ratings, which no agent sees. An error, which names the dialogue, means that there is no
// record, because ctx has ended or the panel is broken.
func (j *Judge) Judge(ctx context.Context, s dialogue.Sample) (*run.Record, error) {
	r := run.New(s)
	var unscored *rubric.Unscored
	switch e, err := j.evaluate(ctx, r); {
	case errors.As(err, &unscored):
		r.Reason = unscored.Reason
	case err != nil:
		return nil, j.MaskError(fmt.Errorf("%s: dialogue %s: %w", s.Source.File, r.Name(), err))
	default:
		r.Evaluation, r.Deeds = e, e.Deeds()
	}
	if j.Redact {
		redact.Record(r)
	}
	if r.Scored() {
		r.Rate(j.Profile) // from data in the record alone, so that it can be settled again
		r.AnswerChecklist()
	}
	return r, nil
}

// MaskError removes from an error what Redact hides. It wraps at most the error of a context.
func (j *Judge) MaskError(err error) error {
	switch {
	case !j.Redact:
		return err
	case errors.Is(err, context.Canceled):
		return context.Canceled
	}
	return redact.Error(err)
}

// evaluate has the panel judge, the rules first: what they cannot judge cannot be cross-checked.
func (j *Judge) evaluate(ctx context.Context, r *run.Record) (*rubric.Evaluation, error) {
	if j.err != nil {
		return nil, j.err
	}
	panelOfRules := j.Rules
	if day, queue := j.Rubric.DependsOn(); day || queue {
		row := r.Row(0)
		panelOfRules.Observe = j.observe(row.Day, row.Queue)
	}
	rules, err := panelOfRules.Judge(ctx, r.Dialogue)
	if err != nil || j.Model == nil {
		return rules, err
	}
	m := &modelAgents{Judge: j, session: j.Model.Session(j.Calibration.Evaluates(j.Evaluator),
		j.criticises())}
	observe := func(dialogue.Dialogue) ([]rubric.Signal, error) { return rules.Signals, nil }
	panel := rubric.Panel{Rubric: j.Rubric, Observe: observe, Evaluator: m, Critic: m}
	e, err := panel.Judge(ctx, r.Dialogue)
	if err == nil {
		c := rubric.Case{Dialogue: r.Dialogue, Signals: rules.Signals}
		err = m.session.AskScorecard(ctx, c, j.Rubric.AsksModel(c))
	}
	account := m.session.Account()
	r.Model, r.Fallback = &account, m.fallback
	if err != nil {
		return nil, err
	}
	id := j.Model.Identity()
	r.Measure(&id)
	e.Remarks = r.Remarks()
	if scores, ok := m.session.Scores(); ok {
		check, err := j.Rubric.CrossCheck(scores, rules.Final.Scores())
		if err != nil {
			return nil, fmt.Errorf("cross-check: %w", err)
		}
		r.CrossCheck = &check
	}
	return e, nil
}

// modelAgents fills the roles of Evaluator and Critic for one dialogue, with the model, or with the
// rules if the model has no part or has failed.
type modelAgents struct {
	*Judge
	session  *localllm.Session
	fallback []run.Agent // the roles that the rules took over
}

// criticises returns the criteria for which the model is a Critic: those scored by the rules,
// except where the model is known to be no better than chance.
func (j *Judge) criticises() rubric.Set {
	if j.Critic == ByRules {
		return 0
	}
	of := rubric.AllCriteria &^ j.Calibration.Evaluates(j.Evaluator)
	if j.Calibration != nil {
		of &= j.Calibration.Heard() | j.Calibration.Doubted()
	}
	return of
}

func (m *modelAgents) Evaluate(ctx context.Context, c rubric.Case) (rubric.Scorecard, error) {
	rules, err := m.Rules.Evaluator.Evaluate(ctx, c)
	of := m.Calibration.Evaluates(m.Evaluator)
	if err != nil || of == 0 && (m.criticises() != 0 || !m.Profile.WeighsModel()) {
		return rules, err // satisfaction may use a model that has no seat
	}
	card, err := m.session.Evaluate(ctx, c)
	if m.rulesTakeOver(run.Evaluator, err) {
		return rules, nil
	}
	for k := range card {
		if card[k].Score == 0 { // the rules are the Evaluator, or the model has not answered
			card[k] = rules[k]
		}
		card[k].Quotes = rules[k].Quotes // a model's choice of words proves nothing
	}
	return card, err
}

// Critique implements [rubric.Critic]. It does not ask a model that has failed as the Evaluator.
func (m *modelAgents) Critique(ctx context.Context, c rubric.Case,
	card rubric.Scorecard) (rubric.Critique, error) {
	rules, err := m.Rules.Critic.Critique(ctx, c, card)
	if err != nil || m.criticises() == 0 {
		return rules, err
	}
	if len(m.fallback) > 0 {
		m.fallback = append(m.fallback, run.Critic)
		return rules, nil
	}
	var of localllm.Reasons
	of.Claims, of.Rest = m.Agents.Claims(c, m.Rubric)
	if m.Calibration != nil {
		of.Closed = m.Calibration.Heard()
	}
	for k := range of.Claims {
		if len(of.Claims[k]) > 0 {
			of.Claims[k][0].Rating = card[k]
		}
	}
	model, err := m.session.Critique(ctx, c, card, of)
	switch {
	case m.rulesTakeOver(run.Critic, err):
		return rules, nil
	case err != nil || m.Critic == ByModel:
		return model, err
	}
	return rubric.Merge(rules, model, card), nil
}

// rulesTakeOver reports whether the rules take over a role: the model failed and Fallback is set.
func (m *modelAgents) rulesTakeOver(a run.Agent, err error) bool {
	takesOver := m.Fallback && errors.As(err, new(*rubric.Unscored))
	if takesOver {
		m.fallback = append(m.fallback, a)
	}
	return takesOver
}
