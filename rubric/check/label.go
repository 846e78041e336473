package check

import (
	"slices"
	"strings"
	"unicode/utf8"

	"assize/rubric/dialogue"
)

// behind reads the speaker or the turn that stands in brackets right after a quote, (turn 7), [7], (USER, turn 7), and
// gives the length of what it read.
func behind(rest string, l *lead) int {
	s := strings.TrimLeft(rest, " ")
	const reach = 32
	end := strings.IndexAny(s[:min(len(s), reach)], ")]")
	if end < 0 || s[0] != '(' && s[0] != '[' {
		return 0
	}
	inside := s[1:end]
	if turnNumber(inside) > 0 && s[0] == '[' {
		inside = s[:end+1]
	}
	found := leadOf(inside + ":")
	if found.start > 0 || found.role == dialogue.Other && found.turn == 0 {
		return 0
	}
	if l.role == dialogue.Other {
		l.role = found.role
	}
	if l.turn == 0 {
		l.turn = found.turn
	}
	return len(rest) - len(s) + end + 1
}

// appendLabelled appends a quotation. Where its words begin with a label, "USER: yes", that is who speaks; where more
// labels follow, each has its own quotation.
func (c *quoteText) appendLabelled(list []quotation, q quotation) []quotation {
	l, size := labelOf(q.words)
	if size == 0 {
		return append(list, q)
	}
	before := len(list)
	from := c.marks[q.open].end + strings.Index(c.text[c.marks[q.open].end:], q.words)
	for at := 0; ; {
		end := at + size + nextLabel(q.words[at+size:], q.words[:size])
		piece := q
		piece.words = strings.TrimSpace(q.words[at+size : end])
		if piece.scare = false; l.role != dialogue.Other {
			piece.speaker = l.role
		}
		if l.turn > 0 {
			piece.turn = l.turn
		}
		if at > 0 {
			piece.start = from + at
		}
		if end < len(q.words) {
			piece.end = from + end
		}
		if hasWords(piece.words) {
			list = append(list, piece)
		}
		if at = end; at == len(q.words) {
			break
		}
		l, size = labelOf(q.words[at:])
	}
	if len(list) == before { // nothing but labels
		list = append(list, q)
	}
	return list
}

// labelOf reads the label that a text begins with, USER: or [7] USER: or Turn 7: USER: with the space behind it.
func labelOf(s string) (l lead, size int) {
	const reach = 48
	for range 2 {
		colon := strings.IndexByte(s[size:min(len(s), size+reach)], ':')
		if colon < 0 {
			break
		}
		next := leadOf(s[size : size+colon+1])
		if next.start > 0 || !next.label || size > 0 && next.role == dialogue.Other {
			break
		}
		l = lead{role: next.role, turn: max(l.turn, next.turn), label: true}
		size = len(s) - len(strings.TrimLeft(s[size+colon+1:], " \t\n"))
		if l.role != dialogue.Other {
			break
		}
	}
	return l, size
}

// nextLabel finds where the next label begins that is written like the first, in capitals or with one; len(s) for none.
func nextLabel(s, first string) int {
	at := 0
	for range mostMarks {
		colon := strings.IndexByte(s[at:], ':')
		if colon < 0 {
			break
		}
		colon += at
		at = colon + 1
		if l := leadOf(s[:at]); l.label && l.role != dialogue.Other && l.start > 0 && s[l.start-1] <= ' ' && style(s[l.start:colon]) == style(first) {
			return l.start
		}
	}
	return len(s)
}

// style tells how the name of a speaker in a label is written: in capitals (2), with one (1) or without (0).
func style(label string) int {
	words := strings.FieldsFunc(label, func(r rune) bool { return !isLetter(r) })
	i := slices.IndexFunc(words, func(w string) bool { return roleOf(strings.ToLower(w)) != dialogue.Other })
	switch {
	case i < 0 || strings.ToLower(words[i]) == words[i]:
		return 0
	case strings.ToUpper(words[i]) == words[i]:
		return 2
	}
	return 1
}

// attributed takes a whole entry, such as one of the audit's evidence, for a quote: USER: words without marks. It
// reports false where marks follow the label, so that [quotations] reads it, and where there is no label.
func attributed(entry string) (quotation, bool) {
	s := strings.TrimSpace(entry)
	l, size := labelOf(s)
	if colon := strings.IndexByte(s, ':'); size == 0 && colon > 0 {
		if l = leadOf(s[:colon+1]); l.start == 0 && l.role != dialogue.Other { // SYSTEM asks: words
			size = len(s) - len(strings.TrimLeft(s[colon+1:], " \t\n"))
		}
	}
	if size == 0 || !hasWords(s[size:]) {
		return quotation{}, false
	}
	if glyph, n := glyphAt(s[size:]); glyph != 0 {
		last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s, ".,; "))
		if !isSingle(glyph) || !isElision(s[size+n:]) || strings.ContainsRune(closers(glyph), last) {
			return quotation{}, false
		}
	}
	start := strings.Index(entry, s) + size
	words := s[size:]
	if open := strings.LastIndexAny(words, "(["); open > 0 {
		end := l
		if behind(words[open:], &end); end.turn != l.turn && strings.ContainsAny(words[len(words)-1:], ")]") {
			l, words = end, strings.TrimSpace(words[:open])
		}
	}
	return quotation{start: start, end: start + len(words), words: words, speaker: l.role, turn: l.turn, lead: l}, true
}
