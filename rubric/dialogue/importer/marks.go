package importer

import (
	"iter"
	"strings"
	"unicode/utf8"
)

// Bots answer in Markdown, and people paste lists, so "- Customer: Nora Lind" may be a list item
// inside somebody else's turn. A line with a mark before the name begins a turn only if all turns
// of the text have that mark, and a line of a code block never does.

// cutMark cuts the marks of lists, headings and quotations from the beginning of a line. It returns
// their form, which all items of a list share: "- " and " - " differ, "1. " and "2. " do not. The
// form is empty if the line has no mark.
func cutMark(line string) (form, rest string) {
	const indents, maxMarks = " \t\u00a0\u200e", 8
	rest = strings.TrimLeft(line, indents)
	if n, _ := markIn(rest); n == 0 {
		return "", rest
	}
	form = line[:len(line)-len(rest)]
	for range maxMarks {
		n, kind := markIn(rest)
		if n == 0 {
			break
		}
		form += kind
		rest = strings.TrimLeft(rest[n:], indents)
	}
	return form, rest
}

// markIn returns the length and the kind of the mark at the beginning of s, or 0 if s has none.
func markIn(s string) (n int, kind string) {
	r, size := utf8.DecodeRuneInString(s)
	isSpaced := func(n int) bool { return n < len(s) && (s[n] == ' ' || s[n] == '\t') }
	switch {
	case r == '#':
		n = len(s) - len(strings.TrimLeft(s, "#"))
		return n, s[:n]
	case r == '-' || r == '>':
		return len(s) - len(strings.TrimLeft(s, s[:1])), s[:1]
	case strings.ContainsRune("*+•‣◦▪·–—", r) && isSpaced(size):
		return size, s[:size]
	case '0' <= r && r <= '9':
		const digits = 3
		for n < len(s) && n < digits && isDigit(s[n]) {
			n++
		}
		if n < len(s) && (s[n] == '.' || s[n] == ')') && isSpaced(n+1) {
			return n + 1, "1"
		}
	}
	return 0, ""
}

// isEntry reports whether a line is a list item, and not a title between rules such as "-- Ticket 5
// --".
func isEntry(line string) bool {
	line = strings.TrimLeft(line, " \t")
	n, kind := markIn(line)
	isOne := n == len(kind) || kind == "1" // and not a rule
	return n > 0 && kind[0] != '#' && isOne && strings.HasPrefix(line[n:], " ")
}

// markOf returns the form of the marks before the name in a line.
func markOf(line string) string {
	form, _ := cutMark(line[:min(len(line), maxName)])
	return form
}

// isIndented reports whether Markdown treats a line as code.
func isIndented(line string) bool {
	return strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")
}

// codeLines yields the lines of a text, and whether each is in a code block; see codeBlocks.
func codeLines(text string, isTurn func(line string) bool) iter.Seq2[string, bool] {
	return func(yield func(line string, inCode bool) bool) {
		code, at := codeBlocks(text, isTurn), 0
		for row := range strings.Lines(text) {
			for len(code) > 0 && code[0][1] <= at {
				code = code[1:]
			}
			if !yield(row, len(code) > 0 && code[0][0] <= at) {
				return
			}
			at += len(row)
		}
	}
}

// codeBlocks returns the closed code blocks of a text from its first turn on, each from its first
// byte to the one after its last: a block that begins
// above it contains the whole conversation. The opening line of a block may itself begin a turn, as
// in "Bot: ```json"; the block then begins after that line.
func codeBlocks(text string, isTurn func(line string) bool) (list [][2]int) {
	if !strings.Contains(text, "```") && !strings.Contains(text, "~~~") {
		return nil // as in most texts
	}
	type fence struct {
		char   byte
		length int
		at     int // where the line begins
		end    int // and ends
	}
	var fences []fence
	at, isOpen := 0, false
	for row := range strings.Lines(text) {
		isOpen = isOpen || isTurn(row)
		if char, length := fenceIn(row); isOpen && length > 0 {
			fences = append(fences, fence{char, length, at, at + len(row)})
		}
		at += len(row)
	}
	unclosed := map[byte]int{} // the shortest fence that no later one closes
	for i := 0; i < len(fences); i++ {
		open := fences[i]
		if n, ok := unclosed[open.char]; ok && open.length >= n {
			continue
		}
		k := i + 1
		for k < len(fences) && (fences[k].char != open.char || fences[k].length < open.length) {
			k++
		}
		if k == len(fences) {
			unclosed[open.char] = open.length
			continue
		}
		list = append(list, [2]int{open.end, fences[k].end})
		i = k
	}
	return list
}

// fenceIn returns the character and the length of the fence that opens or closes a code block in a
// line: a run of three or more backticks, unless another one in the line closes it, or a line of
// tildes.
func fenceIn(row string) (char byte, length int) {
	const maxLength = 100
	if _, rest := cutMark(row); strings.HasPrefix(rest, "~~~") {
		return '~', min(len(rest)-len(strings.TrimLeft(rest, "~")), maxLength)
	}
	isOdd := false
	for {
		i := strings.Index(row, "```")
		if i < 0 {
			break
		}
		rest := strings.TrimLeft(row[i:], "`")
		length, isOdd, row = len(row)-i-len(rest), !isOdd, rest
	}
	if !isOdd {
		return 0, 0
	}
	return '`', min(length, maxLength)
}
