package heuristics

import "assize/rubric/dialogue"

// feels reports whether the USER spoke of feelings in the last turn before turn i.
func (s *analysis) feels(i int) bool {
	before := s.before(i, dialogue.User)
	return before >= 0 && s.has(before, s.lex.class.WordsFeelings)
}

// findCare reports how the SYSTEM meets a USER who has spoken of feelings: by a phrase, or by a question. A second
// time counts half, a third a quarter: what is said in each turn is a habit.
func findCare(s *analysis, det *detector) {
	times := 0
	for i, t := range s.spoken(dialogue.System) {
		found := det.mark == '?' && t.asks > 0 || det.mark == 0 && t.has.has(det.class)
		if !found || !s.feels(i) {
			continue
		}
		first, last := 0, t.words-1
		if det.mark == 0 {
			h := s.hit(i, det.class)
			first, last = int(h.first), int(h.last)
		}
		sig := s.emit(det, i, first, last)
		sig.Points /= 1 << min(times, 4)
		times++
	}
}
