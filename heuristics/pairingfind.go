package heuristics

import "assize/rubric/dialogue"

// How far back a repetition is looked for: turns, and turns of the USER. Whatever is older may well be said
// again.
const (
	repeatTurns     = 8
	userRepeatTurns = 3
)

// findUnanswered goes through each block of the USER that asks, and the reply to it. A reply that only asks back
// may go on to answer next time; a statement in words of its own is beside the point only if a number was
// wanted or the USER has to ask again.
func findUnanswered(s *scene, det *detectorAt) {
	asks, rhetorical, wantsNumber := s.lex.class("pairing-asks"), s.lex.class("pairing-rhetorical"), s.lex.class("pairing-asks-number")
	for b := 0; b+1 < len(s.blocks); b++ {
		if s.blocks[b].role != dialogue.User {
			continue
		}
		question := s.lastQuestion(&s.blocks[b], asks, rhetorical)
		if question < 0 {
			continue
		}
		answered, stated := s.answered(question, &s.blocks[b+1])
		if answered || stated && !s.has(question, wantsNumber) && !s.asksAgain(question, b+2) || !stated && s.answeredLater(question, b+3) {
			continue
		}
		reply := s.blocks[b+1].turns[0]
		s.emitAbout(det, reply, 0, s.turns[reply].words-1, question, det.Points)
	}
}

// lastQuestion gives the last turn of a block that asks for information, or -1.
func (s *scene) lastQuestion(b *block, asks, rhetorical int16) int {
	for k := len(b.turns) - 1; k >= 0; k-- {
		if i := b.turns[k]; s.turns[i].asks > 0 && s.bags.said[i].size() > 0 && s.has(i, asks) && !s.has(i, rhetorical) {
			return i
		}
	}
	return -1
}

// answered reports whether reply answers the question of turn i as far as words can tell, and whether it says
// anything beside asking.
func (s *scene) answered(i int, reply *block) (answered, stated bool) {
	answers, closes := s.lex.class("pairing-answers"), s.lex.class("outcome-closes")
	for _, r := range reply.turns {
		t := &s.turns[r]
		states := s.states(r)
		stated = stated || states
		if h := s.hit(r, answers); h != nil && (states || h.first < maxFillers) {
			return true, stated
		}
		if len(t.tokens) == 0 || s.has(r, closes) || t.informs() || s.names(r) || s.sharesWord(i, r) {
			return true, stated
		}
	}
	return false, stated
}

// sharesWord reports whether the SYSTEM's turn r has a content word of the USER's turn i.
func (s *scene) sharesWord(i, r int) bool {
	return s.bags.shares(s.bags.said[i], s.bags.said[r]) || s.bags.shares(s.bags.said[i], s.bags.asked[r])
}

// names reports whether turn i names a value. "One" alone is mostly a pronoun.
func (s *scene) names(i int) bool {
	for _, v := range s.valuesOf(i) {
		if v.slot.kind != bare || v.n != 1 {
			return true
		}
	}
	return false
}

// asksAgain reports whether the USER's block b asks what turn i asks.
func (s *scene) asksAgain(i, b int) bool {
	if b >= len(s.blocks) {
		return false
	}
	for _, k := range s.blocks[b].turns {
		if o := s.bags.overlap(s.bags.said[i], s.bags.said[k]); o.common > 0 && o.atLeast(40) {
			return true
		}
	}
	return false
}

// answeredLater reports whether the SYSTEM's block b answers the question of turn i.
func (s *scene) answeredLater(i, b int) bool {
	if b >= len(s.blocks) {
		return false
	}
	answered, _ := s.answered(i, &s.blocks[b])
	return answered
}

// states reports whether turn i says anything beside asking.
func (s *scene) states(i int) bool {
	t := &s.turns[i]
	if t.asks == 0 {
		return len(t.tokens) > 0
	}
	for first := 0; first < len(t.tokens); {
		last := t.sentenceEnd(first)
		if !t.asked(last) {
			return true
		}
		first = last + 1
	}
	return false
}

// informs reports whether t has a number or a name.
func (t *turnText) informs() bool {
	for _, tok := range t.tokens {
		if tok.is(number) || tok.is(capital) && !tok.is(opensSentence) && tok.content() {
			return true
		}
	}
	return false
}

// findRepeatsQuestion leaves out questions about "this" and "it", which may be another this by now, and
// confirmations, which the USER's corrections repeat.
func findRepeatsQuestion(s *scene, det *detectorAt) {
	leaves := [...]int16{
		s.lex.class("outcome-asks-more"), s.lex.class("outcome-closes"),
		s.lex.class("pairing-refers"), s.lex.class("contradiction-confirms"),
	}
	for i := range s.turns {
		if s.turns[i].role != dialogue.System || s.bags.asked[i].size() < 2 || s.hasAny(i, leaves[:]) {
			continue
		}
		if j := s.repeated(i, s.bags.asked, 50); j >= 0 && s.interrogatives(i) == s.interrogatives(j) && s.dislikes(i) == s.dislikes(j) {
			s.emitAbout(det, i, 0, s.turns[i].words-1, j, det.Points)
		}
	}
}

// interrogatives tells which question words turn i has.
func (s *scene) interrogatives(i int) (set uint8) {
	for _, t := range s.turns[i].tokens {
		if int(t.word) < len(s.lex.values) && s.lex.values[t.word].kind == wordAsks {
			set |= 1 << s.lex.values[t.word].n
		}
	}
	return set
}

// dislikes reports whether turn i asks for what the USER does not like, the counterpart of what the USER likes.
func (s *scene) dislikes(i int) bool { return s.hit(i, s.lex.class("words-dislikes")) != nil }

// findRepeatsItself leaves out what everybody repeats, goodbyes and "anything else?", and confirmations.
func findRepeatsItself(s *scene, det *detectorAt) {
	leaves := [...]int16{s.lex.class("outcome-asks-more"), s.lex.class("outcome-closes"), s.lex.class("contradiction-confirms")}
	for i := range s.turns {
		if s.turns[i].role != dialogue.System || s.bags.said[i].size() < 3 || s.hasAny(i, leaves[:]) {
			continue
		}
		if j := s.repeated(i, s.bags.said, 60); j >= 0 {
			s.emitAbout(det, i, 0, s.turns[i].words-1, j, det.Points)
		}
	}
}

// repeated gives the earlier turn of the same speaker that says what turn i says, or -1.
func (s *scene) repeated(i int, of []bag, percent int) int {
	for j := i - 1; j >= max(0, i-repeatTurns); j-- {
		if s.turns[j].role == s.turns[i].role && s.alike(of[i], of[j], percent) {
			return j
		}
	}
	return -1
}

// alike reports whether y, which came before, says what x says: percent of the words are common, two at least, and
// no name or number is new.
func (s *scene) alike(x, y bag, percent int) bool {
	if y.size() < 2 || s.bags.far(x, y) {
		return false
	}
	o := s.bags.overlap(x, y)
	return o.common >= 2 && o.atLeast(percent) && !o.differ && !o.swaps(x, y)
}

// findSkipped goes through blocks of the SYSTEM with more than one turn.
func findSkipped(s *scene, det *detectorAt) {
	for b := range s.blocks {
		if s.blocks[b].role != dialogue.System {
			continue
		}
		asked := -1
		for _, i := range s.blocks[b].turns {
			if s.turns[i].asks == 0 {
				continue
			}
			if asked >= 0 {
				s.emitAbout(det, i, 0, s.turns[i].words-1, asked, det.Points)
			}
			asked = i
		}
	}
}

// reply is how the USER answers a question of the SYSTEM.
type reply struct{ asked, answer int }

// eachReply gives every question of the SYSTEM but "anything else?", with the first turn of the answer.
func (s *scene) eachReply(yield func(reply)) {
	more := s.lex.class("outcome-asks-more")
	for b := 0; b+1 < len(s.blocks); b++ {
		if s.blocks[b].role != dialogue.System || s.blocks[b+1].role != dialogue.User {
			continue
		}
		turns := s.blocks[b].turns
		for k := len(turns) - 1; k >= 0; k-- {
			if i := turns[k]; s.turns[i].asks > 0 {
				if !s.has(i, more) {
					yield(reply{asked: i, answer: s.blocks[b+1].turns[0]})
				}
				break
			}
		}
	}
}

// fullAnswer is how many words an answer has to have to be more than a yes.
const fullAnswer = 5

func findElicited(s *scene, det *detectorAt) {
	refusals := [...]int16{
		s.lex.class("reaction-unsure"), s.lex.class("reaction-unfamiliar"),
		s.lex.class("reaction-rejects"), s.lex.class("reaction-else"),
	}
	s.eachReply(func(r reply) {
		if s.turns[r.answer].words >= fullAnswer && !s.hasAny(r.answer, refusals[:]) {
			s.emitAbout(det, r.asked, 0, s.turns[r.asked].words-1, r.answer, det.Points)
		}
	})
}

func findAccepted(s *scene, det *detectorAt) {
	yes := [...]int16{
		s.lex.class("reaction-agrees"), s.lex.class("reaction-accepts"),
		s.lex.class("reaction-praises"), s.lex.class("reaction-superb"),
	}
	no := [...]int16{
		s.lex.class("reaction-rejects"), s.lex.class("reaction-not-wanted"),
		s.lex.class("reaction-else"), s.lex.class("reaction-not-now"),
	}
	s.eachReply(func(r reply) {
		if s.hasAny(r.answer, yes[:]) && !s.hasAny(r.answer, no[:]) {
			s.emitAbout(det, r.asked, 0, s.turns[r.asked].words-1, r.answer, det.Points)
		}
	})
}

func findUserRepeats(s *scene, det *detectorAt) {
	reacts := [...]int16{
		s.lex.class("reaction-thanks"), s.lex.class("reaction-declines"), s.lex.class("reaction-likes"),
		s.lex.class("reaction-praises"), s.lex.class("reaction-loves"), s.lex.class("reaction-unfamiliar"),
	}
	var own [userRepeatTurns]int // the USER's last turns, newest first
	n := 0
	for i := range s.turns {
		if s.turns[i].role != dialogue.User {
			continue
		}
		if s.bags.said[i].size() >= 2 && !s.hasAny(i, reacts[:]) {
			if j := s.amongst(i, own[:n]); j >= 0 {
				s.emitAbout(det, i, 0, s.turns[i].words-1, j, det.Points)
			}
		}
		copy(own[1:], own[:])
		own[0], n = i, min(n+1, userRepeatTurns)
	}
}

// amongst gives the turn among own that says what turn i says, or -1.
func (s *scene) amongst(i int, own []int) int {
	for _, j := range own {
		if s.alike(s.bags.said[i], s.bags.said[j], 50) {
			return j
		}
	}
	return -1
}
