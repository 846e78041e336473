package heuristics

import (
	"unicode"
	"unicode/utf8"

	"assize/rubric/dialogue"
)

// token is a word or number of a turn.
type token struct {
	word       uint32 // its number in the vocabulary; 0 for a word that no lexicon knows
	stem       uint32 // hash of its stem, so that "booking" and "booked" are alike
	start, end uint32 // byte range in the turn's text
	flags      flags
}

type flags uint16

const (
	opensSentence flags = 1 << iota // stands after . ! or ?
	opensClause                     // stands after any mark that ends a clause
	filler                          // may stand before what a turn begins with: "oh", "well"
	negator                         // turns what follows into its opposite
	stopword                        // says nothing about the topic
	number                          // begins with a digit
	capital                         // begins with an upper-case letter
	article                         // a noun must come behind it: "the", "your"
	auxiliary                       // a finite verb that begins the verb of a clause: "is", "would"
	modal                           // a bare verb must come behind it: "will"
	subject                         // can only be the subject of a clause: "we"
	preposition                     // "of", "with"
	joiner                          // joins clauses: "and", "because"
	twice                           // may be said twice on purpose: "very very"
	foreign                         // a function word of another language and no English word: "porque"
)

func (t token) is(f flags) bool { return t.flags&f != 0 }

// content reports whether the token says what the turn is about.
func (t token) content() bool { return t.flags&stopword == 0 && t.end-t.start > 1 }

// turnText is a turn made ready for detectors.
type turnText struct {
	n        int // the turn's number, from 1
	role     dialogue.Role
	text     string
	before   [3]int32 // index of the last turn before it, by role; -1 for none
	words    int      // how many tokens
	tokens   []token
	asks     int  // byte offset after the first question mark; 0 for none
	exclaims int  // byte offset after the first exclamation mark; 0 for none
	attack   span // what in it speaks to the judge
}

// span is a byte range of a turn's text; its end is 0 for none.
type span struct{ start, end int }

// block is a run of turns by one speaker, with nothing between them but turns of nobody's.
type block struct {
	role  dialogue.Role
	count int
	turns []int // indexes into scene.turns
}

// tokenise splits text into tokens, appended to tokens. Curly apostrophes count as straight ones, and letters
// are compared in lower case.
func (v *vocabulary) tokenise(t *turnText, tokens []token) []token {
	text := t.text
	from := len(tokens)
	var buf [64]byte
	marks := flags(0)
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf && !wordByte[c] {
			marks |= t.mark(c, i)
			i++
			continue
		}
		start, word := i, buf[:0]
		word, i = lowerWord(text, i, word)
		if i == start { // a rune that belongs to no word
			_, size := utf8.DecodeRuneInString(text[i:])
			i += size
			continue
		}
		tok := v.token(word)
		tok.start, tok.end = uint32(start), uint32(i)
		tok.flags |= marks
		if c >= '0' && c <= '9' {
			tok.flags |= number
		} else if c >= 'A' && c <= 'Z' {
			tok.flags |= capital
		}
		if len(tokens) == from {
			tok.flags |= opensSentence | opensClause
		}
		tokens = append(tokens, tok)
		marks = 0
	}
	t.words = len(tokens) - from
	return tokens
}

// mark notes what a byte between words means.
func (t *turnText) mark(c byte, at int) flags {
	switch c {
	case '?':
		if t.asks == 0 {
			t.asks = at + 1
		}
		return opensSentence | opensClause
	case '!':
		if t.exclaims == 0 {
			t.exclaims = at + 1
		}
		return opensSentence | opensClause
	case '.', '\n':
		return opensSentence | opensClause
	case ',', ';', ':', '(', ')':
		return opensClause
	}
	return 0
}

// lowerWord reads the word at text[i:] in lower case into word, and gives the offset behind it. An apostrophe
// or a decimal mark belongs to a word only between two of its characters.
func lowerWord(text string, i int, word []byte) ([]byte, int) {
	for i < len(text) {
		c := text[i]
		switch {
		case c < utf8.RuneSelf && wordByte[c]:
			if c >= 'A' && c <= 'Z' {
				c += 'a' - 'A'
			}
			word = append(word, c)
			i++
		case c == '\'' || c == '`' || c == '.' || c == ':':
			if len(word) == 0 || i+1 >= len(text) || !joins(c, text[i-1], text[i+1]) {
				return word, i
			}
			if c == '`' {
				c = '\''
			}
			word = append(word, c)
			i++
		case c < utf8.RuneSelf:
			return word, i
		default:
			r, size := utf8.DecodeRuneInString(text[i:])
			if r >= '！' && r <= '～' { // the wide forms of ASCII
				r -= '！' - '!'
			}
			if r == '’' || r == '‘' {
				if len(word) == 0 || i+size >= len(text) || !joins('\'', word[len(word)-1], text[i+size]) {
					return word, i
				}
				word = append(word, '\'')
			} else if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r) {
				word = utf8.AppendRune(word, unicode.ToLower(r))
			} else {
				return word, i
			}
			i += size
		}
	}
	return word, i
}

// joins reports whether mark c holds a and b together in one word: "don't", "9:30", "4.5".
func joins(c, a, b byte) bool {
	if c == '\'' || c == '`' {
		return isLetter(a) && isLetter(b)
	}
	return isDigit(a) && isDigit(b)
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= utf8.RuneSelf }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }

// wordByte holds the ASCII characters that words are made of.
var wordByte = func() (set [utf8.RuneSelf]bool) {
	for c := range set {
		set[c] = c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
	}
	return set
}()

// stemHash hashes a word without the endings that English inflects with.
func stemHash(word []byte) uint32 {
	for _, suffix := range [...]string{"ing", "ies", "ed", "es", "s", "ly"} {
		if n := len(word) - len(suffix); n >= 3 && string(word[n:]) == suffix {
			word = word[:n]
			break
		}
	}
	h := uint32(2166136261)
	for _, c := range word {
		h = (h ^ uint32(c)) * 16777619
	}
	return h
}
