package heuristics

import (
	"slices"
	"strings"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// The substance family detects what the SYSTEM contributes: facts and ways forward, or empty
// phrases.

// longNumber is the minimum number of characters of a number that says something by itself: not how
// many results there are, nor how many stars.
const longNumber = 4

// maxFigureWeight is the maximum number of figures that count in a turn.
const maxFigureWeight = 3

// findConcrete reports each turn of the SYSTEM that contains a time, a date, a sum, a long number,
// a link, or one of the detector's phrases. Values that only restate the request do not count. In a
// service case every number that the USER has not mentioned counts, up to maxFigureWeight.
func findConcrete(s *analysis, det *detector) {
	for b, turns := range s.blocksOf(dialogue.System) {
		for _, i := range turns {
			t := &s.turns[i]
			if t.has.meets(&det.unless) || strings.Contains(t.text, "__") { // a blank of a quiz
				continue
			}
			first, last := concreteFact(s, b, i, det)
			figures, isList := 0, isList(t)
			// figures in this sentence, the first of them, and the maximum of all sentences
			here, at, most := 0, 0, 1
			for k, tok := range t.tokens {
				if tok.is(opensSentence) {
					here = 0
				}
				counts := tok.is(number) && figures < maxFigureWeight && !tellsNothing(s, i, k) &&
					(s.kind == Service || tok.end-tok.start >= longNumber || isMeasured(t, k)) &&
					!isLabel(t, k)
				if counts && !(isList && numbersItem(t, k)) && !broughtUp(s, b, tok.stem) {
					figures++
					if here++; here == 1 {
						at = k
					}
					if last < 0 || here > most { // quote the sentence with the most figures
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

// tellsNothing reports whether the sentence of token k in turn i is a question, reports a failure
// or refers the USER elsewhere. Its figures are what the USER wanted, and not what the USER gets.
func tellsNothing(s *analysis, i, k int) bool {
	t, c := &s.turns[i], &s.lex.class
	from, to := t.sentenceStart(k), t.sentenceEnd(k)
	return t.inQuestion(k) || s.hit(i, c.StateFailed).meets(from, to) ||
		s.hit(i, c.StateReferred).meets(from, to)
}

// isMeasured reports whether number k has a unit, as in "14 degrees".
func isMeasured(t *turnText, k int) bool {
	return t.is(k+1, "degree", "degrees", "credit", "credits", "star", "stars", "minute",
		"minutes", "hour", "hours", "day", "days", "mile", "miles", "km", "percent", "%")
}

// isLabel reports whether number k is useless to the USER: the year of a film, or a count of what
// the SYSTEM found or asks for ("I found 3 events", "give me 2 reasons").
func isLabel(t *turnText, k int) bool {
	start := t.tokens[k].start
	return start > 0 && isMark(t.text[start-1], "(@") ||
		t.is(k-1, "found", "have", "are", "were", "give", "got", "me")
}

// isList reports whether the turn is a numbered list, such as "1. Balance 2. Card".
func isList(t *turnText) bool {
	has := func(item string) bool { return strings.Contains(t.text, item) }
	return has("1. ") && has("2. ") || has("1) ") && has("2) ")
}

// numbersItem reports whether token k of a list is only the number of an item.
func numbersItem(t *turnText, k int) bool {
	tok := t.tokens[k]
	return tok.end-tok.start <= 2 && tok.is(opensSentence) && int(tok.end) < len(t.text) &&
		strings.IndexByte(".)", t.text[tok.end]) >= 0
}

// concreteFact returns the first and last token of an actionable fact in turn i of block b. If
// there is none, last is -1. Counts and values that the USER has mentioned are not facts.
func concreteFact(s *analysis, b, i int, det *detector) (first, last int) {
	t := &s.turns[i]
	if h := s.hit(i, det.class); h != nil && t.has.has(det.class) {
		return int(h.first), int(h.last)
	}
	for _, v := range s.valuesOf(i) {
		switch v.slot.kind {
		case weekday, date, clock, amount:
			fresh := func(tok token) bool { return tok.content() && !broughtUp(s, b, tok.stem) }
			words := t.tokens[v.first : v.last+1]
			if !tellsNothing(s, i, int(v.first)) && slices.ContainsFunc(words, fresh) {
				return int(v.first), int(v.last)
			}
		}
	}
	for k, tok := range t.tokens {
		if t.isCode(tok) && !broughtUp(s, b, tok.stem) && !tellsNothing(s, i, k) && !isLabel(t, k) {
			return k, k
		}
	}
	return -1, -1
}

// maxStock is the maximum number of words in a sentence that a stock phrase covers.
const maxStock = 24

// findGeneric reports each answer of the SYSTEM that consists of stock phrases: every sentence is
// short and contains a phrase of the detector or of a list of @needs, one of them a phrase of the
// detector, and none asks a question or contains a number.
func findGeneric(s *analysis, det *detector) {
	for i, t := range s.spoken(dialogue.System) {
		asked := s.before(i, dialogue.User)
		if s.kind != Service || !t.has.has(det.class) || t.has.meets(&det.unless) || t.asks > 0 ||
			asked < 0 || isPleased(s, asked) || marked(t.tokens, number) {
			continue
		}
		s.matches = s.lex.automata()[t.role].scan(t.tokens, s.matches[:0])
		covered := 0
		for k := 0; k < t.words; k = covered {
			end := t.sentenceEnd(k)
			isStock := func(m match) bool {
				return m.first >= k && m.first <= end &&
					(m.class == det.class || det.needs.has(m.class))
			}
			if end-k >= maxStock || !slices.ContainsFunc(s.matches, isStock) {
				break
			}
			covered = end + 1
		}
		if covered == t.words {
			s.emit(det, i, 0, t.words-1)
		}
	}
}

// Plain words have at most plainLetters letters. An answer with usualNew new words is neither rich
// nor poor, and more than maxNew words count as maxNew. Only the first maxRead words of a turn
// are read.
const (
	plainLetters = 6
	usualNew     = 4
	maxNew       = 8
	maxRead      = 500
)

// findPlain reports the SYSTEM's turns in a service case that have more or fewer new plain content
// words than usual. New means that no recent turn has the word. The points are multiplied
// by the difference. A detector with negative points reports turns with fewer.
func findPlain(s *analysis, det *detector) {
	for i, t := range s.spoken(dialogue.System) {
		if s.kind != Service || s.before(i, dialogue.User) < 0 || t.has.meets(&det.unless) {
			continue
		}
		fresh := 0
		for k := range min(len(t.tokens), maxRead) {
			if tok := &t.tokens[k]; tok.content() && !tok.is(number|capital) &&
				tok.end-tok.start <= plainLetters &&
				fresh < maxNew && !isKnownWord(s, *tok, i) {
				fresh++
			}
		}
		if more := fresh - usualNew; more*int(det.InService) > 0 {
			s.emit(det, i, 0, t.words-1).Points *= rubric.Hundredths(max(more, -more))
		}
	}
}

// findStiff reports the SYSTEM's turns in a service case whose words are long on average, without
// names and numbers. Turns with fewer than fewestWords words are skipped. The points are multiplied
// by the tenths of a letter above the usual length, up to a bound.
func findStiff(s *analysis, det *detector) {
	// in tenths of a letter, tenths of a letter, and words
	const usual, most, fewestWords = 44, 10, 8
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
