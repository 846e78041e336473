package ui

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// A transcript is written by strangers. What it says may be shown, but it must not act: no escape sequence
// may reach a terminal, and no invisible sign may turn the order of what is read.

// Visible gives s with everything that a terminal would act on made visible: ESC as ␛, a sign that turns the
// direction of text as \u202e. Line breaks and tabs become spaces.
func Visible(s string) string {
	clean := true
	for _, r := range s {
		if r == unicode.ReplacementChar || !shown(r) {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	for _, r := range s { // bytes that are not UTF-8 arrive as U+FFFD
		switch {
		case r == '\n' || r == '\t':
			b.WriteByte(' ')
		case r < ' ':
			b.WriteRune('\u2400' + r)
		case r == 0x7f:
			b.WriteRune('\u2421')
		case r > 0xffff && !shown(r):
			fmt.Fprintf(&b, `\U%08x`, r)
		case !shown(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// shown reports whether r may be printed as it is. The joiners of emoji and of Indic and Arabic script may.
func shown(r rune) bool {
	switch {
	case r >= ' ' && r < 0x7f:
		return true
	case r < 0xa0, r == 0x061c, r == 0x2028, r == 0x2029, r == 0xfeff:
		return false
	case r == 0x200c || r == 0x200d:
		return true
	}
	return !unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Co, r)
}

// Cells is how many columns of a terminal s takes, at most: a sequence of emoji that a terminal may draw as
// one counts as all of them.
func Cells(s string) int {
	n := 0
	for _, r := range s {
		n += runeCells(r)
	}
	return n
}

func runeCells(r rune) int {
	switch {
	case r >= ' ' && r < 0x300:
		return 1
	case r == 0xfe0f: // asks for the wide form of the sign before it
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// Wrap breaks s at spaces into lines of at most columns. A word that is longer than a line is broken.
func Wrap(s string, columns int) []string {
	var lines []string
	line, used := "", 0
	for _, word := range strings.Fields(s) {
		n := Cells(word)
		if line != "" && used+1+n <= columns {
			line, used = line+" "+word, used+1+n
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		for n > columns {
			head := clipAt(word, columns)
			if head == 0 { // not even one sign fits, but the end must come nearer
				_, head = utf8.DecodeRuneInString(word)
			}
			lines = append(lines, word[:head])
			word = word[head:]
			n = Cells(word)
		}
		line, used = word, n
	}
	if line != "" || len(lines) == 0 {
		lines = append(lines, line)
	}
	return lines
}

// Clip shortens s to at most columns; "…" shows that something is gone.
func Clip(s string, columns int) string {
	if Cells(s) <= columns {
		return s
	}
	return s[:clipAt(s, columns-1)] + "…"
}

// ClipFront is clip from the other end, for paths, whose end says more. It cuts between folders where it can.
func ClipFront(s string, columns int) string {
	if Cells(s) <= columns {
		return s
	}
	n := 0
	rest := []rune(s)
	from := len(rest)
	for from > 0 && n+runeCells(rest[from-1]) <= columns-1 {
		from--
		n += runeCells(rest[from])
	}
	tail := string(rest[from:])
	if at := strings.IndexByte(tail, '/'); at > 0 {
		tail = tail[at:]
	}
	return "…" + tail
}

// clipAt is the length in bytes of the longest beginning of s that fits.
func clipAt(s string, columns int) int {
	n := 0
	for i, r := range s {
		n += runeCells(r)
		if n > columns {
			return i
		}
	}
	return len(s)
}

// Pad fills s with spaces on the right up to columns.
func Pad(s string, columns int) string {
	return s + strings.Repeat(" ", max(columns-Cells(s), 0))
}

// PadLeft fills s with spaces on the left up to columns.
func PadLeft(s string, columns int) string {
	return strings.Repeat(" ", max(columns-Cells(s), 0)) + s
}
