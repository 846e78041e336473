package talk

import (
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"

	"assize/heuristics/text"
	"assize/rubric"
	"assize/rubric/dialogue"
)

const (
	// englishShare: if at least every third word is an English function word, the dialogue is
	// English. In 2,800 English dialogues, the lowest share is 40 %.
	englishShare = 3
	// fewestForeign is the minimum number of words that indicate another language. Names and
	// addresses have fewer: at most five in 2,800 dialogues.
	fewestForeign = 8
	// In a short dialogue, three are enough if they are at least a quarter of its words.
	fewestInShort = 3
	foreignShare  = 4
	maxLanguages  = 32
)

// Unreadable returns an error if there is nothing to judge: the USER only greets, or the dialogue
// is mostly not in English, the only language of the lists. A dialogue in mixed languages is
// English unless another language has twice as many words.
func (s *Talk) Unreadable() error {
	if s.onlyGreets() {
		return &rubric.Unscored{
			Reason: "the USER says nothing but a greeting, so there is nothing to judge",
		}
	}
	english, words := 0, 0
	for i := range s.Turns {
		if t := &s.Turns[i]; t.Role != dialogue.Other {
			for k := range t.Tokens {
				if t.Tokens[k].Is(text.Stopword) {
					english++
				}
				if !t.Tokens[k].Is(text.Number) {
					words++
				}
			}
		}
	}
	if english*englishShare >= words {
		return nil
	}
	found, in := s.foreignWords()
	short := found >= fewestInShort && found*foreignShare >= words && found > 3*english
	if found < fewestForeign && !short || found < 2*english {
		return nil
	}
	return &rubric.Unscored{
		Reason: "the dialogue is mostly " + in + "; the rule agents read English only",
	}
}

// maxGreeting is the maximum number of words in a turn that only greets.
const maxGreeting = 6

// onlyGreets reports whether each of the USER's turns is a greeting: after it comes at
// most a name, as in "Hello Anna", or a call, as in "Hi, is anyone there?".
func (s *Talk) onlyGreets() bool {
	greets := false
	for i, t := range s.Spoken(dialogue.User) {
		h := s.Hit(i, s.Lex.Class.WordsHello)
		if h == nil || t.Words > maxGreeting {
			return false
		}
		for k := int(h.Last) + 1; k < t.Words; k++ {
			isName := k == t.Words-1 && t.Tokens[k].Is(text.Capital) &&
				!t.Tokens[k].Is(text.OpensClause)
			if !isName && !t.Is(k, "there", "anyone", "anybody", "someone", "is", "are", "you",
				"here", "again", "all", "everyone") {
				return false
			}
		}
		greets = true
	}
	return greets
}

func isAccented(r rune) bool { return r >= 'À' && r < 0x280 }

// foreignWords returns the number of words that are not English, and their language or script: the
// one with the most words, and the first in case of a tie. A capitalised word inside a sentence is
// a name, and a word may belong to several languages.
func (s *Talk) foreignWords() (words int, in string) {
	known := &s.Lex.languages
	var counts [maxLanguages]int
	for i := range s.Turns {
		t := &s.Turns[i]
		for k, tok := range t.Tokens {
			if t.Role == dialogue.Other || tok.Is(text.Stopword|text.Number) {
				continue
			}
			word := t.Word(k)
			first, _ := utf8.DecodeRuneInString(word)
			switch {
			case first >= 0x250 && !unicode.Is(unicode.Latin, first):
				n := 1
				if first >= 0x2e80 { // written without spaces: a word has about two characters
					n = (utf8.RuneCountInString(word) + 1) / 2
				}
				words += n
				for i, tables := range known.scripts {
					if unicode.In(first, tables...) {
						counts[i] += n
					}
				}
			case tok.Is(text.Capital) && !tok.Is(text.OpensSentence):
			case tok.Is(text.Foreign):
				words++
				lower, _ := text.LowerWord(word, 0, nil)
				for set := known.of[string(lower)]; set != 0; set &= set - 1 {
					counts[bits.TrailingZeros32(set)]++
				}
			case strings.ContainsFunc(word, isAccented): // rare in English: "café"
				words++
			}
		}
	}
	most := min(words, fewestForeign) / 2
	in = "not in English"
	for i, n := range counts {
		if n > most {
			in, most = "in "+known.names[i], n
		}
	}
	return words, in
}
