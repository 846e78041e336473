package heuristics

import (
	"slices"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// The courtesy family detects how the SYSTEM treats the USER.

// findMissed reports the SYSTEM's answers that ignore an upset USER. An apology (one of the
// detector's phrases) is enough. No apology is necessary if the USER only answers a question such
// as "What did you dislike?".
func findMissed(s *analysis, det *detector) {
	c := &s.lex.class
	// if the USER confides feelings, empathy-passes-over reports it
	for b := 0; b+1 < len(s.blocks) && !s.confides; b++ {
		if s.blocks[b].role != dialogue.User {
			continue
		}
		about := -1
		for _, i := range s.blocks[b].turns {
			asked := s.before(i, dialogue.System)
			if s.has(i, c.ReactionUpset) && !benign(s, i) &&
				(asked < 0 || !s.has(asked, c.WordsDislikes)) {
				about = i
			}
		}
		answer := s.blocks[b+1].turns
		enough := func(i int) bool {
			return s.has(i, det.class) || s.turns[i].has.meets(&det.unless)
		}
		if about >= 0 && !slices.ContainsFunc(answer, enough) {
			s.emitTurn(det, answer[0], about)
		}
	}
}

// findFormula reports the SYSTEM's turns in a service case that contain stock courtesy, except
// replies to the USER's thanks.
func findFormula(s *analysis, det *detector) { findFormulas(s, det, false) }

// findFarewell reports stock courtesy in replies to the USER's thanks.
func findFarewell(s *analysis, det *detector) { findFormulas(s, det, true) }

// findFormulas reports each kind of stock courtesy in a turn: phrases of the detector's @needs, and
// exclamation marks.
func findFormulas(s *analysis, det *detector, thanked bool) {
	for i, t := range s.spoken(dialogue.System) {
		before := s.before(i, dialogue.User)
		if s.kind != Service ||
			(before >= 0 && s.has(before, s.lex.class.ReactionThanks)) != thanked {
			continue
		}
		kinds := 0
		for k := t.hits.start; k < t.hits.end; k++ {
			if h := &s.hits[k]; det.needs.has(h.class) && !h.negated {
				kinds++
			}
		}
		if t.exclaims > 0 {
			kinds++
		}
		if kinds > 0 {
			s.emit(det, i, 0, t.words-1).Points *= rubric.Hundredths(kinds)
		}
	}
}

// minBareTurns is the minimum number of the SYSTEM's turns for a lack of courtesy to be noticeable.
const minBareTurns = 2

// findBare reports the SYSTEM's shortest turn if none of its turns is courteous and the USER is
// polite, upset or in trouble. An exclamation mark counts as friendly.
func findBare(s *analysis, det *detector) {
	shortest, n := -1, 0
	for i := range s.turns {
		t := &s.turns[i]
		if t.role != dialogue.System || t.words == 0 && t.attack.end == 0 {
			continue
		}
		if t.exclaims > 0 || t.has.meets(&det.needs) {
			return
		}
		n++
		if t.words > 0 && (shortest < 0 || t.words < s.turns[shortest].words) {
			shortest = i
		}
	}
	if n < minBareTurns || shortest < 0 {
		return
	}
	for i := range s.turns {
		if s.turns[i].role == dialogue.User && s.turns[i].has.meets(&det.unless) {
			s.emit(det, shortest, 0, s.turns[shortest].words-1)
			return
		}
	}
}

// findUnmoved reports the SYSTEM's answers to a USER who complains, or whom the last answer did not
// help, if the answer contains no phrase of the lists in @needs and does nothing.
func findUnmoved(s *analysis, det *detector) {
	for b, answer := range s.blocksOf(dialogue.System) {
		if b < 2 {
			continue
		}
		complaint := -1
		if u := s.uptakes[s.firstTurn(b-2)]; u.how != held {
			complaint = int(u.by)
		}
		for _, i := range s.lastOf(b - 1) {
			if complains(s, i) && !benign(s, i) {
				complaint = i
			}
		}
		moved := func(i int) bool {
			return s.turns[i].has.meets(&det.needs) || completes(s, i) ||
				s.has(i, s.lex.class.OutcomeActs)
		}
		if complaint >= 0 && !slices.ContainsFunc(answer, moved) {
			s.emitTurn(det, answer[0], complaint)
		}
	}
}
