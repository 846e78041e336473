package rubric

import (
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Folded is a text in the normal form in which quotes are compared (PROTOCOL.md, "Evidence"). It
// is computed once and searched many times, for quotes whose turn is unknown; if the turn is known,
// [Quote.Verify] returns the same result.
type Folded struct{ text string }

// Fold folds a text, such as a turn.
func Fold(text string) Folded { return Folded{markBoundaries(fold(text))} }

// FoldQuote folds the words of a quote without a final ellipsis. It returns false if they contain
// no letter and no digit, since such a quote is never evidence.
func FoldQuote(words string) (Folded, bool) {
	words = fold(words)
	if bare := strings.TrimRight(words, "."); len(words)-len(bare) >= len("...") {
		words = strings.TrimRight(bare, " ")
	}
	return Folded{markBoundaries(words)}, hasWords(words)
}

// Contains reports whether the pieces occur in f in this order, each beginning and ending at a word
// boundary.
func (f Folded) Contains(pieces ...Folded) bool {
	rest := f.text
	for _, piece := range pieces {
		i := strings.Index(rest, piece.text)
		if i < 0 {
			return false
		}
		rest = rest[i+len(piece.text)-1:] // the mark at the end of one piece may begin the next
	}
	return true
}

// fold returns s in the form in which quotes are compared. A piece cut out of a text at spaces
// folds to a piece of the folded text; [Excerpt] relies on that.
func fold(s string) string {
	if strings.IndexByte(s, '<') >= 0 {
		s = tag.ReplaceAllLiteralString(s, " ")
	}
	if strings.IndexByte(s, '&') >= 0 {
		s = html.UnescapeString(s)
	}
	if isASCII(s) {
		return tidy(strings.ToLower(s))
	}
	// NFKC decomposes some quotes and spaces ("´" becomes a space and an accent) and produces
	// others, so they are straightened both before and after it.
	s = strings.Map(straighten, s)
	return tidy(cases.Fold().String(norm.NFKC.String(s)))
}

// tidy straightens the remaining characters, collapses white space, removes it before punctuation
// ("four , please"), and collapses a run of dashes into one.
func tidy(s string) string {
	b := make([]byte, 0, len(s))
	var last rune
	space := false
	for i, r := range s {
		r = straighten(r)
		switch {
		case r < 0 || r == '-' && last == '-' && !space:
			continue
		case r == ' ':
			space = len(b) > 0
			continue
		case space && !(strings.ContainsRune(".,;:!?)", r) && endsMark(s[i+1:])):
			b = append(b, ' ')
		}
		b = utf8.AppendRune(b, r)
		last, space = r, false
	}
	return string(b)
}

// endsMark reports whether the text after a punctuation mark does not continue a word, so that the
// mark belongs to the word before it: the comma of "four , please", but not the point of "four .5".
func endsMark(rest string) bool {
	r, size := utf8.DecodeRuneInString(rest)
	return size == 0 || straighten(r) >= 0 && !isWord(r)
}

// straighten returns the plain form of a quote, a dash or white space, and -1 for an invisible
// rune, which is dropped.
func straighten(r rune) rune {
	switch {
	case isSpace(r):
		return ' '
	case r == '"' || r == '`':
		return '\''
	case r < 0x80:
		return r
	case isInvisible(r):
		return -1
	case unicode.In(r, unicode.Pd) || r == '−' || r == '⁻' || r == '₋':
		return '-'
	case unicode.In(r, unicode.Pi, unicode.Pf) ||
		strings.ContainsRune("‚„´ʹʺʻʼʽˈ′″‴‵‶‷⁗「」『』〝〞〟＂＇｀", r):
		return '\''
	}
	return r
}

// isSpace reports whether r separates words invisibly: white space, control characters, and format
// characters that control direction or carry hidden text.
func isSpace(r rune) bool {
	if r < 0x80 {
		return r <= ' ' || r == 0x7f
	}
	return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) &&
		!isInvisible(r)
}

// isInvisible reports whether r is an invisible part of a word: a soft hyphen, a joiner or a
// variation selector.
func isInvisible(r rune) bool {
	switch r {
	case '\u00ad', '\u034f', '\u200c', '\u200d', '\u2060':
		return true
	}
	return unicode.Is(unicode.Variation_Selector, r)
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

// markBoundaries marks every word boundary of a folded text, including both ends, with a byte that
// does not occur in folded text. Checking that a quote begins and ends at word boundaries is then a
// plain substring search in the marked text, which always takes linear time.
func markBoundaries(folded string) string {
	const mark = 0
	b := append(make([]byte, 0, len(folded)*3/2+2), mark)
	var before, last rune // the two runes before the current position
	for i, r := range folded {
		next := rune(0)
		if end := i + utf8.RuneLen(r); end < len(folded) {
			next, _ = utf8.DecodeRuneInString(folded[end:])
		}
		if i > 0 && (r == ' ' || last == ' ' || !insideWord(before, last, r, next)) {
			b = append(b, mark)
		}
		b = utf8.AppendRune(b, r)
		before, last = last, r
	}
	return string(append(b, mark))
}

// insideWord reports whether the position between b and c is inside a word, given four consecutive
// runes. Folding has already straightened all apostrophes.
func insideWord(a, b, c, d rune) bool {
	switch {
	case isWord(b) && isWord(c):
		return true
	case c == '\'':
		return isWord(b) && isWord(d)
	case b == '\'':
		return isWord(a) && isWord(c)
	case c == '.' || c == ',' || c == ':':
		return unicode.IsDigit(b) && unicode.IsDigit(d)
	case b == '.' || b == ',' || b == ':':
		return unicode.IsDigit(a) && unicode.IsDigit(c)
	}
	return false
}

func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || r == '_'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_'
}

func hasWords(s string) bool {
	return strings.IndexFunc(s,
		func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) >= 0
}

// tag matches the tags of the HTML elements that chat programs and mail insert into a turn. Only
// these are markup; the <NAME> of an anonymised transcript is a word.
var tag = regexp.MustCompile(
	`(?i)</?(?:a|abbr|address|article|b|big|blockquote|body|br|center|cite|code|dd|del|div|dl|` +
		`dt|em|figure|font|footer|h[1-6]|head|header|hr|html|i|img|ins|kbd|li|mark|ol|p|pre|q|s|` +
		`section|small|span|strike|strong|sub|sup|table|tbody|td|tfoot|th|thead|title|tr|tt|u|ul|` +
		`video|wbr)(?:[ \t\r\n/][^<>]*)?>`)
