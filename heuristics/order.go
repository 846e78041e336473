package heuristics

import "assize/rubric/dialogue"

// The minimum weight of word order errors in a turn, and the minimum number of words in it.
const (
	outOfOrder    = 3
	minOrderWords = 6
)

// findOrder reports the SYSTEM's turns whose sentences put function words in positions that English
// does not allow: misplaced pairs (see misplaced), pairs of common words that never occur next to
// each other, and sentences that end in an article or in a pronoun that can only be a subject. The
// words reported are from the first such position to the last.
func findOrder(s *analysis, det *detector) {
	for i, t := range s.spoken(dialogue.System) {
		if t.words < minOrderWords {
			continue
		}
		weight, never, grave, from, to := 0, 0, false, -1, -1
		mark := func(k, w int) {
			if weight += w; from < 0 {
				from = max(k-1, 0)
			}
			grave, to = grave || w > 1, k
		}
		for k := 1; k < len(t.tokens); k++ {
			before, tok := &t.tokens[k-1], &t.tokens[k]
			if before.is(article|subject) && endsBadly(t, k-1) {
				mark(k-1, 2)
			}
			if tok.is(capital|opensClause|number) || !isPair(t, k) {
				continue
			}
			found := weighPair(t, k)
			if found == 0 && s.lex.never[[2]uint32{before.word, tok.word}] {
				never++
				found = min(never, 2) // a single one may be new
			}
			if found > 0 {
				mark(k, found)
			}
		}
		if last := len(t.tokens) - 1; endsBadly(t, last) {
			mark(last, 2)
		}
		if weight >= outOfOrder && grave { // "put you through to" alone is not an error
			s.emit(det, i, from, to)
		}
	}
}

// endsBadly reports whether token k ends a sentence, followed by a mark, and is an article or a
// subject without a verb.
func endsBadly(t *turnText, k int) bool {
	tok := &t.tokens[k]
	if !tok.is(article|subject) || isLetterA(t, k) || !t.plainWord(k) ||
		int(tok.end) >= len(t.text) {
		return false
	}
	if k+1 < len(t.tokens) && !t.tokens[k+1].is(opensSentence) {
		return false
	}
	if k > 0 && t.tokens[k-1].is(auxiliary|modal|joiner) ||
		k > 0 && (t.word(k-1) == "do" || t.word(k-1) == "am") {
		return false // "So was I."
	}
	return t.text[tok.end] == '.' || t.text[tok.end] == '?' || t.text[tok.end] == '!'
}
