package heuristics

import (
	"slices"
	"strings"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// The reaction family detects what the USER says after each turn of the SYSTEM. People's ratings
// follow the USER's reactions more closely than anything that the SYSTEM says. The Critic uses
// these signals as evidence.

// findBareNo reports rejections of one word.
func findBareNo(s *analysis, det *detector) {
	for i := range s.turns {
		if s.turns[i].words == 1 && s.rejects(i) {
			s.emit(det, i, 0, 0)
		}
	}
}

// maxValence is the maximum effect of single words on a turn, in hundredths of a point.
const maxValence = 150

// findValence reports the sum of the points of single words. Ironic praise does not count.
func findValence(s *analysis, det *detector) {
	for h := range s.hitsOf(s.lex.class.ReactionValence) {
		i := int(h.turn)
		if int(h.points)*int(det.Points) <= 0 || !s.reacts(i) || h.points > 0 &&
			s.has(i, s.lex.class.WordsSarcasm) {
			continue
		}
		points := min(max(h.points, -maxValence), maxValence)
		s.emit(det, i, int(h.first), int(h.last)).Points = rubric.Hundredths(points)
	}
}

// isSoured reports whether the praise at a hit is probably insincere: in a service case, the USER
// has just complained and the SYSTEM has done nothing since.
func isSoured(s *analysis, h *hit) bool {
	c := &s.lex.class
	answer := s.before(int(h.turn), dialogue.System)
	if answer < 0 {
		return false
	}
	complaint := s.before(answer, dialogue.User)
	helped := s.completes(answer) || s.has(answer, c.OutcomeActs) ||
		s.has(answer, c.SubstanceAlternative) ||
		s.has(answer, c.SubstanceSteps)
	return complaint >= 0 && s.complains(complaint) && !helped
}

// findExclaims reports the USER's turns with an exclamation mark.
func findExclaims(s *analysis, det *detector) {
	for i, t := range s.spoken(dialogue.User) {
		h := &hit{turn: int32(i), last: int32(t.words - 1)}
		if t.exclaims > 0 && det.keeps(s, h) {
			s.emitHit(det, h)
		}
	}
}

// findAsks reports the question with which the USER ends the conversation.
func findAsks(s *analysis, det *detector) {
	last := len(s.blocks) - 1
	if last < 0 || s.blocks[last].role != dialogue.User {
		return
	}
	for _, i := range slices.Backward(s.lastOf(last)) {
		if t := &s.turns[i]; strings.Contains(t.text, "?") && s.reacts(i) &&
			!t.has.meets(&det.unless) {
			s.emit(det, i, 0, t.words-1)
			return
		}
	}
}

// repliesToQuestion reports whether a hit is in a turn of the SYSTEM that replies to a question.
func repliesToQuestion(s *analysis, h *hit) bool {
	before := s.before(int(h.turn), dialogue.User)
	return before >= 0 && s.turns[before].asks > 0
}

// answersQuestion reports whether a hit is in a turn of the USER that replies to a question of the
// SYSTEM other than "anything else?".
func answersQuestion(s *analysis, h *hit) bool {
	before := s.before(int(h.turn), dialogue.System)
	return before >= 0 && s.turns[before].asks > 0 && !s.has(before, s.lex.class.OutcomeAsksMore)
}
