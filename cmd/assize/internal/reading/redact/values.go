package redact

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// valueSigns are the characters for the signs before and after values.
var valueSigns = map[byte]rune{'\n': '\n', '"': '"', '\'': '"', '`': '"', ',': ',', ';': ',',
	':': ':', '=': ':', '.': '!', '!': '!', '?': '!', '-': '-', '(': '-', ')': '-', '<': '-',
	'>': '-', '{': '-', '}': '-', '*': '-'}

// values returns the outline of values.
func (t *text) values() outline {
	var o outline
	t.question(&o, 0)
	next := 0 // the first token that is not before i
	for i := 0; i < len(t.s); {
		for next < len(t.tokens) && t.tokens[next].start < i {
			next++
		}
		c := t.s[i]
		if sign := valueSigns[c]; isSpace(c) || sign != 0 &&
			(strings.IndexByte(".!?-*", c) < 0 || i+1 == len(t.s) || isSpace(t.s[i+1])) {
			if i++; sign != 0 {
				o.put(sign, i-1, i)
			}
			continue
		}
		start := i
		i = t.valueEnd(i)
		if next < len(t.tokens) && t.tokens[next].start == start {
			k, n := t.phrase(next)
			if end := t.tokens[next+n-1].end; k&noValue != 0 && (end >= i || endsWord(t.s[end:])) {
				o.put(words().letter(k), start, end)
				i = end
				continue
			}
		}
		if at := t.nameEnd(next+1, i); at > 0 {
			o.put('w', start, at)
			i = at
			continue
		}
		o.put(valueLetter(t.s[start:i]), start, i)
	}
	return o
}

// endsWord reports whether s cannot continue a value.
func endsWord(s string) bool {
	return s == "" || strings.IndexByte(" \n\t\r\"'`:=,;?!)>}", s[0]) >= 0 ||
		s[0] == '.' && endsWord(s[1:])
}

// valueEnd returns the end of the value that starts at byte i, without the punctuation after it.
func (t *text) valueEnd(i int) int {
	const limit = 512
	value := t.s[i:min(len(t.s), i+limit)]
	if n := strings.IndexAny(value, " \n\t\r"); n >= 0 {
		value = value[:n]
	}
	if n := strings.Index(value, "</"); n > 0 {
		value = value[:n] // an HTML tag
	}
	value = strings.TrimRight(strings.TrimSuffix(value, "\u2026"), "\"').,;:?>}`")
	_, n := utf8.DecodeRuneInString(t.s[i:])
	return i + max(n, len(value))
}

// nameEnd returns the start of the cue that ends a name such as x-api-key, which has the tokens
// from first on, or 0.
func (t *text) nameEnd(first, end int) int {
	for i := first; i < len(t.tokens) && t.tokens[i].start < end; i++ {
		k, n := t.phrase(i)
		if at := t.tokens[i+n-1].end; k&secrets != 0 && at < len(t.s) &&
			strings.IndexByte("-_.\"", t.s[t.tokens[i].start-1]) >= 0 &&
			strings.IndexByte(":=\"'", t.s[at]) >= 0 {
			return t.tokens[i].start
		}
	}
	return 0
}

var (
	// counted is a small number with a word: 2nd, 8-character, 24h.
	counted   = regexp.MustCompile(`^\d\d?(?:-\D{1,20}|\D{0,3})$`)
	innerCase = regexp.MustCompile(`\p{Ll}\p{Lu}`)
	valueSign = regexp.MustCompile(`[^\pL\d/:.,'…-]`)
	// word is a word that does not describe a password, as "forgotten" and "ready" do.
	plainWord  = regexp.MustCompile(`^\pL{4,}!*$`)
	describing = regexp.MustCompile(`(?:ed|ing|ly|able|ive|ful|less|est|ary)!*$`)
)

// valueLetter returns the character for a value by its likeness to a password.
func valueLetter(s string) rune {
	hasDigit := strings.ContainsAny(s, "0123456789")
	hasLetter := strings.ContainsFunc(s, unicode.IsLetter)
	hasSign := valueSign.MatchString(s)
	switch {
	case utf8.RuneCountInString(s) < 4, strings.Contains(s, "://"), s[0] == '#', s[0] == '[':
	case hasDigit && (hasLetter || hasSign):
		if !counted.MatchString(s) {
			return 'S'
		}
	case hasDigit && strings.Trim(s, "0123456789") == "", innerCase.MatchString(s):
		return 'T'
	case hasSign && hasLetter && s[len(s)-1] != '!':
		return 'S'
	case plainWord.MatchString(s) && !describing.MatchString(s):
		return 'L'
	}
	return 'w'
}

// isKey recognises what may be a key, which is long and has digits.
func isKey(t *text, start, end int) int {
	s := t.s[start:end]
	hasLetter := strings.ContainsFunc(s, unicode.IsLetter)
	return ends(len(s) >= 8 && s[0] != '[' && digits(s) != "" && (hasLetter || len(s) >= 12) &&
		len(valueSign.FindAllString(s, -1))*2 < len(s), end)
}
