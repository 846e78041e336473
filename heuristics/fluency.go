package heuristics

import (
	"slices"
	"strings"

	"assize/rubric/dialogue"
)

// The fluency family examines how the SYSTEM writes: whether its turns are complete, clean and
// grammatical. People seldom lower a rating for a missing full stop, so such faults cost little;
// unreadable text costs much.

// withoutMarks reports whether no turn of either side ends a sentence with a mark, as in
// transcribed speech.
func withoutMarks(s *analysis) bool {
	marked := func(t turnText) bool {
		return t.role != dialogue.Other && t.words > 0 &&
			strings.ContainsAny(t.text[t.tokens[t.words-1].end:], ".!?…")
	}
	return !slices.ContainsFunc(s.turns, marked)
}

// minCareless is the minimum number of words in a turn without a capital that look careless.
const minCareless = 6

// findLowercase reports turns without any capital.
func findLowercase(s *analysis, det *detector) {
	if withoutMarks(s) {
		return
	}
	for i, t := range s.spoken(dialogue.System) {
		if t.words >= minCareless && isLower(t.text[t.tokens[0].start]) && t.plainWord(0) &&
			!marked(t.tokens, capital) {
			s.emit(det, i, 0, t.words-1)
		}
	}
}

// findSlips reports the first slip in each turn of the SYSTEM: a phrase of the detector, or the
// first token for which slip reports true, together with the given number of tokens before it.
func findSlips(s *analysis, det *detector, before int, slip func(t *turnText, k int) bool) {
	for i, t := range s.spoken(dialogue.System) {
		if h := s.hit(i, det.class); h != nil {
			s.emitHit(det, h)
			continue
		}
		for k := before; k < t.words; k++ {
			if slip(t, k) {
				s.emit(det, i, k-before, k)
				break
			}
		}
	}
}

// findNoApostrophe reports contractions that lack their apostrophe.
func findNoApostrophe(s *analysis, det *detector) {
	findSlips(s, det, 0, func(t *turnText, k int) bool {
		return t.tokens[k].is(contraction) && !strings.ContainsAny(t.word(k), "'’‘`＇")
	})
}

// findWrongForm reports wrong forms of words, and "a" for "an" or "an" for "a".
func findWrongForm(s *analysis, det *detector) { findSlips(s, det, 1, isWrongArticle) }

// findDoubled reports words that occur twice in a row.
func findDoubled(s *analysis, det *detector) { findSlips(s, det, 1, isDoubled) }

// isWrongArticle reports whether token k begins with the wrong sound for the "a" or "an" before it.
// A short word may be spelt out ("an LCD"), and an h may be silent.
func isWrongArticle(t *turnText, k int) bool {
	word := t.word(k)
	if !t.tokens[k-1].is(article) || len(word) < shortest || t.tokens[k].is(stopword) ||
		!lowercase(word[1:]) || !t.isPair(k) {
		return false
	}
	word = strings.ToLower(word)
	switch vowel := isMark(word[0], "aeiou"); {
	case t.is(k-1, "a"):
		return vowel && !soundsConsonantal().MatchString(word)
	case t.is(k-1, "an"):
		return vowel && soundsConsonantal().MatchString(word) ||
			!vowel && !isMark(word[0], "hx") && strings.ContainsAny(word[1:3], "aeiou")
	}
	return false
}

// soundsConsonantal matches words in lower case that begin with a vowel and the sound of "you" or
// "one".
var soundsConsonantal = compiled(`^(u(ni[^mn]|s[aeu]|ti|ro|bi|k|ra)|eu|ewe|onc?e)`)

// isDoubled reports whether token k mistakenly repeats the token before it: only a space separates
// them, and the word is not a number, a letter, a name or a word that may be doubled.
func isDoubled(t *turnText, k int) bool {
	a, b := &t.tokens[k-1], &t.tokens[k]
	if a.stem != b.stem || b.is(number|capital|twice) || b.start != a.end+1 ||
		t.text[a.end] != ' ' || b.end-b.start == 1 && !b.is(article) {
		return false
	}
	return strings.EqualFold(t.word(k-1), t.word(k)) && t.plainWord(k-1) && t.plainWord(k)
}

// Limits on words that are looked up.
const (
	shortest = 4   // letters; a shorter word is an abbreviation as often as a mistake
	maxSpelt = 300 // words in a dialogue, which limits the time
)

// findMisspelt reports misspelt words: the detector's own, or a word in no list. A capitalised word
// is treated as a name, a word with digits or marks as a code, and a word in quotes or one that
// occurs twice as a term of the topic.
func findMisspelt(s *analysis, det *detector) {
	looked := 0
	findSlips(s, det, 0, func(t *turnText, k int) bool {
		tok, word := t.tokens[k], t.word(k)
		if tok.word != 0 || len(word) < shortest || !lowercase(word) || !t.plainWord(k) ||
			tok.start > 0 && strings.IndexByte("&'\"`([*", t.text[tok.start-1]) >= 0 {
			return false
		}
		looked++
		return looked <= maxSpelt && s.spelling.misspelt(word) && isSaidOnce(s, tok.stem)
	})
}

// isSaidOnce reports whether a stem occurs exactly once in the dialogue.
func isSaidOnce(s *analysis, stem uint32) bool {
	times := 0
	for _, tok := range s.tokens {
		if tok.word == 0 && tok.stem == stem {
			times++
		}
	}
	return times == 1
}
