package heuristics

import (
	"slices"

	"assize/rubric/dialogue"
)

// findDetailAgain reports each request for a detail that the SYSTEM has requested before and the
// USER has given since, or claims to have given. The wording does not matter: "order number?" and
// "please enter your order number" request the same detail. The lists detail-*.txt contain the
// names of each detail.
func findDetailAgain(s *analysis, det *detector) {
	s.asked = append(s.asked[:0], make([]int32, len(s.lex.lists))...)
	for i, t := range s.spoken(dialogue.System) {
		again := -1
		for k := t.hits.start; k < t.hits.end; k++ {
			h := &s.hits[k]
			if !s.lex.details.has(h.class) || h.negated || !requestsDetail(s, i, h) {
				continue
			}
			if before := int(s.asked[h.class]) - 1; before >= 0 && repliesBetween(s, before, i) {
				again = before
			}
			s.asked[h.class] = int32(i + 1)
		}
		if again >= 0 && !t.has.meets(&det.unless) {
			s.emitTurn(det, i, again)
		}
	}
}

// requestsDetail reports whether the SYSTEM requests the detail at h: the sentence is a question or
// contains a requesting phrase, and does not state the detail itself ("enter the code 4471").
func requestsDetail(s *analysis, i int, h *hit) bool {
	t := &s.turns[i]
	from, to := t.sentenceStart(int(h.first)), t.sentenceEnd(int(h.last))
	if slices.ContainsFunc(t.tokens[h.last:to+1], t.isCode) {
		return false
	}
	if t.isQuestion(to) {
		return true
	}
	return s.hit(i, s.lex.class.DetailsRequests).meets(from, to)
}

// objectReach is the maximum distance in words between a verb and its object.
const objectReach = 3

// isRequesting reports whether a hit requests a detail. "Please enter your order number" is a
// request, and not a step to take.
func isRequesting(s *analysis, h *hit) bool {
	t, ask := &s.turns[h.turn], s.hit(int(h.turn), s.lex.class.DetailsRequests)
	return ask != nil && ask.first <= h.last && h.first <= ask.last &&
		slices.ContainsFunc(s.hits[t.hits.start:t.hits.end], func(d hit) bool {
			isNear := d.first <= h.last+objectReach && d.last >= h.first
			return isNear && s.lex.details.has(d.class) && requestsDetail(s, int(h.turn), &d)
		})
}

// repliesBetween reports whether the USER answers between turns i and j: with a number, a name or
// an address, or with a phrase such as "I already told you".
func repliesBetween(s *analysis, i, j int) bool {
	for k := i + 1; k < j; k++ {
		t := &s.turns[k]
		counts := func(tok token) bool {
			kind := s.lex.valueOf(tok).kind
			return informs(tok) || t.isReference(tok) || kind == wordNumber || kind == wordOrdinal
		}
		claims := s.has(k, s.lex.class.UptakeTold)
		if t.role == dialogue.User && (claims || slices.ContainsFunc(t.tokens, counts)) {
			return true
		}
	}
	return false
}
