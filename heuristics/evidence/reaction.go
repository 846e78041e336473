package evidence

import (
	"slices"
	"strings"

	"assize/heuristics/talk"
	"assize/rubric"
	"assize/rubric/dialogue"
)

// The reaction family detects what the USER says after each turn of the SYSTEM. People's ratings
// follow the USER's reactions more closely than anything that the SYSTEM says. The Critic uses
// these signals as evidence.

// findBareNo reports rejections of one word.
func findBareNo(s *analysis, det *detector) {
	for i := range s.Turns {
		if s.Turns[i].Words == 1 && s.Rejects(i) {
			s.emit(det, i, 0, 0)
		}
	}
}

// maxValence is the maximum effect of single words on a turn, in hundredths of a point.
const maxValence = 150

// findValence reports the sum of the points of single words. Ironic praise does not count.
func findValence(s *analysis, det *detector) {
	for h := range s.HitsOf(s.Lex.Class.ReactionValence) {
		i := int(h.Turn)
		if int(h.Points)*int(det.Points) <= 0 || !s.Reacts(i) || h.Points > 0 &&
			s.Has(i, s.Lex.Class.WordsSarcasm) {
			continue
		}
		points := min(max(h.Points, -maxValence), maxValence)
		s.emit(det, i, int(h.First), int(h.Last)).Points = rubric.Hundredths(points)
	}
}

// isSoured reports whether the praise at a hit is probably insincere: in a service case, the USER
// has just complained and the SYSTEM has done nothing since.
func isSoured(s *analysis, h *talk.Hit) bool {
	c := &s.Lex.Class
	answer := s.Before(int(h.Turn), dialogue.System)
	if answer < 0 {
		return false
	}
	complaint := s.Before(answer, dialogue.User)
	helped := s.Completes(answer) || s.Has(answer, c.OutcomeActs) || s.Has(answer,
		c.SubstanceAlternative) || s.Has(answer, c.SubstanceSteps)
	return complaint >= 0 && s.Complains(complaint) && !helped
}

// findExclaims reports the USER's turns with an exclamation mark.
func findExclaims(s *analysis, det *detector) {
	for i, t := range s.Spoken(dialogue.User) {
		h := &talk.Hit{Turn: int32(i), Last: int32(t.Words - 1)}
		if t.Exclaims > 0 && det.keeps(s, h) {
			s.emitHit(det, h)
		}
	}
}

// findAsks reports the question with which the USER ends the conversation.
func findAsks(s *analysis, det *detector) {
	last := len(s.Blocks) - 1
	if last < 0 || s.Blocks[last].Role != dialogue.User {
		return
	}
	for _, i := range slices.Backward(s.LastOf(last)) {
		if t := &s.Turns[i]; strings.Contains(t.Text, "?") && s.Reacts(i) &&
			!t.Has.Meets(&det.unless) {
			s.emit(det, i, 0, t.Words-1)
			return
		}
	}
}

// repliesToQuestion reports whether a hit is in a turn of the SYSTEM that replies to a question.
func repliesToQuestion(s *analysis, h *talk.Hit) bool {
	before := s.Before(int(h.Turn), dialogue.User)
	return before >= 0 && s.Turns[before].Asks > 0
}

// answersQuestion reports whether a hit is in a turn of the USER that replies to a question of the
// SYSTEM other than "anything else?".
func answersQuestion(s *analysis, h *talk.Hit) bool {
	before := s.Before(int(h.Turn), dialogue.System)
	return before >= 0 && s.Turns[before].Asks > 0 && !s.Has(before, s.Lex.Class.OutcomeAsksMore)
}
