package heuristics

import (
	"slices"
	"strings"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// A screen of neighbouring words picks the few sentences of the SYSTEM that are worth the cost of tagging; then the
// parts of speech of their words decide.

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
// wrong form, or a pile of words and hardly a function word around it.
func (t *turnText) suspicious(first, last int) bool {
	pairs, pile, highest, small := 0, 0, 0, 0
	for k := first; k <= last; k++ {
		tok := &t.tokens[k]
		if tok.is(closed | modal) {
			small++
		}
		if tok.is(stopword|number|capital|opensClause) || !t.plainWord(k) {
			pile = 0
		} else {
			pile++
			highest = max(highest, pile)
		}
		if k == first || tok.is(capital|opensClause) {
			continue
		}
		before := &t.tokens[k-1]
		// Nothing but a space may stand between the two, and the second is a word of its own, not the "on" of
		// "on-site", and not the first said twice.
		if !before.is(closed) || tok.start != before.end+1 || t.text[before.end] != ' ' ||
			int(tok.end) < len(t.text) && t.text[tok.end] == '-' || t.doubled(k) {
			continue
		}
		word := t.word(k)
		inflected := len(word) >= 6 && (strings.HasSuffix(word, "ing") || strings.HasSuffix(word, "ed"))
		if before.is(modal) && (word == "to" || inflected) {
			return true
		}
		for i := range misplaced {
			if m := &misplaced[i]; before.is(m.first) && tok.is(m.second) {
				pairs += m.weight
				break
			}
		}
		if pairs >= suspiciousPairs {
			return true
		}
	}
	return highest >= suspiciousPile && 5*small <= last-first+1
}

// tagMark is what lexicon/tags.txt says of two neighbours.
type tagMark uint8

const (
	impossible tagMark = 1 << iota
	unlikely
	wrongVerb
	scattered
)

// tagLine enters a line of lexicon/tags.txt.
func (l *lexicon) tagLine(line string) {
	f := strings.Fields(line)
	mark := lookUp("mark", f[0], map[string]tagMark{
		"impossible": impossible, "unlikely": unlikely, "wrong-verb": wrongVerb, "scattered": scattered,
	})
	for _, behind := range f[2:] {
		l.tags[[2]string{f[1], behind}] |= mark
	}
}

// grammatical are the parts of speech that hold a sentence together.
const grammatical = " ART SUB PRP PRP$ DT IN OF MD ASK TO CC EX WP WDT WRB VBZ VBP "

// oddness is what the tags of a sentence say.
type oddness struct{ impossible, unlikely, wrongVerbs, scattered, grammatical, numbers, words int }

const (
	wholeThought = 8 // words that a sentence needs to be judged by few signs: short ones leave things out
	readOut      = 4 // numbers from which on a sentence reads one out: "zero eight two one"
)

// salad reports whether so much is wrong that the sentence cannot be read.
func (o oddness) salad() bool {
	return o.impossible >= 3 || o.words >= wholeThought &&
		(o.impossible == 2 && 3*(4+o.unlikely) >= o.words || o.scattered >= 2 && o.numbers < readOut && 5*o.grammatical <= o.words)
}

// broken reports whether something is wrong that no tag by mistake explains.
func (o oddness) broken() bool {
	return o.impossible >= 2 && o.words >= wholeThought || o.wrongVerbs > 0
}

// odd weighs a sentence.
func (l *lexicon) odd(sentence []taggedWord) (o oddness) {
	before, last, all := "", "", -1 // where all or everything was said
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
		if strings.EqualFold(word, "all") || strings.EqualFold(word, "everything") {
			all = k
		}
		mark := l.tags[[2]string{before, kind}]
		if mark&scattered != 0 && !isDigit(word[0]) {
			o.scattered++
		}
		switch {
		case strings.EqualFold(word, last): // a doubled word is another fault
		case last == "a" && (kind == "TO" || kind == "."): // the letter: "a to z"
		case all >= 0 && k-all <= 4 && before == "ASK" && kind == "TO": // "everything that we can to help"
		case mark&impossible != 0:
			o.impossible++
			if mark&wrongVerb != 0 {
				o.wrongVerbs++
			}
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

// judgement is what tags say of a sentence: that it is salad, or merely broken.
type judgement struct {
	turn        int // index into analysis.turns
	first, last int // tokens
	salad       bool
}

// mostTagged bounds how many sentences of one dialogue are tagged: what they show is plain by then.
const mostTagged = 100

// judge has the suspicious sentences of the SYSTEM tagged, once a dialogue. There is at most one judgement a turn. What
// is found in a sentence that may be cut wrongly, behind "a.m." say, has to be found in a stretch with sure ends as
// well.
func (s *analysis) judge() []judgement {
	if s.judged {
		return s.judgements
	}
	s.judged, s.judgements = true, s.judgements[:0]
	tagged := 0
	for i, t := range s.spoken(dialogue.System) {
		for first, last, found := t.suspect(0); found && tagged < mostTagged; first, last, found = t.suspect(last + 1) {
			tagged++
			o := s.odd(t, first, last)
			if !o.salad() && !o.broken() {
				continue
			}
			from, to := first, last
			for !t.ends(from - 1) {
				from = t.sentenceStart(from - 1)
			}
			for !t.ends(to) {
				to = t.sentenceEnd(to + 1)
			}
			if o = s.odd(t, from, to); o.salad() || o.broken() {
				s.judgements = append(s.judgements, judgement{turn: i, first: first, last: last, salad: o.salad()})
			}
			break
		}
	}
	return s.judgements
}

// odd weighs what stands from token first to token last.
func (s *analysis) odd(t *turnText, first, last int) oddness {
	return s.tagger.odd(t.text[t.tokens[first].start:t.tokens[last].end], s.lex.odd)
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
		if j.salad {
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
		if !j.salad && !slices.ContainsFunc(known, at) {
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
