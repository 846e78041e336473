package heuristics

import (
	"slices"
	"strings"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// Words that English does not put side by side are counted: some show that a sentence is broken, many that it is none.
// A heap of words with nothing between to hold them together is tagged, which costs: then the parts of speech decide.

// misplaced are kinds of words that stand side by side where something is wrong, save for cases such as a moved
// preposition ("the hotel you were in is full"). The first entry that fits a pair counts.
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
	brokenPairs = 3 // weight of misplaced pairs that shows a broken sentence: of one, or of all in a short sentence
	saladPairs  = 4 // weight from which on it is no sentence, where there is one for every four words
	heapWords   = 7 // words with no function word between; titles and lists have capitals and commas, tables figures
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
	wrongVerb := false
	weight, pile, highest, small, figures := 0, 0, 0, 0, false
	wrong := -1 // the second word of the last pair that is surely wrong: one slip, "the are is", makes two pairs
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
		if k == first || k-1 == wrong || tok.is(capital|opensClause) {
			continue
		}
		before := &t.tokens[k-1]
		// Nothing but a space may stand between the two, and the second is a word of its own, not the "on" of
		// "on-site", and not the first said twice.
		if !before.is(closed) || tok.start != before.end+1 || t.text[before.end] != ' ' ||
			int(tok.end) < len(t.text) && t.text[tok.end] == '-' || tok.stem == before.stem ||
			t.isLetterA(k-1) || t.isLetterA(k) {
			continue
		}
		wrongVerb = wrongVerb || s.isWrongVerb(t, k)
		for i := range misplaced {
			if m := &misplaced[i]; before.is(m.first) && tok.is(m.second) {
				weight += m.weight
				if m.weight >= brokenPairs {
					wrong = k
				}
				break
			}
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

// isLetterA reports whether token k is the letter A, as in "block A and block B" or "from a to z".
func (t *turnText) isLetterA(k int) bool {
	return t.tokens[k].end-t.tokens[k].start == 1 && t.tokens[k].is(article) &&
		k+1 < t.words && t.tokens[k+1].is(joiner|preposition)
}

// isWrongVerb reports whether token k is a past form behind a modal verb that has its subject: "you can't reloaded".
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

// tagMark is what lexicon/tags.txt says of two neighbours.
type tagMark uint8

const (
	impossible tagMark = 1 << iota
	unlikely
	scattered
)

// tagLine enters a line of lexicon/tags.txt.
func (l *lexicon) tagLine(line string) {
	f := strings.Fields(line)
	mark := lookUp("mark", f[0], map[string]tagMark{
		"impossible": impossible, "unlikely": unlikely, "scattered": scattered,
	})
	for _, behind := range f[2:] {
		l.tags[[2]string{f[1], behind}] |= mark
	}
}

// grammatical are the parts of speech that hold a sentence together.
const grammatical = " ART SUB PRP PRP$ DT IN OF MD ASK TO CC EX WP WDT WRB VBZ VBP "

// oddness is what the tags of a sentence say.
type oddness struct{ impossible, unlikely, scattered, grammatical, numbers, words int }

const (
	wholeThought = 8 // words that a sentence needs to be judged by few signs: short ones leave things out
	readOut      = 4 // numbers from which on a sentence reads one out: "zero eight two one"
)

// salad reports whether so much is wrong that the sentence cannot be read.
func (o oddness) salad() bool {
	return o.impossible >= 3 || o.words >= wholeThought &&
		(o.impossible == 2 && 3*(4+o.unlikely) >= o.words || o.scattered >= 2 && o.numbers < readOut && 5*o.grammatical <= o.words)
}

// odd weighs a sentence.
func (l *lexicon) odd(sentence []taggedWord) (o oddness) {
	before, last := "", ""
	for k := 0; k <= len(sentence); k++ {
		kind, word := ".", ""
		if k < len(sentence) {
			kind, word = partOfSpeech(sentence[k], before), sentence[k].text
		}
		if isLetter(kind[0]) && kind != "POS" {
			o.words++
		}
		if strings.Contains(grammatical, " "+kind+" ") {
			o.grammatical++
		}
		if kind == "CD" {
			o.numbers++
		}
		mark := l.tags[[2]string{before, kind}]
		if mark&scattered != 0 && !isDigit(word[0]) {
			o.scattered++
		}
		switch {
		case strings.EqualFold(word, last): // a doubled word is another fault
		case last == "a" && (kind == "TO" || kind == "."): // the letter: "a to z"
		case mark&impossible != 0:
			o.impossible++
		case mark&unlikely != 0:
			o.unlikely++
		}
		if kind == "MD" && (before == "ART" || before == "PRP$" || before == "JJ") {
			kind = "NN" // a will, good will: strange enough, and no verb
		}
		before, last = kind, word
	}
	return o
}

// partOfSpeech is the tag of w, made finer for a few words whose neighbours are telling.
func partOfSpeech(w taggedWord, before string) string {
	switch word := strings.ToLower(w.text); {
	case w.tag == "DT" && (word == "a" || word == "an" || word == "the"):
		return "ART"
	case w.tag == "PRP" && (word == "i" || word == "he" || word == "she" || word == "we" || word == "they"):
		return "SUB"
	case word == "of":
		return "OF"
	case w.tag == "MD" && (before == "SUB" || before == "PRP"):
		return "ASK"
	}
	return w.tag
}

// judgement is the sentence of a turn with the worst order of words: broken, or salad.
type judgement struct {
	turn        int // index into analysis.turns
	first, last int // tokens
	disorder
}

// mostTagged bounds how many sentences of one dialogue are tagged: what they show is plain by then.
const mostTagged = 100

// judge looks at the sentences of the SYSTEM, once a dialogue, and judges at most one of a turn.
func (s *analysis) judge() []judgement {
	if s.judged {
		return s.judgements
	}
	s.judged, s.judgements = true, s.judgements[:0]
	tagged := 0
	for i, t := range s.spoken(dialogue.System) {
		worst := judgement{turn: i}
		for first, last := 0, 0; first < t.words; first = last + 1 {
			last = t.sentenceEnd(first)
			d := s.disorder(t, first, last)
			if d == heap {
				d = ordered
				if tagged++; tagged <= mostTagged && s.isSalad(t, first, last) {
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
	return s.judgements
}

// isSalad reports whether the tags of tokens first to last show no sentence. What is found in a sentence that may be
// cut wrongly, behind "a.m." say, has to be found in a stretch with sure ends as well.
func (s *analysis) isSalad(t *turnText, first, last int) bool {
	from, to := first, last
	for !t.ends(from - 1) {
		from = t.sentenceStart(from - 1)
	}
	for !t.ends(to) {
		to = t.sentenceEnd(to + 1)
	}
	odd := func(first, last int) oddness {
		return s.tagger.odd(t.text[t.tokens[first].start:t.tokens[last].end], s.lex.odd)
	}
	return odd(first, last).salad() && odd(from, to).salad()
}

// ends reports whether token k surely ends a sentence: it is the last, or a mark stands behind it that no
// abbreviation has, or a full stop with a capital behind it that is not one of "a.m." or "Mr.".
func (t *turnText) ends(k int) bool {
	if k < 0 || k == t.words-1 {
		return true
	}
	tok, next := t.tokens[k], t.tokens[k+1]
	return t.text[tok.end] != '.' || tok.end-tok.start > 3 && next.is(capital)
}

func findSalad(s *analysis, det *detector) {
	for _, j := range s.judge() {
		if j.disorder == salad {
			s.emit(det, j.turn, j.first, j.last)
		}
	}
}

// findGrammar reports the phrases where a clause begins with them, and what the tags found broken.
func findGrammar(s *analysis, det *detector) {
	from := len(s.signals)
	for h := range s.hitsOf(det.class) {
		if s.turns[h.turn].mayBegin(int(h.first)) {
			s.emitHit(det, h)
		}
	}
	known := s.signals[from:]
	for _, j := range s.judge() {
		at := func(sig rubric.Signal) bool { return sig.Turn == s.turns[j.turn].n }
		if j.disorder == broken && !slices.ContainsFunc(known, at) {
			s.emit(det, j.turn, j.first, j.last)
		}
	}
}

// mayBegin reports whether a clause may begin with token k.
func (t *turnText) mayBegin(k int) bool {
	if t.tokens[k].is(opensClause) || t.tokens[k-1].is(joiner) {
		return true
	}
	switch strings.ToLower(t.word(k - 1)) {
	case "if", "when", "so", "then", "now":
		return true
	}
	return false
}
