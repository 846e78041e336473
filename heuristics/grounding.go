package heuristics

import "assize/rubric/dialogue"

// findEntries returns a function that reports the entries with a state.
func findEntries(state claimState) func(*analysis, *detector) {
	return func(s *analysis, det *detector) {
		for _, e := range s.entries {
			if e.state == state {
				s.emit(det, e.turn, e.first, e.last).About = e.proof
			}
		}
	}
}

// findUndone reports a call that failed at the end of a dialogue, after which the SYSTEM says
// nothing.
func findUndone(s *analysis, det *detector) {
	result := s.undone()
	if result == 0 {
		return
	}
	if by := s.before(len(s.turns)-1, dialogue.User); by >= 0 && s.turns[by].words > 0 {
		s.emit(det, by, 0, s.turns[by].words-1).About = result
	}
}

// findStatements returns a function that reports the SYSTEM's grounded statements, or those that
// are neither grounded nor follow from known values.
func findStatements(isGrounded bool) func(*analysis, *detector) {
	return func(s *analysis, det *detector) {
		for _, x := range s.statements {
			isDoubtful := isGrounded && s.isUnproven(x.passage)
			if x.isGrounded == isGrounded && !x.isEntered && !isDoubtful {
				s.emit(det, x.turn, x.first, x.last)
			}
		}
	}
}
