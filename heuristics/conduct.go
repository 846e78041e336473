package heuristics

import "assize/rubric/dialogue"

// The conduct family reports what no service may do, however good the rest is: show contempt, ask
// for secrets, disclose other customers' data, or give unsafe advice. Each detector caps the
// criteria that it is evidence for, as rubric/default.yaml says.

// findUnsafe reports advice that plays down a danger that the USER has mentioned.
func findUnsafe(s *analysis, det *detector) {
	danger := -1
	for i := range s.turns {
		t := &s.turns[i]
		switch {
		case t.role == dialogue.User && t.has.meets(&det.needs):
			danger = i
		case t.role == dialogue.System && danger >= 0 && t.has.has(det.class) &&
			!t.has.meets(&det.unless):
			s.emitHit(det, s.hit(i, det.class)).About = s.turns[danger].n
		}
	}
}
