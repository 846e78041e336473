package importer

import (
	"iter"
	"strings"
	"unicode/utf8"

	"assize/rubric/dialogue"
)

// Plain text has lines such as "Agent: words", in any case, numbered or bold. A line that does not
// begin with a speaker continues the turn before it. Whether "Note: the fee is 5" is a turn of
// somebody called Note cannot be decided from the line, so a label that is not a usual name is a
// speaker only if it behaves like one; see [survey.speaks]. A heading of a few lines may precede
// the first turn; it is not a turn.

// style is what the lines that begin the turns of a text have in common.
type style struct {
	mark    string // the form of their marks, which may be empty
	isFlush bool   // both sides speak in lines without an indent, so that indented ones are code
}

// fits reports whether a line may begin a turn.
func (s style) fits(line string) bool {
	return markOf(line) == s.mark && !(s.isFlush && isIndented(line))
}

// beginsKnown returns a test for lines that begin with a usual name.
func beginsKnown(who *names) func(line string) bool {
	return func(line string) bool {
		name, _, ok := label(line)
		return ok && who.knows(name)
	}
}

// styleOf returns the style of the turns of a text. They have no mark if a usual name speaks
// without one. If no usual name occurs, the first speaker who speaks again determines the style.
func styleOf(who *names, text string) style {
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
	for row, inCode := range codeLines(text, beginsKnown(who)) {
		line++
		name, words, ok := label(row)
		if !ok || inCode {
			continue
		}
		l := labelled{markOf(row), name}
		if who.knows(name) {
			if role, _ := who.role(name); l.form == "" && !isIndented(row) {
				flush |= 1 << role
			}
			if flush&bothRoles == bothRoles {
				return style{isFlush: true}
			}
			isPlain = isPlain || l.form == ""
			note(l.form, line)
		} else if !strings.HasPrefix(row[words:], "//") && expr("name-like").MatchString(name) {
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

// survey is what a first pass over a dialogue reveals about its labels. Roles are bits.
type survey struct {
	roles  uint8               // roles of the usual names that speak
	labels map[string]*unknown // the labels that are not usual names
	named  int                 // number of them that are like a name
	likely int                 // number of them that are likely to be a person
	recurs bool                // one of them begins several lines
	lines  map[bool]int        // that speakers begin, by whether they hold words as well
}

// unknown is a label that may be a speaker.
type unknown struct {
	lines  int   // that begin with it
	words  int   // number of them that hold words as well
	under  uint8 // the roles of the turns in which it appears
	isName bool  // it is like a name
	person odds  // that it is a person who says something
}

const bothRoles = 1<<dialogue.System | 1<<dialogue.User

func surveyOf(who *names, text string, look style) survey {
	// most is the number of labels counted; in a dialogue with more, they are not speakers.
	const most = 10_000
	s := survey{labels: map[string]*unknown{}, lines: map[bool]int{}}
	var now uint8
	for row, inCode := range codeLines(text, beginsKnown(who)) {
		name, words, ok := label(row)
		said := strings.TrimSpace(row[words:])
		switch {
		case !ok || inCode || !look.fits(row) || strings.HasPrefix(said, "//"):
		case who.knows(name):
			role, _ := who.role(name)
			now = 1 << role
			s.roles |= now & bothRoles
			s.lines[said != ""]++
		case s.labels[name] != nil || len(s.labels) < most:
			u := s.labels[name]
			if u == nil {
				u = &unknown{isName: expr("name-like").MatchString(name)}
				s.labels[strings.Clone(name)] = u
				if u.isName {
					s.named++
				}
			}
			// The label before a time, as in "Date: 14.03.2024", is not a speaker.
			if _, isTime := ParseTime(said); !isTime {
				if u.lines++; said != "" {
					u.words++
				}
				s.recurs = s.recurs || u.lines > 1
				if odds := personIn(name, said); odds > u.person {
					if odds == likely {
						s.likely++
					}
					u.person = odds
				}
			}
			u.under |= now
		}
	}
	isKnown := len(s.lines) > 0
	for _, u := range s.labels {
		if !isKnown && u.lines > 1 {
			s.lines[true], s.lines[false] = s.lines[true]+u.words, s.lines[false]+u.lines-u.words
		}
	}
	return s
}

// speaks reports whether a label that is not a usual name behaves like a speaker. "Note:" or
// "Total:" appears only within the turns of one speaker; a speaker occurs again, and follows both
// sides or takes the place of the missing side.
func (s survey) speaks(name string) bool {
	u := s.labels[name]
	switch {
	case u == nil || u.lines == 0:
		return false
	case u.person == certain || u.person == likely && s.likely == 1 ||
		u.lines > 1 && u.person > unlikely:
		return true // whom the user must know
	case s.roles == bothRoles:
		return u.lines > 1 && u.under&bothRoles == bothRoles
	}
	return u.lines > 1 || len(s.labels) == 1 ||
		u.isName && (s.named == 1 && !s.recurs || s.hasSibling(name))
}

// hasSibling reports whether a repeated label differs only in its last letter or number.
func (s survey) hasSibling(name string) bool {
	stemOf := func(name string) string { return expr("numbered").ReplaceAllString(name, "$1$2") }
	stem := stemOf(name)
	if stem == name || s.named > maxVoices {
		return false
	}
	for other, u := range s.labels {
		if stemOf(other) == stem && other != stem && other != name && u.lines > 1 {
			return true
		}
	}
	return false
}

// maxVoices is the maximum number of speakers who differ only in a letter or a number.
const maxVoices = 20

// plain returns a parser for the turns of a dialogue in the given style.
func plain(who *names, text string, look style) parser {
	s := surveyOf(who, text, look)
	return func(line string) (string, int, bool) {
		name, words, ok := label(line)
		ok = ok && look.fits(line) // if names are alone, words follow no name
		return name, words, ok && (who.knows(name) || s.speaks(name) &&
			(s.lines[true] > 0 || s.lines[false] < 2 || strings.TrimSpace(line[words:]) == ""))
	}
}

// opens returns a parser for the lines that may begin a turn of any dialogue of a file.
func opens(who *names, look style) parser {
	return func(line string) (string, int, bool) {
		name, words, ok := label(line)
		return name, words, ok && (who.elseUser || who.knows(name)) && look.fits(line)
	}
}

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

// codeBlocks returns the closed code blocks of a text from its first turn on, since a block around
// it contains the whole conversation. The opening line of a block may itself begin a turn, as in
// "Bot: ```json"; the block then begins after that line.
func codeBlocks(text string, isTurn func(line string) bool) (list [][2]int) {
	if !strings.Contains(text, "```") && !strings.Contains(text, "~~~") {
		return nil // as in most texts
	}
	open, begin, at, isOpen := "", 0, 0, false // the fence of an open block, and where it begins
	for row := range strings.Lines(text) {
		at += len(row)
		isOpen = isOpen || isTurn(row)
		switch fence := fenceIn(row); {
		case fence == "" || !isOpen:
		case open == "":
			open, begin = fence, at
		case strings.HasPrefix(fence, open):
			list, open = append(list, [2]int{begin, at}), ""
		}
	}
	return list
}

// fenceIn returns the fence that opens or closes a code block in a line, or "": a run of three or
// more backticks, unless another one in the line closes it, or of tildes at its beginning.
func fenceIn(row string) string {
	if _, rest := cutMark(row); strings.HasPrefix(rest, "~~~") {
		return rest[:len(rest)-len(strings.TrimLeft(rest, "~"))]
	}
	runs := expr("backticks").FindAllString(row, -1)
	if len(runs)%2 == 0 {
		return ""
	}
	return runs[len(runs)-1]
}
