package heuristics

import (
	"slices"
	"strings"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// The uptake of an answer is how the USER reacts to it. An answer holds if the USER moves on. It
// fails, whatever its form, if the USER repeats the request, refers back to an earlier statement,
// or denies what the SYSTEM states. The form of an answer is not evidence: "you can", a number or a
// list of steps may or may not answer the request.

// readUptake sets the uptake of each turn of the SYSTEM. A block of the SYSTEM counts as one
// answer.
func readUptake(s *analysis) {
	s.uptakes = slices.Grow(s.uptakes[:0], len(s.turns))[:len(s.turns)]
	clear(s.uptakes)
	s.lastFailed, s.statedIn = -1, -1
	for b := range s.blocks {
		if s.blocks[b].role != dialogue.System || b == 0 || b+1 >= len(s.blocks) {
			continue
		}
		if u := uptakeOf(s, b); u.how != held {
			for _, i := range s.blocks[b].turns {
				s.uptakes[i], s.lastFailed = u, i
			}
		}
	}
}

// uptakeOf reads the USER's turns after block b and returns the strongest failure found.
func uptakeOf(s *analysis, b int) (u uptake) {
	for _, i := range s.firstOf(b + 1) {
		t := &s.turns[i]
		if t.words == 0 {
			continue
		}
		if v := deniedBy(s, b, i); v.how == denied {
			return v
		} else if v.how != held {
			u = v
		}
		c := &s.lex.class
		for k, class := range [...]class{c.UptakeTold, c.UptakeBroken, c.UptakeResigns} {
			how := saidBefore + failure(k)
			if h := s.hit(i, class); h != nil && u.how < how && (how != unkept || promises(s, b)) {
				u = uptake{how, int32(i), h.first, h.last}
			}
		}
		if h := s.hit(i, c.ReactionContests); h != nil && u.how == held && t.asks == 0 &&
			!wantsIn(s, b) {
			u = uptake{contested, int32(i), h.first, h.last}
		}
		if u.how == held && tellsAgain(s, b, i) {
			u = uptake{askedAgain, int32(i), 0, int32(t.words - 1)}
		}
	}
	return u
}

// promises reports whether block b says that something is or will be done, or what the USER should
// do.
func promises(s *analysis, b int) bool {
	return slices.ContainsFunc(s.lastOf(b), func(i int) bool {
		return s.has(i, s.lex.class.UptakePromises) || s.has(i, s.lex.class.SubstanceSteps) ||
			completes(s, i)
	})
}

// tellsAgain reports whether the USER's turn i repeats an earlier request in words that block b
// leaves out. At least half of the turn's content words must be repeated. If the SYSTEM has asked a
// relevant question or has done something, four fifths must be, because people then continue in
// words of the same topic. Words that occur in block b do not count, because people answer with
// them.
func tellsAgain(s *analysis, b, i int) bool {
	t := &s.turns[i]
	if s.has(i, s.lex.class.UptakeMoves) && !s.has(i, s.lex.class.WordsBut) {
		return false
	}
	size, leads := 0, false
	for _, k := range s.lastOf(b) {
		size += s.turns[k].said.size() + s.turns[k].asked.size()
		leads = leads || s.turns[k].asks > 0 || completes(s, k)
	}
	left := s.leftOut[:0]
	for _, stem := range s.bags.of(t.said) {
		if !blockSays(s, b, stem) {
			left = append(left, stem)
		}
	}
	s.leftOut = left
	for k := b - 1; k >= max(0, b+1-2*requestBlocks); k-- {
		for _, j := range s.lastOf(k) {
			again, percent := 0, 50
			if leads && (size < offTopic || t.said.size() > maxPressed || isAbout(s, b, j)) {
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
	again := repeatedIn(s, t, b) // most words of a question that follows another one
	return t.asks > 0 && asksIn(s, b-1) && again >= 1 &&
		2*again > t.said.size()
}

// deniedReach is the number of words after a negation among which the denied word is searched.
const deniedReach = 4

// deniedBy returns what the USER's turn i denies of block b. A sentence is a denial if a negation
// is closely followed by a word from an affirmative statement of block b. What the USER does not
// want, know or like is not a denial, nor is the answer to a question. If the SYSTEM only gives
// advice, the USER may lack the thing it is about.
func deniedBy(s *analysis, b, i int) (u uptake) {
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
				readStated(s, b)
			}
			if _, found := slices.BinarySearch(s.stated, t.tokens[m].stem); found {
				return uptake{denied, int32(i), int32(k), int32(m)}
			}
			if h := s.hit(i, s.lex.class.UptakeLacks); h != nil && int(h.first) <= k &&
				k <= int(h.last) &&
				blockSays(s, b, t.tokens[m].stem) {
				u = uptake{lacking, int32(i), int32(k), int32(m)}
			}
		}
	}
	return u
}

// readStated collects the words of the statements in block b. Questions, offers and denials are no
// statements.
func readStated(s *analysis, b int) {
	s.stated, s.statedIn = s.stated[:0], b
	for _, i := range s.lastOf(b) {
		t := &s.turns[i]
		for from := 0; from < t.words; {
			to := t.sentenceEnd(from)
			if !t.isQuestion(to) && plainSentence(s, i, from) {
				for _, tok := range t.tokens[from : to+1] {
					s.stated = append(s.stated, tok.stem)
				}
			}
			from = to + 1
		}
	}
	slices.Sort(s.stated)
}

// findUptakes returns a function that reports the last turn of each answer that fails in a way.
func findUptakes(how failure) func(*analysis, *detector) {
	return func(s *analysis, det *detector) {
		for _, turns := range s.blocksOf(dialogue.System) {
			i := turns[len(turns)-1]
			if u := s.uptakes[i]; u.how == how && s.turns[i].words > 0 {
				s.emitTurn(det, i, int(u.by))
			}
		}
	}
}

// findTaken reports the SYSTEM's answers that share a word with the request and after which the
// USER moves on without a negative reaction. A detector with @words reports those that share at
// least that many, however the USER reacts, and the report that a request is done.
func findTaken(s *analysis, det *detector) {
	shown := make([]rubric.Hundredths, len(s.turns)+1) // by turn
	for _, sig := range s.signals {
		if strings.HasPrefix(sig.ID, ReactionFamily) {
			shown[sig.Turn] += sig.Points
		}
	}
	for _, r := range s.requests {
		if det.words > 0 && r.state == done && r.asked < r.shown.turn {
			s.report(det, r.shown, r.asked)
		}
	}
	for b := range s.blocksOf(dialogue.System) {
		objects := func(i int) bool {
			return s.turns[i].has.meets(&det.unless) ||
				shown[s.turns[i].n] < 0 || objectsTo(s, b, i) || !movesOn(s, b, i)
		}
		if b == 0 || saysAgain(s, b) || det.words == 0 && (b+1 == len(s.blocks) ||
			s.uptakes[s.firstTurn(b)].how != held ||
			slices.ContainsFunc(s.blocks[b+1].turns, objects)) {
			continue
		}
		for _, j := range s.lastOf(b - 1) {
			if i, k, shared := takesUp(s, b, j); shared > 0 && shared >= det.words {
				s.emit(det, i, k, k).About = s.turns[j].n
				break
			}
		}
	}
}

// movesOn reports whether the USER's turn i goes on from block b of the SYSTEM, or first gives the
// details that the block asks for.
func movesOn(s *analysis, b, i int) bool {
	t := &s.turns[i]
	return goesOn(s, i) || t.words > 0 && asksFor(s, b) && !t.inQuestion(0) && !complains(s, i)
}

// takesUp finds the sentence of block b that shares the most words with the USER's turn j. It
// returns the sentence's turn, its first shared word and how many it shares, or -1, -1 and 0. It
// skips sentences in which the SYSTEM refuses, does not know, greets, gives thanks, or says that
// somebody will see to it.
func takesUp(s *analysis, b, j int) (turn, word, most int) {
	turn, word = -1, -1
	courteous := false // the best sentence so far is a courtesy; any other is better
	for _, i := range s.lastOf(b) {
		t, c := &s.turns[i], &s.lex.class
		withholds, postpones := s.hit(i, c.UptakeWithholds), s.hit(i, c.StatePostponed)
		polite, greets := s.hit(i, c.CourtesyPolite), s.hit(i, c.WordsGreeting)
		for from := 0; from < t.words; from = t.sentenceEnd(from) + 1 {
			to := t.sentenceEnd(from)
			if withholds.meets(from, to) || postpones.meets(from, to) ||
				greets.meets(from, to) || t.is(from, "thank", "thanks") {
				continue
			}
			first, shared := 0, 0
			for k := from; k <= to; k++ {
				tok := t.tokens[k]
				if tok.content() && mentions(s, j, tok.stem) {
					if shared++; shared == 1 {
						first = k
					}
				}
			}
			if shared > most || shared > 0 && shared == most && courteous {
				turn, word, most = i, first, shared
				courteous = polite.meets(from, to)
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

// mentions reports whether the USER's turn j contains a stem outside the names after "@".
func mentions(s *analysis, j int, stem uint32) bool {
	return s.bags.holds(s.turns[j].said, stem) &&
		slices.ContainsFunc(s.turns[j].tokens, func(tok token) bool {
			return tok.stem == stem && !tok.is(addressed)
		})
}

// objectsTo reports whether the USER's turn i contains a negation although block b of the SYSTEM
// asked nothing.
func objectsTo(s *analysis, b, i int) bool {
	return !asksIn(s, b) && !benign(s, i) && !s.has(i, s.lex.class.UptakeMoves) &&
		slices.ContainsFunc(s.turns[i].tokens, func(tok token) bool { return tok.is(negator) })
}
