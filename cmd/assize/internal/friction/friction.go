// Package friction tells where a dialogue went well and where it went wrong, turn by turn. That it went wrong is what
// the scores say; where is what somebody must know who has to mend it.
package friction

import (
	"assize/rubric"
	"assize/rubric/dialogue"
)

// Most bounds the points of a turn, up or down: four points, as satisfaction bounds a reaction of the USER.
const Most rubric.Hundredths = 400

// Points gives the points of every turn, in the order of the turns: below zero where something speaks against the goal
// being reached, above where something speaks for it, zero where nothing does and at the turns that are not the
// SYSTEM's.
//
// The signals count that speak to TaskSuccess: what the USER shows, what the SYSTEM reports, what contradicts. How the
// SYSTEM words it (courtesy, fluency) says little about people's ratings of turns and only blurs the rest. What the USER shows is about the turn of the SYSTEM
// before, since that is what the USER answers; so a turn has the points of its own signals and of those at the turns
// of the USER that come next. What the USER says before the SYSTEM has said anything is about nothing.
func Points(e *rubric.Evaluation) []rubric.Hundredths {
	points := make([]rubric.Hundredths, len(e.Dialogue.Turns))
	next, judged := 0, -1
	for i, t := range e.Dialogue.Turns {
		if mayBeSystem(t) {
			judged = i
		}
		for ; next < len(e.Signals) && e.Signals[next].Turn == i+1; next++ {
			if s := e.Signals[next]; judged >= 0 && s.Criteria.Has(rubric.TaskSuccess) {
				points[judged] += s.Points
			}
		}
	}
	for i := range points {
		points[i] = min(max(points[i], -Most), Most)
	}
	return points
}

// mayBeSystem reports whether a turn is the SYSTEM's. A record that keeps only cited turns does not say whose the
// others are; the one before the USER's is most likely the SYSTEM's.
func mayBeSystem(t dialogue.Turn) bool {
	return t.Role == dialogue.System || t == dialogue.Turn{}
}
