package heuristics

import (
	"cmp"
	"slices"

	"assize/rubric"
)

func sortSignals(signals []rubric.Signal) {
	slices.SortStableFunc(signals, func(a, b rubric.Signal) int { return cmp.Compare(a.Turn, b.Turn) })
}
func (a *Agents) Evaluator() rubric.Evaluator { return nil }

// Critic reads the USER's reactions.
func (a *Agents) Critic() rubric.Critic { return nil }

// Satisfaction estimates, from 1.00 to 5.00, the rating that people would give.
func (a *Agents) Satisfaction(c rubric.Case) rubric.Hundredths { return 0 }
