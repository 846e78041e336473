package heuristics

import "assize/rubric/dialogue"

// outcome is what became of the USER's latest request, as far as the turns up to some point show.
type outcome uint8

const (
	unknown   outcome = iota
	confirmed         // the USER reports that it is done, or works
	done              // the SYSTEM says that it is done
	answered          // the SYSTEM answers with a fact, a step or a plain yes or no
	postponed         // the SYSTEM only says that somebody will see to it
	refused           // the SYSTEM says that it cannot, will not, or that somebody else must do it
	objected          // the USER says that it is not done, or not what was asked for
	pending           // the SYSTEM still waits for details
)

// outcomeNames are the names that @state and @final give in the files of detectors.
var outcomeNames = map[string]outcome{
	"confirmed": confirmed, "done": done, "answered": answered, "postponed": postponed,
	"refused": refused, "objected": objected, "pending": pending,
}

// requestState follows the USER's requests through the dialogue and returns the last state and the turns
// that show it: an index into turns, and the other turn that it concerns, -1 for none. Each block of turns
// moves the state by the strongest thing that its detectors found (see @state in [Detector]).
func (s *analysis) requestState() (last outcome, turn, about int) {
	found := make([][]outcome, len(s.turns)+1)
	for i := range s.signals {
		if sig := &s.signals[i]; s.outcomes[sig.ID] != unknown {
			found[sig.Turn] = append(found[sig.Turn], s.outcomes[sig.ID])
		}
	}
	turn, about = -1, -1
	for b := range s.blocks {
		best, at := unknown, -1
		for _, i := range s.blocks[b].turns {
			for _, st := range found[s.turns[i].n] {
				if at < 0 || st.outweighs(best) {
					best, at = st, i
				}
			}
		}
		if s.blocks[b].role == dialogue.User {
			if best != unknown {
				last, turn, about = best, at, turn
			}
			continue
		}
		switch {
		case best != unknown:
			last, turn, about = best, at, -1
		case s.wantsDetails(b) >= 0:
			last, turn, about = pending, s.wantsDetails(b), -1
		case last == pending: // it has what it waited for
			last, turn, about = unknown, -1, -1
		}
	}
	return last, turn, about
}

// wantsDetails returns the first turn of the SYSTEM's block b that asks for details, or -1.
func (s *analysis) wantsDetails(b int) int {
	for _, i := range s.lastOf(b) {
		if s.has(i, s.lex.class.DetailsRequests) && !s.has(i, s.lex.class.OutcomeAsksMore) {
			return i
		}
	}
	return -1
}

// outweighs reports whether x says more of a block of turns than y: what is done weighs more than what is not.
func (x outcome) outweighs(y outcome) bool {
	order := [...]int{unknown: 0, answered: 2, postponed: 3, refused: 4, done: 6, confirmed: 5, pending: 1, objected: 7}
	return order[x] > order[y]
}

// findFinal reports the last state of the USER's requests, where it is the one that the detector's file names.
func findFinal(s *analysis, det *detector) {
	if st, turn, about := s.requestState(); st == det.final && turn >= 0 {
		sig := s.emit(det, turn, 0, s.turns[turn].words-1)
		if about >= 0 && about != turn {
			sig.About = s.turns[about].n
		}
	}
}
