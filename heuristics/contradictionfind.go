package heuristics

import (
	"assize/rubric/dialogue"
)

// How far back a contradiction looks: turns in which a request is still alive, and a bound on the values
// in them, which keeps the time linear.
const (
	requestTurns  = 12
	requestValues = 48
)

// findContradicted goes through what the SYSTEM commits itself to.
func findContradicted(s *scene, det *detectorAt) {
	confirms, offers := s.lex.class("contradiction-confirms"), s.lex.class("contradiction-offers")
	failed, denied := s.lex.class("outcome-failed"), s.lex.class("outcome-denied")
	for i := range s.turns {
		if s.turns[i].role != dialogue.System || len(s.valuesOf(i)) == 0 ||
			!s.completes(i) && !s.has(i, confirms) && !s.has(i, det.class) ||
			s.has(i, offers) || s.has(i, failed) || s.has(i, denied) || s.informs(i) {
			continue
		}
		for k := s.valuesFrom[i]; k < s.valuesFrom[i+1]; k++ {
			v := &s.values[k]
			if v.loose || !s.alone(v) {
				continue
			}
			if about := s.contradicts(int(k)); about >= 0 {
				s.emitAbout(det, i, int(v.first), int(v.last), about, det.Points)
				break
			}
		}
	}
}

// informs reports whether the SYSTEM's turn i answers a question about a time, a day or a number.
func (s *scene) informs(i int) bool {
	before := s.before(i, dialogue.User)
	return before >= 0 && s.has(before, s.lex.class("contradiction-informed"))
}

// alone reports whether v is the only value in its turn that says what it says.
func (s *scene) alone(v *value) bool {
	n := 0
	for k := s.valuesFrom[v.turn]; k < s.valuesFrom[v.turn+1]; k++ {
		if rivals(v, &s.values[k]) {
			n++
		}
	}
	return n == 1
}

// contradicts gives the USER's turn that values[k] goes against, or -1. A value that either side named before
// goes against nothing, unless the USER has set it right since; neither does one that the USER may have given in
// other words: "make it four", "Tuesday next week".
func (s *scene) contradicts(k int) int {
	v := &s.values[k]
	about := -1
	for back := k - 1; back >= max(0, k-requestValues); back-- {
		u := &s.values[back]
		byUser := s.turns[u.turn].role == dialogue.User
		switch {
		case int(v.turn-u.turn) > requestTurns:
			return about
		case u.turn == v.turn:
		case comparable(u, v) && s.same(u, v), byUser && fits(u, v):
			return -1
		case !byUser || !rivals(u, v):
		case about < 0 && !comparable(u, v):
			return -1
		case u.loose || !comparable(u, v) || !s.alone(u) || s.reports(int(u.turn)):
		case s.corrects(int(u.turn)):
			return int(u.turn)
		case about < 0:
			about = int(u.turn)
		}
	}
	return about
}

// reports reports whether the USER's turn i tells what happened, and not what is wanted.
func (s *scene) reports(i int) bool { return s.has(i, s.lex.class("contradiction-past")) }

// corrects reports whether the USER's turn i sets something right, so that what was said before is void.
func (s *scene) corrects(i int) bool {
	return s.has(i, s.lex.class("contradiction-corrected")) || s.has(i, s.lex.class("reaction-corrects"))
}

// findCorrected goes through what the USER restates. "No" alone may be a change of mind: then the value has to
// have been given before.
func findCorrected(s *scene, det *detectorAt) {
	said := s.lex.class("contradiction-said")
	for i := range s.turns {
		if s.turns[i].role != dialogue.User || len(s.valuesOf(i)) == 0 || !s.has(i, det.class) {
			continue
		}
		for k := s.valuesFrom[i]; k < s.valuesFrom[i+1]; k++ {
			u := &s.values[k]
			if u.loose || !s.onlyFirm(u) {
				continue
			}
			wrong, before := s.restates(int(k))
			if wrong >= 0 && (before || s.has(i, said)) {
				s.emitAbout(det, i, int(u.first), int(u.last), wrong, det.Points)
				break
			}
		}
	}
}

// onlyFirm reports whether v is the only value of its slot in its turn that is not loose: "four, not two".
func (s *scene) onlyFirm(v *value) bool {
	n := 0
	for k := s.valuesFrom[v.turn]; k < s.valuesFrom[v.turn+1]; k++ {
		if u := &s.values[k]; comparable(v, u) && !u.loose {
			n++
		}
	}
	return n == 1
}

// answerTurns is how far back the turn may lie that a correction speaks of.
const answerTurns = 4

// restates gives the SYSTEM's turn that named another value than values[k] last, or -1, and whether the USER gave
// values[k] before.
func (s *scene) restates(k int) (wrong int, before bool) {
	v := &s.values[k]
	wrong = -1
	for back := k - 1; back >= max(0, k-requestValues); back-- {
		u := &s.values[back]
		switch age := int(v.turn - u.turn); {
		case age > requestTurns:
			return wrong, before
		case age == 0 || !comparable(u, v):
		case s.turns[u.turn].role == dialogue.User:
			before = before || s.same(u, v)
		case wrong < 0 && (age > answerTurns || u.loose || !s.alone(u) || s.same(u, v)):
			return -1, before
		case wrong < 0:
			wrong = int(u.turn)
		}
	}
	return wrong, before
}

// findHedges leaves out what the SYSTEM asks, and its opinions.
func findHedges(s *scene, det *detectorAt) {
	opinions := s.lex.class("contradiction-opinions")
	s.eachHit(det, func(h *hit) bool {
		t := &s.turns[h.turn]
		return !t.asked(t.sentenceEnd(int(h.last))) && !s.has(int(h.turn), opinions)
	})
}
