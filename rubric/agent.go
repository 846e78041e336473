package rubric

import (
	"context"
	"slices"

	"assize/rubric/dialogue"
)

// Case is what lies before the panel: the dialogue, and the signals that the detectors saw in it.
type Case struct {
	Dialogue dialogue.Dialogue
	Signals  []Signal // by turn, then in the detectors' order
}

// Fired reports whether one of the detectors left a signal.
func (c Case) Fired(detectors ...string) bool {
	return slices.ContainsFunc(c.Signals, func(s Signal) bool { return slices.Contains(detectors, s.ID) })
}

// Evaluator is Agent A of the protocol: it proposes a score with evidence for each criterion.
type Evaluator interface {
	Evaluate(context.Context, Case) (Scorecard, error)
}

// Critic is Agent B of the protocol: it objects, criterion by criterion, with evidence, or stays silent.
type Critic interface {
	Critique(context.Context, Case, Scorecard) (Critique, error)
}

// Unscored is the error of a dialogue that no agent could judge. It is recorded with its reason and never
// becomes a low score.
type Unscored struct{ Reason string }

func (e *Unscored) Error() string { return "unscored: " + e.Reason }
