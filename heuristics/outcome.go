package heuristics

import (
	"slices"

	"assize/rubric/dialogue"
)

// The outcome family detects what the SYSTEM says about the task: done, failed, refused or closed.

// findUnrecovered reports the last failure or denial, unless something is completed in the same
// turn or later.
func findUnrecovered(s *analysis, det *detector) {
	c := &s.lex.class
	for k := len(s.hits) - 1; k >= 0; k-- {
		h := &s.hits[k]
		switch i := int(h.turn); {
		case h.class == c.OutcomeCompleted && s.completes(i):
			return
		case (h.class == c.OutcomeFailed || h.class == c.OutcomeDenied) && s.isRefusal(h):
			if !s.completes(i) {
				s.emitHit(det, h)
			}
			return
		}
	}
}

// lastWords is the number of final USER turns without complaint that a commitment requires.
const lastWords = 2

// findCommits reports the SYSTEM's last commitment, if no answer failed and the USER does not
// object in the last turns. A commitment is a value in a statement that does not deny anything, or
// a report that something is done.
func findCommits(s *analysis, det *detector) {
	if s.lastFailed >= 0 {
		return
	}
	seen := 0
	for i := len(s.turns) - 1; i >= 0 && seen <= lastWords; i-- {
		if t := &s.turns[i]; t.words > 0 && t.role == dialogue.User {
			ends := s.before(len(s.turns)-1, dialogue.System) < i &&
				s.turns[len(s.turns)-1].role == dialogue.User
			if t.has.meets(&det.unless) && !s.benign(i) || ends && t.asks > 0 && seen == 0 {
				return
			}
			seen++
		}
	}
	for i := len(s.turns) - 1; i >= 0; i-- {
		if t := &s.turns[i]; t.role == dialogue.System && t.words > 0 {
			if s.uptakes[i].how == held && s.commits(i) {
				s.emit(det, i, 0, t.words-1)
				return
			}
			if !t.has.has(s.lex.class.OutcomeCloses) && !t.has.has(s.lex.class.OutcomeAsksMore) {
				return
			}
		}
	}
}

// commits reports whether turn i states a value in a sentence that is neither a denial nor a
// question, or says that something is done.
func (s *Talk) commits(i int) bool {
	return s.completes(i) || s.has(i, s.lex.class.OutcomeActs) || s.committed(i) >= 0
}

// committed returns the first token of a time, a date, a sum or a code that turn i states, or -1.
// Denials, offers and questions state nothing.
func (s *Talk) committed(i int) int {
	t := &s.turns[i]
	states := func(k int) bool {
		return !s.isInquiry(i, k) && s.plainSentence(i, k)
	}
	for _, v := range s.valuesOf(i) {
		if (v.slot.kind == clock || v.slot.kind == date || v.slot.kind == amount) &&
			states(int(v.first)) {
			return int(v.first)
		}
	}
	return slices.IndexFunc(t.tokens, func(tok token) bool {
		return t.isCode(tok) && !s.isInquiry(i, int(tok.from))
	})
}

// findUnsettled reports the SYSTEM's last failed answer, unless the USER is satisfied later. Talk
// about films has none.
func findUnsettled(s *analysis, det *detector) {
	failed := s.lastFailed
	if failed < 0 {
		return
	}
	b := slices.IndexFunc(s.blocks, func(b block) bool { return slices.Contains(b.turns, failed) })
	u := s.uptakes[failed]
	if s.asksFor(b) || u.how == resigned || s.isPleased(int(u.by)) || s.films ||
		s.has(int(u.by), s.lex.class.StateWithdrawn) {
		return
	}
	for i, t := range s.spoken(dialogue.User) {
		before := s.before(i, dialogue.System)
		if i > failed && t.has.meets(&det.unless) && (!s.has(i, s.lex.class.WordsCivil) ||
			s.completes(before) || s.has(before, s.lex.class.SubstanceSteps)) {
			return
		}
	}
	s.emitTurn(det, failed, int(u.by))
}

// findShut reports turns in which the SYSTEM ends the conversation or asks for a rating although
// its last answer failed or the USER has just asked something.
func findShut(s *analysis, det *detector) {
	for b := 1; b < len(s.blocks); b++ {
		if s.blocks[b].role != dialogue.System {
			continue
		}
		asks := s.blocks[b-1].turns[len(s.blocks[b-1].turns)-1]
		open := s.turns[asks].asks > 0 || s.turns[asks].has.meets(&det.needs) ||
			b > 1 && s.uptakes[s.blocks[b-2].turns[0]].how != held
		for _, i := range s.blocks[b].turns {
			if open && s.has(i, det.class) && !s.completes(i) {
				s.emitHit(det, s.hit(i, det.class)).About = s.turns[asks].n
			}
		}
	}
}
