package heuristics

import (
	"slices"

	"assize/rubric/dialogue"
)

// The pairing family compares questions with answers, in both directions. Consecutive turns by one
// speaker count as one block.

// findUnanswered reports replies that do not answer the USER's question. A reply that only asks
// back may be answered later. A statement in different words is off the point only if the USER has
// to ask again.
func findUnanswered(s *analysis, det *detector) {
	for b, turns := range s.blocksOf(dialogue.User) {
		question := -1
		for _, i := range turns {
			t := &s.turns[i]
			if t.asks > 0 && t.said.size() > 0 && t.has.has(s.lex.class.PairingAsks) {
				question = i
			}
		}
		if question < 0 || b+1 == len(s.blocks) {
			continue
		}
		answered, stated := answerIn(s, question, b+1)
		if !answered && stated {
			answered = !isPressed(s, b)
		} else if !answered {
			answered, _ = answerIn(s, question, b+3)
		}
		if !answered {
			s.emitTurn(det, s.firstTurn(b+1), question)
		}
	}
}

// longAside is the number of words from which a reply is too long for a short answer.
const longAside = 5

// isPressed reports whether the reply to block b is long and contains no yes, no or number, and the
// USER asks again, with no thanks and no assent.
func isPressed(s *analysis, b int) bool {
	if b+2 >= len(s.blocks) || isShortAnswer(s, b+1) {
		return false
	}
	size := 0
	for _, i := range s.blocks[b+1].turns {
		size += s.turns[i].said.size()
	}
	i := s.firstTurn(b + 2)
	return size >= longAside && s.turns[i].asks > 0 && !s.has(i, s.lex.class.UptakeMoves)
}

// answerIn reports whether block b, if it exists, answers the question of turn i as far as its
// words show, and whether it contains a statement.
func answerIn(s *analysis, i, b int) (answered, stated bool) {
	if b >= len(s.blocks) {
		return false, false
	}
	said := s.turns[i].said
	for _, r := range s.blocks[b].turns {
		t := &s.turns[r]
		stated = stated || t.said.size() > 0
		if s.has(r, s.lex.class.PairingAnswers) && !isPressed(s, b-1) || t.words == 0 ||
			slices.ContainsFunc(t.tokens, informs) || sharesWith(s, r, said) {
			return true, stated
		}
	}
	return false, stated
}

// findRepeatsQuestion reports each question that repeats the SYSTEM's previous question in other
// words.
func findRepeatsQuestion(s *analysis, det *detector) {
	findRepetitions(s, det, dialogue.System, 50, func(t *turnText) bag { return t.asked })
}

// findRepeatsItself reports each turn of the SYSTEM that repeats an earlier one.
func findRepeatsItself(s *analysis, det *detector) {
	findRepetitions(s, det, dialogue.System, 60, func(t *turnText) bag { return t.said })
}

// findUserRepeats reports each turn of the USER that repeats an earlier one.
func findUserRepeats(s *analysis, det *detector) {
	findRepetitions(s, det, dialogue.User, 50, func(t *turnText) bag { return t.said })
}

// findRepetitions reports each turn of one side that repeats at least percent of the words of an
// earlier one. Common repetitions, such as goodbyes, are in the lists of @unless.
func findRepetitions(
	s *analysis, det *detector, role dialogue.Role, percent int, of func(*turnText) bag,
) {
	for i, t := range s.spoken(role) {
		if t.words < det.words || t.has.meets(&det.unless) {
			continue
		}
		if j := repetitionOf(s, i, percent, of); j >= 0 {
			s.emitTurn(det, i, j)
		}
	}
}

// findRestates reports the USER's replies that repeat words of the USER to which the SYSTEM has not
// responded: two words, or half of the reply.
func findRestates(s *analysis, det *detector) {
	for b := range s.blocksOf(dialogue.User) {
		for _, i := range s.firstOf(b) {
			t := &s.turns[i]
			if b < 2 || t.has.meets(&det.unless) || t.asks == 0 && asksIn(s, b-1) {
				continue
			}
			again := repeatedIn(s, t, b-1)
			if again >= 2 || again == 1 && t.said.size() <= 2 {
				s.emitTurn(det, i, s.firstTurn(b-1))
			}
		}
	}
}

// repeatedIn returns how many words of a turn of the USER occur in earlier ones but not in block b,
// to which it replies.
func repeatedIn(s *analysis, t *turnText, b int) (again int) {
	for _, stem := range s.bags.of(t.said) {
		if !blockSays(s, b, stem) && broughtUp(s, b, stem) {
			again++
		}
	}
	return again
}

// findReply reports each question of the SYSTEM except "anything else?" whose answer, the first
// turn of the USER's next block, matches the file.
func findReply(s *analysis, det *detector) {
	for b, turns := range s.blocksOf(dialogue.System) {
		asked := -1
		for _, i := range turns {
			if s.turns[i].asks > 0 {
				asked = i
			}
		}
		if asked < 0 || b+1 == len(s.blocks) || s.has(asked, s.lex.class.OutcomeAsksMore) {
			continue
		}
		t := &s.turns[s.firstTurn(b+1)]
		needed := det.needs == classSet{} || t.has.meets(&det.needs)
		if needed && t.words >= det.words && !t.has.meets(&det.unless) {
			s.emitTurn(det, asked, t.n-1)
		}
	}
}

// findMisread reports each answer after which the USER repeats the request in words that the answer
// left out. One such word is enough if the USER says what is meant. Otherwise two of three signs
// are required: a second such word; a denial or another phrase of the detector's file; and the
// SYSTEM's admission that it misunderstood.
func findMisread(s *analysis, det *detector) {
	for b := range s.blocksOf(dialogue.System) {
		if b == 0 || b+1 == len(s.blocks) {
			continue
		}
		i := s.firstTurn(b + 1)
		t := &s.turns[i]
		again := repeatedIn(s, t, b)
		if again == 0 || t.has.meets(&det.unless) {
			continue
		}
		signs := 0
		setsRight := t.has.has(det.class) || marked(t.tokens, negator)
		for _, seen := range [...]bool{again >= 2, setsRight, ownsUp(s, b+2)} {
			if seen {
				signs++
			}
		}
		if signs >= 2 || s.has(i, s.lex.class.UptakeMeans) {
			s.emitTurn(det, s.firstTurn(b), i)
		}
	}
}

// ownedWithin is the maximum number of words in a turn before the admission.
const ownedWithin = 12

// ownsUp reports whether block b, if it exists, opens with the SYSTEM's admission that it
// misunderstood.
func ownsUp(s *analysis, b int) bool {
	if b >= len(s.blocks) {
		return false
	}
	h := s.hit(s.firstTurn(b), s.lex.class.UptakeOwnsUp)
	return h != nil && h.first < ownedWithin
}

// findGivenAgain reports each question of the SYSTEM that the USER answers with a number or
// reference that an earlier turn of the USER contains and the SYSTEM's question does not.
func findGivenAgain(s *analysis, det *detector) {
	for b := range s.blocksOf(dialogue.System) {
		if b == 0 || b+1 == len(s.blocks) || !wantsIn(s, b) {
			continue
		}
		i := s.firstTurn(b + 1)
		t := &s.turns[i]
		again := func(tok token) bool {
			return (tok.is(number) || t.isReference(tok)) &&
				broughtUp(s, b, tok.stem) && !blockSays(s, b, tok.stem)
		}
		if !t.has.meets(&det.unless) && slices.ContainsFunc(t.tokens, again) {
			s.emitTurn(det, s.lastTurn(b), i)
		}
	}
}
