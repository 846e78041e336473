package evidence

import (
	"assize/heuristics/deeds"
	"assize/rubric/dialogue"
)

// findEntries returns a function that reports the entries with a state.
func findEntries(state deeds.State) func(*analysis, *detector) {
	return func(s *analysis, det *detector) {
		for _, e := range s.Entries {
			if e.State == state {
				s.emit(det, e.Turn, e.First, e.Last).About = e.Proof
			}
		}
	}
}

// findUndone reports a call that failed at the end of a dialogue, after which the SYSTEM says
// nothing.
func findUndone(s *analysis, det *detector) {
	result := s.Undone()
	if result == 0 {
		return
	}
	if by := s.Before(len(s.Turns)-1, dialogue.User); by >= 0 && s.Turns[by].Words > 0 {
		s.emit(det, by, 0, s.Turns[by].Words-1).About = result
	}
}

// findStatements returns a function that reports the SYSTEM's grounded statements, or those that
// are neither grounded nor follow from known values.
func findStatements(isGrounded bool) func(*analysis, *detector) {
	return func(s *analysis, det *detector) {
		for _, x := range s.Statements {
			isDoubtful := isGrounded && s.IsUnproven(x.Passage)
			if x.IsGrounded == isGrounded && !x.IsEntered && !isDoubtful {
				s.emit(det, x.Turn, x.First, x.Last)
			}
		}
	}
}
