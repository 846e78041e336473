package heuristics

import "assize/rubric"

// maxCare is the maximum number of a detector's signs that count in one turn, if they are added
// up.
const maxCare = 4

// findCare reports the phrases with which the SYSTEM answers a USER who confides feelings, if
// together they are worth at least the detector's points. The Evaluator counts only the first
// signal of each detector, because a phrase in every turn is a habit.
func findCare(s *analysis, det *detector) {
	for h := range s.hitsOf(det.class) {
		if points := rubric.Hundredths(h.points); feels(s, int(h.turn)) && points >= det.Points {
			s.emitHit(det, h).Points = min(points, maxCare*det.Points)
		}
	}
}
