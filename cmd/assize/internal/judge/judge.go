// Package judge makes records of dialogues: judged by the rules, by a model whose scores the rules cross-check, or by
// both.
package judge

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"

	"assize/cmd/assize/internal/console"
	"assize/cmd/assize/internal/flags"
	"assize/cmd/assize/internal/output"
	"assize/cmd/assize/internal/redact"
	"assize/cmd/assize/internal/run"
	"assize/heuristics"
	"assize/localllm"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// Who plays an agent, as headers and the command line name them.
const (
	ByRules = "rules"
	ByModel = "model"
	ByBoth  = "both"
)

// Options are what a judgement depends on besides the dialogue.
type Options struct {
	Rubric  rubric.Rubric
	Profile heuristics.Profile
	Kind    string // "request" or "service" for all dialogues; "" leaves it to what each shows
	Redact  bool   // mask personal data in everything that a record holds
}

// Judge judges dialogues. It is safe for concurrent use.
type Judge struct {
	Options
	Agents *heuristics.Agents
	Rules  rubric.Panel // of the rule agents, who always judge

	Model             *localllm.Model // nil where the rules judge alone; the rest is about the model
	Evaluator, Critic string          // who plays the agent: [ByRules], [ByModel] or, as the Critic, [ByBoth]
	Fallback          bool            // the rules take over where the model fails
}

// New makes a judge of the rule agents alone.
func New(agents *heuristics.Agents, o Options) *Judge {
	observe := agents.Observe
	if k, err := heuristics.ParseKind(o.Kind); err == nil {
		observe = agents.ObserveAs(k)
	}
	return &Judge{Options: o, Agents: agents, Evaluator: ByRules, Critic: ByRules, Rules: rubric.Panel{
		Rubric: o.Rubric, Observe: observe, Evaluator: agents.Evaluator(), Critic: agents.Critic(o.Rubric)}}
}

// UseModel lets a model play the agents that the options of the same names give it.
func (j *Judge) UseModel(m *localllm.Model, evaluator, critic string, fallback bool) {
	j.Model, j.Evaluator, j.Critic, j.Fallback = m, evaluator, critic, fallback
}

// Header is what all records of this judge share in a run; reading says how the transcripts were read.
func (j *Judge) Header(reading dialogue.Options) run.Header {
	h := run.Header{
		Program: Version(), Lexicon: j.Agents.Digest(), Basis: run.Basis{Rubric: j.Rubric, Profile: j.Profile},
		Configuration: run.Configuration{
			Evaluator: j.Evaluator, Critic: j.Critic, Mapping: j.Rubric.Mapping.String(), Kind: j.Kind,
			InputFormat: string(reading.Format), Columns: reading.Columns, Dates: reading.Dates, Sheet: reading.Sheet,
			Transcript: "full", Redacted: j.Redact,
		},
	}
	c := &h.Configuration
	if reading.MaxDialogue != dialogue.DefaultMaxDialogue {
		c.MaxDialogue = reading.MaxDialogue
	}
	for _, name := range reading.SystemNames {
		c.SystemNames = append(c.SystemNames, j.Shown(name))
	}
	for name, role := range reading.Roles {
		if c.Roles == nil {
			c.Roles = map[string]string{}
		}
		c.Roles[j.Shown(name)] = role.String()
	}
	if j.Model != nil {
		id := j.Model.Identity()
		h.Model = &id
		if j.Fallback {
			c.Fallback = ByRules
		}
	}
	return h
}

// Version is the version of this program's module; "(devel)" in a build from a working tree.
func Version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// Shown gives what may be written of a text.
func (o *Options) Shown(text string) string {
	if o.Redact {
		return redact.Text(text)
	}
	return text
}

// Blank makes the record of a sample as it is before judging.
func (j *Judge) Blank(s dialogue.Sample) *run.Record {
	r := run.New(s)
	if j.Redact {
		redact.Record(r)
	}
	return r
}

// Judge judges a dialogue. The record is scored, or says why it is not. People's ratings are part of the record, and no
// agent sees them. The error tells that there is no record, because ctx has ended or the panel is broken; it names the
// dialogue.
func (j *Judge) Judge(ctx context.Context, s dialogue.Sample) (*run.Record, error) {
	r := run.New(s)
	var unscored *rubric.Unscored
	switch e, err := j.evaluate(ctx, r); {
	case errors.As(err, &unscored):
		r.Reason = unscored.Reason
	case err != nil:
		return nil, j.Mask(fmt.Errorf("%s: dialogue %d: %w", s.Source.File, s.Source.Position, err))
	default:
		r.Evaluation = e
		r.Rate(j.Profile)
	}
	if j.Redact {
		if redact.Record(r); r.Scored() {
			r.Rate(j.Profile) // from what the record shows, so that it can be settled again
		}
	}
	return r, nil
}

// Mask keeps an error from showing what Redact hides. A masked error wraps none but that of a context.
func (j *Judge) Mask(err error) error {
	switch {
	case !j.Redact:
		return err
	case errors.Is(err, context.Canceled):
		return context.Canceled
	}
	return redact.Error(err)
}

// evaluate has the panel judge. The rules come first: what they cannot judge, nothing could cross-check.
func (j *Judge) evaluate(ctx context.Context, r *run.Record) (*rubric.Evaluation, error) {
	rules, err := j.Rules.Judge(ctx, r.Dialogue)
	if err != nil || j.Model == nil {
		return rules, err
	}
	m := &modelAgents{Judge: j, session: j.Model.Session()}
	observe := func(dialogue.Dialogue) ([]rubric.Signal, error) { return rules.Signals, nil }
	panel := rubric.Panel{Rubric: j.Rubric, Observe: observe, Evaluator: m, Critic: m}
	e, err := panel.Judge(ctx, r.Dialogue)
	account := m.session.Account()
	r.Model, r.Fallback = &account, m.fallback
	if err != nil {
		return nil, err
	}
	e.Remarks = r.Remarks()
	if j.Evaluator == ByModel && !slices.Contains(m.fallback, run.Evaluator) {
		check, err := j.Rubric.CrossCheck(e.Evaluator.Scores(), rules.Final.Scores())
		if err != nil {
			return nil, fmt.Errorf("cross-check: %w", err)
		}
		r.CrossCheck = &check
	}
	return e, nil
}

// modelAgents plays Evaluator and Critic for one dialogue: by the model, or by the rules where the model has no part or
// has failed.
type modelAgents struct {
	*Judge
	session  *localllm.Session
	fallback []run.Agent // the agents that the rules took over
}

// Evaluate implements [rubric.Evaluator].
func (m *modelAgents) Evaluate(ctx context.Context, c rubric.Case) (rubric.Scorecard, error) {
	if m.Evaluator == ByModel {
		card, err := m.session.Evaluate(ctx, c)
		if !m.takeOver(run.Evaluator, err) {
			return card, err
		}
	}
	return m.Rules.Evaluator.Evaluate(ctx, c)
}

// Critique implements [rubric.Critic]. A model that has failed as the Evaluator is not asked again.
func (m *modelAgents) Critique(ctx context.Context, c rubric.Case, card rubric.Scorecard) (rubric.Critique, error) {
	rules, err := m.Rules.Critic.Critique(ctx, c, card)
	if err != nil || m.Critic == ByRules {
		return rules, err
	}
	if len(m.fallback) > 0 {
		m.fallback = append(m.fallback, run.Critic)
		return rules, nil
	}
	model, err := m.session.Critique(ctx, c, card)
	switch {
	case m.takeOver(run.Critic, err):
		return rules, nil
	case err != nil || m.Critic == ByModel:
		return model, err
	}
	return rubric.Merge(rules, model, card), nil
}

// takeOver reports whether the rules take an agent's part: where the model failed, and Fallback allows it.
func (m *modelAgents) takeOver(a run.Agent, err error) bool {
	is := m.Fallback && errors.As(err, new(*rubric.Unscored))
	if is {
		m.fallback = append(m.fallback, a)
	}
	return is
}

// Titles gives what the detectors' signals are called, for [localllm.Options].
func Titles(a *heuristics.Agents) map[string]string {
	titles := map[string]string{}
	for _, d := range a.Detectors() {
		titles[d.ID] = d.Title
	}
	return titles
}

// ReadRubric reads a rubric file; without one it gives the default rubric. The error tells of a file that demands
// detectors that there are not.
func ReadRubric(path string, agents *heuristics.Agents) (rubric.Rubric, error) {
	if path == "" {
		return rubric.Default(), nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return rubric.Rubric{}, fmt.Errorf("--rubric %s: %w", path, output.WithoutName(err))
	}
	r, err := rubric.Parse(path, data)
	if err != nil {
		return r, err
	}
	var ids []string
	for _, d := range agents.Detectors() {
		ids = append(ids, d.ID)
	}
	for _, id := range r.DemandedDetectors() {
		if !slices.Contains(ids, id) {
			err := fmt.Errorf("%s: demands %q; want the id of a detector", path, id)
			return r, console.Hint(err, append(flags.DidYouMean(id, ids), "assize explain lists all")...)
		}
	}
	return r, nil
}

// ReadProfile reads a profile file; without one it gives the profile of the program.
func ReadProfile(path string) (heuristics.Profile, error) {
	if path == "" {
		return heuristics.DefaultProfile(), nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return heuristics.Profile{}, fmt.Errorf("--profile %s: %w", path, output.WithoutName(err))
	}
	return heuristics.ParseProfile(path, data)
}
