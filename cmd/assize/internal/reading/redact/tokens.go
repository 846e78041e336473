package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a word or a number of a text.
type token struct {
	start, end int
	class      class
	entry      *word // nil if it is not in the vocabulary
	sense      sense // of the longest phrase that starts here
	words      int   // the number of words in that phrase
}

type class uint8

const (
	letters class = iota
	number        // digits only
	mixed         // letters and digits
	opaque        // a mask
)

// text is a text in which personal data is searched.
type text struct {
	folded
	tokens  []token
	senses  sense // all senses of its words
	digits  bool  // it contains a digit
	spelled bool  // a word spells a digit
	spans   []span
	numbers []candidate
	urls    []span // ranges within web addresses that are already masked
}

// candidate is a number that is masked only if it is known from another place.
type candidate struct {
	span
	digits string
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// isDense reports whether r belongs to a script that writes no spaces between words, or that
// attaches other words to the end of a noun.
func isDense(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana,
		unicode.Hangul, unicode.Thai)
}

// newText tokenises a text.
func newText(s string) *text { return tokenized(fold(s)) }

// newJSONText tokenises JSON, where a line break before a word is a backslash and a letter.
func newJSONText(s string) *text { return tokenized(fold(s).withoutEscapes()) }

func tokenized(f folded) *text {
	const perToken = 5 // bytes, with the space after it
	t := &text{folded: f}
	t.tokens = make([]token, 0, len(t.s)/perToken+1)
	for i := 0; i < len(t.s); {
		i = t.read(i)
	}
	t.phrases()
	return t
}

// read adds the token that starts at byte i, if there is one, and returns where to continue.
func (t *text) read(i int) int {
	c := t.s[i]
	switch {
	case c == '[':
		for _, mask := range masks {
			if strings.HasPrefix(t.s[i:], mask) {
				end := i + len(mask)
				t.tokens = append(t.tokens, token{start: i, end: end, class: opaque, words: 1})
				return end
			}
		}
		return i + 1
	case c < utf8.RuneSelf && !isDigit(c) && !isLetter(c):
		return i + 1
	}
	start := i
	var hasLetter, hasDigit bool
	if r, n := utf8.DecodeRuneInString(t.s[i:]); isDense(r) {
		for hasLetter = true; n > 0 && isDense(r); r, n = utf8.DecodeRuneInString(t.s[i:]) {
			i += n
		}
		t.tokens = append(t.tokens, token{start: start, end: i, sense: t.dense(start, i), words: 1})
		return i
	}
	for i < len(t.s) {
		if c := t.s[i]; c < utf8.RuneSelf {
			if isDigit(c) {
				hasDigit = true
			} else if isLetter(c) {
				hasLetter = true
			} else {
				break
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(t.s[i:])
		if !unicode.IsLetter(r) && !unicode.Is(unicode.Mc, r) || isDense(r) {
			break
		}
		hasLetter = true
		i += n
	}
	if i == start {
		_, n := utf8.DecodeRuneInString(t.s[i:])
		return i + n
	}
	tok := token{start: start, end: i, words: 1}
	switch {
	case !hasLetter:
		tok.class = number
	case hasDigit:
		tok.class = mixed
	}
	t.digits = t.digits || hasDigit
	t.tokens = append(t.tokens, tok)
	return i
}

// dense returns the senses of the words within letters that have no spaces between them.
func (t *text) dense(start, end int) (s sense) {
	const longest = 8 // runes of a word
	v := words()
	for i := range t.low[start:end] {
		n := 0
		for j := range t.low[start+i : end] {
			if n > 1 {
				if w := v.words[t.low[start+i:start+i+j]]; w != nil {
					s |= w.sense
				}
			}
			if n++; n > longest {
				break
			}
		}
		if n <= longest { // so that the rest is not longer than a word
			if w := v.words[t.low[start+i:end]]; w != nil {
				s |= w.sense
			}
		}
	}
	t.senses |= s
	return s
}

// phrases looks up the tokens in the vocabulary.
func (t *text) phrases() {
	v := words()
	for i := range t.tokens {
		tok := &t.tokens[i]
		if tok.class == number || tok.class == opaque || tok.sense != 0 {
			continue
		}
		w := v.words[t.low[tok.start:tok.end]]
		if w == nil {
			continue
		}
		tok.entry, tok.sense = w, w.sense
		t.spelled = t.spelled || w.digits != ""
		for _, p := range w.phrases {
			if len(p.rest) >= tok.words && t.follows(i, p.rest) {
				tok.sense, tok.words = p.sense, len(p.rest)+1
			}
		}
		t.senses |= tok.sense
	}
}

// follows reports whether the words in rest follow token i, with one space, hyphen, apostrophe,
// underscore or dot between them.
func (t *text) follows(i int, rest []string) bool {
	if i+len(rest) >= len(t.tokens) {
		return false
	}
	for k, w := range rest {
		before, tok := t.tokens[i+k], t.tokens[i+k+1]
		if gap := t.s[before.end:tok.start]; len(gap) != 1 || !strings.Contains(" -'_.", gap) {
			return false
		}
		if t.low[tok.start:tok.end] != w {
			return false
		}
	}
	return true
}

// part returns the text of a token.
func (t *text) part(i int) string { return t.s[t.tokens[i].start:t.tokens[i].end] }

// gap returns the text between a token and the one before.
func (t *text) gap(i int) string {
	end := 0
	if i > 0 {
		end = t.tokens[i-1].end
	}
	return t.s[end:t.tokens[i].start]
}

// has reports whether token i exists and has one of the senses in s.
func (t *text) has(i int, s sense) bool {
	return 0 <= i && i < len(t.tokens) && t.tokens[i].sense&s != 0
}

// add masks a part of s.
func (t *text) add(start, end int, mask string) {
	start, end = t.place(start, end)
	if start < end {
		t.spans = append(t.spans, span{start, end, mask})
	}
}
