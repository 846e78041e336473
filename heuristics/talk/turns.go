package talk

import (
	"slices"

	"assize/heuristics/text"
	"assize/rubric/dialogue"
)

// What one turn, or one block of turns by the same speaker, says: whether it asks, answers,
// refuses, complains or closes. These questions are shared by several families of detectors.

// requestBlocks is the number of USER blocks before an answer that can contain the request.
const requestBlocks = 3

// AsksIn reports whether the SYSTEM's block b contains a question.
func (s *Talk) AsksIn(b int) bool {
	return slices.ContainsFunc(s.LastOf(b), func(k int) bool { return s.Turns[k].Asks > 0 })
}

// wantsIn reports whether the SYSTEM's block b asks a question, or requests information or an item.
func (s *Talk) wantsIn(b int) bool {
	wants := func(k int) bool { return s.Has(k, s.Lex.Class.DetailsRequests) }
	return s.AsksIn(b) || slices.ContainsFunc(s.LastOf(b), wants)
}

// Thresholds in content words: an answer with fewer than offTopic words may still be about the
// request, and a turn with more than maxPressed is not a brief repetition.
const (
	offTopic   = 3
	maxPressed = 6
)

// isAbout reports whether block b shares a word with the USER's turn j.
func (s *Talk) isAbout(b, j int) bool {
	return slices.ContainsFunc(s.LastOf(b), func(k int) bool {
		return s.Bags.Shares(s.Turns[j].Said, s.Turns[k].Said) ||
			s.Bags.Shares(s.Turns[j].Said, s.Turns[k].Asked)
	})
}

// BlockSays reports whether a stem occurs in block b.
func (s *Talk) BlockSays(b int, stem uint32) bool {
	return slices.ContainsFunc(s.LastOf(b), func(k int) bool {
		return s.Says(k, stem)
	})
}

// plainSentence reports whether the sentence of token k of turn i is neither a denial nor an offer.
func (s *Talk) plainSentence(i, k int) bool {
	t := &s.Turns[i]
	return !t.Tokens[k].Is(text.Disputed) && !s.offersIn(i, t.SentenceStart(k), t.SentenceEnd(k))
}

// offersIn reports whether the words of turn i from first to last contain an offer.
func (s *Talk) offersIn(i, first, last int) bool {
	return s.Hit(i, s.Lex.Class.UptakeOffers).Meets(first, last)
}

// repeatTurns is how far back a repetition is searched, in turns. Older statements may be repeated.
const repeatTurns = 8

// repeatsTurn reports whether turn i says the same outside its questions as an earlier turn of its
// speaker: at least offTopic words of content, all of them and no others.
func (s *Talk) repeatsTurn(i int) bool {
	t := &s.Turns[i]
	for j := t.Before[t.Role]; j >= 0 && int(j) > i-repeatTurns; j = s.Turns[j].Before[t.Role] {
		same := slices.Equal(s.Bags.Of(t.Said), s.Bags.Of(s.Turns[j].Said))
		if same && t.Said.Size() >= offTopic {
			return true
		}
	}
	return false
}

// IsStatement reports whether the sentence of a hit is not a question.
func (s *Talk) IsStatement(h *Hit) bool {
	t := &s.Turns[h.Turn]
	return !t.IsQuestion(t.SentenceEnd(int(h.Last)))
}

// Completes reports whether the SYSTEM's turn i reports that something is done.
func (s *Talk) Completes(i int) bool {
	return s.Has(i, s.Lex.Class.OutcomeCompleted) &&
		s.IsStatement(s.Hit(i, s.Lex.Class.OutcomeCompleted))
}

// IsRefusal reports whether a hit is not part of an idle no, such as "no problem".
func (s *Talk) IsRefusal(h *Hit) bool {
	return !s.Hit(int(h.Turn), s.Lex.Class.WordsIdleNo).Meets(int(h.First), int(h.Last))
}

// Reacts reports whether turn i is a reaction: the USER speaks after the SYSTEM has said something
// that can be judged. The USER's opening, or the answer to "How can I help?", states the problem
// and does not judge how it is handled.
func (s *Talk) Reacts(i int) bool {
	before := s.Before(i, dialogue.System)
	return s.Turns[i].Role == dialogue.User && before >= 0 &&
		(s.Before(before, dialogue.User) >= 0 || !s.Has(before, s.Lex.Class.WordsGreeting))
}

// Benign reports whether turn i is a no that closes a conversation: "No, I'm good" after any turn,
// or another no that wants nothing further if the SYSTEM asks whether there is anything else.
func (s *Talk) Benign(i int) bool {
	if s.Has(i, s.Lex.Class.WordsContentedNo) {
		return true
	}
	before := s.Before(i, dialogue.System)
	return before >= 0 && s.Has(i, s.Lex.Class.ReactionDeclines) &&
		s.Has(before, s.Lex.Class.OutcomeAsksMore)
}

// Rejects reports whether turn i rejects what the SYSTEM said. "No problem" is not a rejection, nor
// is the answer to a question about facts.
func (s *Talk) Rejects(i int) bool {
	c := &s.Lex.Class
	if !s.Has(i, c.ReactionRejects) || !s.Reacts(i) || s.Benign(i) || s.Has(i, c.WordsIdleNo) {
		return false
	}
	before := s.Before(i, dialogue.System)
	h := s.Hit(before, c.WordsAsksOutcome)
	return !s.Has(before, c.WordsAsksFact) || h != nil && !s.IsStatement(h)
}

// IsPleased reports whether the USER's turn i contains words of thanks, praise or agreement.
func (s *Talk) IsPleased(i int) bool {
	c := &s.Lex.Class
	for _, glad := range [...]text.Class{c.ReactionSuperb, c.ReactionPraises, c.ReactionThanks,
		c.ReactionThanksStrong, c.ReactionLikes, c.ReactionLoves, c.ReactionSatisfied,
		c.ReactionWorks, c.ReactionAccepts, c.ReactionSettles} {
		if s.Has(i, glad) {
			return true
		}
	}
	h := s.Hit(i, c.ReactionValence)
	return h != nil && h.Points > 0
}

// Complains reports whether the USER complains, denies something or corrects the SYSTEM in turn i.
func (s *Talk) Complains(i int) bool {
	c := &s.Lex.Class
	for _, bad := range [...]text.Class{c.ReactionBlames, c.ReactionCorrects, c.ReactionUnresolved,
		c.ReactionUpset} {
		if s.Has(i, bad) {
			return s.Reacts(i)
		}
	}
	return s.Rejects(i)
}

// BroughtUp reports whether the USER mentions a stem in the opening or shortly before block b.
func (s *Talk) BroughtUp(b int, stem uint32) bool {
	for k := b - 1; k >= 0; k-- {
		if k < b+1-2*requestBlocks {
			k = min(k, 1)
		}
		if s.Blocks[k].Role == dialogue.User && s.BlockSays(k, stem) {
			return true
		}
	}
	return false
}

// DeniesIdea reports whether the USER's turn t denies something that the SYSTEM brings up in block
// b, and not the USER before. An answer to a question about facts denies nothing, nor does what the
// USER does not know or mind.
func (s *Talk) DeniesIdea(t *text.Turn, b int) bool {
	if s.Has(s.LastTurn(b), s.Lex.Class.WordsAsksFact) || t.Has.Has(s.Lex.Class.UptakeWishes) {
		return false
	}
	for k, tok := range t.Tokens {
		if !tok.Is(text.Negator) {
			continue
		}
		for m := k + 1; m <= min(t.SentenceEnd(k), k+deniedReach); m++ {
			stem := t.Tokens[m].Stem
			if t.Tokens[m].IsContent() && s.BlockSays(b, stem) && !s.BlockSays(b-1, stem) {
				return true
			}
		}
	}
	return false
}
