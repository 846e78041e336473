package rubric

import (
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"assize/rubric/dialogue"
)

// Folded is a text in the form in which quotes are compared (decisions.md, "Evidence"). It is made once and searched
// many times, for quotes whose turn must be found first; where the turn is known, [Quote.Verify] says the same.
type Folded struct{ marked string }

// Fold folds a text, such as a turn.
func Fold(text string) Folded { return Folded{bound(fold(text))} }

// FoldQuote folds the words of a quote, without the ellipsis that may end it. It reports false for words that
// are no evidence wherever they stand, since they hold no letter and no digit.
func FoldQuote(words string) (Folded, bool) {
	words = trimEllipsis(fold(words))
	return Folded{bound(words)}, hasWords(words)
}

// Holds reports whether the pieces stand in f, one after the other, each with its ends at word boundaries.
func (f Folded) Holds(pieces ...Folded) bool {
	rest := f.marked
	for _, piece := range pieces {
		i := strings.Index(rest, piece.marked)
		if i < 0 {
			return false
		}
		rest = rest[i+len(piece.marked)-1:] // the mark at its end may begin the next
	}
	return true
}

// fold brings a text into the form in which quotes are compared. A piece that is cut out of a text at
// spaces folds to a piece of the folded text; [Excerpt] rests on that.
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
	// Some quotes and spaces are decomposed by NFKC ("´" becomes a space and an accent), others come out
	// of it, so they are straightened before it and after.
	s = strings.Map(straighten, s)
	return tidy(cases.Fold().String(norm.NFKC.String(s)))
}

// tidy straightens what is left to straighten, makes white space single, drops it before a punctuation mark
// ("four , please"), and makes a run of dashes one.
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

// isInvisible reports whether r is inside a word without being seen: a soft hyphen, a joiner, or the
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

// bound marks every word boundary of a folded text, its two ends included, with a byte that no folded text
// holds. Whether a quote begins and ends at word boundaries of a turn is then a plain search of one marked
// text in the other, which takes linear time whatever they are.
func bound(folded string) string {
	const mark = 0
	b := append(make([]byte, 0, len(folded)*3/2+2), mark)
	var before, last rune // the two runes before the place in question
	for i, r := range folded {
		next := rune(0)
		if end := i + utf8.RuneLen(r); end < len(folded) {
			next, _ = utf8.DecodeRuneInString(folded[end:])
		}
		if i > 0 && (r == ' ' || last == ' ' || !joined(before, last, r, next)) {
			b = append(b, mark)
		}
		b = utf8.AppendRune(b, r)
		before, last = last, r
	}
	return string(append(b, mark))
}

// joined reports whether the place between b and c is inside a word, where a b c d are neighbours. Folding
// has made every apostrophe a straight one.
func joined(a, b, c, d rune) bool {
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
	return strings.IndexFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) >= 0
}

// tag matches the tags of the HTML elements that chat programs and mail put into a turn. Only they are markup; the
// <NAME> of an anonymised transcript is a word.
var tag = regexp.MustCompile(`(?i)</?(?:a|abbr|address|article|b|big|blockquote|body|br|center|cite|code|dd|del|div|dl|` +
	`dt|em|figure|font|footer|h[1-6]|head|header|hr|html|i|img|ins|kbd|li|mark|ol|p|pre|q|s|section|small|span|strike|` +
	`strong|sub|sup|table|tbody|td|tfoot|th|thead|title|tr|tt|u|ul|video|wbr)(?:[ \t\r\n/][^<>]*)?>`)

// Verify reports whether q is evidence: whether its words really stand in the turn that it names
// (decisions.md, "Evidence"). Both sides are folded first: Unicode NFKC, case, quotes, dashes, white space,
// HTML tags and entities. What is left of the quote must stand in the turn in one piece, must begin and end
// at a word boundary, and may end in an ellipsis where the turn goes on.
//
// A word boundary is stricter here than the edge of a run of letters, so that no quote can turn what was
// said into its opposite or into another number: "can" is not in "can't", and "7" is not in "7:30".
//
// A quote without a letter or a digit, such as "?!" or a lone emoji, is not evidence: it is found too
// easily and says too little. Neither is one of a turn that nobody is judged for, such as a tool's output.
func (q Quote) Verify(d dialogue.Dialogue) bool {
	t, ok := d.Turn(q.Turn)
	if !ok || t.Role == dialogue.Other {
		return false
	}
	if plainly(t.Text, q.Text) {
		return true
	}
	words, ok := FoldQuote(q.Text)
	return ok && Fold(t.Text).Holds(words)
}

// plainly is the fast path of [Quote.Verify], for the common quote that was cut out of its turn by code. It never
// says yes where the slow path would not: the words stand in the text byte for byte, set off by plain
// spaces or by punctuation before one, and no markup is about that folding would remove.
func plainly(text, words string) bool {
	words = strings.TrimSuffix(words, "…")
	i := strings.Index(text, words)
	if i < 0 || !hasWords(words) || strings.ContainsAny(text, "<&") || i > 0 && text[i-1] != ' ' {
		return false
	}
	rest := text[i+len(words):]
	if rest != "" && strings.IndexByte(".,;:!?", rest[0]) >= 0 {
		rest = rest[1:]
	}
	return rest == "" || rest[0] == ' '
}

// trimEllipsis drops the ellipsis that ends a folded quote which goes on in the turn.
func trimEllipsis(folded string) string {
	if s := strings.TrimRight(folded, "."); len(folded)-len(s) >= len("...") {
		return strings.TrimRight(s, " ")
	}
	return folded
}
