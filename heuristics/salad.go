package heuristics

import (
	"slices"
	"strings"

	"assize/rubric"
)

// impossible are pairs of parts of speech that English does not put side by side in a sentence: behind the one
// on the left, none of those on the right. The tags are those of the Penn Treebank, except that ART is a, an
// and the; SUB is I, he, she, we and they; OF is of; ASK is a modal verb behind its subject; and "." is
// the end of a sentence. Of 46,000 sentences that people wrote, 13 have two of these, none has three.
var impossible = map[string]string{
	"ART":  " ART SUB PRP PRP$ MD VBZ VBP VBD IN OF TO EX WP WDT WRB DT . ",
	"PRP$": " ART SUB PRP PRP$ MD VBZ VBP VBD IN OF CC TO EX WP WDT DT . ",
	"MD":   " VBZ VBD VBG TO CC NNS WP VBN ",
	"ASK":  " VBZ VBD VBG TO CC NNS WP VBN ART PRP PRP$ SUB OF IN EX ",
	"TO":   " MD VBZ VBP VBD VBN IN OF TO EX SUB ",
	"EX":   " PRP SUB IN OF VB VBG VBN CC ",
	"CC":   " CC OF . ",
	"OF":   " IN OF TO SUB MD VBZ VBP VBD CC EX ",
	"SUB":  " SUB PRP ART PRP$ TO OF EX ",
	"IN":   " MD ",
	"VBZ":  " VBZ MD ",
	"VBP":  " VBP MD VBZ ",
	"VBD":  " VBP VBZ VBD ",
	"WP":   " WP CC ",
	"JJ":   " PRP$ ART ",
	"CD":   " PRP$ ART ",
}

// unlikely are pairs that good sentences have now and then, or that a wrong tag makes.
var unlikely = map[string]string{
	"PRP": " NN JJ IN ART ",
	"SUB": " NN JJ IN VBG CD ",
	"IN":  " VBZ VBP CC TO VB VBD SUB ",
	"NN":  " VB SUB JJ ART PRP$ ",
	"NNS": " JJ NN ART SUB CD ",
	"RB":  " NN . ",
	"JJ":  " IN SUB VBZ ",
	"VB":  " MD VBZ VBP VBD VB ",
	"VBZ": " VB ",
	"VBP": " VB ",
	"VBN": " MD PRP ",
	"ART": " CC ",
	"MD":  " MD ",
	"ASK": " MD ",
	"DT":  " ART PRP$ MD PRP IN ",
}

// wrongVerb are the impossible pairs of which one alone shows that the grammar is broken.
var wrongVerb = map[string]string{
	"MD":  " TO VBG VBZ VBD VBN ",
	"ASK": " TO VBG VBZ VBD VBN ",
}

// scattered are pairs that a heap of words has and a list of names or things has not.
var scattered = map[string]string{
	"NN":  " JJ RB CD VBG VBP ",
	"NNS": " JJ RB CD ",
	"RB":  " NN NNS VBG ",
	"JJ":  " RB VBG CD VBD ",
	"VBG": " JJ RB VBG ",
	"VBD": " NN RB JJ ",
}

// grammatical are the parts of speech that hold a sentence together.
const grammatical = " ART SUB PRP PRP$ DT IN OF MD ASK TO CC EX WP WDT WRB VBZ VBP "

// oddness is what the tags of a sentence say.
type oddness struct{ impossible, unlikely, wrongVerbs, scattered, grammatical, words int }

// wholeThought is how many words a sentence needs to be judged by few signs: short ones leave things out.
const wholeThought = 8

// salad reports whether so much is wrong that the sentence cannot be read.
func (o oddness) salad() bool {
	return o.impossible >= 3 || o.words >= wholeThought &&
		(o.impossible == 2 && 3*(4+o.unlikely) >= o.words || o.scattered >= 2 && 5*o.grammatical <= o.words)
}

// broken reports whether something is wrong that no tag by mistake explains.
func (o oddness) broken() bool {
	return o.impossible >= 2 && o.words >= wholeThought || o.wrongVerbs > 0
}

// odd weighs a sentence.
func odd(sentence []taggedWord) (o oddness) {
	before, last := "", ""
	for k := 0; k <= len(sentence); k++ {
		kind, word := ".", ""
		if k < len(sentence) {
			kind, word = partOfSpeech(sentence[k], before), sentence[k].text
		}
		if isLetter(kind[0]) && kind != "POS" {
			o.words++
		}
		if among(grammatical, kind) {
			o.grammatical++
		}
		if among(scattered[before], kind) && !isDigit(word[0]) {
			o.scattered++
		}
		switch {
		case strings.EqualFold(word, last): // a doubled word is another fault
		case last == "a" && (kind == "TO" || kind == "."): // the letter: "a to z"
		case among(impossible[before], kind):
			o.impossible++
			if among(wrongVerb[before], kind) {
				o.wrongVerbs++
			}
		case among(unlikely[before], kind):
			o.unlikely++
		}
		if kind == "MD" && (before == "ART" || before == "PRP$" || before == "JJ") {
			kind = "NN" // a will, good will: strange enough, and no verb
		}
		before, last = kind, word
	}
	return o
}

func among(kinds, kind string) bool { return strings.Contains(kinds, " "+kind+" ") }

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
	turn        int // index into scene.turns
	first, last int // tokens
	salad       bool
}

// mostTagged bounds how many sentences of one dialogue are tagged: what they show is plain by then.
const mostTagged = 100

// judge has the suspicious sentences of the SYSTEM tagged, once a dialogue. There is at most one judgement a turn.
func (s *scene) judge() []judgement {
	if s.judged {
		return s.judgements
	}
	s.judged, s.judgements = true, s.judgements[:0]
	tagged := 0
	s.eachSystem(func(i int, t *turnText) {
		for first, last, found := t.suspect(0); found && tagged < mostTagged; first, last, found = t.suspect(last + 1) {
			tagged++
			words := s.tagger.sentence(t.text[t.tokens[first].start:t.tokens[last].end])
			if o := odd(words); o.salad() || o.broken() {
				s.judgements = append(s.judgements, judgement{turn: i, first: first, last: last, salad: o.salad()})
				return
			}
		}
	})
	if slices.ContainsFunc(s.judgements, func(j judgement) bool { return !s.turns[j.turn].sentence(j.first, j.last) }) {
		s.confirm()
	}
	return s.judgements
}

// sentence reports whether tokens first to last are surely a whole sentence.
func (t *turnText) sentence(first, last int) bool { return t.ends(first-1) && t.ends(last) }

// ends reports whether token k surely ends a sentence: it is the last, or a mark stands behind it that no
// abbreviation has, or a full stop with a capital behind it that is not one of "a.m." or "Mr.".
func (t *turnText) ends(k int) bool {
	if k < 0 || k == t.words-1 {
		return true
	}
	tok, next := t.tokens[k], t.tokens[k+1]
	return t.text[tok.end] != '.' || tok.end-tok.start > 3 && next.is(capital)
}

// confirm has the turns judged once more, cut into sentences with more care: "a.m." is no end of one, and what
// follows it is not broken. That is dear, and so is left to the few turns that need it.
func (s *scene) confirm() {
	texts := make([]string, len(s.judgements))
	for k, j := range s.judgements {
		texts[k] = s.turns[j.turn].text
	}
	kept := s.judgements[:0]
	for k, sentences := range s.tagger.sentences(texts) {
		j := s.judgements[k]
		salad, broken := false, false
		for _, sentence := range sentences {
			o := odd(sentence)
			salad, broken = salad || o.salad(), broken || o.broken()
		}
		if j.salad = salad; salad || broken {
			kept = append(kept, j)
		}
	}
	s.judgements = kept
}

func findSalad(s *scene, det *detectorAt) {
	for _, j := range s.judge() {
		if j.salad {
			s.emit(det, j.turn, j.first, j.last, det.Points)
		}
	}
}

// findGrammar reports the lexicon's phrases where a clause begins with them, and what the tags found broken.
func findGrammar(s *scene, det *detectorAt) {
	from := len(s.signals)
	s.eachHit(det, func(h *hit) bool {
		t := &s.turns[h.turn]
		return t.tokens[h.first].is(opensClause) || t.joins(int(h.first)-1)
	})
	known := s.signals[from:]
	for _, j := range s.judge() {
		at := func(sig rubric.Signal) bool { return sig.Turn == s.turns[j.turn].n }
		if !j.salad && !slices.ContainsFunc(known, at) {
			s.emit(det, j.turn, j.first, j.last, det.Points)
		}
	}
}

// joins reports whether token k may stand before a clause.
func (t *turnText) joins(k int) bool {
	switch tok := t.tokens[k]; strings.ToLower(t.text[tok.start:tok.end]) {
	case "if", "when", "so", "then", "now":
		return true
	default:
		return tok.is(joiner)
	}
}
