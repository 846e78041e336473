package heuristics

import "strings"

// misplaced are kinds of words that English does not put side by side in one clause, save for rare cases such
// as a moved preposition ("the hotel you were in is full"). They only raise suspicion; tags decide. One that is not
// so rare ("where do you come from to us") needs another to be suspicious.
var misplaced = [...]struct {
	first, second flags
	weight        int
}{
	{article, article | auxiliary | subject | preposition | joiner, 2},
	{auxiliary, auxiliary, 2},
	{preposition, auxiliary | joiner, 1},
	{preposition, preposition, 1},
	{subject, article | subject, 2},
	{subject, preposition, 1},
	{joiner, joiner, 1},
}

const closed = article | auxiliary | subject | preposition | joiner

const (
	suspiciousPairs = 2 // weight of misplaced pairs in one sentence
	suspiciousPile  = 5 // words without a function word between them; titles and lists have capitals and commas
)

// suspect gives the first sentence from token k on that is worth the cost of tagging.
func (t *turnText) suspect(k int) (first, last int, found bool) {
	for first = k; first < t.words; first = last + 1 {
		if last = t.sentenceEnd(first); t.suspicious(first, last) {
			return first, last, true
		}
	}
	return 0, 0, false
}

// suspicious reports whether the sentence of tokens first to last has too many misplaced pairs, a verb in the
// wrong form, or a pile of words.
func (t *turnText) suspicious(first, last int) bool {
	pairs, pile := 0, 0
	for k := first; k <= last; k++ {
		tok := t.tokens[k]
		if tok.is(stopword|number|capital|opensClause) || !t.plainWord(k) {
			pile = 0
		} else if pile++; pile == suspiciousPile {
			return true
		}
		if k == first || tok.is(capital|opensClause) || !t.tokens[k-1].is(closed) || !t.adjoin(k) {
			continue
		}
		if t.tokens[k-1].is(modal) && t.wrongForm(k) {
			return true
		}
		if pairs += weigh(t.tokens[k-1].flags, tok.flags); pairs >= suspiciousPairs {
			return true
		}
	}
	return false
}

// wrongForm reports whether token k looks like a verb in a form that no modal verb has behind it.
func (t *turnText) wrongForm(k int) bool {
	word := t.text[t.tokens[k].start:t.tokens[k].end]
	return word == "to" || len(word) >= 6 && (strings.HasSuffix(word, "ing") || strings.HasSuffix(word, "ed"))
}

// weigh is the weight of two neighbours.
func weigh(a, b flags) int {
	for _, m := range misplaced {
		if a&m.first != 0 && b&m.second != 0 {
			return m.weight
		}
	}
	return 0
}

// adjoin reports whether nothing but a space stands between tokens k-1 and k, and token k is a word of its own:
// not the "on" of "on-site".
func (t *turnText) adjoin(k int) bool {
	a, b := t.tokens[k-1], t.tokens[k]
	return b.start == a.end+1 && t.text[a.end] == ' ' && (int(b.end) == len(t.text) || t.text[b.end] != '-')
}
