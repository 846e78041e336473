package rubric

import (
	"context"
	"fmt"
	"slices"

	"assize/rubric/dialogue"
)

// Case is the input of the agents: the dialogue and the signals that the detectors found in it.
type Case struct {
	Dialogue dialogue.Dialogue
	Signals  []Signal // by turn, then in detector order
}

// Fired reports whether any of the detectors left a signal.
func (c Case) Fired(detectors ...string) bool {
	return slices.ContainsFunc(c.Signals,
		func(s Signal) bool { return slices.Contains(detectors, s.ID) })
}

// Evaluator is Agent A of the protocol. It proposes a score with evidence for each criterion.
type Evaluator interface {
	Evaluate(context.Context, Case) (Scorecard, error)
}

// Critic is Agent B of the protocol. For each criterion, it agrees or objects with evidence.
type Critic interface {
	Critique(context.Context, Case, Scorecard) (Critique, error)
}

// Unscored is the error for a dialogue that could not be judged. It is recorded with its reason and
// never becomes a low score.
type Unscored struct {
	Reason string
	Err    error // the cause; may be nil
}

func (e *Unscored) Error() string { return "unscored: " + e.Reason }

func (e *Unscored) Unwrap() error { return e.Err }

// Panel judges dialogues: the detectors observe, the Evaluator scores, the Critic objects and the
// Referee decides.
type Panel struct {
	Rubric    Rubric
	Observe   func(dialogue.Dialogue) ([]Signal, error)
	Evaluator Evaluator
	Critic    Critic
}

// Evaluation is the outcome for one dialogue. Everything after Critique follows from the fields
// before it, by the Referee's rulings and the rubric's arithmetic; only Remarks may be added later.
type Evaluation struct {
	Dialogue  dialogue.Dialogue
	Rubric    Rubric
	Signals   []Signal
	Evaluator Scorecard
	Critique  Critique
	// sentences for the audit on how the agents reached their answers; they do not affect the
	// outcome
	Remarks []string

	EvaluatorAverage Hundredths
	Final            Scorecard
	Rulings          [NumCriteria]Ruling
	Average          Hundredths
	Overall          Score
}

// Judge judges a dialogue. If the dialogue cannot be judged, because it lacks a USER or a SYSTEM or
// because an agent returns an [*Unscored], the error is an [*Unscored].
func (p Panel) Judge(ctx context.Context, d dialogue.Dialogue) (*Evaluation, error) {
	for _, r := range []dialogue.Role{dialogue.User, dialogue.System} {
		if !slices.ContainsFunc(d.Turns,
			func(t dialogue.Turn) bool { return t.Role == r && hasWords(t.Text) }) {
			return nil,
				&Unscored{Reason: fmt.Sprintf("the dialogue has no %s turn with words in it", r)}
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

// Settle performs the Referee's part: it computes the Evaluation from the agents' answers. It is a
// pure function, so settling a recorded evaluation again must yield the same result.
func (r Rubric) Settle(c Case, card Scorecard, critique Critique) (*Evaluation, error) {
	e := &Evaluation{Dialogue: c.Dialogue, Rubric: r, Signals: c.Signals, Evaluator: card,
		Critique: critique}
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
