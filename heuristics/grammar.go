package heuristics

import (
	"strings"
	"unicode"

	"assize/rubric/dialogue"
)

// Word pairs that do not occur in English are counted: some show that a sentence is broken, many
// that it is not a sentence. A sequence of words with no function words between them is tagged with
// parts of speech, which is slow, and judged by the tags.

// misplaced are kinds of adjacent words that indicate an error, except in cases such as a moved
// preposition ("the hotel you were in is full"). The first entry that matches a pair counts.
var misplaced = [...]struct {
	first, second flags
	weight        int
}{
	{article, modal, 1},   // "a must"
	{modal, auxiliary, 1}, // "those who can should"
	{article, article | auxiliary, 3},
	{article, subject | preposition | joiner, 2},
	{auxiliary, auxiliary, 2},
	{preposition, auxiliary | joiner, 1},
	{preposition, preposition, 1},
	{subject, article | subject, 2},
	{subject, preposition, 1},
	{joiner, joiner, 1},
}

const closed = article | auxiliary | subject | preposition | joiner

const (
	brokenPairs = 3 // weight of one misplaced pair, or of all in a short sentence, that breaks it
	heapWords   = 7 // words without a function word, capital, comma or figure between them
)

// disorderOf judges the misplaced pairs in tokens first to last.
func disorderOf(t *turnText, first, last int) disorder {
	figures, weight, pile, highest, small := false, 0, 0, 0, 0
	wrong := -1 // the second word of the last misplaced pair: "the are is" has two pairs
	for k := first; k <= last; k++ {
		tok := &t.tokens[k]
		if tok.is(closed | modal) {
			small++
		}
		figures = figures || tok.is(number)
		if tok.is(stopword|number|capital|opensClause) || !t.plainWord(k) {
			pile = 0
		} else {
			pile++
			highest = max(highest, pile)
		}
		if k == first || k-1 == wrong || tok.is(capital|opensClause) || !t.isPair(k) ||
			!t.tokens[k-1].is(closed) {
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
func weighPair(t *turnText, k int) int {
	for i := range misplaced {
		if m := &misplaced[i]; t.tokens[k-1].is(m.first) && t.tokens[k].is(m.second) {
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

// findGrammar reports in each turn of the SYSTEM a phrase that begins a clause, or else the first
// sentence without order.
func findGrammar(s *analysis, det *detector) {
	tagged := 0
	for i, t := range s.spoken(dialogue.System) {
		if h := s.hit(i, det.class); h != nil {
			if k := int(h.first); t.tokens[k].is(opensClause) || t.tokens[k-1].is(joiner) ||
				t.is(k-1, "if", "when", "so", "then", "now") {
				s.emitHit(det, h)
				continue
			}
		}
		for first, last := 0, 0; first < t.words; first = last + 1 {
			last = t.sentenceEnd(first)
			d := disorderOf(t, first, last)
			if d == heap {
				sentence := t.text[t.tokens[first].start:t.tokens[last].end]
				if tagged++; tagged <= maxTagged && makesNoSentence(s.tags(sentence)) {
					d = broken
				}
			}
			if d == broken {
				s.emit(det, i, first, last)
				break
			}
		}
	}
}

// minBare is how many nouns of a turn must lack their article. A single one may be a heading.
const minBare = 2

// findArticles reports the turns in which nouns of words-things lack their article.
func findArticles(s *analysis, det *detector) {
	for i, t := range s.spoken(dialogue.System) {
		bare, from, to := 0, 0, 0
		for k := range t.tokens {
			if first, is := bareNoun(t, k); is {
				if bare++; bare == 1 {
					from, to = first, k
				}
			}
		}
		if bare >= minBare {
			s.emit(det, i, from, to)
		}
	}
}

// bareNoun reports whether token k is a noun that lacks its article, and where its phrase begins:
// at a preposition, or at the beginning of a clause whose subject it is. One other word may be in
// between. A number, a name or a noun after it makes it part of a longer name.
func bareNoun(t *turnText, k int) (first int, is bool) {
	begins := func(k int) bool { return t.tokens[k].is(opensClause) }
	inside := k+1 < t.words && !begins(k+1)
	if !t.tokens[k].is(thing) || !t.plainWord(k) || t.tokens[k].isName() ||
		inside && !t.tokens[k+1].is(closed|modal) ||
		k+2 < t.words && t.tokens[k+2].stem == t.tokens[k].stem || // "from door to door"
		k >= 2 && t.tokens[k-2].stem == t.tokens[k].stem {
		return 0, false
	}
	for first = k; first > max(0, k-2) && !begins(first); first-- {
		switch before := t.tokens[first-1]; {
		case before.is(preposition) && !t.is(first-1, "of", "by") ||
			t.is(first-1, "behind", "under", "near", "inside", "outside", "opposite"):
			return first - 1, true
		case before.is(stopword|number|article) || before.isName() || !t.isPair(first) ||
			strings.ContainsAny(t.word(first-1), "'’"):
			return 0, false
		}
	}
	return first, begins(first) && inside && t.tokens[k+1].is(auxiliary|modal|subject) &&
		(first == k || t.tokens[first].is(thing))
}

// disorder is the degree of disorder in a sentence.
type disorder uint8

const (
	ordered disorder = iota
	heap             // a sequence of words: a list, or no sentence
	broken           // or no sentence
)
