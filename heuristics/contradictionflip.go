package heuristics

import "assize/rubric/dialogue"

// flipTurns is how many turns back the opposite may have been said.
const flipTurns = 8

// findFlip holds each turn of the SYSTEM against its last ones.
func findFlip(s *scene, det *detectorAt) {
	f := flips{
		scene: s, failed: s.lex.class("outcome-failed"), denied: s.lex.class("outcome-denied"),
		undone:   s.lex.class("contradiction-undone"),
		confirms: s.lex.class("contradiction-confirms"), changes: s.lex.class("contradiction-changes"),
		doubts: s.lex.class("contradiction-doubts"), rejects: s.lex.class("reaction-rejects"),
		obliges: s.lex.class("courtesy-acknowledges"), clarifies: s.lex.class("pairing-clarifies"),
	}
	for j := range s.turns {
		if s.turns[j].role != dialogue.System || s.has(j, f.clarifies) {
			continue
		}
		if i := f.opposite(j); i >= 0 {
			s.emitAbout(det, j, 0, s.turns[j].words-1, i, det.Points)
		}
	}
}

// flips holds the classes that findFlip asks for.
type flips struct {
	*scene
	failed, denied, undone, confirms, obliges, clarifies int16 // of the SYSTEM
	changes, doubts, rejects                             int16 // of the USER
}

// opposite gives the SYSTEM's turn before j that says the opposite of turn j, or -1. The search ends where the
// USER changes the request.
func (f *flips) opposite(j int) int {
	doubted := false
	for i := j - 1; i >= max(0, j-flipTurns); i-- {
		switch {
		case f.turns[i].role == dialogue.User:
			doubted = f.has(i, f.doubts)
			if !doubted && (f.has(i, f.changes) || f.has(i, f.rejects) || len(f.valuesOf(i)) > 0) {
				return -1
			}
		case f.turns[i].role != dialogue.System || f.has(i, f.clarifies):
		case f.denies(i, j), f.takesBack(i, j), doubted && f.relents(i, j):
			return i
		}
	}
	return -1
}

// denies reports whether one of two turns states what the other denies, in the same words.
func (f *flips) denies(i, j int) bool {
	x, y := f.bags.said[i], f.bags.said[j]
	if x.size() < 2 || y.size() < 2 || f.bags.far(x, y) || f.has(i, f.confirms) || f.has(j, f.confirms) {
		return false
	}
	o := f.bags.overlap(x, y)
	return o.common >= 2 && o.atLeast(60) && !o.differ &&
		(f.refuses(i) && !f.negative(j) || f.refuses(j) && !f.negative(i))
}

// takesBack reports whether turn i says that it is done and turn j that it could not be.
func (f *flips) takesBack(i, j int) bool {
	return f.has(j, f.undone) && f.completes(i) && !f.negative(i) && !f.has(i, f.confirms)
}

// relents reports whether turn i refuses and turn j, after a USER who only doubted, gives the same after all.
func (f *flips) relents(i, j int) bool {
	return f.refuses(i) && !f.negative(j) && f.bags.shares(f.bags.said[i], f.bags.said[j])
}

// refuses reports whether turn i says no to something; "no problem" does not.
func (f *flips) refuses(i int) bool {
	return f.has(i, f.failed) || f.has(i, f.denied) && !f.has(i, f.obliges)
}

// negative reports whether there is any no in turn i.
func (f *flips) negative(i int) bool {
	if f.refuses(i) {
		return true
	}
	for _, t := range f.turns[i].tokens {
		if t.is(negator) {
			return true
		}
	}
	return false
}
