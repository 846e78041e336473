package heuristics

import (
	"assize/rubric"
	"assize/rubric/dialogue"
)

// maxCare is the maximum number of a detector's signs that count in one turn, if they are added
// up.
const maxCare = 4

// findCare reports the phrases or questions with which the SYSTEM answers a USER who has mentioned
// feelings. The Evaluator counts only the first signal of each detector, because a phrase in every
// turn is a habit.
func findCare(s *analysis, det *detector) {
	for i, t := range s.spoken(dialogue.System) {
		found := det.mark == '?' && t.asks > 0 || det.mark == 0 && t.has.has(det.class)
		if !found || !feels(s, i) {
			continue
		}
		first, last, points := 0, t.words-1, det.Points
		if h := s.hit(i, det.class); h != nil {
			first, last = int(h.first), int(h.last)
			if h.points > 0 { // phrases whose points are added up
				points = min(rubric.Hundredths(h.points), maxCare*det.Points)
			}
		}
		s.emit(det, i, first, last).Points = points
	}
}

// findUncaring reports each answer to feelings that asks nothing and contains no phrase of the
// lists in @unless.
func findUncaring(s *analysis, det *detector) {
	for i, t := range s.spoken(dialogue.System) {
		if feels(s, i) && t.asks == 0 && !t.has.meets(&det.unless) {
			s.emitTurn(det, i, s.before(i, dialogue.User))
		}
	}
}

// findWarm reports the answers to feelings with phrases of the list in @needs that are worth two
// ordinary ones.
func findWarm(s *analysis, det *detector) {
	for i, t := range s.spoken(dialogue.System) {
		for k := t.hits.start; k < t.hits.end; k++ {
			h := &s.hits[k]
			warm := h.points >= 2*int32(s.lex.lists[h.class].points)
			if warm && det.needs.has(h.class) && feels(s, i) {
				s.emitHit(det, h)
				break
			}
		}
	}
}
