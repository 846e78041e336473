package heuristics

import (
	"assize/rubric"
	"assize/rubric/dialogue"
)

// reacts reports whether turn i is a reaction: the USER speaks, and the SYSTEM has said something before that
// can be judged. What a USER opens with, or answers to "How can I help?", is the problem and no judgement of its
// handling.
func (s *scene) reacts(i int) bool {
	before := s.before(i, dialogue.System)
	return s.turns[i].role == dialogue.User && before >= 0 &&
		(s.before(before, dialogue.User) >= 0 || !s.has(before, s.lex.class("words-greeting")))
}

// findReaction reports every reaction with a phrase of the detector's lexicon. Praise that is meant as its
// opposite is none.
func findReaction(s *scene, det *detectorAt) {
	sarcasm := s.lex.class("words-sarcasm")
	s.eachHit(det, func(h *hit) bool {
		return s.reacts(int(h.turn)) && (det.Points < 0 || !s.has(int(h.turn), sarcasm))
	})
}

// benign reports whether turn i is the no that closes a conversation: "No, I'm good", whatever the SYSTEM said,
// or another no that wants nothing further, to a SYSTEM that asks whether there is more, or asks nothing.
func (s *scene) benign(i int) bool {
	if s.has(i, s.lex.class("words-contented-no")) {
		return true
	}
	if !s.has(i, s.lex.class("reaction-declines")) {
		return false
	}
	before := s.before(i, dialogue.System)
	return before >= 0 && (s.turns[before].asks == 0 || s.has(before, s.lex.class("outcome-asks-more")))
}

// rejects reports whether turn i turns down what the SYSTEM said. "No problem" does not, and neither does a no that
// tells more in answer to a question of how things are.
func (s *scene) rejects(i int) bool {
	if !s.reacts(i) || !s.has(i, s.lex.class("reaction-rejects")) || s.benign(i) || s.has(i, s.lex.class("words-idle-no")) {
		return false
	}
	asksFact := s.has(s.before(i, dialogue.System), s.lex.class("words-asks-fact"))
	return !asksFact || s.turns[i].words == 1
}

func findRejects(s *scene, det *detectorAt) {
	s.eachHit(det, func(h *hit) bool { return s.rejects(int(h.turn)) })
}

func findDeclines(s *scene, det *detectorAt) {
	s.eachHit(det, func(h *hit) bool { return s.reacts(int(h.turn)) && s.benign(int(h.turn)) })
}

// A plain "I don't" refuses, unless it closes the conversation or merely does not mind.
func findRefuses(s *scene, det *detectorAt) {
	idle := []int16{s.lex.class("reaction-unsure"), s.lex.class("words-idle-dont")}
	s.eachHit(det, func(h *hit) bool {
		i := int(h.turn)
		return s.reacts(i) && !s.benign(i) && !s.hasAny(i, idle)
	})
}

// "I don't need anything else" asks for nothing else.
func findElse(s *scene, det *detectorAt) {
	s.eachHit(det, func(h *hit) bool { return s.reacts(int(h.turn)) && !s.benign(int(h.turn)) })
}

// A bare no is a rejection of one word.
func findBareNo(s *scene, det *detectorAt) {
	for i := range s.turns {
		if t := &s.turns[i]; t.words == 1 && s.rejects(i) {
			s.emit(det, i, 0, t.words-1, det.Points)
		}
	}
}

// An answer to "What do you dislike?" is no complaint, and neither is the no that closes a conversation.
func findNotWanted(s *scene, det *detectorAt) {
	dislikes := s.lex.class("words-dislikes")
	s.eachHit(det, func(h *hit) bool {
		return s.reacts(int(h.turn)) && !s.benign(int(h.turn)) && s.hit(s.before(int(h.turn), dialogue.System), dislikes) == nil
	})
}

func findExclaims(s *scene, det *detectorAt) {
	displeased := []int16{
		s.lex.class("reaction-upset"), s.lex.class("reaction-escalates"), s.lex.class("reaction-says-wrong"),
		s.lex.class("reaction-corrects"), s.lex.class("reaction-again"), s.lex.class("words-sarcasm"),
	}
	for i := range s.turns {
		if t := &s.turns[i]; s.reacts(i) && t.exclaims > 0 && !s.hasAny(i, displeased) && !s.rejects(i) {
			s.emit(det, i, 0, t.words-1, det.Points)
		}
	}
}

func findAsks(s *scene, det *detectorAt) {
	for i := range s.turns {
		if t := &s.turns[i]; s.reacts(i) && t.asks > 0 {
			s.emit(det, i, 0, t.words-1, det.Points)
		}
	}
}

// mostValence bounds what single words may do to a turn, in hundredths.
const mostValence = 150

func findValence(s *scene, det *detectorAt) {
	for h := range s.hitsOf(det.class) {
		if h.points != 0 && s.reacts(int(h.turn)) && (h.points < 0 || !s.has(int(h.turn), s.lex.class("words-sarcasm"))) {
			s.emit(det, int(h.turn), int(h.first), int(h.last), rubric.Hundredths(min(max(h.points, -mostValence), mostValence)))
		}
	}
}

// eachHit reports a signal for each hit that no negator voids and that keep wants.
func (s *scene) eachHit(det *detectorAt, keep func(*hit) bool) {
	for h := range s.hitsOf(det.class) {
		if !h.negated && keep(h) {
			s.emitHit(det, h)
		}
	}
}
