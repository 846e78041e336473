package heuristics

import (
	"slices"

	"assize/rubric/dialogue"
)

// What one turn, or one block of turns by the same speaker, says: whether it asks, answers,
// refuses, complains or closes. These questions are shared by several families of detectors.

// requestBlocks is the number of USER blocks before an answer that can contain the request.
const requestBlocks = 3

// asksIn reports whether the SYSTEM's block b contains a question.
func (s *Talk) asksIn(b int) bool {
	return slices.ContainsFunc(s.lastOf(b), func(k int) bool { return s.turns[k].asks > 0 })
}

// wantsIn reports whether the SYSTEM's block b asks a question, or requests information or an item.
func (s *Talk) wantsIn(b int) bool {
	wants := func(k int) bool { return s.has(k, s.lex.class.DetailsRequests) }
	return s.asksIn(b) || slices.ContainsFunc(s.lastOf(b), wants)
}

// Thresholds in content words: an answer with fewer than offTopic words may still be about the
// request, and a turn with more than maxPressed is not a brief repetition.
const (
	offTopic   = 3
	maxPressed = 6
)

// isAbout reports whether block b shares a word with the USER's turn j.
func (s *Talk) isAbout(b, j int) bool {
	return slices.ContainsFunc(s.lastOf(b), func(k int) bool {
		return s.bags.shares(s.turns[j].said, s.turns[k].said) ||
			s.bags.shares(s.turns[j].said, s.turns[k].asked)
	})
}

// blockSays reports whether a stem occurs in block b.
func (s *Talk) blockSays(b int, stem uint32) bool {
	return slices.ContainsFunc(s.lastOf(b), func(k int) bool {
		return s.says(k, stem)
	})
}

// plainSentence reports whether the sentence of token k of turn i is neither a denial nor an offer.
func (s *Talk) plainSentence(i, k int) bool {
	t := &s.turns[i]
	return !t.tokens[k].is(disputed) && !s.offersIn(i, t.sentenceStart(k), t.sentenceEnd(k))
}

// offersIn reports whether the words of turn i from first to last contain an offer.
func (s *Talk) offersIn(i, first, last int) bool {
	return s.hit(i, s.lex.class.UptakeOffers).meets(first, last)
}

// repeatTurns is how far back a repetition is searched, in turns. Older statements may be repeated.
const repeatTurns = 8

// repeatsTurn reports whether turn i says the same outside its questions as an earlier turn of its
// speaker: at least offTopic words of content, all of them and no others.
func (s *Talk) repeatsTurn(i int) bool {
	t := &s.turns[i]
	for j := t.before[t.role]; j >= 0 && int(j) > i-repeatTurns; j = s.turns[j].before[t.role] {
		same := slices.Equal(s.bags.of(t.said), s.bags.of(s.turns[j].said))
		if same && t.said.size() >= offTopic {
			return true
		}
	}
	return false
}

// isStatement reports whether the sentence of a hit is not a question.
func (s *Talk) isStatement(h *hit) bool {
	t := &s.turns[h.turn]
	return !t.isQuestion(t.sentenceEnd(int(h.last)))
}

// completes reports whether the SYSTEM's turn i reports that something is done.
func (s *Talk) completes(i int) bool {
	return s.has(i, s.lex.class.OutcomeCompleted) &&
		s.isStatement(s.hit(i, s.lex.class.OutcomeCompleted))
}

// isRefusal reports whether a hit is not part of an idle no, such as "no problem".
func (s *Talk) isRefusal(h *hit) bool {
	return !s.hit(int(h.turn), s.lex.class.WordsIdleNo).meets(int(h.first), int(h.last))
}

// reacts reports whether turn i is a reaction: the USER speaks after the SYSTEM has said something
// that can be judged. The USER's opening, or the answer to "How can I help?", states the problem
// and does not judge how it is handled.
func (s *Talk) reacts(i int) bool {
	before := s.before(i, dialogue.System)
	return s.turns[i].role == dialogue.User && before >= 0 &&
		(s.before(before, dialogue.User) >= 0 || !s.has(before, s.lex.class.WordsGreeting))
}

// benign reports whether turn i is a no that closes a conversation: "No, I'm good" after any turn,
// or another no that wants nothing further if the SYSTEM asks whether there is anything else.
func (s *Talk) benign(i int) bool {
	if s.has(i, s.lex.class.WordsContentedNo) {
		return true
	}
	before := s.before(i, dialogue.System)
	return before >= 0 && s.has(i, s.lex.class.ReactionDeclines) &&
		s.has(before, s.lex.class.OutcomeAsksMore)
}

// rejects reports whether turn i rejects what the SYSTEM said. "No problem" is not a rejection, nor
// is the answer to a question about facts.
func (s *Talk) rejects(i int) bool {
	c := &s.lex.class
	if !s.has(i, c.ReactionRejects) || !s.reacts(i) || s.benign(i) || s.has(i, c.WordsIdleNo) {
		return false
	}
	before := s.before(i, dialogue.System)
	h := s.hit(before, c.WordsAsksOutcome)
	return !s.has(before, c.WordsAsksFact) || h != nil && !s.isStatement(h)
}

// isPleased reports whether the USER's turn i contains words of thanks, praise or agreement.
func (s *Talk) isPleased(i int) bool {
	c := &s.lex.class
	for _, glad := range [...]class{c.ReactionSuperb, c.ReactionPraises, c.ReactionThanks,
		c.ReactionThanksStrong, c.ReactionLikes,
		c.ReactionLoves, c.ReactionSatisfied, c.ReactionWorks, c.ReactionAccepts,
		c.ReactionSettles} {
		if s.has(i, glad) {
			return true
		}
	}
	h := s.hit(i, c.ReactionValence)
	return h != nil && h.points > 0
}

// complains reports whether the USER complains, denies something or corrects the SYSTEM in turn i.
func (s *Talk) complains(i int) bool {
	c := &s.lex.class
	for _, bad := range [...]class{c.ReactionBlames, c.ReactionCorrects, c.ReactionUnresolved,
		c.ReactionUpset} {
		if s.has(i, bad) {
			return s.reacts(i)
		}
	}
	return s.rejects(i)
}

// broughtUp reports whether the USER mentions a stem in the opening or shortly before block b.
func (s *Talk) broughtUp(b int, stem uint32) bool {
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

// deniesIdea reports whether the USER's turn t denies something that the SYSTEM brings up in block
// b, and not the USER before. An answer to a question about facts denies nothing, nor does what the
// USER does not know or mind.
func (s *Talk) deniesIdea(t *turnText, b int) bool {
	if s.has(s.lastTurn(b), s.lex.class.WordsAsksFact) || t.has.has(s.lex.class.UptakeWishes) {
		return false
	}
	for k, tok := range t.tokens {
		if !tok.is(negator) {
			continue
		}
		for m := k + 1; m <= min(t.sentenceEnd(k), k+deniedReach); m++ {
			stem := t.tokens[m].stem
			if t.tokens[m].content() && s.blockSays(b, stem) && !s.blockSays(b-1, stem) {
				return true
			}
		}
	}
	return false
}
