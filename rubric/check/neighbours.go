package check

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// judge settles what a mark can do between its neighbours, and by which of the marks it is.
func (m *mark) judge(s string) {
	before, _ := utf8.DecodeLastRuneInString(s[:m.start])
	after, size := utf8.DecodeRuneInString(s[m.end:])
	if m.start == 0 {
		before = ' '
	}
	if size == 0 {
		after = ' '
	}
	spaced := unicode.IsSpace(before)
	m.tight = isLetter(before) && isLetter(after)
	m.opens = canOpen(before, after, s[m.end:])
	m.closes = canClose(before, after) || spaced && !m.opens && !isLetter(after)
	switch {
	case spaced && unicode.IsSpace(after), isHan(before) || isHan(after):
		m.opens, m.closes = true, true
	case m.opens && m.closes && strings.ContainsRune(":=/—–-", before):
		m.closes = false
	}
	m.judgeGlyph(s, canClose(before, after))
	if m.closes && unicode.IsSpace(after) {
		m.doubtful = isDigit(before) || isSingle(m.glyph) && (strings.ContainsRune("sSxXzZ", before) || strings.HasSuffix(s[:m.start], "in"))
	}
	if m.glyph == '"' && s[m.start] == '"' && isOwnLabel(s[:m.start]) {
		m.zone, m.opens = true, true
	} else if m.glyph == '"' && endsOwn(s[m.end:]) {
		m.opens, m.closes = false, true
	}
}

// judgeGlyph settles what a mark that has a direction can do. Most languages begin with “ and «, German ends with them.
func (m *mark) judgeGlyph(s string, close bool) {
	switch m.glyph {
	case '“', '„', '‚', '「', '『':
		m.opens, m.closes = true, m.closes && !m.opens
	case '«', '‹':
		m.opens, m.closes = !m.closes || m.opens, close && !m.opens
	case '”', '」', '』', '»', '›':
		m.closes = true
	case '\'':
		m.opens = m.opens && !isElision(s[m.end:])
	case '’':
		m.opens = false
	}
}

// isSingle reports whether a mark may be an apostrophe.
func isSingle(glyph rune) bool { return strings.ContainsRune("'’‘`", glyph) }

// canOpen reports whether a mark between two runes can begin a quote; rest is what follows it.
func canOpen(before, after rune, rest string) bool {
	switch {
	case isLetter(before) || unicode.IsSpace(after) && before != ':' && before != '(':
		return false
	case after == '.':
		return len(rest) > 1 && (rest[1] == '.' || isDigit(rune(rest[1])))
	}
	return !strings.ContainsRune(",;:!?)]}%", after)
}

// canClose reports whether a mark between two runes can end a quote.
func canClose(before, after rune) bool {
	return !unicode.IsSpace(before) && !strings.ContainsRune("([{", before) && !isLetter(after)
}

// isElision reports whether a word begins that is written with an apostrophe in front: '90s, 'em, 'til.
func isElision(rest string) bool {
	end := 0
	for end < len(rest) && isLetter(rune(rest[end])) {
		end++
	}
	switch word := strings.ToLower(rest[:end]); word {
	case "em", "til", "till", "tis", "twas", "cause", "cuz", "coz", "bout", "round", "n", "kay", "nuff", "sup":
		return true
	default:
		return len(word) >= 2 && isDigit(rune(word[0])) && isDigit(rune(word[1])) && strings.Trim(word[2:], "s") == ""
	}
}

// isOwnLabel reports whether a text ends in the label that this program prints before a quote.
func isOwnLabel(before string) bool {
	rest, ok := strings.CutSuffix(before, "USER: ")
	if !ok {
		rest, ok = strings.CutSuffix(before, "SYSTEM: ")
	}
	last, _ := utf8.DecodeLastRuneInString(rest)
	return ok && (rest == "" || !isLetter(last))
}

// endsOwn reports whether a quote that this program prints is over, judging by what follows.
func endsOwn(rest string) bool {
	return rest == "" || rest == "." || strings.HasPrefix(rest, `; USER: "`) || strings.HasPrefix(rest, `; SYSTEM: "`)
}

// isLetter reports whether r is part of a word, as a letter or a digit is.
func isLetter(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// isDigit reports whether r is a plain digit.
func isDigit(r rune) bool { return '0' <= r && r <= '9' }

// isHan reports whether r is of a script that puts no space between words.
func isHan(r rune) bool {
	return r >= 0x2e80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}
