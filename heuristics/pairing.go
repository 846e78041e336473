package heuristics

import (
	"slices"

	"assize/rubric/dialogue"
)

// The pairing family holds questions against answers, in both directions. Turns in a row by one speaker count
// as one block.

// How far back a repetition is looked for: turns, and turns of the USER. Whatever is older may well be said
// again.
const (
	repeatTurns     = 8
	userRepeatTurns = 3
)

// findUnanswered goes through each block of the USER that asks, and the reply to it. A reply that only asks back
// may go on to answer next time; a statement in words of its own is beside the point only if a number was
// wanted or the USER has to ask again.
func findUnanswered(s *analysis, det *detector) {
	c := &s.lex.class
	for b := 0; b+1 < len(s.blocks); b++ {
		if s.blocks[b].role != dialogue.User {
			continue
		}
		question := -1
		for _, i := range s.blocks[b].turns {
			t := &s.turns[i]
			if t.asks > 0 && t.said.size() > 0 && t.has.has(c.PairingAsks) && !t.has.has(c.PairingRhetorical) {
				question = i
			}
		}
		if question < 0 {
			continue
		}
		answered, stated := s.answered(question, b+1)
		if !answered && stated {
			answered = !s.has(question, c.PairingAsksNumber) && !s.asksAgain(question, b+2) && !s.pressed(b)
		} else if !answered {
			answered, _ = s.answered(question, b+3)
		}
		if !answered {
			s.emitTurn(det, s.blocks[b+1].turns[0], question)
		}
	}
}

// longAside is how many words make a reply too long for a short answer.
const longAside = 5

// pressed reports whether the reply to block b is long and has no yes, no or number, and the USER asks again without a
// word of thanks or assent.
func (s *analysis) pressed(b int) bool {
	if b+2 >= len(s.blocks) || s.answers(b+1) {
		return false
	}
	size := 0
	for _, i := range s.blocks[b+1].turns {
		size += s.turns[i].said.size()
	}
	if size < longAside {
		return false
	}
	i := s.blocks[b+2].turns[0]
	return s.turns[i].asks > 0 && s.turns[i].words > 0 && !s.has(i, s.lex.class.UptakeMoves)
}

// answered reports whether block b answers the question of turn i as far as words can tell, and whether it says
// anything beside asking. There may be no such block.
func (s *analysis) answered(i, b int) (answered, stated bool) {
	if b >= len(s.blocks) {
		return false, false
	}
	said := s.turns[i].said
	for _, r := range s.blocks[b].turns {
		t := &s.turns[r]
		states := t.states()
		stated = stated || states
		if h := s.hit(r, s.lex.class.PairingAnswers); h != nil && (states || h.first < maxFillers) && !s.pressed(b-1) {
			return true, stated
		}
		if t.words == 0 || s.has(r, s.lex.class.OutcomeCloses) ||
			slices.ContainsFunc(t.tokens, informs) || slices.ContainsFunc(s.valuesOf(r), value.names) ||
			s.bags.shares(said, t.said) || s.bags.shares(said, t.asked) {
			return true, stated
		}
	}
	return false, stated
}

// informs reports whether tok is a number or a name.
func informs(tok token) bool {
	return tok.is(number) || tok.is(capital) && !tok.is(opensSentence) && tok.content()
}

// names reports whether v is a value by itself. "One" alone is mostly a pronoun.
func (v value) names() bool { return v.slot.kind != bare || v.n != 1 }

// asksAgain reports whether the USER's block b asks what turn i asks.
func (s *analysis) asksAgain(i, b int) bool {
	return b < len(s.blocks) && slices.ContainsFunc(s.blocks[b].turns, func(k int) bool {
		o := s.bags.overlap(s.turns[i].said, s.turns[k].said)
		return o.common > 0 && o.atLeast(40)
	})
}

// states reports whether t says anything beside asking.
func (t *turnText) states() bool {
	for first := 0; first < len(t.tokens); {
		last := t.sentenceEnd(first)
		if t.asks == 0 || !t.isQuestion(last) {
			return true
		}
		first = last + 1
	}
	return false
}

// findRepeatsQuestion leaves out questions about "this" and "it", which may be another this by now, confirmations,
// which the USER's corrections repeat, and questions of another kind in the same words.
func findRepeatsQuestion(s *analysis, det *detector) {
	kind := func(t *turnText) (set int) { // of dislikes, the counterpart of likes, and of the question words
		if t.has.has(s.lex.class.WordsDislikes) {
			set = 1 << 8
		}
		for _, tok := range t.tokens {
			if word := s.lex.valueOf(tok); word.kind == wordAsks {
				set |= 1 << word.n
			}
		}
		return set
	}
	for i, t := range s.spoken(dialogue.System) {
		if t.asked.size() < 2 || t.has.meets(&det.unless) {
			continue
		}
		j := s.repeated(i, 50, func(t *turnText) bag { return t.asked })
		if j >= 0 && kind(t) == kind(&s.turns[j]) {
			s.emitTurn(det, i, j)
		}
	}
}

// mostRitual is how many words of content make a turn more than a formula that everybody repeats.
const mostRitual = 5

// findRepeatsItself leaves out confirmations and what everybody repeats, such as goodbyes and "anything else?", unless
// the turn has more to say.
func findRepeatsItself(s *analysis, det *detector) {
	for i, t := range s.spoken(dialogue.System) {
		ritual := t.said.size() < mostRitual || t.has.has(s.lex.class.ContradictionConfirms)
		if t.said.size() < 3 || ritual && t.has.meets(&det.unless) {
			continue
		}
		if j := s.repeated(i, 60, func(t *turnText) bag { return t.said }); j >= 0 {
			s.emitTurn(det, i, j)
		}
	}
}

// repeated gives the last turn before i of the same speaker that says what turn i says, or -1.
func (s *analysis) repeated(i, percent int, of func(*turnText) bag) int {
	said := of(&s.turns[i])
	for j := i - 1; j >= max(0, i-repeatTurns); j-- {
		if s.turns[j].role == s.turns[i].role && s.bags.alike(said, of(&s.turns[j]), percent) {
			return j
		}
	}
	return -1
}

// findUserRepeats holds each turn of the USER against the last ones of the USER.
func findUserRepeats(s *analysis, det *detector) {
	for i, t := range s.spoken(dialogue.User) {
		if t.said.size() < 2 || t.has.meets(&det.unless) {
			continue
		}
		j := i
		for range userRepeatTurns {
			if j = s.before(j, dialogue.User); j < 0 {
				break
			}
			if s.bags.alike(t.said, s.turns[j].said, 50) {
				s.emitTurn(det, i, j)
				break
			}
		}
	}
}

// findRestates reports the USER's replies in a service case that repeat words of the USER which the SYSTEM has not taken
// up: two of them, or half of the reply.
func findRestates(s *analysis, det *detector) {
	for b := 2; b < len(s.blocks) && s.kind == Service; b++ {
		if s.blocks[b].role != dialogue.User {
			continue
		}
		for _, i := range s.firstOf(b) {
			t := &s.turns[i]
			again := 0
			for _, stem := range s.bags.of(t.said) {
				if s.broughtUp(b-1, stem) && !s.blockSays(b-1, stem) {
					again++
				}
			}
			if !t.has.meets(&det.unless) && (t.asks > 0 || !s.asksIn(b-1)) && (again >= 2 || again == 1 && t.said.size() <= 2) {
				s.emitTurn(det, i, s.blocks[b-1].turns[0])
			}
		}
	}
}

// findReply reports each question of the SYSTEM but "anything else?" whose answer, the first turn of the USER's next
// block, is as the file wants it.
func findReply(s *analysis, det *detector) {
	for b := 0; b+1 < len(s.blocks); b++ {
		if s.blocks[b].role != dialogue.System {
			continue
		}
		asked := -1
		for _, i := range s.blocks[b].turns {
			if s.turns[i].asks > 0 {
				asked = i
			}
		}
		if asked < 0 || s.has(asked, s.lex.class.OutcomeAsksMore) {
			continue
		}
		answer := s.blocks[b+1].turns[0]
		t := &s.turns[answer]
		if t.words >= det.words && (det.needs == classSet{} || t.has.meets(&det.needs)) && !t.has.meets(&det.unless) {
			s.emitTurn(det, asked, answer)
		}
	}
}

// broughtUp reports whether the USER says a stem in the opening or shortly before block b.
func (s *analysis) broughtUp(b int, stem uint32) bool {
	for k := b - 1; k >= 0; k-- {
		if k < b+1-2*requestBlocks {
			k = min(k, 1)
		}
		if s.blocks[k].role == dialogue.User && s.blockSays(k, stem) {
			return true
		}
	}
	return false
}
