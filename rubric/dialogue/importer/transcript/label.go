package transcript

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer/lex"
	"assize/rubric/dialogue/importer/stream"
)

// A parser finds the speaker of a line that begins a turn, and the offset at which the words begin;
// other lines continue the turn before. A turn without a name is OTHER.
type parser func(line string) (name string, words int, ok bool)

// label returns the name before the first colon in a line such as "**Agent:** Good morning" or "-
// Agent 2: Good morning", and the offset at which the words begin.
func label(line string) (name string, words int, ok bool) {
	const most = 4 * lex.MaxName // bytes of a name, most of which may be invisible
	head := line[:min(len(line), most)]
	if strings.Contains(head, "[") { // as in: [Internal note] call back
		if m := lex.Expr("note-mark").FindStringSubmatch(head); m != nil {
			return m[1], len(m[0]), true
		}
	}
	colon := strings.IndexByte(head, ':')
	if colon < 0 {
		return "", 0, false
	}
	before := lex.Visible(head[:colon])
	if len(before) >= lex.MaxName {
		return "", 0, false
	}
	if strings.LastIndexAny(before, "([") > strings.LastIndexAny(before, ")]") {
		at := lex.Expr("timed").FindStringSubmatchIndex(head)
		if at == nil {
			return "", 0, false
		}
		before, colon = lex.Visible(head[:at[3]]+head[at[4]:at[5]]), at[5]
	}
	_, before = cutMark(before)
	name = strings.Trim(before, " \t*_[]")
	switch opened := strings.Count(name, "[") - strings.Count(name, "]"); {
	case opened > 0:
		name += "]"
	case opened < 0: // as in: [Bot] Ziggy
		name = "[" + name
	}
	if name == "" || len(strings.Fields(name)) > lex.MaxNameWords ||
		isStamped(name, head[colon+1:]) {
		return "", 0, false
	}
	rest := line[colon+1:]
	if strings.HasPrefix(before, "*") && !strings.HasSuffix(before, "*") {
		rest = strings.TrimLeft(rest, "*") // the bold part ends after the colon
	}
	return name, len(line) - len(strings.TrimLeft(rest, " \t")), true
}

// isStamped reports whether the name before a colon is, or begins with, a date or a time. A time in
// a form that the expression stamp does not match is not part of a name.
func isStamped(name, rest string) bool {
	isClock := len(rest) > 1 && lex.IsDigit(rest[0]) && lex.IsDigit(rest[1]) &&
		lex.IsDigit(name[len(name)-1])
	if isClock || !lex.IsDigit(name[0]) {
		return isClock
	}
	for end := range name + " " {
		if end == len(name) || name[end] == ' ' || name[end] == ',' {
			if m, ok := lex.ParseTime(name[:end]); ok && !m.IsNumber {
				return true
			}
		}
	}
	return false
}

// isName reports whether a label is like a name, or certainly is one.
func isName(label string) bool {
	return lex.Match("name-like", label) || personIn(label, true) == certain
}

// odds says how likely it is that a label is a person who says what follows.
type odds uint8

const (
	unlikely odds = iota
	possible      // the words may as well begin a sentence
	likely        // if no other label in the dialogue is
	certain       // a phone number, an address, or a name that no heading has the form of
)

// isHeading reports whether a label has a word of headings; see unsaid.txt.
func isHeading(name string) bool {
	return !lex.Match("given-name", name) && slices.ContainsFunc(lex.NameWords(name), ofHeadings)
}

func ofHeadings(word string) bool { return lex.Kind("unsaid", word) == "heading" }

// personIn returns the odds that a label is a person who says the words after it. A heading, as in
// "Order number: 7", is nobody, and most names must be followed by a sentence.
func personIn(name string, isSaid bool) odds {
	if strings.HasPrefix(name, "(") { // as in (unknown)
		name = strings.Trim(name, "()")
	}
	words := lex.NameWords(name)
	last := len(words) - 1
	isRole := last > 0 && lex.Kind("names", words[last]) != "" // as in "Web visitor"
	switch {
	case lex.Match("handle", name), lex.Match("agent-name", name) && !isHeading(name),
		isSaid && lex.Match("full-name", name),
		isSaid && lex.Match("tagged", name) && !isHeading(words[0]),
		isSaid && isRole && !isHeading(strings.Join(words[:last], " ")):
		return certain
	case isSaid && lex.Match("place-name", name):
		return possible
	case !isSaid || len(words) == 0 || isHeading(name) || !unicode.IsLetter([]rune(name)[0]):
		return unlikely
	case lex.Match("pair", name):
		return certain
	case lex.Match("short-name", name):
		return likely
	}
	return possible
}

// CutStamp returns the length of the time at the beginning of a line, or 0.
func CutStamp(line string) int {
	head := line[:min(len(line), lex.MaxStamp)]
	if !strings.ContainsAny(head, "0123456789") {
		return 0 // the common case, which needs no regular expression
	}
	if m := lex.Expr("stamp").FindStringIndex(head); m != nil {
		return m[1]
	}
	if m := lex.Expr("bare-stamp").FindStringIndex(head); m != nil {
		if _, _, ok := sender(line[m[1]:]); ok {
			return m[1]
		}
	}
	return 0
}

// sender is like label, for what is after a time: "From Ann to Everyone: Hello" or "<ann> Hello" is
// what Ann says.
func sender(line string) (name string, words int, ok bool) {
	if m := lex.Expr("from-to").FindStringSubmatch(line); m != nil {
		return lex.Visible(cmp.Or(m[1:]...)), len(m[0]), true
	}
	return label(line)
}

// TurnIn finds the speaker of a line, whether or not the line begins with a time.
func TurnIn(line string) (name string, stamped, ok bool) {
	n := CutStamp(line)
	name, words, ok := label(line)
	if n > 0 {
		name, words, ok = sender(line[n:])
	}
	return name, n > 0, ok && !strings.HasPrefix(line[n+words:], "//")
}

// cutMark cuts the marks of lists, headings and quotations from the beginning of a line. It returns
// their form, which all items of a list share: "- " and " - " differ, "1. " and "2. " do not. The
// form is empty if the line has no mark.
func cutMark(line string) (form, rest string) {
	const first = "#->*+•‣◦▪·–—0123456789"
	isIndent := func(r rune) bool { return unicode.IsSpace(r) || lex.IsInvisible(r) }
	rest = strings.TrimLeftFunc(line, isIndent)
	if r, _ := utf8.DecodeRuneInString(rest); !strings.ContainsRune(first, r) {
		return "", rest // the common case
	}
	marks := lex.Expr("marks").FindString(rest)
	for _, mark := range lex.Expr("mark").FindAllString(marks, -1) {
		switch {
		case mark[0] == '-' || mark[0] == '>':
			mark = mark[:1]
		case lex.IsDigit(mark[0]):
			mark = "1"
		}
		form += mark
	}
	if form == "" {
		return "", rest
	}
	form = lex.Visible(line[:len(line)-len(rest)]) + form
	return form, strings.TrimLeftFunc(rest[len(marks):], isIndent)
}

// markOf returns the form of the marks before the name in a line.
func markOf(line string) string {
	form, _ := cutMark(line[:min(len(line), lex.MaxName)])
	return form
}

// codeLines yields the lines of a text, and whether each is in a closed code block. Blocks count
// from its first turn on, since a block around it contains the whole conversation. The opening line
// of a block may itself begin a turn, as in "Bot: ```json"; the block then begins after that line.
func codeLines(text string, isTurn func(line string) bool) iter.Seq2[string, bool] {
	var blocks [][2]int                        // where each begins and ends in the text
	open, begin, at, isOpen := "", 0, 0, false // the fence of an open block, and where it begins
	fenced := text
	if !strings.Contains(text, "```") && !strings.Contains(text, "~~~") {
		fenced = "" // the common case
	}
	for row := range strings.Lines(fenced) {
		at, isOpen = at+len(row), isOpen || isTurn(row)
		switch fence := fenceIn(row); {
		case fence == "" || !isOpen:
		case open == "":
			open, begin = fence, at
		case strings.HasPrefix(fence, open):
			open, blocks = "", append(blocks, [2]int{begin, at})
		}
	}
	return func(yield func(line string, inCode bool) bool) {
		left, at := blocks, 0
		for row := range strings.Lines(text) {
			for len(left) > 0 && left[0][1] <= at {
				left = left[1:]
			}
			if !yield(row, len(left) > 0 && left[0][0] <= at) {
				return
			}
			at += len(row)
		}
	}
}

// fenceIn returns the fence that opens or closes a code block in a line, or "": a run of three or
// more backticks, unless another one in the line closes it, or of tildes at its beginning.
func fenceIn(row string) string {
	if _, rest := cutMark(row); strings.HasPrefix(rest, "~~~") {
		return rest[:len(rest)-len(strings.TrimLeft(rest, "~"))]
	}
	runs := lex.Expr("backticks").FindAllString(row, -1)
	if len(runs)%2 == 0 {
		return ""
	}
	return runs[len(runs)-1]
}

// style is what the lines that begin the turns of a text have in common. Bots answer in Markdown,
// and people paste lists, so "- Customer: Nora Lind" may be a list item inside somebody else's
// turn.
type style struct {
	mark    string // the form of their marks, which may be empty
	isFlush bool   // both sides speak in lines without an indent, so that indented ones are code
}

// fits reports whether a line may begin a turn.
func (s style) fits(line string) bool {
	return markOf(line) == s.mark && !(s.isFlush && lex.Match("indented", line))
}

// beginsKnown returns a test for lines that begin with a usual name.
func beginsKnown(who *stream.Names) func(line string) bool {
	return func(line string) bool {
		name, _, ok := label(line)
		return ok && who.Knows(name)
	}
}

// styleOf returns the style of the turns of a text. They have no mark if a usual name speaks
// without one. If no usual name occurs, the first speaker who speaks again determines the style.
func styleOf(who *stream.Names, text string) style {
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
		if who.Knows(name) {
			if role, _ := who.Role(name); l.form == "" && !lex.Match("indented", row) {
				flush |= 1 << role
			}
			if flush&bothRoles == bothRoles {
				return style{isFlush: true}
			}
			isPlain = isPlain || l.form == ""
			note(l.form, line)
		} else if !strings.HasPrefix(row[words:], "//") && lex.Match("name-like", name) {
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
	isSaid bool  // a sentence follows one of them
	person odds  // that it is a person who says something
}

const bothRoles = 1<<dialogue.System | 1<<dialogue.User

func surveyOf(who *stream.Names, text string, look style) survey {
	// most is the number of labels counted; in a dialogue with more, they are not speakers.
	const most = 10_000
	s := survey{labels: map[string]*unknown{}, lines: map[bool]int{}}
	var now uint8
	for row, inCode := range codeLines(text, beginsKnown(who)) {
		name, words, ok := label(row)
		said := strings.TrimSpace(row[words:])
		switch {
		case !ok || inCode || !look.fits(row) || strings.HasPrefix(said, "//"):
		case who.Knows(name):
			role, _ := who.Role(name)
			now = 1 << role
			s.roles |= now & bothRoles
			s.lines[said != ""]++
		case s.labels[name] != nil || len(s.labels) < most:
			u := s.labels[name]
			if u == nil {
				u = &unknown{isName: lex.Match("name-like", name)}
				s.labels[strings.Clone(name)] = u
				if u.isName {
					s.named++
				}
			}
			isSaid := lex.Match("sentence", said)
			// The label before a time, as in "Date: 14.03.2024", is not a speaker.
			if _, isTime := lex.ParseTime(said); !isTime {
				if u.lines++; said != "" {
					u.words++
				}
				s.recurs = s.recurs || u.lines > 1
				if odds := personIn(name, isSaid); odds > u.person {
					if odds == likely {
						s.likely++
					}
					u.person = odds
				}
			}
			u.under, u.isSaid = u.under|now, u.isSaid || isSaid
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
	words := lex.NameWords(name)
	isOther := func(w string) bool { return !ofHeadings(w) }
	isOnly := len(words) > 0 && !slices.ContainsFunc(words, isOther) // words of headings
	return u.lines > 1 && (u.isSaid || !isOnly) || len(s.labels) == 1 ||
		u.isName && (s.named == 1 && !s.recurs || s.hasSibling(name))
}

// hasSibling reports whether a repeated label differs only in its last letter or number.
func (s survey) hasSibling(name string) bool {
	const maxVoices = 20 // who differ only in a letter or a number
	numbered := lex.Expr("numbered")
	stemOf := func(name string) string { return numbered.ReplaceAllString(name, "$1$2") }
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

// plain returns a parser for the turns of a dialogue in the given style. Plain text has lines such
// as "Agent: words", in any case, numbered or bold. A line that does not begin with a speaker
// continues the turn before it. Whether "Note: the fee is 5" is a turn of somebody called Note
// cannot be decided from the line, so a label that is not a usual name is a speaker only if it
// behaves like one; see [survey.speaks]. A heading of a few lines may precede the first turn; it is
// not a turn.
func plain(who *stream.Names, text string, look style) parser {
	s := surveyOf(who, text, look)
	return func(line string) (string, int, bool) {
		name, words, ok := label(line)
		ok = ok && look.fits(line) // if names are alone, words follow no name
		return name, words, ok && (who.Knows(name) || s.speaks(name) &&
			(s.lines[true] > 0 || s.lines[false] < 2 || strings.TrimSpace(line[words:]) == ""))
	}
}
