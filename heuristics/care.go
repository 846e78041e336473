package heuristics

import (
	"slices"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// maxCare is the maximum number of a detector's signs that count in one turn, if they are added
// up.
const maxCare = 4

// findCare reports the phrases or questions with which the SYSTEM answers a USER who has mentioned
// feelings. The Evaluator counts only the first signal of each detector, because a phrase in every
// turn is a habit.
func findCare(s *analysis, det *detector) {
	for i, t := range s.spoken(dialogue.System) {
		found := det.mark == '?' && t.asks > 0 || det.mark == 0 && t.has.has(det.class)
		if !found || !feels(s, i) {
			continue
		}
		first, last, points := 0, t.words-1, det.Points
		if h := s.hit(i, det.class); h != nil {
			first, last = int(h.first), int(h.last)
			if h.points > 0 { // phrases whose points are added up
				points = min(rubric.Hundredths(h.points), maxCare*det.Points)
			}
		}
		s.emit(det, i, first, last).Points = points
	}
}

// findUncaring reports each answer to feelings that asks nothing and contains no phrase of the
// lists in @unless.
func findUncaring(s *analysis, det *detector) {
	for i, t := range s.spoken(dialogue.System) {
		if feels(s, i) && t.asks == 0 && !t.has.meets(&det.unless) {
			s.emitTurn(det, i, s.before(i, dialogue.User))
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

// findWarm reports the answers to feelings with phrases of the list in @needs that are worth two
// ordinary ones.
func findWarm(s *analysis, det *detector) {
	for i, t := range s.spoken(dialogue.System) {
		for k := t.hits.start; k < t.hits.end; k++ {
			h := &s.hits[k]
			warm := h.points >= 2*int32(s.lex.lists[h.class].points)
			if warm && det.needs.has(h.class) && feels(s, i) {
				s.emitHit(det, h)
				break
			}
		}
	}
}
