package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// web masks the secrets in web addresses: user name, password, and parameters such as a token.
func (t *text) web() {
	for at := 0; ; {
		n := strings.Index(t.s[at:], "://")
		if n < 0 {
			break
		}
		start := at + n + len("://")
		at = start
		for at < len(t.s) && !strings.ContainsRune(" \n\t\r/?#\"<>", rune(t.s[at])) {
			at++
		}
		if n := strings.LastIndexByte(t.s[start:at], '@'); n > 0 {
			t.inAddress(start, start+n)
		}
	}
	v := words()
	for at := 0; at < len(t.s); at++ {
		n := strings.IndexByte(t.s[at:], '=')
		if n < 0 {
			return
		}
		const longest = 40
		start, equals := at+n, at+n
		for start > max(at, equals-longest) && isNameByte(t.s[start-1]) {
			start--
		}
		at = equals
		if start == 0 || strings.IndexByte("?&;#", t.s[start-1]) < 0 ||
			!v.parameters[t.low[start:equals]] {
			continue
		}
		end := equals + 1
		for end < len(t.s) && !strings.ContainsRune("& \n\t\r#\"'<>)", rune(t.s[end])) {
			end++
		}
		if value := t.s[equals+1 : end]; value != "" && value[0] != '[' &&
			!strings.Contains(value, "@") && !strings.Contains(value, "%40") {
			t.inAddress(equals+1, end)
		}
		at = end - 1
	}
}

func (t *text) inAddress(start, end int) {
	end = start + len(strings.TrimRight(t.s[start:end], ".,;:!?"))
	t.add(start, end, maskSecret)
	t.urls = append(t.urls, span{start: start, end: end})
}

func isNameByte(c byte) bool { return isDigit(c) || isLetter(c) || c == '_' || c == '-' }

// keys masks keys with the prefixes of known services, JSON Web Tokens (JWT), and private keys in
// PEM format.
func (t *text) keys() {
	const minimum = 16 // characters after the prefix
	v := words()
	for i := range t.tokens {
		tok := &t.tokens[i]
		if len(t.s)-tok.start < minimum || t.isInKey(tok.start) {
			continue
		}
		rest := t.s[tok.start:]
		if strings.HasPrefix(rest, "eyJ") {
			end := keyEnd(rest)
			if strings.Contains(rest[:end], ".") && end > minimum+len("eyJ") {
				t.add(tok.start, tok.start+end, maskSecret)
			}
			continue
		}
		for _, prefix := range v.prefixes[rest[:2]] {
			if !strings.HasPrefix(rest, prefix) {
				continue
			}
			end := keyEnd(rest)
			if end >= len(prefix)+minimum && countDigits(rest[:end]) > 0 {
				t.add(tok.start, tok.start+end, maskSecret)
				break
			}
		}
	}
	const begin, private, end = "-----BEGIN ", "PRIVATE KEY-----", "-----END "
	const longest = 80 // bytes of the first line
	for at := 0; ; {
		n := strings.Index(t.s[at:], begin)
		if n < 0 {
			return
		}
		start := at + n
		line, _, _ := strings.Cut(t.s[start:min(len(t.s), start+longest)], "\n")
		at = start + len(begin)
		if !strings.Contains(line, private) {
			continue
		}
		if n := strings.Index(t.s[at:], end); n >= 0 {
			at += n + len(end)
			if n := strings.Index(t.s[at:], "-----"); n >= 0 {
				at += n + len("-----")
			}
		} else {
			at = len(t.s)
		}
		t.add(start, at, maskSecret)
	}
}

// isInKey reports whether a position is inside the word of a longer key that began before it.
func (t *text) isInKey(at int) bool {
	return at > 0 && (isNameByte(t.s[at-1]) || at > 1 && t.s[at-1] == '.' && isNameByte(t.s[at-2]))
}

// keyEnd returns how many bytes of s are characters of a key. A dot that ends a sentence does not
// count.
func keyEnd(s string) int {
	end := 0
	for end < len(s) && (isNameByte(s[end]) || s[end] == '.') {
		end++
	}
	return len(strings.TrimRight(s[:end], ".-"))
}

// chunk is a part of the text without spaces.
type chunk struct {
	start, end int  // without surrounding punctuation
	ends       bool // a sentence or a clause ends after it
}

// maxSecret is the maximum number of bytes that are read of a part without spaces.
const maxSecret = 512

// chunk returns the next part without spaces from byte at on.
func (t *text) chunk(at int) chunk {
	for at < len(t.s) && isSpace(t.s[at]) {
		at++
	}
	end := at
	for end < len(t.s) && end-at < maxSecret && !isSpace(t.s[end]) {
		end++
	}
	if n := strings.Index(t.s[at:end], "</"); n > 0 {
		end = at + n // an HTML tag
	}
	c := chunk{start: at, end: end, ends: end == len(t.s) || t.s[end] == '\n'}
	for c.start < c.end && strings.IndexByte("\"'(<{`", t.s[c.start]) >= 0 {
		c.start++
	}
	if trimmed := strings.TrimSuffix(t.s[c.start:c.end], "\u2026"); trimmed != "" {
		c.end = c.start + len(trimmed)
	}
	for c.end > c.start && strings.IndexByte("\"').,;:?>}`", t.s[c.end-1]) >= 0 {
		c.ends = c.ends || strings.IndexByte(".,;?", t.s[c.end-1]) >= 0
		c.end--
	}
	return c
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// secretAfter masks the password or key that follows its announcing word, token i. It returns the
// next token to process.
func (t *text) secretAfter(i int, s sense) int {
	const farthest = 8 // words away
	next := i + t.tokens[i].words
	at := t.tokens[next-1].end
	v := words()
	if next < len(t.tokens) && t.isInURL(t.tokens[next].start) {
		return next
	}
	if at+1 < len(t.s) && t.s[at] == '-' && t.isWordByte(at+1) {
		return next // a code that begins like the word
	}
	pointed, colon, others := false, false, 0
	for range farthest {
		for at < len(t.s) && strings.IndexByte(" :=\"'-*`>\t", t.s[at]) >= 0 {
			if t.s[at] == ':' || t.s[at] == '=' {
				pointed, colon = true, true
			}
			at++
		}
		if at < len(t.s) && strings.IndexByte(".!?;", t.s[at]) >= 0 &&
			(at+1 == len(t.s) || isSpace(t.s[at+1])) {
			break
		}
		if end := t.quoted(at); end > 0 && others == 0 &&
			(pointed && s&password != 0 || isSecret(t.s[at:end], s, pointed)) {
			return t.maskSecret(chunk{start: at, end: end}, next)
		}
		c := t.chunk(at)
		if c.start >= c.end || t.s[c.start] == '[' {
			break
		}
		value := t.s[c.start:c.end]
		w := v.words[t.low[c.start:c.end]]
		switch {
		case w != nil && w.sense&copula != 0 && !colon &&
			(len(value) > 1 || t.s[c.start-1] == '\''):
			pointed = true
		case w != nil && w.sense&filler != 0 && !colon:
		case w != nil && w.sense&cues != 0 && others == 0 && !colon:
			if w.sense&(harmless|address|contact|phone|card) != 0 {
				return next
			}
		case (pointed || others == 0) && isSecret(value, s, pointed),
			others == 0 && pointed && s&password != 0 && t.isLastWord(c):
			return t.maskSecret(c, next)
		default:
			if others++; others > 5 {
				return next
			}
			pointed, colon = false, false
		}
		at = c.end
		if c.ends && !colon && !pointed {
			if at = skipPunctuation(t.s, at); others > 0 {
				break
			}
		}
	}
	return t.secretBefore(i, s, next)
}

// quoted returns the end of words in quotation marks that start at byte at, or 0.
func (t *text) quoted(at int) int {
	const longest = 64
	if at == 0 || at == len(t.s) || strings.IndexByte("\"'`", t.s[at-1]) < 0 {
		return 0
	}
	n := strings.IndexByte(t.s[at:min(len(t.s), at+longest)], t.s[at-1])
	if n < 3 || strings.ContainsAny(t.s[at:at+n], "\n[]") {
		return 0
	}
	return at + n
}

func skipPunctuation(s string, at int) int {
	for at < len(s) && strings.IndexByte(",;", s[at]) >= 0 {
		at++
	}
	return at
}

// maskSecret masks a part without spaces and returns the first token after it.
func (t *text) maskSecret(c chunk, next int) int {
	t.add(c.start, c.end, maskSecret)
	for next < len(t.tokens) && t.tokens[next].start < c.end {
		next++
	}
	return next
}

// secretBefore masks the secret in "hunter2 is my password".
func (t *text) secretBefore(i int, s sense, next int) int {
	if i < 3 || s&password == 0 || !t.has(i-1, filler) || !t.has(i-2, copula) ||
		t.gap(i) != " " || t.gap(i-1) != " " {
		return next
	}
	end := t.tokens[i-3].end
	for end < t.tokens[i-2].start && !isSpace(t.s[end]) {
		end++
	}
	const longest = 64
	start := end
	for start > max(0, end-longest) && !isSpace(t.s[start-1]) {
		start--
	}
	if c := t.chunk(start); c.start < c.end && isSecret(t.s[c.start:c.end], s, true) {
		t.add(c.start, c.end, maskSecret)
	}
	return next
}

// isLastWord reports whether a part of letters ends the statement about the password, as "sunshine"
// does in "the password is sunshine, but it fails". A word that describes the password does not
// count.
func (t *text) isLastWord(c chunk) bool {
	value := t.low[c.start:c.end]
	if len(value) < 4 {
		return false
	}
	for _, r := range value {
		if !unicode.IsLetter(r) {
			return false
		}
	}
	for _, end := range [...]string{"ed", "ing", "ly", "able", "ive", "ful", "less", "est", "ary"} {
		if strings.HasSuffix(value, end) {
			return false
		}
	}
	v := words()
	if w := v.words[value]; w != nil && w.sense&(plain|filler|unit|cues|ask) != 0 {
		return false
	}
	if c.ends {
		return true
	}
	after := t.chunk(c.end)
	w := v.words[strings.TrimRight(t.low[after.start:after.end], "!")]
	hasWord := strings.ContainsFunc(t.low[after.start:after.end], func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r)
	})
	return !hasWord || w != nil && w.sense&conjunction != 0
}

// isSecret reports whether a part without spaces looks like a password or a key rather than a word,
// a date or an amount. If pointed is set, because a word such as "is" points at it, more parts
// count.
func isSecret(s string, kind sense, pointed bool) bool {
	if len(s) >= maxSecret || strings.Contains(s, "://") {
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
	n := digits + lower + upper + other + dated
	if kind&key != 0 {
		return n >= 8 && digits > 0 && (lower+upper > 0 || n >= 12) && (lower+upper+digits)*2 > n
	}
	switch {
	case n < 4:
		return false
	case digits > 0 && lower+upper+other > 0:
		return !isCounted(s) || pointed && other > 0
	case digits > 0:
		return dated == 0 && (digits > 3) && (pointed || !isYear(s))
	case other > 0:
		return lower+upper > 1 && s[0] != '*' && s[len(s)-1] != '!' || pointed && turns
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
	return n > 0 && n < 3 && countDigits(s[n:]) == 0 && len(s) < 24 &&
		(n < len(s) && (s[n] == '-' || len(s)-n < 4))
}

// answer masks the password in the answer to a question for it: the only word, or the one that
// looks like a password.
func (t *text) answer() {
	const longest = 12 // words
	if t.senses&password != 0 || strings.Contains(t.s, "?") {
		return
	}
	v := words()
	var last chunk
	n, words := 0, 0
	for at := 0; at < len(t.s) && words < longest; words++ {
		c := t.chunk(at)
		at = max(c.end, at+1)
		for at < len(t.s) && !isSpace(t.s[at]) {
			at++
		}
		if c.start == c.end {
			continue
		}
		if t.s[c.start] == '[' {
			return
		}
		if isSecret(t.s[c.start:c.end], password, true) {
			t.add(c.start, c.end, maskSecret)
			return
		}
		low, _, _ := strings.Cut(t.low[c.start:c.end], "'") // it's
		if w := v.words[low]; w == nil || w.sense&(filler|copula|cues|plain|ask|conjunction) == 0 {
			last = c
			n++
		}
	}
	if n == 1 && words < 6 && t.isLastWord(chunk{last.start, last.end, true}) {
		t.add(last.start, last.end, maskSecret)
	}
}
