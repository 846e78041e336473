package evidence

import (
	"slices"
	"strings"

	"assize/heuristics/text"
	"assize/rubric/dialogue"
)

// The fluency family examines how the SYSTEM writes: whether its turns are complete, clean and
// grammatical. People seldom lower a rating for a missing full stop, so such faults cost little;
// unreadable text costs much.

// withoutMarks reports whether no turn of either side ends a sentence with a mark, as in
// transcribed speech.
func withoutMarks(s *analysis) bool {
	marked := func(t text.Turn) bool {
		return t.Role != dialogue.Other && t.Words > 0 &&
			strings.ContainsAny(t.Text[t.Tokens[t.Words-1].End:], ".!?…")
	}
	return !slices.ContainsFunc(s.Turns, marked)
}

// minCareless is the minimum number of words in a turn without a capital that look careless.
const minCareless = 6

// findLowercase reports turns without any capital.
func findLowercase(s *analysis, det *detector) {
	if withoutMarks(s) {
		return
	}
	for i, t := range s.Spoken(dialogue.System) {
		if t.Words >= minCareless && text.IsLower(t.Text[t.Tokens[0].Start]) && t.PlainWord(0) &&
			!text.Marked(t.Tokens, text.Capital) {
			s.emit(det, i, 0, t.Words-1)
		}
	}
}

// findSlips reports the first slip in each turn of the SYSTEM: a phrase of the detector, or the
// first token for which slip reports true, together with the given number of tokens before it.
func findSlips(s *analysis, det *detector, before int, slip func(t *text.Turn, k int) bool) {
	for i, t := range s.Spoken(dialogue.System) {
		if h := s.Hit(i, det.class); h != nil {
			s.emitHit(det, h)
			continue
		}
		for k := before; k < t.Words; k++ {
			if slip(t, k) {
				s.emit(det, i, k-before, k)
				break
			}
		}
	}
}

// findNoApostrophe reports contractions that lack their apostrophe.
func findNoApostrophe(s *analysis, det *detector) {
	findSlips(s, det, 0, func(t *text.Turn, k int) bool {
		return t.Tokens[k].Is(text.Contraction) && !strings.ContainsAny(t.Word(k), "'’‘`＇")
	})
}

// findWrongForm reports wrong forms of words, and "a" for "an" or "an" for "a".
func findWrongForm(s *analysis, det *detector) { findSlips(s, det, 1, isWrongArticle) }

// findDoubled reports words that occur twice in a row.
func findDoubled(s *analysis, det *detector) { findSlips(s, det, 1, isDoubled) }

// isWrongArticle reports whether token k begins with the wrong sound for the "a" or "an" before it.
// A short word may be spelt out ("an LCD"), and an h may be silent.
func isWrongArticle(t *text.Turn, k int) bool {
	word := t.Word(k)
	if !t.Tokens[k-1].Is(text.Article) || len(word) < shortest || t.Tokens[k].Is(text.Stopword) ||
		!text.IsLowercase(word[1:]) || !t.IsPair(k) {
		return false
	}
	word = strings.ToLower(word)
	switch vowel := text.IsMark(word[0], "aeiou"); {
	case t.Is(k-1, "a"):
		return vowel && !soundsConsonantal().MatchString(word)
	case t.Is(k-1, "an"):
		return vowel && soundsConsonantal().MatchString(word) ||
			!vowel && !text.IsMark(word[0], "hx") && strings.ContainsAny(word[1:3], "aeiou")
	}
	return false
}

// soundsConsonantal matches words in lower case that begin with a vowel and the sound of "you" or
// "one".
var soundsConsonantal = text.Regexp(`^(u(ni[^mn]|s[aeu]|ti|ro|bi|k|ra)|eu|ewe|onc?e)`)

// isDoubled reports whether token k mistakenly repeats the token before it: only a space separates
// them, and the word is not a number, a letter, a name or a word that may be doubled.
func isDoubled(t *text.Turn, k int) bool {
	a, b := &t.Tokens[k-1], &t.Tokens[k]
	if a.Stem != b.Stem || b.Is(text.Number|text.Capital|text.Twice) || b.Start != a.End+1 ||
		t.Text[a.End] != ' ' || b.End-b.Start == 1 && !b.Is(text.Article) {
		return false
	}
	return strings.EqualFold(t.Word(k-1), t.Word(k)) && t.PlainWord(k-1) && t.PlainWord(k)
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
	findSlips(s, det, 0, func(t *text.Turn, k int) bool {
		tok, word := t.Tokens[k], t.Word(k)
		if tok.Word != 0 || len(word) < shortest || !text.IsLowercase(word) || !t.PlainWord(k) ||
			tok.Start > 0 && strings.IndexByte("&'\"`([*", t.Text[tok.Start-1]) >= 0 {
			return false
		}
		looked++
		return looked <= maxSpelt && s.spelling.Misspelt(word) && isSaidOnce(s, tok.Stem)
	})
}

// isSaidOnce reports whether a stem occurs exactly once in the dialogue.
func isSaidOnce(s *analysis, stem uint32) bool {
	times := 0
	for _, tok := range s.Tokens {
		if tok.Word == 0 && tok.Stem == stem {
			times++
		}
	}
	return times == 1
}
