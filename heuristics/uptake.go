package heuristics

import (
	"slices"
	"strings"

	"assize/rubric/dialogue"
)

// The uptake of an answer is how the USER reacts to it. An answer holds if the USER moves on. It
// fails, whatever its form, if the USER repeats the request, refers back to an earlier statement,
// or denies what the SYSTEM states. The form of an answer is not evidence: "you can", a number or a
// list of steps may or may not answer the request.

// readUptake sets the uptake of each turn of the SYSTEM. A block of the SYSTEM counts as one
// answer.
func (s *Talk) readUptake() {
	s.uptakes = slices.Grow(s.uptakes[:0], len(s.turns))[:len(s.turns)]
	clear(s.uptakes)
	s.lastFailed, s.statedIn = -1, -1
	for b := range s.blocks {
		if s.blocks[b].role != dialogue.System || b == 0 || b+1 >= len(s.blocks) {
			continue
		}
		if u := s.uptakeOf(b); u.how != held {
			for _, i := range s.blocks[b].turns {
				s.uptakes[i], s.lastFailed = u, i
			}
		}
	}
}

// uptakeOf reads the USER's turns after block b and returns the strongest failure found.
func (s *Talk) uptakeOf(b int) (u uptake) {
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
			how := saidBefore + failure(k)
			if h := s.hit(i, class); h != nil && u.how < how && (how != unkept || s.promises(b)) {
				u = uptake{how, int32(i), h.first, h.last}
			}
		}
		if h := s.hit(i, c.ReactionContests); h != nil && u.how == held && t.asks == 0 &&
			!s.wantsIn(b) {
			u = uptake{contested, int32(i), h.first, h.last}
		}
		if u.how == held && s.tellsAgain(b, i) {
			u = uptake{askedAgain, int32(i), 0, int32(t.words - 1)}
		}
	}
	return u
}

// promises reports whether block b says that something is or will be done, or what the USER should
// do.
func (s *Talk) promises(b int) bool {
	return slices.ContainsFunc(s.lastOf(b), func(i int) bool {
		return s.has(i, s.lex.class.UptakePromises) || s.has(i, s.lex.class.SubstanceSteps) ||
			s.completes(i)
	})
}

// tellsAgain reports whether the USER's turn i repeats an earlier request in words that block b
// leaves out. At least half of the turn's content words must be repeated. If the SYSTEM has asked a
// relevant question or has done something, four fifths must be, because people then continue in
// words of the same topic. Words that occur in block b do not count, because people answer with
// them.
func (s *Talk) tellsAgain(b, i int) bool {
	t := &s.turns[i]
	if s.has(i, s.lex.class.UptakeMoves) && !s.has(i, s.lex.class.WordsBut) {
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
			if leads && (size < offTopic || t.said.size() > maxPressed || s.isAbout(b, j)) {
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
	again := s.repeatedIn(t, b) // most words of a question that follows another one
	return t.asks > 0 && s.asksIn(b-1) && again >= 1 &&
		2*again > t.said.size()
}

// deniedReach is the number of words after a negation among which the denied word is searched.
const deniedReach = 4

// deniedBy returns what the USER's turn i denies of block b. A sentence is a denial if a negation
// is closely followed by a word from an affirmative statement of block b. What the USER does not
// want, know or like is not a denial, nor is the answer to a question. If the SYSTEM only gives
// advice, the USER may lack the thing it is about.
func (s *Talk) deniedBy(b, i int) (u uptake) {
	t := &s.turns[i]
	asks := func(k int) bool { return s.turns[k].asks > 0 }
	if s.has(i, s.lex.class.UptakeWishes) || slices.ContainsFunc(s.lastOf(b), asks) {
		return u
	}
	for k := range t.tokens {
		if !t.tokens[k].is(negator) || k+1 >= len(t.tokens) || t.tokens[k+1].is(opensClause) {
			continue
		}
		if t.tokens[k].is(opensSentence) && strings.EqualFold(t.word(k), "not") {
			continue // "Not the grey one" clarifies and denies nothing
		}
		end := t.sentenceEnd(k)
		if t.isQuestion(end) {
			continue
		}
		for m := k + 1; m <= min(end, k+deniedReach) &&
			!t.tokens[m].is(opensClause|joiner|preposition); m++ {
			if !t.tokens[m].content() {
				continue
			}
			if s.statedIn != b {
				s.readStated(b)
			}
			if _, found := slices.BinarySearch(s.stated, t.tokens[m].stem); found {
				return uptake{denied, int32(i), int32(k), int32(m)}
			}
			if h := s.hit(i, s.lex.class.UptakeLacks); h != nil && int(h.first) <= k &&
				k <= int(h.last) &&
				s.blockSays(b, t.tokens[m].stem) {
				u = uptake{lacking, int32(i), int32(k), int32(m)}
			}
		}
	}
	return u
}

// readStated collects the words of the statements in block b. Questions, offers and denials are no
// statements.
func (s *Talk) readStated(b int) {
	s.stated, s.statedIn = s.stated[:0], b
	for _, i := range s.lastOf(b) {
		t := &s.turns[i]
		for from := 0; from < t.words; {
			to := t.sentenceEnd(from)
			if !t.isQuestion(to) && s.plainSentence(i, from) {
				for _, tok := range t.tokens[from : to+1] {
					s.stated = append(s.stated, tok.stem)
				}
			}
			from = to + 1
		}
	}
	slices.Sort(s.stated)
}

// takesUp finds the sentence of block b that shares the most words with the USER's turn j. It
// returns the sentence's turn, its first shared word and how many it shares, or -1, -1 and 0. It
// skips sentences in which the SYSTEM refuses or does not know.
func (s *Talk) takesUp(b, j int) (turn, word, most int) {
	turn, word = -1, -1
	courteous := false // the best sentence so far is one of thanks or greeting; any other is better
	for _, i := range s.lastOf(b) {
		t, h := &s.turns[i], s.hit(i, s.lex.class.UptakeWithholds)
		from, to := -1, -1
		if h != nil {
			from, to = t.sentenceStart(int(h.first)), t.sentenceEnd(int(h.last))
		}
		polite := s.hit(i, s.lex.class.CourtesyPolite)
		first, shared := 0, 0
		for k, tok := range t.tokens {
			if tok.is(opensSentence) {
				shared = 0
			}
			if (k < from || k > to) && tok.content() && s.bags.holds(s.turns[j].said, tok.stem) {
				if shared++; shared == 1 {
					first = k
				}
				if shared > most || shared == most && courteous {
					turn, word, most = i, first, shared
					courteous = polite != nil &&
						t.sentenceStart(k) == t.sentenceStart(int(polite.first))
				}
			}
		}
	}
	if turn >= 0 && s.turns[j].asks > 0 {
		if h := s.hit(turn, s.lex.class.PairingDirect); h != nil && h.first == 0 {
			word = 0 // "No, the new one ships at once. It has a tracking link."
		}
	}
	return turn, word, most
}

// objectsTo reports whether the USER's turn i contains a negation although block b of the SYSTEM
// asked nothing.
func (s *Talk) objectsTo(b, i int) bool {
	return !s.asksIn(b) && !s.benign(i) && !s.has(i, s.lex.class.UptakeMoves) &&
		slices.ContainsFunc(s.turns[i].tokens, func(tok token) bool { return tok.is(negator) })
}

// failure is the way in which the USER rejects an answer.
type failure uint8

const (
	held       failure = iota
	contested          // the USER objects to it with evidence
	askedAgain         // the USER repeats words of the request that the answer left out
	saidBefore         // the USER says that it was said or done before
	unkept             // the USER says that a statement or promise did not come true
	resigned           // the USER gives up on the SYSTEM
	denied             // the USER denies a statement of the SYSTEM
	lacking            // the USER does not have what the SYSTEM talks about
)

// uptake describes whether an answer of the SYSTEM holds, or how it fails.
type uptake struct {
	how         failure
	by          int32 // the USER's turn that rejects it
	first, last int32 // the words of that turn that reject it
}

// commits reports whether turn i states a value in a sentence that is neither a denial nor a
// question, or says that something is done.
func (s *Talk) commits(i int) bool {
	return s.completes(i) || s.has(i, s.lex.class.OutcomeActs) || s.committed(i) >= 0
}

// committed returns the first token of a time, a date, a sum or a code that turn i states, or -1.
// Denials, offers and questions state nothing.
func (s *Talk) committed(i int) int {
	t := &s.turns[i]
	states := func(k int) bool {
		return !s.isInquiry(i, k) && s.plainSentence(i, k)
	}
	for _, v := range s.valuesOf(i) {
		if (v.slot.kind == clock || v.slot.kind == date || v.slot.kind == amount) &&
			states(int(v.first)) {
			return int(v.first)
		}
	}
	return slices.IndexFunc(t.tokens, func(tok token) bool {
		return t.isCode(tok) && !s.isInquiry(i, int(tok.from))
	})
}

// repeatedIn returns how many words of a turn of the USER occur in the USER's block before, but not
// in block b, to which it replies.
func (s *Talk) repeatedIn(t *turnText, b int) (again int) {
	for _, stem := range s.bags.of(t.said) {
		if !s.blockSays(b, stem) && s.blockSays(b-1, stem) {
			again++
		}
	}
	return again
}
