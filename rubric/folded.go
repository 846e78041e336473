package rubric

import "strings"

// Folded is a text in the form in which quotes are compared (decisions.md, "Evidence"). It is made once and
// searched many times, by whoever looks up quotes of turns that he must find first; where the turn is known,
// [Quote.Verify] says the same.
type Folded struct{ marked string }

// Fold folds a text, such as a turn.
func Fold(text string) Folded { return Folded{boundPlain(foldPlain(text))} }

// FoldQuote folds the words of a quote, without the ellipsis that may end it. It reports false for words that
// are no evidence wherever they stand, since they hold no letter and no digit.
func FoldQuote(words string) (Folded, bool) {
	words = trimEllipsis(foldPlain(words))
	return Folded{boundPlain(words)}, hasWords(words)
}

// Find gives the first place of q in f that begins at byte from of f or later. Both ends lie at word
// boundaries; another quote that follows q can be looked for from end on.
func (f Folded) Find(q Folded, from int) (start, end int, ok bool) {
	if from > len(f.marked) {
		return 0, 0, false
	}
	i := strings.Index(f.marked[from:], q.marked)
	if i < 0 {
		return 0, 0, false
	}
	return from + i, from + i + len(q.marked) - 1, true
}

// JoinFolded gives texts one behind the other, as if a space parted them. What is found in one of them is found as
// many bytes later as the ones before it are long, with a byte more for each.
func JoinFolded(parts ...Folded) Folded {
	marked := make([]string, len(parts))
	for i, f := range parts {
		marked[i] = f.marked
	}
	return Folded{strings.Join(marked, " ")}
}

// String gives the folded text, such as the form of a word under which an index holds it.
func (f Folded) String() string { return strings.ReplaceAll(f.marked, "\x00", "") }

// Len gives the length in bytes that places of f are counted in.
func (f Folded) Len() int { return len(f.marked) }

// foldPlain is [fold], several times as fast for the texts that are plain ASCII without markup, as most are.
func foldPlain(s string) string {
	if strings.IndexByte(s, '<') >= 0 || strings.IndexByte(s, '&') >= 0 || !isASCII(s) {
		return fold(s)
	}
	b := make([]byte, 0, len(s))
	space := false
	for i := range len(s) {
		c := s[i]
		switch {
		case c <= ' ' || c == 0x7f:
			space = len(b) > 0
			continue
		case c == '"' || c == '`':
			c = '\''
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		case c == '-' && !space && len(b) > 0 && b[len(b)-1] == '-':
			continue
		}
		if space && !(strings.IndexByte(".,;:!?)", c) >= 0 && (i+1 == len(s) || !isPlainWord(s[i+1]))) {
			b = append(b, ' ')
		}
		b, space = append(b, c), false
	}
	return string(b)
}

// boundPlain is [bound], several times as fast for plain ASCII.
func boundPlain(s string) string {
	if s == "" || !isASCII(s) {
		return bound(s)
	}
	b := make([]byte, 0, len(s)*3/2+2)
	for i := 0; i < len(s); {
		if !insideWord(s, i) {
			b = append(b, 0)
		}
		end := i + 1
		for isPlainWord(s[i]) && end < len(s) && isPlainWord(s[end]) {
			end++
		}
		b = append(b, s[i:end]...)
		i = end
	}
	return string(append(b, 0))
}

// insideWord is [joined] for the place before byte i of plain ASCII.
func insideWord(s string, i int) bool {
	if i == 0 || s[i] == ' ' || s[i-1] == ' ' {
		return false
	}
	var a, d rune
	if i > 1 {
		a = rune(s[i-2])
	}
	if i+1 < len(s) {
		d = rune(s[i+1])
	}
	return joined(a, rune(s[i-1]), rune(s[i]), d)
}

// isPlainWord is [isWord] for ASCII.
func isPlainWord(c byte) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || c == '_'
}
