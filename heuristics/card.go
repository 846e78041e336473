package heuristics

import (
	"cmp"
	"slices"

	"assize/rubric"
)

func sortSignals(signals []rubric.Signal) {
	slices.SortStableFunc(signals, func(a, b rubric.Signal) int { return cmp.Compare(a.Turn, b.Turn) })
}
