package heuristics

import (
	"slices"
	"strings"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// The outcome family reads what the SYSTEM says of the task: done, failed, refused, closed; the
// substance family what it gives: facts and ways on, or phrases that lead nowhere; the courtesy
// family how it treats the USER.

// reported reports whether a hit is in a sentence that is no question.
func (s *analysis) reported(h *hit) bool {
	t := &s.turns[h.turn]
	return !t.isQuestion(t.sentenceEnd(int(h.last)))
}

// figureless reports whether no figure is in the sentence of a hit: "by itself on 1 May" leaves
// nothing open.
func (s *analysis) figureless(h *hit) bool {
	t := &s.turns[h.turn]
	sentence := t.tokens[t.sentenceStart(int(h.first)) : t.sentenceEnd(int(h.last))+1]
	return !slices.ContainsFunc(sentence, func(tok token) bool { return tok.is(number) })
}

// completes reports whether the SYSTEM's turn i reports that something is done.
func (s *analysis) completes(i int) bool {
	return s.has(i, s.lex.class.OutcomeCompleted) && s.reported(s.hit(i, s.lex.class.OutcomeCompleted))
}

// refuses reports whether a hit stands outside a no that refuses nothing, such as "no problem".
func (s *analysis) refuses(h *hit) bool {
	idle := s.hit(int(h.turn), s.lex.class.WordsIdleNo)
	return idle == nil || h.first > idle.last || h.last < idle.first
}

// findUnrecovered reports the last failure or denial, unless something is completed in its turn or
// after it.
func findUnrecovered(s *analysis, det *detector) {
	c := &s.lex.class
	for k := len(s.hits) - 1; k >= 0; k-- {
		h := &s.hits[k]
		switch i := int(h.turn); {
		case h.class == c.OutcomeCompleted && s.completes(i):
			return
		case (h.class == c.OutcomeFailed || h.class == c.OutcomeDenied) && s.refuses(h):
			if !s.completes(i) {
				s.emitHit(det, h)
			}
			return
		}
	}
}

// mostFigureWeight is how many figures of a turn count.
const mostFigureWeight = 3

// findConcrete reports each turn of the SYSTEM with a time, a date, a sum, a long number, a link,
// or one of the phrases. What only restates the request is left out. In a service case every number
// counts, up to a bound, unless the USER has brought it up.
func findConcrete(s *analysis, det *detector) {
	for b := range s.blocks {
		if s.blocks[b].role != dialogue.System {
			continue
		}
		for _, i := range s.blocks[b].turns {
			t := &s.turns[i]
			if t.has.meets(&det.unless) {
				continue
			}
			first, last := s.concrete(b, i, det)
			figures, isList := 0, t.isList()
			here, at, most := 0, 0, 1 // figures of the sentence, the first of them, and most of a sentence
			for k, tok := range t.tokens {
				if tok.is(opensSentence) {
					here = 0
				}
				counts := tok.is(number) && figures < mostFigureWeight && !t.isQuestion(t.sentenceEnd(k))
				if counts && !(isList && t.numbersItem(k)) && !s.broughtUp(b, tok.stem) {
					figures++
					if here++; here == 1 {
						at = k
					}
					if last < 0 || here > most { // the sentence that gives most is quoted
						first, last, most = at, k, here
					}
				}
			}
			if last >= 0 {
				s.emit(det, i, first, last).Points *= rubric.Hundredths(max(1, figures))
			}
		}
	}
}

// isList reports whether the turn numbers items: "1. Balance 2. Card".
func (t *turnText) isList() bool {
	has := func(item string) bool { return strings.Contains(t.text, item) }
	return has("1. ") && has("2. ") || has("1) ") && has("2) ")
}

// numbersItem reports whether token k, of a list, only numbers an item.
func (t *turnText) numbersItem(k int) bool {
	tok := t.tokens[k]
	return tok.end-tok.start <= 2 && tok.is(opensSentence) && int(tok.end) < len(t.text) &&
		strings.IndexByte(".)", t.text[tok.end]) >= 0
}

// concrete gives the tokens of turn i, of block b, with a fact that can be acted on; last is -1 for
// none. A count is none, nor is what the USER has brought up.
func (s *analysis) concrete(b, i int, det *detector) (first, last int) {
	t := &s.turns[i]
	if h := s.hit(i, det.class); h != nil && t.has.has(det.class) {
		return int(h.first), int(h.last)
	}
	for _, v := range s.valuesOf(i) {
		switch v.slot.kind {
		case weekday, date, clock, amount:
			fresh := func(tok token) bool { return tok.content() && !s.broughtUp(b, tok.stem) }
			if slices.ContainsFunc(t.tokens[v.first:v.last+1], fresh) {
				return int(v.first), int(v.last)
			}
		}
	}
	k := slices.IndexFunc(t.tokens, t.isCode)
	return k, k
}

// isCode reports whether tok is a phone number or a reference, of four digits or more, begins a
// link, or stands before the @ of an address. What may be a year, as behind the titles of films, is
// none.
func (t *turnText) isCode(tok token) bool {
	text := t.text[tok.start:tok.end]
	if tok.is(number) && (len(text) > 4 || len(text) == 4 && text[:2] != "19" && text[:2] != "20") {
		return true
	}
	rest := t.text[tok.end:]
	return len(rest) > 1 && (rest[0] == '@' && isLetter(rest[1]) || strings.HasPrefix(rest, "://"))
}

// findAlternative reports a way on in a turn that fails, or in a later one of the same block.
func findAlternative(s *analysis, det *detector) {
	for _, b := range s.blocks {
		if b.role != dialogue.System {
			continue
		}
		behind := false
		for _, i := range b.turns {
			if behind = behind || s.has(i, s.lex.class.OutcomeFailed); behind && s.offersWay(i) {
				s.emitHit(det, s.hit(i, det.class))
				break
			}
		}
	}
}

// offersWay reports whether turn i offers another way; "Can I help with anything else?" looks like
// one.
func (s *analysis) offersWay(i int) bool {
	alternative, more := s.hit(i, s.lex.class.SubstanceAlternative), s.hit(i, s.lex.class.OutcomeAsksMore)
	of := func(h *hit) int { return s.turns[i].sentenceStart(int(h.first)) }
	return alternative != nil && (more == nil || of(alternative) != of(more))
}

// findMissed looks from each block of an upset USER to the block in which the SYSTEM answers. An
// apology, the phrases of the detector's file, is answer enough; the answer to "What did you
// dislike?" needs none.
func findMissed(s *analysis, det *detector) {
	c := &s.lex.class
	for b := 0; b+1 < len(s.blocks) && !s.confides; b++ { // confided: empathy-passes-over reports it
		if s.blocks[b].role != dialogue.User {
			continue
		}
		about := -1
		for _, i := range s.blocks[b].turns {
			asked := s.before(i, dialogue.System)
			if s.has(i, c.ReactionUpset) && !s.benign(i) && (asked < 0 || !s.has(asked, c.WordsDislikes)) {
				about = i
			}
		}
		answer := s.blocks[b+1].turns
		enough := func(i int) bool { return s.has(i, det.class) || s.turns[i].has.meets(&det.unless) }
		if about >= 0 && !slices.ContainsFunc(answer, enough) {
			s.emitTurn(det, answer[0], about)
		}
	}
}

// findEmpty reports the SYSTEM's turns in a service case that ask nothing, name no value, have no
// phrase of @unless and have hardly a word of content; a turn that closes may have more. A turn
// that addresses the judge is empty too.
func findEmpty(s *analysis, det *detector) {
	for i := range s.turns {
		t := &s.turns[i]
		hollow := t.said.size() <= det.words || t.has.has(s.lex.class.OutcomeCloses)
		switch {
		case t.role != dialogue.System || s.kind != Service:
		case t.attack.end > 0:
			s.emitBytes(det, i, t.attack)
		case t.words > 0 && hollow && t.asks == 0 && len(s.valuesOf(i)) == 0 && !t.has.meets(&det.unless):
			s.emit(det, i, 0, t.words-1)
		}
	}
}

// findFormula reports the SYSTEM's turns in a service case with stock courtesy, but for what
// answers the USER's thanks.
func findFormula(s *analysis, det *detector) { s.formulas(det, false) }

// findFarewell reports stock courtesy that answers the USER's thanks.
func findFarewell(s *analysis, det *detector) { s.formulas(det, true) }

// formulas reports each kind of stock courtesy in a turn: what the file needs, and an exclamation
// mark.
func (s *analysis) formulas(det *detector, thanked bool) {
	for i, t := range s.spoken(dialogue.System) {
		before := s.before(i, dialogue.User)
		if s.kind != Service || (before >= 0 && s.has(before, s.lex.class.ReactionThanks)) != thanked {
			continue
		}
		kinds := 0
		for k := t.hits.start; k < t.hits.end; k++ {
			if h := &s.hits[k]; det.needs.has(h.class) && !h.negated {
				kinds++
			}
		}
		if t.exclaims > 0 {
			kinds++
		}
		if kinds > 0 {
			s.emit(det, i, 0, t.words-1).Points *= rubric.Hundredths(kinds)
		}
	}
}

// lastWords is how many of the USER's last turns must be free of complaint after a commitment.
const lastWords = 2

// findCommits reports the SYSTEM's last commitment, a value in a statement that denies nothing or a
// report of what is done, if no answer failed and the USER's last turns hold nothing against it.
func findCommits(s *analysis, det *detector) {
	if s.lastFailed >= 0 {
		return
	}
	seen := 0
	for i := len(s.turns) - 1; i >= 0 && seen <= lastWords; i-- {
		t := &s.turns[i]
		switch {
		case t.words == 0 || t.role == dialogue.Other:
		case t.role == dialogue.User:
			ends := s.before(len(s.turns)-1, dialogue.System) < i && s.turns[len(s.turns)-1].role == dialogue.User
			if t.has.meets(&det.unless) && !s.benign(i) || ends && t.asks > 0 && seen == 0 {
				return
			}
			seen++
		}
	}
	for i := len(s.turns) - 1; i >= 0; i-- {
		if t := &s.turns[i]; t.role == dialogue.System && t.words > 0 {
			if s.uptakes[i].how == held && s.commits(i) {
				s.emit(det, i, 0, t.words-1)
				return
			}
			if !t.has.has(s.lex.class.OutcomeCloses) && !t.has.has(s.lex.class.OutcomeAsksMore) {
				return
			}
		}
	}
}

// commits reports whether turn i states a value in a sentence that neither denies nor asks
// anything, or says what is done.
func (s *analysis) commits(i int) bool {
	if s.completes(i) || s.has(i, s.lex.class.OutcomeActs) {
		return true
	}
	t := &s.turns[i]
	states := func(k int) bool {
		return !t.isQuestion(t.sentenceEnd(k)) && s.plainSentence(i, k)
	}
	for _, v := range s.valuesOf(i) {
		if (v.slot.kind == clock || v.slot.kind == date || v.slot.kind == amount) && states(int(v.first)) {
			return true
		}
	}
	for k, tok := range t.tokens {
		if t.isCode(tok) && states(k) {
			return true
		}
	}
	return false
}

// findUnsettled reports the SYSTEM's last failed answer, if the USER is never satisfied afterwards.
func findUnsettled(s *analysis, det *detector) {
	failed := s.lastFailed
	if failed < 0 {
		return
	}
	content := func(t turnText) bool { return t.role == dialogue.User && t.has.meets(&det.unless) }
	if !slices.ContainsFunc(s.turns[failed+1:], content) {
		s.emitTurn(det, failed, int(s.uptakes[failed].by))
	}
}

// Words of plain language have at most plainLetters letters. An answer of usualNew new ones is
// neither rich nor poor, and beyond mostNew more is no better. They are looked for among the first
// mostRead words of a turn.
const (
	plainLetters = 6
	usualNew     = 4
	mostNew      = 8
	mostRead     = 500
)

// findPlain reports the SYSTEM's turns in a service case that say more than usual, or less: plain
// words of content that neither side has used before. Each word counts. A detector with negative
// points looks for less.
func findPlain(s *analysis, det *detector) {
	for i, t := range s.spoken(dialogue.System) {
		if s.kind != Service || s.before(i, dialogue.User) < 0 || t.has.meets(&det.unless) {
			continue
		}
		fresh := 0
		for k := range min(len(t.tokens), mostRead) {
			if tok := &t.tokens[k]; tok.content() && !tok.is(number|capital) && tok.end-tok.start <= plainLetters &&
				fresh < mostNew && s.isNew(i, k) {
				fresh++
			}
		}
		if more := fresh - usualNew; more*int(det.InService) > 0 {
			s.emit(det, i, 0, t.words-1).Points *= rubric.Hundredths(max(more, -more))
		}
	}
}

// isNew reports whether no turn before turn i, nor turn i itself before token k, has the stem of
// token k. It looks at the first turns and the last ones, which keeps the time linear.
func (s *analysis) isNew(i, k int) bool {
	stem := s.turns[i].tokens[k].stem
	same := func(tok token) bool { return tok.stem == stem }
	for j := i - 1; j >= 0; j-- {
		if j < i-repeatTurns {
			j = min(j, 1)
		}
		if t := &s.turns[j]; s.bags.holds(t.said, stem) || s.bags.holds(t.asked, stem) {
			return false
		}
	}
	return !slices.ContainsFunc(s.turns[i].tokens[:k], same)
}

// findStiff reports the SYSTEM's turns in a service case whose words are long: tenths of a letter
// above what the file allows for a turn of fewestWords words or more, on average, names and numbers
// left out. Each counts, up to a bound.
func findStiff(s *analysis, det *detector) {
	const usual, most, fewestWords = 44, 10, 8 // tenths of a letter, tenths of a letter, words
	for i, t := range s.spoken(dialogue.System) {
		letters, words := 0, 0
		for _, tok := range t.tokens {
			if !tok.is(number | capital) {
				letters, words = letters+int(tok.end-tok.start), words+1
			}
		}
		if words < fewestWords || s.kind != Service || s.before(i, dialogue.User) < 0 {
			continue
		}
		if above := min(10*letters/words-usual, most); above*int(-det.InService) > 0 {
			s.emit(det, i, 0, t.words-1).Points *= rubric.Hundredths(max(above, -above))
		}
	}
}
