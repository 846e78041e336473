package importer

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"assize/rubric/dialogue"
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

// style is what the lines that begin the turns of a text have in common.
type style struct {
	mark    string // the form of their marks, which may be empty
	isFlush bool   // both sides speak in lines without an indent, so that indented ones are code
}

// fits reports whether a line may begin a turn.
func (s style) fits(line string) bool {
	return markOf(line) == s.mark && !(s.isFlush && isIndented(line))
}

// isIndented reports whether Markdown treats a line as code.
func isIndented(line string) bool {
	return strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")
}

// styleOf returns the style of the turns of a text. They have no mark if a usual name speaks
// without one. If no usual name occurs, the first speaker who speaks again determines the style.
func (n *names) styleOf(text string) style {
	const maxLabels = 10_000
	type labelled struct{ form, name string }
	seen := map[labelled]int{} // the lines on which each unknown label occurs first
	form, first, line, isPlain := "", -1, 0, false
	var flush uint8 // the roles that speak in lines without a mark or an indent
	note := func(f string, at int) {
		if first < 0 || at < first {
			form, first = f, at
		}
	}
	isTurn := func(row string) bool { name, _, ok := label(row); return ok && n.knows(name) }
	code := codeBlocks(text, isTurn)
	at := 0
	for row := range strings.Lines(text) {
		inCode := code.cover(at)
		at, line = at+len(row), line+1
		name, words, ok := label(row)
		if !ok || inCode {
			continue
		}
		l := labelled{markOf(row), name}
		if n.knows(name) {
			if role, _ := n.role(name); l.form == "" && !isIndented(row) {
				flush |= 1 << role
			}
			if flush&bothRoles == bothRoles {
				return style{isFlush: true}
			}
			isPlain = isPlain || l.form == ""
			note(l.form, line)
		} else if !strings.HasPrefix(row[words:], "//") && nameLike().MatchString(name) {
			if before, ok := seen[l]; ok {
				note(l.form, before)
			} else if len(seen) < maxLabels {
				seen[labelled{l.form, strings.Clone(name)}] = line
			}
		}
	}
	if isPlain {
		form = ""
	}
	return style{mark: form}
}

// blocks lists the code blocks of a text, each from its first byte to the one after its last.
type blocks [][2]int

// cover reports whether an offset is in a block. Calls must be in increasing order of the offset.
func (b *blocks) cover(at int) bool {
	for len(*b) > 0 && (*b)[0][1] <= at {
		*b = (*b)[1:]
	}
	return len(*b) > 0 && (*b)[0][0] <= at
}

// codeBlocks returns the closed code blocks of a text from its first turn on: a block that begins
// above it contains the whole conversation. The opening line of a block may itself begin a turn, as
// in "Bot: ```json"; the block then begins after that line.
func codeBlocks(text string, isTurn func(line string) bool) (list blocks) {
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

// within reports, once per file, a line inside a turn that would begin a turn if it were not for
// its mark or a code block.
func (f *file) within(row string) {
	if f.isWithin || f.format == Chat {
		return
	}
	if name, _, ok := label(row); ok && f.who.knows(name) {
		f.isWithin = true
		f.tell("lines such as " + quote(strings.TrimSpace(row)) +
			" are part of the turn above them, " +
			"as they are entries of a list or in a code block")
	}
}

// doubt records a speaker who speaks once, directly below a list item in somebody else's turn: the
// line may belong to that list. If the speaker is the only one of that side, this counts only if
// the list continues below.
func (f *file) doubt(p *part) {
	role := func(s *utterance) dialogue.Role { r, _ := f.who.role(s.Name); return r }
	names, roles := map[string]int{}, map[dialogue.Role]int{}
	for i := range p.Said {
		names[p.Said[i].Name]++
		roles[role(&p.Said[i])]++
	}
	for i := 1; i < len(p.Said) && p.Err == nil; i++ {
		s := &p.Said[i]
		above := strings.TrimRight(p.Said[i-1].Text, " \t\r\n")
		form, _ := cutMark(above[strings.LastIndexByte(above, '\n')+1:])
		if form == "" || names[s.Name] > 1 {
			continue
		}
		_, below, _ := strings.Cut(strings.TrimLeft(s.Text, " \t\r\n"), "\n")
		if form, _ = cutMark(below); roles[role(s)] > 1 || form != "" {
			f.note(quote(s.Name) + " speaks once, right below an entry of a list on line " +
				strconv.Itoa(s.Line) + ", and may be part of that list")
			return
		}
	}
}
