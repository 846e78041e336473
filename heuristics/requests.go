package heuristics

import (
	"slices"

	"assize/rubric/dialogue"
)

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
)

// outcomeNames are the names that @state and @final give in the files of detectors.
var outcomeNames = map[string]outcome{
	"confirmed": confirmed, "done": done, "answered": answered, "postponed": postponed,
	"refused": refused, "objected": objected,
}

// request is what became of the USER's requests in the end, read once for all detectors that ask.
type request struct {
	last        outcome
	turn, about int // as requestState returns them
	isRead      bool
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
		if best != unknown {
			last, turn, about = best, at, -1
		}
	}
	return last, turn, about
}

// findPending reports the SYSTEM's last block if it asks for details: nothing has been done with them.
func findPending(s *analysis, det *detector) {
	for _, block := range slices.Backward(s.blocks) {
		if block.role != dialogue.System {
			continue
		}
		for _, i := range block.turns {
			c := &s.lex.class
			if h := s.hit(i, c.DetailsRequests); h != nil && !s.has(i, c.OutcomeAsksMore) {
				s.emitHit(det, h)
				return
			}
		}
		return
	}
}

// outweighs reports whether x says more of a block of turns than y: what is done weighs more than what is not.
func (x outcome) outweighs(y outcome) bool {
	order := [...]int{unknown: 0, answered: 2, postponed: 3, refused: 4, done: 6, confirmed: 5, objected: 7}
	return order[x] > order[y]
}

// findFinal reports the last state of the USER's requests, where it is the one that the detector's file names.
func findFinal(s *analysis, det *detector) {
	r := &s.request
	if !r.isRead {
		r.last, r.turn, r.about = s.requestState()
		r.isRead = true
	}
	if turn, about := r.turn, r.about; r.last == det.final && turn >= 0 {
		sig := s.emit(det, turn, 0, s.turns[turn].words-1)
		if about >= 0 && about != turn {
			sig.About = s.turns[about].n
		}
	}
}
