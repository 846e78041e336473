package heuristics

import (
	"assize/rubric"
	"assize/rubric/dialogue"
)

// mostCare is how many of a detector's signs count in one turn, where they are added up.
const mostCare = 4

// feels reports whether the answer of turn i is one to feelings: the USER confides these, the last turn before speaks of
// some, or the answer does. In a dialogue about an errand or a matter they are about that, and it reports false.
func (s *analysis) feels(i int) bool {
	c, before := &s.lex.class, s.before(i, dialogue.User)
	busy := len(s.of[c.WordsErrand])+len(s.of[c.WordsFilms])+len(s.of[c.WordsMatter]) > 0
	return before >= 0 && (s.confides || !busy && (s.has(before, c.WordsFeelings) || s.has(i, c.WordsFeelings)))
}

// findCare reports the phrases or questions with which the SYSTEM answers a USER who has spoken of feelings. The Evaluator
// counts the first of a detector's signals alone, since a phrase in every turn is a habit.
func findCare(s *analysis, det *detector) {
	for i, t := range s.spoken(dialogue.System) {
		found := det.mark == '?' && t.asks > 0 || det.mark == 0 && t.has.has(det.class)
		if !found || !s.feels(i) {
			continue
		}
		first, last, points := 0, t.words-1, det.Points
		if h := s.hit(i, det.class); h != nil {
			first, last = int(h.first), int(h.last)
			if h.points > 0 { // phrases that are added up
				points = min(rubric.Hundredths(h.points), mostCare*det.Points)
			}
		}
		s.emit(det, i, first, last).Points = points
	}
}

// findUncaring reports each answer to feelings that asks nothing and has no phrase of the lists of @unless.
func findUncaring(s *analysis, det *detector) {
	for i, t := range s.spoken(dialogue.System) {
		if s.feels(i) && t.asks == 0 && !t.has.meets(&det.unless) {
			s.emitTurn(det, i, s.before(i, dialogue.User))
		}
	}
}
