package rubric

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"assize/rubric/dialogue"
)

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
	return quotes(t.Text, q.Text)
}

// quotes reports whether words are a quote of text.
func quotes(text, words string) bool {
	if plainly(text, words) {
		return true
	}
	words = trimEllipsis(fold(words))
	return hasWords(words) && strings.Contains(bound(fold(text)), bound(words))
}

// plainly is the fast path of [quotes], for the common quote that was cut out of its turn by code. It never
// says yes where the slow path would not: the words stand in the text byte for byte, set off by plain
// spaces or by punctuation before one, and no markup is about that folding would remove.
func plainly(text, words string) bool {
	if s, ok := strings.CutSuffix(words, "…"); ok {
		words = s
	}
	if !hasWords(words) || strings.IndexByte(text, '<') >= 0 || strings.IndexByte(text, '&') >= 0 {
		return false
	}
	const tries = 8 // a short word may occur often inside others; the slow path takes linear time
	for from, n := 0, 0; n < tries; n++ {
		i := strings.Index(text[from:], words)
		if i < 0 {
			return false
		}
		i += from
		if (i == 0 || text[i-1] == ' ') && endsPlainly(text[i+len(words):]) {
			return true
		}
		from = i + 1
	}
	return false
}

// endsPlainly reports whether what follows a quote sets it off beyond doubt.
func endsPlainly(rest string) bool {
	if rest == "" || rest[0] == ' ' {
		return true
	}
	return strings.IndexByte(".,;:!?", rest[0]) >= 0 && (len(rest) == 1 || rest[1] == ' ')
}

// trimEllipsis drops the ellipsis that ends a folded quote which goes on in the turn.
func trimEllipsis(folded string) string {
	if s := strings.TrimRight(folded, "."); len(folded)-len(s) >= len("...") {
		return strings.TrimRight(s, " ")
	}
	return folded
}

// bound marks every word boundary of a folded text, its two ends included, with a byte that no folded text
// holds. Whether a quote begins and ends at word boundaries of a turn is then a plain search of one marked
// text in the other, which takes linear time whatever they are.
func bound(folded string) string {
	const mark = '\x00'
	var b strings.Builder
	b.Grow(len(folded) * 3 / 2)
	b.WriteByte(mark)
	var before, last rune // the two runes before the place in question
	for i, r := range folded {
		next, _ := utf8.DecodeRuneInString(folded[i+utf8.RuneLen(r):])
		if i > 0 && !joined(before, last, r, next) {
			b.WriteByte(mark)
		}
		b.WriteRune(r)
		before, last = last, r
	}
	b.WriteByte(mark)
	return b.String()
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

// isWord reports whether r is part of a word.
func isWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_'
}

// hasWords reports whether s holds a letter or a digit.
func hasWords(s string) bool {
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return true
		}
	}
	return false
}
