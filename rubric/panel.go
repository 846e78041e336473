package rubric

import (
	"context"
	"fmt"

	"assize/rubric/dialogue"
)

// Panel holds a trial over a dialogue: detectors observe, the Evaluator scores, the Critic objects, the
// Referee decides.
type Panel struct {
	Rubric    Rubric
	Observe   func(dialogue.Dialogue) ([]Signal, error)
	Evaluator Evaluator
	Critic    Critic
}

// Evaluation is the outcome of one trial. Everything in it after Critique follows from what stands before
// it, by the Referee's rulings and the rubric's arithmetic; only Remarks may be added after the trial.
type Evaluation struct {
	Dialogue  dialogue.Dialogue
	Rubric    Rubric
	Signals   []Signal
	Evaluator Scorecard
	Critique  Critique
	Remarks   []string // sentences for the audit, on how the agents came to what they say; they decide nothing

	EvaluatorAverage Hundredths
	Final            Scorecard
	Rulings          [NumCriteria]Ruling
	Average          Hundredths
	Overall          Score
}

// Judge holds the trial. The error is an [*Unscored] where the dialogue cannot be judged, whatever the
// reason: no USER, no SYSTEM, or an agent that says so.
func (p Panel) Judge(ctx context.Context, d dialogue.Dialogue) (*Evaluation, error) {
	for _, r := range []dialogue.Role{dialogue.User, dialogue.System} {
		if !speaks(d, r) {
			return nil, &Unscored{Reason: fmt.Sprintf("the dialogue has no %s turn with words in it", r)}
		}
	}
	signals, err := p.Observe(d)
	if err != nil {
		return nil, fmt.Errorf("detectors: %w", err)
	}
	c := Case{Dialogue: d, Signals: signals}
	card, err := p.Evaluator.Evaluate(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("evaluator: %w", err)
	}
	critique, err := p.Critic.Critique(ctx, c, card)
	if err != nil {
		return nil, fmt.Errorf("critic: %w", err)
	}
	return p.Rubric.Settle(c, card, critique)
}

// Settle is the Referee's part of a trial: from what the agents said to the Evaluation. It is pure, so a
// recorded trial can be settled again and must come out the same.
func (r Rubric) Settle(c Case, card Scorecard, critique Critique) (*Evaluation, error) {
	e := &Evaluation{Dialogue: c.Dialogue, Rubric: r, Signals: c.Signals, Evaluator: card, Critique: critique}
	var err error
	if e.EvaluatorAverage, err = r.Average(card.Scores()); err != nil {
		return nil, fmt.Errorf("evaluator: %w", err)
	}
	e.Final, e.Rulings = r.Decide(c, card, critique)
	if e.Average, err = r.Average(e.Final.Scores()); err != nil {
		return nil, fmt.Errorf("referee: %w", err)
	}
	e.Overall = r.Mapping.Overall(e.Average)
	return e, nil
}

// speaks reports whether role r says anything at all.
func speaks(d dialogue.Dialogue, r dialogue.Role) bool {
	for _, t := range d.Turns {
		if t.Role == r && hasWords(t.Text) {
			return true
		}
	}
	return false
}
