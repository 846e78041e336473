package heuristics

import (
	"errors"
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// foreignWords is the lexicon file of the function words of other languages.
const foreignWords = "words-foreign"

// languages knows which language a function word belongs to.
type languages struct {
	names []string
	of    map[string]uint32 // by word: a bit for each language that has it
}

// line reads "Name: words" of the lexicon file.
func (l *languages) line(text string, v *vocabulary) error {
	name, words, found := strings.Cut(text, ":")
	if !found || len(l.names) == 32 {
		return errors.New("a language wants its name, a colon and its words; 32 languages at most")
	}
	if l.of == nil {
		l.of = map[string]uint32{}
	}
	for _, w := range strings.Fields(words) {
		v.enter(w, foreign)
		l.of[w] |= 1 << len(l.names)
	}
	l.names = append(l.names, name)
	return nil
}

const (
	// englishShare: where at least every third word is one of English's own small words, the dialogue is English.
	// Of 2,800 dialogues in English, the poorest has 40 % of them.
	englishShare = 3
	// fewestForeign is how many words must speak for another language. Names and addresses have fewer: five in 2,800 dialogues at most.
	fewestForeign = 8
)

// unreadable gives the error of a dialogue that is mostly not in English, which is all that the lexicons know; nil
// where it can be judged. Where languages are mixed, it is English unless another has twice as many words.
func (s *scene) unreadable() error {
	english, words := 0, 0
	for i := range s.turns {
		t := &s.turns[i]
		if t.role == dialogue.Other {
			continue
		}
		words += len(t.tokens)
		for k := range t.tokens {
			if t.tokens[k].is(stopword) {
				english++
			}
		}
	}
	if english*englishShare >= words {
		return nil
	}
	found := s.foreign()
	if found.words < fewestForeign || found.words < 2*english {
		return nil
	}
	return &rubric.Unscored{Reason: "the dialogue is mostly " + found.name(s.lex.languages.names) + "; the rule agents read English only"}
}

// tongues counts the words that are not English.
type tongues struct {
	words   int
	scripts [4]int  // words in other scripts than Latin, as scripts has them
	lists   [32]int // function words by language; a word may belong to several
}

// scripts are the writing systems that are told apart by name.
var scripts = [...]struct {
	name  string
	table []*unicode.RangeTable
}{
	{"in Cyrillic script", []*unicode.RangeTable{unicode.Cyrillic}},
	{"in Arabic script", []*unicode.RangeTable{unicode.Arabic}},
	{"in Chinese, Japanese or Korean", []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul}},
	{"in Devanagari script", []*unicode.RangeTable{unicode.Devanagari}},
}

func (s *scene) foreign() (found tongues) {
	for i := range s.turns {
		t := &s.turns[i]
		if t.role == dialogue.Other {
			continue
		}
		for k := range t.tokens {
			if tok := t.tokens[k]; !tok.is(stopword | number) {
				found.add(t.text[tok.start:tok.end], tok, &s.lex.languages)
			}
		}
	}
	return found
}

// add counts one word that is not one of English's small ones. A capital inside a sentence makes a name.
func (f *tongues) add(word string, tok token, known *languages) {
	if first, _ := utf8.DecodeRuneInString(word); first >= 0x250 && !unicode.Is(unicode.Latin, first) {
		n := 1
		if first >= 0x2e80 { // written without spaces: a word has two characters or so
			n = (utf8.RuneCountInString(word) + 1) / 2
		}
		f.words += n
		for i := range scripts {
			if unicode.In(first, scripts[i].table...) {
				f.scripts[i] += n
			}
		}
		return
	}
	if tok.is(capital) && !tok.is(opensSentence) {
		return
	}
	switch {
	case tok.is(foreign):
		var buf [64]byte
		lower, _ := lowerWord(word, 0, buf[:0])
		f.words++
		for set := known.of[string(lower)]; set != 0; set &= set - 1 {
			f.lists[bits.TrailingZeros32(set)]++
		}
	case accented(word):
		f.words++
	}
}

// accented reports whether a word has a letter that English writes in loans such as "café" only.
func accented(word string) bool {
	for i := range len(word) {
		if c := word[i]; c >= 0xc3 && c <= 0xc9 {
			return true
		}
	}
	return false
}

// name says what the words are in: the language or script with most of them, the first of equals.
func (f *tongues) name(languages []string) string {
	name, most := "not in English", fewestForeign/2
	for i, n := range f.lists {
		if n > most {
			name, most = "in "+languages[i], n
		}
	}
	for i, n := range f.scripts {
		if n > most {
			name, most = scripts[i].name, n
		}
	}
	return name
}
