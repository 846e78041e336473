package rubric

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// fold brings a text into the form in which quotes are compared. A piece that is cut out of a text at
// spaces folds to a piece of the folded text; [Excerpt] rests on that.
func fold(s string) string {
	if strings.IndexByte(s, '<') >= 0 {
		s = dropTags(s)
	}
	if strings.IndexByte(s, '&') >= 0 {
		s = html.UnescapeString(s)
	}
	if isASCII(s) {
		return tidy(strings.ToLower(s))
	}
	// Some quotes and spaces are decomposed by NFKC ("´" becomes a space and an accent), others come out
	// of it, so they are straightened before it and after.
	s = strings.Map(straighten, s)
	return tidy(cases.Fold().String(norm.NFKC.String(s)))
}

// tidy straightens what is left to straighten, makes white space single, drops it before a punctuation mark
// ("four , please"), and makes a run of dashes one.
func tidy(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	var last rune
	space := false
	for i, r := range s {
		r = straighten(r)
		switch {
		case r < 0 || r == '-' && last == '-' && !space:
			continue
		case r == ' ':
			space = b.Len() > 0
			continue
		case space && !(strings.ContainsRune(".,;:!?)", r) && endsMark(s[i+1:])):
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		last, space = r, false
	}
	return b.String()
}

// endsMark reports whether what follows a punctuation mark is no word, so that the mark belongs to what
// stands before it: the comma of "four , please", but not the point of "four .5".
func endsMark(rest string) bool {
	r, size := utf8.DecodeRuneInString(rest)
	return size == 0 || straighten(r) >= 0 && !isWord(r)
}

// straighten gives the plain form of a quote, a dash or white space; -1 drops a rune that nobody sees.
func straighten(r rune) rune {
	switch {
	case r < 0x80:
		if r <= ' ' || r == 0x7f {
			return ' '
		}
		if r == '"' || r == '`' {
			return '\''
		}
		return r
	case isSpace(r):
		return ' '
	case isInvisible(r):
		return -1
	case unicode.In(r, unicode.Pd) || r == '−' || r == '⁻' || r == '₋':
		return '-'
	case unicode.In(r, unicode.Pi, unicode.Pf) || strings.ContainsRune("‚„´ʹʺʻʼʽˈ′″‴‵‶‷⁗「」『』〝〞〟＂＇｀", r):
		return '\''
	}
	return r
}

// isSpace reports whether r separates words without being seen: white space, control characters, and the
// format characters that steer direction or carry hidden text.
func isSpace(r rune) bool {
	if r < 0x80 {
		return r <= ' ' || r == 0x7f
	}
	return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && !isInvisible(r)
}

// isInvisible reports whether r stands inside a word without being seen: a soft hyphen, a joiner, or the
// choice of a variant.
func isInvisible(r rune) bool {
	switch r {
	case '\u00ad', '\u034f', '\u200c', '\u200d', '\u2060':
		return true
	}
	return unicode.Is(unicode.Variation_Selector, r)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
