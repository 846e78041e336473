package heuristics

import (
	"assize/rubric"
	"assize/rubric/dialogue"
)

// mostCare is how many of a detector's signs count in one turn, where they are added up.
const mostCare = 4

// feels reports whether the USER's last turn before turn i speaks of feelings. In a dialogue about an errand they are
// about the errand or the matter, and it reports false.
func (s *analysis) feels(i int) bool {
	before := s.before(i, dialogue.User)
	return before >= 0 && s.has(before, s.lex.class.WordsFeelings) &&
		len(s.of[s.lex.class.WordsErrand]) == 0 && len(s.of[s.lex.class.WordsFilms]) == 0 && len(s.of[s.lex.class.WordsMatter]) == 0
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
