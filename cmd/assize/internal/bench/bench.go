// Package bench judges dialogues for records: the rules alone, or a model with the parts that it plays beside them.
package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"assize/cmd/assize/internal/record"
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

// Bench is who sits in judgement. It is safe for concurrent use.
type Bench struct {
	Rules   rubric.Panel // of the rule agents, who always judge
	Profile heuristics.Profile
	Model   *localllm.Model // nil where the rules judge alone; the rest is about the model

	Evaluator, Critic string // who plays the agent: [ByRules], [ByModel] or, as the Critic, [ByBoth]
	Fallback          bool   // the rules take over where the model fails
}

// New makes a bench of the rule agents.
func New(a *heuristics.Agents, rub rubric.Rubric, p heuristics.Profile) *Bench {
	return &Bench{
		Rules:     rubric.Panel{Rubric: rub, Observe: a.Observe, Evaluator: a.Evaluator(), Critic: a.Critic(rub)},
		Profile:   p,
		Evaluator: ByRules,
		Critic:    ByRules,
	}
}

// Titles gives what the detectors' signals are called, for [localllm.Options].
func Titles(a *heuristics.Agents) map[string]string {
	titles := map[string]string{}
	for _, d := range a.Detectors() {
		titles[d.ID] = d.Title
	}
	return titles
}

// Sign enters who judges, and by what, into a header.
func (b *Bench) Sign(h *record.Header) {
	h.Basis = record.Basis{Rubric: b.Rules.Rubric, Profile: b.Profile}
	h.Configuration.Mapping = b.Rules.Rubric.Mapping.String()
	h.Configuration.Evaluator, h.Configuration.Critic = b.Evaluator, b.Critic
	if b.Model == nil {
		return
	}
	id := b.Model.Identity()
	h.Model = &id
	if b.Fallback {
		h.Configuration.Fallback = ByRules
	}
}

// Judge judges the dialogue of a record and enters what comes of it: the evaluation, or why there is none, and what
// became of the model's words. The error tells why nothing came of it, such as that ctx has ended.
func (b *Bench) Judge(ctx context.Context, r *record.Record) error {
	e, err := b.judge(ctx, r)
	var unscored *rubric.Unscored
	switch {
	case errors.As(err, &unscored):
		r.Reason = unscored.Reason
	case err != nil:
		return err
	default:
		r.Evaluation = e
		r.Estimate = r.EstimateBy(b.Profile)
	}
	return nil
}

// judge holds a trial. The rules judge first: what they cannot judge, nobody could check.
func (b *Bench) judge(ctx context.Context, r *record.Record) (*rubric.Evaluation, error) {
	rules, err := b.Rules.Judge(ctx, r.Dialogue)
	if err != nil || b.Model == nil {
		return rules, err
	}
	t := &trial{Bench: b, hearing: b.Model.Hear()}
	panel := rubric.Panel{
		Rubric:    b.Rules.Rubric,
		Observe:   func(dialogue.Dialogue) ([]rubric.Signal, error) { return rules.Signals, nil },
		Evaluator: t,
		Critic:    t,
	}
	e, err := panel.Judge(ctx, r.Dialogue)
	account := t.hearing.Account()
	r.Model, r.Fallback = &account, t.fallback
	if err != nil {
		return nil, err
	}
	e.Remarks = r.Remarks()
	if b.Evaluator == ByModel && !slices.Contains(t.fallback, record.Evaluator) {
		check, err := b.Rules.Rubric.CrossCheck(e.Evaluator.Scores(), rules.Final.Scores())
		if err != nil {
			return nil, fmt.Errorf("cross-check: %w", err)
		}
		r.CrossCheck = &check
	}
	return e, nil
}
