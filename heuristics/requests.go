package heuristics

import (
	"slices"

	"assize/rubric/dialogue"
)

// requestState follows the USER's requests through the dialogue. It returns the last state, the
// index of the turn that shows it, and the index of the other turn that it concerns; an index is -1
// if there is no such turn. Each block of turns changes the state to the strongest outcome that its
// detectors found (see @state in [Detector]).
func requestState(s *analysis) (last outcome, turn, about int) {
	found := make([]outcome, len(s.turns)+1) // the strongest outcome by turn
	for i := range s.signals {
		sig := &s.signals[i]
		if st := s.outcomes[sig.ID]; st.outweighs(found[sig.Turn]) {
			found[sig.Turn] = st
		}
	}
	turn, about = -1, -1
	for _, block := range s.blocks {
		best, at := unknown, -1
		for _, i := range block.turns {
			if st := found[s.turns[i].n]; st.outweighs(best) {
				best, at = st, i
			}
		}
		switch {
		case best == unknown:
		case block.role == dialogue.User:
			last, turn, about = best, at, turn
		default:
			last, turn, about = best, at, -1
		}
	}
	return last, turn, about
}

// findPending reports the SYSTEM's last block if it asks for details, because nothing can have been
// done with them.
func findPending(s *analysis, det *detector) {
	for _, block := range slices.Backward(s.blocks) {
		if block.role != dialogue.System {
			continue
		}
		for _, i := range block.turns {
			c := &s.lex.class
			if h := s.hit(i, c.DetailsRequests); h != nil && !s.has(i, c.OutcomeAsksMore) {
				s.emitHit(det, h)
				return
			}
		}
		return
	}
}

// findFinal reports the last state of the USER's requests if it is the one that the detector's file
// names.
func findFinal(s *analysis, det *detector) {
	r := &s.request
	if !r.isRead {
		r.last, r.turn, r.about = requestState(s)
		r.isRead = true
	}
	if turn, about := r.turn, r.about; r.last == det.final && turn >= 0 {
		sig := s.emit(det, turn, 0, s.turns[turn].words-1)
		if about >= 0 && about != turn {
			sig.About = s.turns[about].n
		}
	}
}

// findUnmet reports each request of the USER that neither the next answer nor a later one about the
// same thing meets. The first request may be a statement; later ones are questions.
func findUnmet(s *analysis, det *detector) {
	first := true
	for b := 0; b+1 < len(s.blocks); b++ {
		if s.blocks[b].role != dialogue.User {
			continue
		}
		request := -1
		for _, i := range s.firstOf(b) {
			if s.turns[i].asks > 0 || first && s.has(i, det.class) {
				request = i
			}
		}
		if request < 0 {
			continue
		}
		first = false
		if !s.turns[request].has.meets(&det.unless) && !isMet(s, b, request, det) {
			s.emitTurn(det, s.blocks[b+1].turns[len(s.blocks[b+1].turns)-1], request)
		}
	}
}

// isMet reports whether block b answers and meets the request of turn i.
func isMet(s *analysis, b, i int, det *detector) bool {
	for c := b + 1; c < min(len(s.blocks), b+1+2*requestBlocks); c += 2 {
		if (c == b+1 || asksIn(s, b+1) || isAbout(s, c, i)) && delivers(s, c, det) {
			return true
		}
	}
	return false
}

// delivers reports whether block b contains something that meets a request: a number, a day or a
// sum, in figures or words, that the USER has not mentioned, or a completed action, a step or a
// plain answer without a vague word about time. A terse answer that refuses nothing also meets a
// request.
func delivers(s *analysis, b int, det *detector) bool {
	c := &s.lex.class
	words, does, vague := 0, false, false
	for _, i := range s.lastOf(b) {
		t := &s.turns[i]
		words += t.words
		does = does || completes(s, i) || s.has(i, c.OutcomeActs) && !onlyInforms(s, i) ||
			t.has.meets(&det.needs)
		vague = vague || t.has.has(c.SubstanceVague)
		states := func(k int) bool {
			return !t.isQuestion(t.sentenceEnd(k)) && !broughtUp(s, b, t.tokens[k].stem) &&
				!leavesOpen(s, i, k)
		}
		for k, tok := range t.tokens {
			if (tok.is(number) || t.isCode(tok)) && states(k) {
				return true
			}
		}
		for _, v := range s.valuesOf(i) {
			switch v.slot.kind {
			case weekday, date, clock, count, amount, duration:
				if states(int(v.first)) {
					return true
				}
			}
		}
	}
	if does {
		return !vague
	}
	last := s.blocks[b].turns[len(s.blocks[b].turns)-1]
	return words <= det.words && !s.has(last, c.OutcomeDenied) && !s.has(last, c.OutcomeFailed) &&
		!s.has(last, c.UptakeWithholds)
}

// onlyInforms reports whether the action that turn i reports is only that somebody was informed.
func onlyInforms(s *analysis, i int) bool {
	act, talk := s.hit(i, s.lex.class.OutcomeActs), s.hit(i, s.lex.class.RequestTalks)
	return act != nil && talk != nil && act.first <= talk.last && talk.first <= act.last
}

// leavesOpen reports whether the sentence of token k of turn i contains a denial, a general
// statement about how things work, or a noncommittal phrase.
func leavesOpen(s *analysis, i, k int) bool {
	t, c := &s.turns[i], &s.lex.class
	if t.tokens[k].is(disputed | habitual) {
		return true
	}
	from, to := t.sentenceStart(k), t.sentenceEnd(k)
	opens := [...]class{
		c.OutcomeHelpless, c.OutcomeDenied, c.OutcomeFailed, c.SubstanceVague, c.RequestTalks,
	}
	for _, class := range opens {
		h := s.hit(i, class)
		if h != nil && !h.negated && int(h.first) >= from && int(h.last) <= to {
			return true
		}
	}
	return false
}
