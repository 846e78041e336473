package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxValue is the maximum number of bytes that are read of a part without spaces.
const maxValue = 512

// valueKinds are the kinds of words that no password consists of.
const valueKinds = cues | unit | filler | copula | as | from | to | plain | conjunction | ask | typed

// values returns the outline of values.
func (t *text) values() outline {
	var o outline
	t.question(&o)
	next := 0 // the first token that is not before i
	for i := 0; i < len(t.s); {
		for next < len(t.tokens) && t.tokens[next].start < i {
			next++
		}
		c := t.s[i]
		switch {
		case isSpace(c) && c != '\n':
			i++
			continue
		case strings.IndexByte("\"'`", c) >= 0:
			o.put('"', i, i+1)
			i++
			continue
		case strings.IndexByte("\n()<>{},;:=", c) >= 0, c < utf8.RuneSelf && t.endsAt(i):
			if sign := valueSigns[c]; sign != 0 {
				o.put(rune(sign), i, i+1)
			}
			i++
			continue
		}
		if next < len(t.tokens) && t.tokens[next].start == i {
			if k, n := t.phrase(next); k&valueKinds != 0 && t.isEnd(t.tokens[next+n-1].end) {
				o.put(words().letters[k], i, t.tokens[next+n-1].end)
				i = t.tokens[next+n-1].end
				continue
			}
		}
		end := t.valueEnd(i)
		if at := t.nameEnd(next, end); at > i {
			o.put('w', i, at)
			i = at
			continue
		}
		o.put(t.valueLetter(i, end), i, end)
		i = end
	}
	return o
}

var valueSigns = [utf8.RuneSelf]byte{'\n': '\n', ',': ',', ';': ',', ':': ':', '=': ':', '.': '!',
	'!': '!', '?': '!', '-': '-'}

// endsAt reports whether the sign at byte i is not part of a value.
func (t *text) endsAt(i int) bool {
	return strings.IndexByte(".!?-*", t.s[i]) >= 0 && (i+1 == len(t.s) || isSpace(t.s[i+1]))
}

// isEnd reports whether a word that ends at byte i is not part of a longer value.
func (t *text) isEnd(i int) bool {
	return i == len(t.s) || isSpace(t.s[i]) || strings.IndexByte("\"'`:=,;?!)>}", t.s[i]) >= 0 ||
		t.s[i] == '.' && t.endsAt(i)
}

// valueEnd returns the end of the value that starts at byte i, without the punctuation after it.
func (t *text) valueEnd(i int) int {
	end := i
	for end < len(t.s) && end-i < maxValue && !isSpace(t.s[end]) {
		end++
	}
	if n := strings.Index(t.s[i:end], "</"); n > 0 {
		end = i + n // an HTML tag
	}
	value := strings.TrimSuffix(t.s[i:end], "\u2026")
	value = strings.TrimRight(value, "\"').,;:?>}`")
	if value == "" {
		_, n := utf8.DecodeRuneInString(t.s[i:])
		return i + n
	}
	return i + len(value)
}

// nameEnd returns the start of the cue that ends a name such as x-api-key, whose first token is
// given, or 0.
func (t *text) nameEnd(first, end int) int {
	for i := first + 1; i < len(t.tokens) && t.tokens[i].start < end; i++ {
		if k, n := t.phrase(i); k&(password|key) != 0 && i+n-1 < len(t.tokens) &&
			strings.IndexByte("-_.\"", t.s[t.tokens[i].start-1]) >= 0 {
			if at := t.tokens[i+n-1].end; at < len(t.s) && strings.IndexByte(":=\"'", t.s[at]) >= 0 {
				return t.tokens[i].start
			}
		}
	}
	return 0
}

func (t *text) valueLetter(start, end int) rune {
	value := t.s[start:end]
	if start > 0 && t.s[start] == '[' || strings.HasPrefix(value, "#") {
		return 'w'
	}
	switch {
	case looksSecret(value, false):
		return 'S'
	case looksSecret(value, true):
		return 'T'
	case t.mayBeSecret(t.low[start:end]):
		return 'L'
	}
	return 'w'
}

// mayBeSecret reports whether a word of letters may be a password. A word that describes one does
// not count.
func (t *text) mayBeSecret(word string) bool {
	if word = strings.TrimRight(word, "!"); len(word) < 4 {
		return false
	}
	for _, r := range word {
		if !unicode.IsLetter(r) {
			return false
		}
	}
	for _, end := range [...]string{"ed", "ing", "ly", "able", "ive", "ful", "less", "est", "ary"} {
		if strings.HasSuffix(word, end) {
			return false
		}
	}
	return true
}

// looksSecret reports whether a value looks like a password rather than a word, a date or an
// amount. If pointed is set, because a word such as "is" points at it, more values count.
func looksSecret(s string, pointed bool) bool {
	if len(s) >= maxValue || strings.Contains(s, "://") {
		return false
	}
	var digits, lower, upper, other, dated int
	turns := false // a capital follows a small letter
	last := ' '
	for _, r := range s {
		switch {
		case r < utf8.RuneSelf && isDigit(byte(r)):
			digits++
		case unicode.IsUpper(r):
			upper++
			turns = turns || unicode.IsLower(last)
		case unicode.IsLetter(r):
			lower++
		case strings.ContainsRune("/:.,-'\u2026", r):
			dated++
		default:
			other++
		}
		last = r
	}
	letters := lower + upper
	switch {
	case digits+letters+other+dated < 4:
		return false
	case digits > 0 && letters+other > 0:
		return !isCounted(s) || pointed && other > 0
	case digits > 0:
		return pointed && dated == 0 && digits > 3
	case other > 0:
		return letters > 1 && s[len(s)-1] != '!' || pointed && turns
	}
	return pointed && turns
}

// isCounted reports whether s begins with a small number and contains no other: 2nd, 8-character,
// 24h.
func isCounted(s string) bool {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n > 0 && n < 3 && digits(s[n:]) == "" && len(s) < 24 &&
		(n < len(s) && (s[n] == '-' || len(s)-n < 4))
}

// isKey returns the end if the value may be a key, which is long and has digits.
func isKey(t *text, start, end int) int {
	letters, n := 0, 0
	for _, r := range t.s[start:end] {
		n++
		if unicode.IsLetter(r) {
			letters++
		}
	}
	digits := len(digits(t.s[start:end]))
	if n < 8 || digits == 0 || letters == 0 && n < 12 || (letters+digits)*2 <= n {
		return 0
	}
	return end
}

// has reports whether the outline has a word of a kind that is not part of a question.
func (o *outline) has(k kind) bool {
	for i := 0; i < len(o.chars); {
		r, n := utf8.DecodeRune(o.chars[i:])
		if o.from[i] < o.to[i] && words().kindOf(r)&k != 0 {
			return true
		}
		i += n
	}
	return false
}
