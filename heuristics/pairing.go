package heuristics

import (
	"slices"
	"strings"

	"assize/rubric/dialogue"
)

// The pairing family compares questions with answers, in both directions. Consecutive turns by one
// speaker count as one block.

// findSaidAgain reports the turns of one side that say again what that side has just said: see
// repeats. The SYSTEM must leave nothing out, because it may go on with what is still open.
// Questions with a phrase of @needs do not count, nor does a USER who answers a question.
func findSaidAgain(s *analysis, det *detector) {
	role := s.lex.lists[det.class].roles[0]
	for b, turns := range s.blocksOf(role) {
		i := turns[0]
		t := &s.turns[i]
		films := role == dialogue.User && len(s.of[s.lex.class.WordsFilms]) > 0
		if b < 2 || films || t.words < det.words || t.has.meets(&det.unless) ||
			t.asks > 0 && t.has.meets(&det.needs) || role == dialogue.User && answers(s, b-1, i) ||
			slices.ContainsFunc(s.lastOf(b-1), func(k int) bool {
				return s.turns[k].has.meets(&det.unlessBefore)
			}) {
			continue
		}
		st, _ := s.reported(i)
		isNew := st.isBad() && s.makesRequest(b-1, s.lastTurn(b-1)) >= 0 // of another try
		for _, j := range slices.Backward(s.lastOf(b - 2)) {
			isSame := repeats(s, i, j, b-1) &&
				(role == dialogue.User || repeats(s, j, i, b-1) && !isNew)
			if isSame || role == dialogue.User && repeatsSentence(s, i, j, b-1) {
				s.emitTurn(det, i, j)
				break
			}
		}
	}
}

// repeats reports whether turn i says the same as turn j: two content words or more, five sixths of
// all, every name and number, and a negation if the other has one. If i is a turn of the USER,
// words that block between contains do not count.
func repeats(s *analysis, i, j, between int) bool {
	t := &s.turns[i]
	again, all := 0, 0
	for _, words := range [...]bag{t.said, t.asked} {
		for _, stem := range s.bags.of(words) {
			all++
			switch {
			case t.role == dialogue.User && s.blockSays(between, stem):
			case s.says(j, stem):
				again++
			case stem&special != 0:
				return false
			}
		}
	}
	return again >= 2 && 6*again >= 5*all &&
		marked(t.tokens, negator) == marked(s.turns[j].tokens, negator)
}

// answers reports whether the USER's turn i may be the answer to a question in block b: the block
// asks for a detail, or the first sentence of the turn has a word of the question. A denial answers
// only a question for a yes or no.
func answers(s *analysis, b, i int) bool {
	if s.turns[i].words == 0 || !s.asksFor(b) {
		return false
	}
	q, t := &s.turns[s.lastTurn(b)], &s.turns[i]
	from, first := q.sentenceStart(q.words-1), t.tokens[:t.sentenceEnd(0)+1]
	if marked(first, negator) && !q.is(from, "do", "does", "did", "is", "are", "was", "have", "has",
		"can", "could", "will", "would") {
		return false
	}
	return s.has(s.lastTurn(b), s.lex.class.DetailsRequests) ||
		slices.ContainsFunc(first, func(tok token) bool {
			return tok.content() && withStem(q.tokens[from:], tok.stem)
		})
}

// maxRestated is the maximum number of words of a turn of which one sentence counts as the whole.
const maxRestated = 60

// repeatsSentence reports whether turn i of the USER has a sentence of four content words or more,
// all of which are said in turn j and none in the block between: "I don't need a lamp. I need the
// new bulb for my porch light."
func repeatsSentence(s *analysis, i, j, between int) bool {
	t := &s.turns[i]
	if s.turns[j].words > maxRestated {
		return false
	}
	again, differs := 0, false
	for k, tok := range t.tokens {
		if tok.is(opensSentence) {
			again, differs = 0, false
		}
		switch {
		case tok.is(negator):
			differs = true
		case !tok.content():
		case !s.says(j, tok.stem) || s.blockSays(between, tok.stem):
			differs = true
		default:
			again++
		}
		if k == t.sentenceEnd(k) && again >= 4 && !differs && !t.isQuestion(k) {
			return true
		}
	}
	return false
}

// findReply reports each question of the SYSTEM except "anything else?" whose answer, the first
// turn of the USER's next block, matches the file. If the file has phrases, the question must
// contain one.
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
		if s.lex.lists[det.class].lines > 0 && !s.has(asked, det.class) {
			continue
		}
		t := &s.turns[s.firstTurn(b+1)]
		needed := det.needs == classSet{} || t.has.meets(&det.needs)
		if needed && t.words >= det.words && !t.has.meets(&det.unless) {
			s.emitTurn(det, asked, t.n-1)
		}
	}
}

// findLeads is findReply for an interview: the SYSTEM speaks first and asks, and the USER wishes
// for nothing in reply and never asks.
func findLeads(s *analysis, det *detector) {
	wishes := func(i int) bool { return s.has(i, s.lex.class.WordsWanted) }
	if s.kind != Request || len(s.blocks) < 2 || s.blocks[0].role != dialogue.System ||
		!s.asksIn(0) || s.has(s.firstTurn(0), s.lex.class.WordsGreeting) ||
		slices.ContainsFunc(s.blocks[1].turns, wishes) {
		return
	}
	for _, t := range s.spoken(dialogue.User) {
		if strings.Contains(t.text, "?") {
			return
		}
	}
	findReply(s, det)
}

// maxBrief is the maximum number of words in an answer that only gives a detail again.
const maxBrief = 8

// findGivenAgain reports each request of the SYSTEM, in a phrase of the detector, for a detail that
// the USER has just given: a brief answer repeats a name, number or reference of the USER's last
// turn, and contains no other. A name that the SYSTEM asks for must have been said as one.
func findGivenAgain(s *analysis, det *detector) {
	for b, turns := range s.blocksOf(dialogue.System) {
		if b == 0 || b+1 == len(s.blocks) || !s.has(s.lastTurn(b), det.class) ||
			slices.ContainsFunc(turns, func(k int) bool {
				return s.turns[k].has.meets(&det.unless)
			}) {
			continue
		}
		i := s.firstTurn(b + 1)
		t := &s.turns[i]
		again, fresh := false, t.words > maxBrief
		for k, tok := range t.tokens {
			given := s.blockSays(b-1, tok.stem)
			isName := tok.is(capital) && tok.content() && tok.end-tok.start > 1 &&
				t.text[tok.start+1] >= 'a'
			if !tok.is(number) && !t.isReference(tok) && !isName {
				fresh = fresh || tok.content() && !given && !s.blockSays(b, tok.stem)
				continue
			}
			if tok.is(number) && tok.end-tok.start < 3 {
				given = given && t.goesOn(k+1) && s.blockSays(b-1, t.tokens[k+1].stem)
			}
			again = again || given && !s.blockSays(b, tok.stem) &&
				(!asksName(s, s.lastTurn(b)) || saidAsName(s, b-1, tok.stem))
			fresh = fresh || !given
		}
		if again && !fresh {
			s.emitTurn(det, s.lastTurn(b), s.lastTurn(b-1))
		}
	}
}

// asksName reports whether turn i contains the word "name".
func asksName(s *analysis, i int) bool {
	t := &s.turns[i]
	return slices.ContainsFunc(t.tokens, func(tok token) bool {
		return strings.EqualFold(t.text[tok.start:tok.end], "name")
	})
}

// saidAsName reports whether block b contains a word as somebody's name: "I'm Ann", "name is Ann",
// or first in a sentence, but not "a ride to Ann Street".
func saidAsName(s *analysis, b int, stem uint32) bool {
	for _, i := range s.lastOf(b) {
		t := &s.turns[i]
		for k, tok := range t.tokens {
			if tok.stem == stem && (tok.is(opensSentence) ||
				t.is(k-1, "is", "i'm", "im", "am", "it's", "its", "name", "this", "host")) {
				return true
			}
		}
	}
	return false
}

// maxSetsRight is the maximum number of words in a turn that sets the SYSTEM right.
const maxSetsRight = 36

// findMissedRequest reports the SYSTEM's answers on which the USER comes back: says words of the
// request again that the answer left out, with a phrase of the detector, or, in a
// service case, says the request again, points back (see uptakeOf) or denies what the SYSTEM
// states. A no to a question, to a refusal or to a failure does not count, nor does the answer to a
// question unless it says that the SYSTEM was told before.
func findMissedRequest(s *analysis, det *detector) {
	for b, turns := range s.blocksOf(dialogue.System) {
		if b == 0 || b+1 == len(s.blocks) || len(s.of[s.lex.class.WordsFilms]) > 0 {
			continue
		}
		i := s.firstTurn(b + 1)
		t := &s.turns[i]
		if t.has.meets(&det.unless) || answers(s, b, i) && !s.has(i, s.lex.class.UptakeTold) ||
			s.has(s.lastTurn(b), s.lex.class.StatePostponed) {
			continue
		}
		how := s.uptakes[turns[0]].how
		refuses := func(k int) bool { return s.turns[k].has.meets(&det.unlessBefore) }
		comesBack := s.kind == Service && how == saidBefore
		again := s.repeatedIn(t, b)
		setsRight := t.asks == 0 && t.words <= maxSetsRight &&
			(again >= 2 && (t.has.has(det.class) || s.deniesIdea(t, b)) ||
				again >= 3 && s.rejects(i))
		if (comesBack || setsRight) &&
			!slices.ContainsFunc(turns, refuses) {
			s.emitTurn(det, s.lastTurn(b), i)
		}
	}
}
