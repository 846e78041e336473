package heuristics

import (
	"fmt"
	"slices"
	"strings"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// LexiconFile gives the text of a detector's lexicon file and its path from the root of the module, for whoever
// suggests other points. The error is an id that no detector has.
func LexiconFile(id string) (path, text string, err error) {
	for _, family := range families() {
		if slices.ContainsFunc(family, func(d Detector) bool { return d.ID == id }) {
			data, err := lexiconFiles.ReadFile("lexicon/" + id + ".txt")
			return "heuristics/lexicon/" + id + ".txt", string(data), err
		}
	}
	return "", "", fmt.Errorf("no detector is called %q", id)
}

// Counts reports whether the reaction score counts the signals of a detector: those of reactions, and what Before and
// Whole name.
func (p Profile) Counts(id string) bool {
	return strings.HasPrefix(id, reactionFamily) || slices.Contains(p.Before, id) || slices.Contains(p.Whole, id)
}

// Parts gives what each detector's signals add to the reaction score of a dialogue, in points: for each signal that
// counts, add is called with the detector's id. The parts sum to [Profile.Value] but for its last digits. Where a turn
// weighs more than it may, its signals share what it may weigh.
func (p Profile) Parts(e *rubric.Evaluation, add func(id string, points float64)) {
	users := e.Dialogue.Count(dialogue.User)
	var reported []rubric.Signal
	next, user := 0, 0
	for i, t := range e.Dialogue.Turns {
		var shown, said []rubric.Signal
		for ; next < len(e.Signals) && e.Signals[next].Turn == i+1; next++ {
			switch s := e.Signals[next]; {
			case strings.HasPrefix(s.ID, reactionFamily):
				shown = append(shown, s)
			case slices.Contains(p.Before, s.ID):
				said = append(said, s)
			case slices.Contains(p.Whole, s.ID):
				add(s.ID, float64(s.Points)/100)
			}
		}
		switch t.Role {
		case dialogue.System:
			reported = said
		case dialogue.User:
			share(slices.Concat(shown, reported), turnShare(user, users), add)
			user++
		}
	}
}

// turnShare is the weight of the USER's turn i of n, from 0, of which all weigh 1; see [reading.mean].
func turnShare(i, n int) float64 {
	if n == 1 {
		return 1
	}
	return float64(n-1+2*i) / float64(2*n*(n-1))
}

// share gives each of the signals of a turn its part of what the turn weighs.
func share(signals []rubric.Signal, weight float64, add func(string, float64)) {
	sum := 0
	for _, s := range signals {
		sum += int(s.Points)
	}
	if sum != 0 {
		weight *= float64(bound(sum)) / float64(sum)
	}
	for _, s := range signals {
		add(s.ID, weight*float64(s.Points)/100)
	}
}
