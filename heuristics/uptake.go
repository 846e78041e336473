package heuristics

import (
	"slices"

	"assize/rubric/dialogue"
)

// Uptake is what the USER makes of an answer. An answer holds if the USER moves on; it fails, whatever its form, if the
// USER then says the same again, points back at what was said before, or denies what the SYSTEM states. Only the next
// turns tell: "you can", a number or a list of steps may be an answer or not.

// failure is the way in which the USER turns an answer away.
type failure uint8

const (
	held      failure = iota
	toldAgain         // the USER repeats words of the request that the answer left out
	toldOff           // the USER says that it was said or done before
	unkept            // the USER says that what was said or promised has not come about
	resigned          // the USER gives the SYSTEM up
	denied            // the USER says that what the SYSTEM states is not so
	lacking           // the USER has not what the SYSTEM speaks of
)

// uptake is what becomes of a turn of the SYSTEM.
type uptake struct {
	how         failure
	by          int32 // the USER's turn that turns it away
	first, last int32 // its words that do
	states      int32 // of denied: the SYSTEM's turn that is denied
}

// readUptake fills in what becomes of each turn of the SYSTEM. A block of the SYSTEM is one answer.
func (s *analysis) readUptake() {
	s.uptakes = slices.Grow(s.uptakes[:0], len(s.turns))[:len(s.turns)]
	clear(s.uptakes)
	for b := range s.blocks {
		if s.blocks[b].role != dialogue.System || b == 0 || b+1 >= len(s.blocks) {
			continue
		}
		if u := s.uptake(b); u.how != held {
			for _, i := range s.blocks[b].turns {
				s.uptakes[i] = u
			}
		}
	}
}

// uptake reads the USER's turns that follow block b. The strongest of the signs is named.
func (s *analysis) uptake(b int) (u uptake) {
	for _, i := range s.firstOf(b + 1) {
		t := &s.turns[i]
		if t.words == 0 {
			continue
		}
		if v := s.deniedBy(b, i); v.how == denied {
			return v
		} else if v.how != held {
			u = v
		}
		c := &s.lex.class
		for k, class := range [...]class{c.UptakeTold, c.UptakeBroken, c.UptakeResigns} {
			how := toldOff + failure(k)
			if h := s.hit(i, class); h != nil && u.how < how && (how != unkept || s.promises(b)) {
				u = uptake{how, int32(i), h.first, h.last, -1}
			}
		}
		if u.how == held && s.tellsAgain(b, i) {
			u = uptake{toldAgain, int32(i), 0, int32(t.words - 1), -1}
		}
	}
	return u
}

// promises reports whether the SYSTEM says in block b that something is or will be done, or what to do.
func (s *analysis) promises(b int) bool {
	return slices.ContainsFunc(s.lastOf(b), func(i int) bool {
		return s.has(i, s.lex.class.UptakePromises) || s.has(i, s.lex.class.SubstanceSteps) || s.completes(i)
	})
}

// mostInBlock bounds how many turns of a block are read, which keeps the time linear.
const mostInBlock = 8

// firstOf gives the first turns of block b.
func (s *analysis) firstOf(b int) []int {
	turns := s.blocks[b].turns
	return turns[:min(len(turns), mostInBlock)]
}

// lastOf gives the last turns of block b.
func (s *analysis) lastOf(b int) []int {
	turns := s.blocks[b].turns
	return turns[max(0, len(turns)-mostInBlock):]
}

// requestBlocks is how many blocks of the USER before an answer hold the request.
const requestBlocks = 3

// tellsAgain reports whether the USER's turn i says again what one earlier turn asked for, in words that block b
// leaves out: half of what it says, or four fifths where the SYSTEM has asked something to the point or has done
// something, since people then go on in words of the same topic. What the SYSTEM has named itself may be named again:
// that is how people answer.
func (s *analysis) tellsAgain(b, i int) bool {
	t := &s.turns[i]
	if s.has(i, s.lex.class.UptakeMoves) {
		return false
	}
	size, leads := 0, false
	for _, k := range s.lastOf(b) {
		size += s.turns[k].said.size() + s.turns[k].asked.size()
		leads = leads || s.turns[k].asks > 0 || s.completes(k)
	}
	left := s.leftOut[:0]
	for _, stem := range s.bags.of(t.said) {
		if !s.blockSays(b, stem) {
			left = append(left, stem)
		}
	}
	s.leftOut = left
	for k := b - 1; k >= max(0, b+1-2*requestBlocks); k-- {
		for _, j := range s.lastOf(k) {
			again, percent := 0, 50
			if leads && (size < offTopic || t.said.size() > mostPressed || s.about(b, j)) {
				percent = 80
			}
			for _, stem := range left {
				if s.turns[j].role == dialogue.User && s.bags.holds(s.turns[j].said, stem) {
					again++
				}
			}
			if again >= 2 && again*100 >= percent*t.said.size() {
				return true
			}
		}
	}
	return !s.answers(b) && s.asksAgainOf(b, t)
}

// An answer counts as being about something else from three words on, and a USER who says the same again instead of
// taking up a question is brief.
const (
	offTopic    = 3
	mostPressed = 6
)

// about reports whether block b has a word of the USER's turn j.
func (s *analysis) about(b, j int) bool {
	return slices.ContainsFunc(s.lastOf(b), func(k int) bool {
		return s.bags.shares(s.turns[j].said, s.turns[k].said) || s.bags.shares(s.turns[j].said, s.turns[k].asked)
	})
}

// answers reports whether block b has the form of a short answer: a yes or no, a number or a value.
func (s *analysis) answers(b int) bool {
	return slices.ContainsFunc(s.lastOf(b), func(i int) bool {
		isNumber := func(tok token) bool { return tok.is(number) }
		return s.has(i, s.lex.class.UptakeAnswers) || slices.ContainsFunc(s.turns[i].tokens, isNumber) ||
			slices.ContainsFunc(s.valuesOf(i), value.names)
	})
}

// asksAgainOf reports whether most of what t asks was in a question of the USER's block before block b, and is not in
// block b.
func (s *analysis) asksAgainOf(b int, t *turnText) bool {
	if t.asks == 0 {
		return false
	}
	again := 0
	for _, stem := range s.leftOut {
		if slices.ContainsFunc(s.lastOf(b-1), func(i int) bool { return s.questions(i, stem) }) {
			again++
		}
	}
	return again >= 1 && 2*again > t.said.size()
}

// questions reports whether a question of turn i has a stem.
func (s *analysis) questions(i int, stem uint32) bool {
	t := &s.turns[i]
	for k := range t.tokens {
		if t.asks > 0 && t.tokens[k].stem|special == stem|special && t.isQuestion(t.sentenceEnd(k)) {
			return true
		}
	}
	return false
}

// blockSays reports whether a stem is in block b.
func (s *analysis) blockSays(b int, stem uint32) bool {
	return slices.ContainsFunc(s.lastOf(b), func(k int) bool {
		return s.bags.holds(s.turns[k].said, stem) || s.bags.holds(s.turns[k].asked, stem)
	})
}

// deniedReach is how many words behind a no may name what it denies.
const deniedReach = 4

// deniedBy reads what the USER's turn i denies of block b. A sentence denies that has a no and, shortly behind it, a
// word of a statement without one. What the USER does not want, know or like denies nothing, and neither does the
// answer to a question. Where the SYSTEM advises and states nothing, the USER may lack what the advice is about.
func (s *analysis) deniedBy(b, i int) (u uptake) {
	t := &s.turns[i]
	asks := func(k int) bool { return s.turns[k].asks > 0 }
	if s.has(i, s.lex.class.UptakeWishes) || slices.ContainsFunc(s.lastOf(b), asks) {
		return u
	}
	for k := range t.tokens {
		if !t.tokens[k].is(negator) || k+1 >= len(t.tokens) || t.tokens[k+1].is(opensClause) {
			continue
		}
		end := t.sentenceEnd(k)
		if t.isQuestion(end) {
			continue
		}
		for m := k + 1; m <= min(end, k+deniedReach) && !t.tokens[m].is(opensClause|joiner|preposition); m++ {
			if !t.tokens[m].content() {
				continue
			}
			if said := s.states(b, t.tokens[m].stem); said >= 0 {
				return uptake{denied, int32(i), int32(k), int32(m), int32(said)}
			}
			if h := s.hit(i, s.lex.class.UptakeLacks); h != nil && int(h.first) <= k && k <= int(h.last) &&
				s.blockSays(b, t.tokens[m].stem) {
				u = uptake{lacking, int32(i), int32(k), int32(m), -1}
			}
		}
	}
	return u
}

// states gives the turn of block b that has a stem in a plain statement: no question, no offer, nothing denied; or -1.
func (s *analysis) states(b int, stem uint32) int {
	for _, i := range s.lastOf(b) {
		t := &s.turns[i]
		for k := range t.tokens {
			if t.tokens[k].stem != stem {
				continue
			}
			from, to := t.sentenceStart(k), t.sentenceEnd(k)
			if !t.isQuestion(to) && s.plain(i, from, to) {
				return i
			}
		}
	}
	return -1
}

// plain reports whether the words of turn i from first to last say that something is so.
func (s *analysis) plain(i, first, last int) bool {
	t := &s.turns[i]
	if slices.ContainsFunc(t.tokens[first:last+1], func(tok token) bool { return tok.is(negator) }) {
		return false
	}
	h := s.hit(i, s.lex.class.UptakeOffers)
	return h == nil || int(h.first) > last || int(h.last) < first
}

// findUptake reports the last turn of each answer that fails; with @needs, of each after which the USER gives up.
func findUptake(s *analysis, det *detector) {
	for _, b := range s.blocks {
		if b.role != dialogue.System {
			continue
		}
		i := b.turns[len(b.turns)-1]
		u := s.uptakes[i]
		if u.how != held && (u.how == resigned) == (det.needs != classSet{}) && s.turns[i].words > 0 {
			s.emitTurn(det, i, int(u.by))
		}
	}
}

// findDenied reports each statement that the USER denies.
func findDenied(s *analysis, det *detector) {
	for _, b := range s.blocks {
		if b.role != dialogue.System {
			continue
		}
		if u := s.uptakes[b.turns[0]]; u.how == denied {
			s.emitTurn(det, int(u.states), int(u.by))
		}
	}
}

// findBroken reports each answer that announces what the USER then misses. Steps that do not help announce nothing.
func findBroken(s *analysis, det *detector) {
	for b := 0; b+1 < len(s.blocks); b++ {
		for _, i := range s.blocks[b].turns {
			if s.blocks[b].role == dialogue.System && (s.has(i, s.lex.class.UptakePromises) || s.completes(i)) {
				misses := func(k int) bool { return s.has(k, s.lex.class.UptakeBroken) }
				if k := slices.IndexFunc(s.blocks[b+1].turns, misses); k >= 0 {
					s.emitTurn(det, i, s.blocks[b+1].turns[k])
					break
				}
			}
		}
	}
}

// findHoldsTo reports the turn of the SYSTEM that says again what the USER has just denied, without taking anything
// back.
func findHoldsTo(s *analysis, det *detector) {
	for b := 0; b+2 < len(s.blocks); b++ {
		if s.blocks[b].role != dialogue.System || s.uptakes[s.blocks[b].turns[0]].how != denied {
			continue
		}
		u := s.uptakes[s.blocks[b].turns[0]]
		by := &s.turns[u.by]
		for m := u.first; m <= u.last; m++ {
			if !by.tokens[m].content() || by.tokens[m].is(negator) {
				continue
			}
			at := s.states(b+2, by.tokens[m].stem)
			if at >= 0 && !s.turns[at].has.meets(&det.unless) {
				s.emitTurn(det, at, int(u.by))
				break
			}
		}
	}
}

// findTaken reports the SYSTEM's answers that share a word of the request and after which the USER moves on.
func findTaken(s *analysis, det *detector) {
	for b := 1; b+1 < len(s.blocks); b++ {
		if s.blocks[b].role != dialogue.System || s.uptakes[s.blocks[b].turns[0]].how != held {
			continue
		}
		next := s.blocks[b+1].turns
		if slices.ContainsFunc(next, func(i int) bool { return s.turns[i].has.meets(&det.unless) }) {
			continue
		}
		for _, j := range s.lastOf(b - 1) {
			if s.about(b, j) {
				s.emitTurn(det, s.blocks[b].turns[len(s.blocks[b].turns)-1], j)
				break
			}
		}
	}
}

// findUnmet reports the SYSTEM's last answer where it fails and nothing is done after it.
func findUnmet(s *analysis, det *detector) {
	for b := len(s.blocks) - 1; b > 0; b-- {
		if s.blocks[b].role != dialogue.System {
			continue
		}
		i := s.blocks[b].turns[len(s.blocks[b].turns)-1]
		if s.completes(i) {
			return
		}
		if u := s.uptakes[i]; u.how != held {
			s.emitTurn(det, i, int(u.by))
			return
		}
		if b+1 < len(s.blocks) || !s.has(i, det.class) {
			return
		}
	}
}

// findShut reports where the SYSTEM ends the conversation or asks to be rated though its last answer failed, or the
// USER has just asked something.
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
				s.emitHit(det, s.hit(i, det.class))
				s.signals[len(s.signals)-1].About = s.turns[asks].n
			}
		}
	}
}

// findPassedOn reports each turn of the SYSTEM but the first that sends the USER to another place.
func findPassedOn(s *analysis, det *detector) {
	times := 0
	for h := range s.hitsOf(det.class) {
		if times++; times > 1 && !h.negated && s.reported(h) {
			s.emitHit(det, h)
		}
	}
}
