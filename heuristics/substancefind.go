package heuristics

import (
	"strings"

	"assize/rubric/dialogue"
)

// findConcrete reports each turn of the SYSTEM with a time, a date, a sum, a long number, a link, or one of the
// phrases. What only restates the request is left out.
func findConcrete(s *scene, det *detectorAt) {
	confirms := s.lex.class("contradiction-confirms")
	for i := range s.turns {
		if s.turns[i].role != dialogue.System || s.has(i, confirms) {
			continue
		}
		if h := s.hit(i, det.class); h != nil && !h.negated {
			s.emitHit(det, h)
		} else if v := s.fact(i); v != nil {
			s.emit(det, i, int(v.first), int(v.last), det.Points)
		} else if k := s.turns[i].code(); k >= 0 {
			s.emit(det, i, k, k, det.Points)
		}
	}
}

// fact gives the first value of turn i that can be acted on, or nil. Counts are none.
func (s *scene) fact(i int) *value {
	values := s.valuesOf(i)
	for k := range values {
		switch values[k].slot.kind {
		case clock, date, amount:
			return &values[k]
		}
	}
	return nil
}

// codeLength is how long a number is that is to be noted down: a phone number, a reference.
const codeLength = 4

// code gives the token of t that is a phone number, a reference, a link or an e-mail address, or -1.
func (t *turnText) code() int {
	for k, tok := range t.tokens {
		if tok.is(number) && tok.end-tok.start >= codeLength && !t.year(tok) || t.linked(tok) {
			return k
		}
	}
	return -1
}

// year reports whether tok may be a year, as behind the titles of films.
func (t *turnText) year(tok token) bool {
	return tok.end-tok.start == 4 && (t.text[tok.start] == '1' && t.text[tok.start+1] == '9' || t.text[tok.start] == '2' && t.text[tok.start+1] == '0')
}

// linked reports whether tok begins a link or stands before the @ of an address.
func (t *turnText) linked(tok token) bool {
	rest := t.text[tok.end:]
	return strings.HasPrefix(rest, "://") || len(rest) > 1 && rest[0] == '@' && isLetter(rest[1])
}

// findAlternative reports a way on in a turn that fails, or in the next of the same block.
func findAlternative(s *scene, det *detectorAt) {
	failed := s.lex.class("outcome-failed")
	for b := range s.blocks {
		if s.blocks[b].role != dialogue.System {
			continue
		}
		behind := false
		for _, i := range s.blocks[b].turns {
			behind = behind || s.has(i, failed)
			if h := s.hit(i, det.class); behind && h != nil && !h.negated && !s.moreOnly(i) {
				s.emitHit(det, h)
				break
			}
		}
	}
}

// moreOnly reports whether what looks like an offer in turn i is "Can I help with anything else?".
func (s *scene) moreOnly(i int) bool {
	alternative, more := s.hit(i, s.lex.class("substance-alternative")), s.hit(i, s.lex.class("outcome-asks-more"))
	if alternative == nil || more == nil {
		return false
	}
	t := &s.turns[i]
	return t.sentenceStart(int(alternative.first)) == t.sentenceStart(int(more.first))
}

// findNoAlternative reports the failing turn of a block that neither offers nor asks anything.
func findNoAlternative(s *scene, det *detectorAt) {
	undone, failed := s.lex.class("contradiction-undone"), s.lex.class("outcome-failed")
	alternative, more := s.lex.class("substance-alternative"), s.lex.class("outcome-asks-more")
	closes := s.lex.class("outcome-closes")
	deflects := s.lex.class("substance-deflects")
	for b := range s.blocks {
		if s.blocks[b].role != dialogue.System {
			continue
		}
		at, wayOn := -1, false
		for _, i := range s.blocks[b].turns {
			if h := s.hit(i, failed); at < 0 && h != nil && !h.negated && s.refuses(h) && !s.has(i, deflects) && (s.has(i, undone) || !s.questioned(i)) {
				at = i
			}
			wayOn = wayOn || s.completes(i) || s.has(i, closes) || s.has(i, alternative) && !s.moreOnly(i) ||
				s.turns[i].asks > 0 && !s.has(i, more)
		}
		if at >= 0 && !wayOn {
			h := s.hit(at, failed)
			s.emit(det, at, int(h.first), int(h.last), det.Points)
		}
	}
}

// questioned reports whether the USER asked before turn i: then a no is an answer.
func (s *scene) questioned(i int) bool {
	before := s.before(i, dialogue.User)
	return before >= 0 && s.turns[before].asks > 0
}

// findDeflects leaves out what answers a USER who asks for a contact.
func findDeflects(s *scene, det *detectorAt) {
	contact := s.lex.class("substance-contact")
	s.eachHit(det, func(h *hit) bool {
		before := s.before(int(h.turn), dialogue.User)
		return before < 0 || !s.has(before, contact)
	})
}
