package heuristics

import (
	"slices"
	"strings"
	"unicode"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// Words that English does not put side by side are counted: some show that a sentence is broken,
// many that it is none. A heap of words with nothing between to hold them together is tagged, which
// costs: then the parts of speech decide.

// misplaced are kinds of words that stand side by side where something is wrong, save for cases
// such as a moved preposition ("the hotel you were in is full"). The first entry that fits a pair
// counts.
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
	// weight from which on it is no sentence, where there is one for every four words
	saladPairs = 4
	heapWords  = 7 // words with no function word, capital, comma or figure between
)

// disorder is what the order of the words in a sentence shows, from nothing wrong to no sentence.
type disorder uint8

const (
	ordered disorder = iota
	heap             // a heap of words: a list, or no sentence
	broken
	salad // no sentence
)

// disorder weighs the misplaced pairs of tokens first to last.
func (s *analysis) disorder(t *turnText, first, last int) disorder {
	wrongVerb, figures := false, false
	weight, pile, highest, small := 0, 0, 0, 0
	wrong := -1 // the second word of the last pair that is wrong: "the are is" makes two pairs
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
		if k == first || k-1 == wrong || tok.is(capital|opensClause) ||
			!t.tokens[k-1].is(closed) || !t.pairs(k) {
			continue
		}
		wrongVerb = wrongVerb || s.isWrongVerb(t, k)
		w := t.misplaced(k)
		if weight += w; w >= brokenPairs {
			wrong = k
		}
	}
	switch words := last - first + 1; {
	case weight >= saladPairs && 4*weight >= words:
		return salad
	case wrongVerb, wrong >= 0, weight >= brokenPairs && 5*weight >= words:
		return broken
	case !figures && highest >= heapWords && 5*small <= words:
		return heap
	}
	return ordered
}

// pairs reports whether token k and the one before are two words with nothing but a space between
// them: the second is not the "on" of "on-site" or "on/off", nor the first said twice.
func (t *turnText) pairs(k int) bool {
	before, tok := &t.tokens[k-1], &t.tokens[k]
	return tok.start == before.end+1 && t.text[before.end] == ' ' && tok.stem != before.stem &&
		t.plainWord(k) && !t.isLetterA(k-1) && !t.isLetterA(k)
}

// misplaced returns how much token k weighs behind the one before; 0 if nothing is wrong.
func (t *turnText) misplaced(k int) int {
	for i := range misplaced {
		if m := &misplaced[i]; t.tokens[k-1].is(m.first) && t.tokens[k].is(m.second) {
			return m.weight
		}
	}
	return 0
}

// isLetterA reports whether token k is the letter A, as in "block A and block B" or "from a to z",
// or of another language, as in "the a la carte menu".
func (t *turnText) isLetterA(k int) bool {
	return t.tokens[k].end-t.tokens[k].start == 1 && t.tokens[k].is(article) &&
		k+1 < t.words && t.tokens[k+1].is(joiner|preposition|foreign)
}

// isWrongVerb reports whether token k is a past form behind a modal verb that has its subject: "you
// can't reloaded".
func (s *analysis) isWrongVerb(t *turnText, k int) bool {
	word, verb := t.word(k), &t.tokens[k-1]
	if !verb.is(modal) || verb.is(opensClause) || len(word) < 6 || !strings.HasSuffix(word, "ed") ||
		strings.HasSuffix(word, "eed") || k < 2 {
		return false
	}
	behind := &t.tokens[k-2]
	return (verb.is(contraction) || behind.is(stopword)) && !behind.is(article|preposition) &&
		!s.spelling.misspelt(strings.ToLower(word))
}

// A sentence with fewer such tags than one in five words is held together by nothing.
const grammatical = " PRP PRP$ DT IN MD TO CC EX WP WDT WRB VBZ VBP "

// scattered are the tags that may stand behind a tag in a heap of words, and neither in a sentence
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
	wholeThought = 8 // words that a sentence needs to be judged: short ones leave things out
	readOut      = 4 // numbers from which on a sentence reads one out: "zero eight two one"
)

// makesNoSentence reports whether tags are those of a heap of words: two neighbours that do not go
// together, and hardly a word to hold the others.
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

// judgement is the sentence of a turn with the worst order of words: broken, or salad.
type judgement struct {
	turn        int // index into analysis.turns
	first, last int // tokens
	disorder
}

// mostTagged bounds how many sentences of one dialogue are tagged: what they show is plain by then.
const mostTagged = 100

// judge looks at the sentences of the SYSTEM, and judges at most one of a turn.
func (s *analysis) judge() {
	s.judgements = s.judgements[:0]
	tagged := 0
	for i, t := range s.spoken(dialogue.System) {
		worst := judgement{turn: i}
		for first, last := 0, 0; first < t.words; first = last + 1 {
			last = t.sentenceEnd(first)
			d := s.disorder(t, first, last)
			if d == heap {
				d = ordered
				sentence := t.text[t.tokens[first].start:t.tokens[last].end]
				if tagged++; tagged <= mostTagged && makesNoSentence(s.tagger.tags(sentence)) {
					d = salad
				}
			}
			if d > worst.disorder {
				worst = judgement{turn: i, first: first, last: last, disorder: d}
			}
		}
		if worst.disorder != ordered {
			s.judgements = append(s.judgements, worst)
		}
	}
}

func findSalad(s *analysis, det *detector) {
	for _, j := range s.judgements {
		if j.disorder == salad {
			s.emit(det, j.turn, j.first, j.last)
		}
	}
}

// findGrammar reports the phrases where a clause begins with them, and sentences with a broken
// order of words.
func findGrammar(s *analysis, det *detector) {
	from := len(s.signals)
	for h := range s.hitsOf(det.class) {
		if s.turns[h.turn].mayBegin(int(h.first)) {
			s.emitHit(det, h)
		}
	}
	known := s.signals[from:]
	for _, j := range s.judgements {
		at := func(sig rubric.Signal) bool { return sig.Turn == s.turns[j.turn].n }
		if j.disorder == broken && !slices.ContainsFunc(known, at) {
			s.emit(det, j.turn, j.first, j.last)
		}
	}
}

// mayBegin reports whether a clause may begin with token k.
func (t *turnText) mayBegin(k int) bool {
	return t.tokens[k].is(opensClause) || t.tokens[k-1].is(joiner) ||
		t.is(k-1, "if", "when", "so", "then", "now")
}
