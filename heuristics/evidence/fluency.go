package evidence

import (
	"slices"
	"strings"
	"unicode"

	"assize/heuristics/talk"
	"assize/heuristics/text"
	"assize/rubric/dialogue"
)

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
	for _, t := range s.Spoken(dialogue.System) {
		if t.Words >= minCareless && text.IsLower(t.Text[t.Tokens[0].Start]) && t.PlainWord(0) &&
			!text.Marked(t.Tokens, text.Capital) {
			s.emit(det, t.Whole())
		}
	}
}

// findSlips returns a function that reports the first slip in each turn of the SYSTEM: a phrase of
// the detector, or the first token for which slip reports true, together with the given number of
// tokens before it.
func findSlips(before int, slip func(t *text.Turn, k int) bool) func(*analysis, *detector) {
	return func(s *analysis, det *detector) {
		for i, t := range s.Spoken(dialogue.System) {
			if h := s.Hit(i, det.class); h != nil {
				s.emit(det, h.Passage)
				continue
			}
			for k := before; k < t.Words; k++ {
				if slip(t, k) {
					s.emit(det, t.At(k-before, k))
					break
				}
			}
		}
	}
}

// lacksApostrophe reports whether token k is a contraction without its apostrophe.
func lacksApostrophe(t *text.Turn, k int) bool {
	return t.Tokens[k].Is(text.Contraction) && !strings.ContainsAny(t.Word(k), "'’‘`＇")
}

// isWrongArticle reports whether token k begins with the wrong sound for the "a" or "an" before it.
// A short word may be spelt out ("an LCD"), and an h may be silent.
func isWrongArticle(t *text.Turn, k int) bool {
	word := t.Word(k)
	if !t.Tokens[k-1].Is(text.Article) || len(word) < shortest || t.Tokens[k].Is(text.Stopword) ||
		!lowercase(word[1:]) || !t.IsPair(k) {
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
	findSlips(0, func(t *text.Turn, k int) bool {
		tok, word := t.Tokens[k], t.Word(k)
		if tok.Word != 0 || len(word) < shortest || !lowercase(word) || !t.PlainWord(k) ||
			tok.Start > 0 && strings.IndexByte("&'\"`([*", t.Text[tok.Start-1]) >= 0 {
			return false
		}
		looked++
		return looked <= maxSpelt && s.spelling.Misspelt(word) && isSaidOnce(s, tok.Stem)
	})(s, det)
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

// Word pairs that do not occur in English are counted: some show that a sentence is broken, many
// that it is not a sentence. A sequence of words with no function words between them is tagged with
// parts of speech, which is slow, and judged by the tags.

// misplaced are kinds of adjacent words that indicate an error, except in cases such as a moved
// preposition ("the hotel you were in is full"). The first entry that matches a pair counts.
var misplaced = [...]struct {
	first, second text.Flags
	weight        int
}{
	{text.Article, text.Modal, 1},   // "a must"
	{text.Modal, text.Auxiliary, 1}, // "those who can should"
	{text.Article, text.Article | text.Auxiliary, 3},
	{text.Article, text.Subject | text.Preposition | text.Joiner, 2},
	{text.Auxiliary, text.Auxiliary, 2},
	{text.Preposition, text.Auxiliary | text.Joiner, 1},
	{text.Preposition, text.Preposition, 1},
	{text.Subject, text.Article | text.Subject, 2},
	{text.Subject, text.Preposition, 1},
	{text.Joiner, text.Joiner, 1},
}

const closed = text.Article | text.Auxiliary | text.Subject | text.Preposition | text.Joiner

const (
	brokenPairs = 3 // weight of one misplaced pair, or of all in a short sentence, that breaks it
	heapWords   = 7 // words without a function word, capital, comma or figure between them
)

// disorderOf judges the misplaced pairs in tokens first to last.
func disorderOf(t *text.Turn, first, last int) disorder {
	figures, weight, pile, highest, small := false, 0, 0, 0, 0
	wrong := -1 // the second word of the last misplaced pair: "the are is" has two pairs
	for k := first; k <= last; k++ {
		tok := &t.Tokens[k]
		if tok.Is(closed | text.Modal) {
			small++
		}
		figures = figures || tok.Is(text.Number)
		if tok.Is(text.Stopword|text.Number|text.Capital|text.OpensClause) || !t.PlainWord(k) {
			pile = 0
		} else {
			pile++
			highest = max(highest, pile)
		}
		isLetter := k-1 > first && t.Word(k-1) == "A" // "building A is"
		if k == first || k-1 == wrong || tok.Is(text.Capital|text.OpensClause) || !t.IsPair(k) ||
			!t.Tokens[k-1].Is(closed) || isLetter {
			continue
		}
		w := weighPair(t, k)
		if weight += w; w >= brokenPairs {
			wrong = k
		}
	}
	switch words := last - first + 1; {
	case wrong >= 0, weight >= brokenPairs && 5*weight >= words:
		return broken
	case !figures && highest >= heapWords && 5*small <= words:
		return heap
	}
	return ordered
}

// weighPair returns the weight of token k after the one before it, or 0 if they are in order.
func weighPair(t *text.Turn, k int) int {
	for i := range misplaced {
		if m := &misplaced[i]; t.Tokens[k-1].Is(m.first) && t.Tokens[k].Is(m.second) {
			return m.weight
		}
	}
	return 0
}

// grammatical lists tags of function words. A sentence with fewer of them than one in five words
// has no structure.
const grammatical = " PRP PRP$ DT IN MD TO CC EX WP WDT WRB VBZ VBP "

// scattered are the tags that may follow a tag in a sequence of words, but neither in a sentence
// nor in a list of names or things.
var scattered = map[string]string{
	"NN":  " JJ RB CD VBG VBP ",
	"NNS": " JJ RB CD ",
	"RB":  " NN NNS VBG ",
	"JJ":  " RB VBG CD VBD ",
	"VBG": " JJ RB VBG ",
	"VBD": " NN RB JJ ",
}

const (
	wholeThought = 8 // words that a sentence needs to be judged: short ones leave words out
	readOut      = 4 // numbers from which a sentence reads out a number: "zero eight two one"
)

// makesNoSentence reports whether tags are those of an unstructured sequence of words: two
// neighbours that do not go together, and hardly a function word.
func makesNoSentence(tags []string) bool {
	words, holding, numbers, odd, before := 0, 0, 0, 0, ""
	for _, tag := range tags {
		is := func(set string) bool { return strings.Contains(set, " "+tag+" ") }
		if unicode.IsLetter(rune(tag[0])) && tag != "POS" {
			words++
		}
		if is(grammatical) {
			holding++
		}
		if tag == "CD" {
			numbers++
		}
		if is(scattered[before]) {
			odd++
		}
		before = tag
	}
	return words >= wholeThought && odd >= 2 && numbers < readOut && 5*holding <= words
}

// maxTagged is the maximum number of sentences tagged in a dialogue; by then, the result is clear.
const maxTagged = 100

// beginsClause reports whether a hit begins a clause.
func beginsClause(s *analysis, h *talk.Hit) bool {
	t, k := &s.Turns[h.Turn], h.First
	return k == 0 || t.Tokens[k].Is(text.OpensClause) || t.Tokens[k-1].Is(text.Joiner) ||
		t.Is(k-1, "if", "when", "so", "then", "now")
}

// findGrammar reports in each turn of the SYSTEM the first sentence without order.
func findGrammar(s *analysis, det *detector) {
	tagged := 0
	for _, t := range s.Spoken(dialogue.System) {
		for p := range t.Sentences() {
			d := disorderOf(t, p.First, p.Last)
			if d == heap {
				sentence := t.Text[t.Tokens[p.First].Start:t.Tokens[p.Last].End]
				if tagged++; tagged <= maxTagged && makesNoSentence(s.tags(sentence)) {
					d = broken
				}
			}
			if d == broken {
				s.emit(det, p)
				break
			}
		}
	}
}

// minBare is how many nouns of a turn must lack their article. A single one may be a heading.
const minBare = 2

// findArticles reports the turns in which nouns of words-things lack their article.
func findArticles(s *analysis, det *detector) {
	for _, t := range s.Spoken(dialogue.System) {
		bare, from, to := 0, 0, 0
		for k := range t.Tokens {
			if first, is := bareNoun(t, k); is {
				if bare++; bare == 1 {
					from, to = first, k
				}
			}
		}
		if bare >= minBare {
			s.emit(det, t.At(from, to))
		}
	}
}

// bareNoun reports whether token k is a noun that lacks its article, and where its phrase begins:
// at a preposition, or at the beginning of a clause whose subject it is. One other word may be in
// between. A number, a name or a noun after it makes it part of a longer name.
func bareNoun(t *text.Turn, k int) (first int, is bool) {
	begins := func(k int) bool { return t.Tokens[k].Is(text.OpensClause) }
	inside := k+1 < t.Words && !begins(k+1)
	if !t.Tokens[k].Is(text.Thing) || !t.PlainWord(k) || t.Tokens[k].IsName() ||
		inside && !t.Tokens[k+1].Is(closed|text.Modal) ||
		k+2 < t.Words && t.Tokens[k+2].Stem == t.Tokens[k].Stem || // "from door to door"
		k >= 2 && t.Tokens[k-2].Stem == t.Tokens[k].Stem {
		return 0, false
	}
	for first = k; first > max(0, k-2) && !begins(first); first-- {
		switch before := t.Tokens[first-1]; {
		case before.Is(text.Preposition) && !t.Is(first-1, "of", "by") ||
			t.Is(first-1, "behind", "under", "near", "inside", "outside", "opposite"):
			return first - 1, true
		case before.Is(text.Stopword|text.Number|text.Article) || before.IsName() ||
			!t.IsPair(first) || strings.ContainsAny(t.Word(first-1), "'’"):
			return 0, false
		}
	}
	return first, begins(first) && inside &&
		t.Tokens[k+1].Is(text.Auxiliary|text.Modal|text.Subject) && (first == k ||
		t.Tokens[first].Is(text.Thing))
}

// disorder is the degree of disorder in a sentence.
type disorder uint8

const (
	ordered disorder = iota
	heap             // a sequence of words: a list, or no sentence
	broken           // or no sentence
)

// lowercase reports whether word consists of the letters a to z.
func lowercase(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return r < 'a' || r > 'z' })
}
