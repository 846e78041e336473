package check

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// countSentences counts the sentences of a justification, 0 where it has no words. What stands in quote marks or in
// brackets ends none, a quote with its label, USER: "…", is none, and neither semicolons nor dashes end one. Where it
// is not sure that a sentence is over, after an abbreviation, a number or an ellipsis, it goes on.
func countSentences(s string) int {
	if !hasWords(s) {
		return 0
	}
	text := unquoted(s)
	count, begin, depth := 1, 0, 0
	closed := strings.LastIndexByte(text, ')')
	for i, r := range text {
		switch {
		case r == '(' && i < closed:
			depth++
		case r == ')':
			depth = max(depth-1, 0)
		case depth == 0 && isTerminator(r) && overAt(text, i) && hasWords(text[begin:i]):
			count++
			begin = i
		}
	}
	return count
}

// unquoted gives a sentence with spaces where it has quotes and the labels before them.
func unquoted(s string) string {
	var b strings.Builder
	at := 0
	for _, q := range quotations(s) {
		start := q.start
		if q.lead.label {
			start = q.lead.start
		}
		if start = max(start, at); start < q.end {
			b.WriteString(s[at:start])
			b.WriteString(strings.Repeat(" ", q.end-start))
			at = q.end
		}
	}
	if at == 0 {
		return s
	}
	b.WriteString(s[at:])
	return b.String()
}

// isTerminator reports whether a mark can end a sentence.
func isTerminator(r rune) bool {
	switch r {
	case '.', '!', '?', '。', '！', '？', '؟', '।':
		return true
	}
	return false
}

// overAt reports whether a sentence is over at a mark and another begins behind it.
func overAt(text string, at int) bool {
	mark, size := utf8.DecodeRuneInString(text[at:])
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	rest := text[at+size:]
	if next, _ := utf8.DecodeRuneInString(rest); isTerminator(next) || next == '…' || mark == '.' && (before == '.' || before == '…' || !endsWord(text[:at])) {
		return false
	}
	trimmed := strings.TrimLeft(rest, `)]"'”’»*_`)
	begins := strings.TrimLeftFunc(trimmed, unicode.IsSpace)
	if begins == trimmed && mark < utf8.RuneSelf {
		return false
	}
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(begins, `([*_"'“‘«`))
	return unicode.IsUpper(first) || unicode.Is(unicode.Lo, first)
}

// endsWord reports whether a full stop behind a text is likely to be more than the point of an abbreviation, an initial or
// a number.
func endsWord(before string) bool {
	start := strings.LastIndexFunc(before, unicode.IsSpace) + 1
	w := strings.ToLower(strings.TrimLeft(before[start:], `([*_"'“‘«`))
	last, _ := utf8.DecodeLastRuneInString(w)
	if utf8.RuneCountInString(w) < 2 || strings.Contains(w, ".") || isDigit(last) {
		return false
	}
	switch w {
	case "mr", "mrs", "ms", "dr", "st", "prof", "jr", "sr", "inc", "ltd", "co", "corp", "ave", "blvd", "rd", "dept", "est",
		"etc", "vs", "cf", "al", "ca", "approx", "resp", "incl", "excl", "fig", "vol", "pp", "avg", "wt", "max", "min", "sec", "hr", "hrs",
		"tel", "ext", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "mon", "tue", "tues", "wed", "thu", "thur", "thurs", "fri", "sat", "sun", "eg", "ie":
		return false
	}
	return true
}
