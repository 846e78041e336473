package transcript

import (
	"cmp"
	"maps"
	"strings"
	"time"

	"assize/rubric/dialogue/importer/lex"
	"assize/rubric/dialogue/importer/stream"
)

// chatLine parses a line with a time. In a chat log, a message is a time, a name and words. A line
// with a time but no name ("Mira joined the chat") is a turn of OTHER. A line without a time
// continues the message before it.
func chatLine(line string) (name string, words int, ok bool) {
	n := CutStamp(line)
	if n == 0 {
		return "", 0, false
	}
	name, words, _ = sender(line[n:])
	if lex.Match("open-quote", name) { // as in: Ann changed the subject to “Kites: news”
		return "", n, true
	}
	if words += n; strings.HasPrefix(line[words:], generated) {
		name = ""
	}
	return name, words, true
}

// marked returns a parser for a chat without times whose first line begins with a speaker who is
// marked otherwise than by a colon, or nil unless at least two of them speak several times. A name
// alone on a line may as well be what somebody says, unless it recurs.
func marked(who *stream.Names, text string) parser {
	seen := map[string]int{}
	begins := func(line string) (name string, words int, ok bool) {
		m := lex.Expr("marked-name").FindStringSubmatch(line[:min(len(line), lex.MaxName)])
		if m == nil {
			return "", 0, false
		}
		name, words = lex.Visible(cmp.Or(m[1:]...)), len(m[0])
		return name, words, name != "" && (words < len(line) || seen[name] > 1) &&
			(who.Knows(name) || !isHeading(name))
	}
	for line := range strings.Lines(strings.TrimLeft(text, " \t\r\n")) {
		if name, _, _ := begins(line); name != "" {
			seen[name]++
		} else if len(seen) == 0 {
			return nil
		}
	}
	if stream.Count(maps.Values(seen), func(n int) bool { return n > 1 }) < 2 {
		return nil
	}
	return begins
}

// chatLines returns that of marked, chatLine or, if all messages of a chat begin with a time and no
// date or brackets, a parser that also takes a line for an event with such a time but no name.
func chatLines(who *stream.Names, head string) parser {
	if begins := marked(who, head); begins != nil {
		return begins
	}
	form := "" // of the times; "9" stands for a digit
	formOf := func(line string) (string, int) {
		m := lex.Expr("bare-stamp").FindStringIndex(line[:min(len(line), lex.MaxStamp)])
		if m == nil {
			return "", 0
		}
		return lex.Expr("digit").ReplaceAllString(line[:m[1]], "9"), m[1]
	}
	for line := range strings.Lines(head) {
		this, n := formOf(line)
		if _, _, ok := sender(line[n:]); !ok || CutStamp(line) == 0 {
			continue
		}
		if form = cmp.Or(form, this); this == "" || this != form {
			return chatLine
		}
	}
	return func(line string) (name string, words int, ok bool) {
		if name, words, ok = chatLine(line); ok || form == "" {
			return name, words, ok
		}
		this, n := formOf(line)
		hasCapital := n < len(line) && 'A' <= line[n] && line[n] <= 'Z'
		return "", n, this == form && (len(form) > len("99:99 ") || hasCapital)
	}
}

// headLine parses a line that holds only a name and a time, as copies from Slack, Teams, Telegram
// and Discord have above the words. A line without a name is a date or an event.
func headLine(line string) (name string, words int, ok bool) {
	head := lex.Visible(strings.TrimRight(line[:min(len(line), lex.MaxName)], "\r\n"))
	if !strings.ContainsAny(head, "0123456789") {
		return "", 0, false
	}
	if m := lex.Expr("name-clock").FindStringSubmatch(head); m != nil {
		base := strings.TrimRight(m[1][:strings.IndexAny(m[1]+"(", "([")], " ") // Rob (night)
		isName := len(strings.Fields(m[1])) <= lex.MaxNameWords &&
			(lex.Match("name-like", base) || personIn(m[1], true) > unlikely)
		return m[1], len(line), isName
	}
	n := CutStamp(head)
	name = strings.TrimSpace(head[n:])
	return name, len(line), n > 0 && lex.Match("name-like", name)
}

// headsIn returns a parser for the heads of a text. Below a blank line, or anywhere if some heads
// are elsewhere, a line of the form of the others is one, whatever its name.
func headsIn(text string) parser {
	formOf := func(line string) (name, form string) {
		line = lex.Visible(strings.TrimRight(line, " \t\r\n"))
		m := lex.Expr("head-form").FindStringSubmatch(line)
		if n := CutStamp(line); n > 0 && len(line) <= lex.MaxName+n {
			return strings.TrimSpace(line[n:]), "stamp"
		} else if m == nil || m[2] == " " && (len(strings.Fields(m[1])) > lex.MaxNameWords ||
			len(strings.Fields(m[1])) > 2 && personIn(m[1], true) <= unlikely) {
			return "", "" // "See you at 10:30"
		}
		return m[1], m[2] + "9" + m[3]
	}
	forms, found, isAnywhere := map[string]bool{}, map[string]string{}, false
	for isKnown := range 2 { // first the forms, then the lines that have them
		isBelow := true
		for line := range strings.Lines(text) {
			head, _, isHead := headLine(line)
			name, form := formOf(line)
			if isHead {
				forms[form], found[line] = true, head
				isAnywhere = isAnywhere || !isBelow
			} else if isKnown == 1 && name != "" && forms[form] && (isBelow || isAnywhere) {
				found[line] = name
			}
			isBelow = strings.TrimSpace(line) == ""
		}
	}
	return func(line string) (name string, words int, ok bool) {
		if name, ok = found[line]; ok && lex.Match("happened", name) {
			return "", CutStamp(line), true // an event
		}
		return name, len(line), ok
	}
}

// hasHeads reports whether the words of a chat are below lines with the names and times.
func hasHeads(who *stream.Names, text string) bool {
	heads, others := 0, 0
	seen := map[string]int{}
	for line := range strings.Lines(text) {
		if name, _, ok := headLine(line); ok {
			heads++
			seen[name]++
		} else if name, stamped, ok := TurnIn(line); ok && (stamped || who.Knows(name)) {
			others++
		}
	}
	return heads > others && heads > len(seen) && len(seen) > 1
}

// hasDatesAbove reports whether the messages of a chat have two lines above their words, the date
// and the sender, and a blank line below.
func hasDatesAbove(text string) bool {
	names, heads := map[string]bool{}, 0
	text = strings.TrimSpace(text)
	first := lex.Expr("dated-above").FindStringIndex(text[:min(len(text), lex.MaxStamp)])
	if first == nil || first[0] > 0 {
		return false // the common case
	}
	for _, m := range lex.Expr("dated-above").FindAllStringSubmatch(text, -1) {
		if m[2] != "" { // no event
			names[m[2]], heads = true, heads+1
		}
	}
	return len(names) > 1 && 2*heads > len(lex.Expr("blank-lines").FindAllStringIndex(text, -1))
}

// datesBeside returns the text of such a chat with the date and the sender on the line of the
// sender, and without what is below the words. The number of lines is the same.
func datesBeside(text string) string {
	text = lex.Expr("below-words").ReplaceAllStringFunc(text,
		func(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) })
	return lex.Expr("dated-above").ReplaceAllStringFunc(text, func(head string) string {
		m := lex.Expr("dated-above").FindStringSubmatch(head)
		if at, ok := lex.ParseTime(m[1]); ok && at.US == at.EU {
			m[1] = time.UnixMilli(at.US).UTC().Format(time.DateTime)
		}
		if m[2] == "" {
			return "[" + m[1] + "] "
		}
		return "\n[" + m[1] + "] " + m[2] + ":\n"
	})
}

// generated is the invisible mark with which WhatsApp begins text that it writes itself under
// somebody's name, such as "image omitted". Such text is nobody's turn.
const generated = "\u200e"

// withoutNotices returns the text of a message without notices of the messenger.
func withoutNotices(text string) string {
	var said strings.Builder
	isFirst := true
	for line := range strings.Lines(text) {
		const maxNotice = 400 // bytes of a line that may be a notice
		words := strings.TrimRight(line, "\r\n")
		end := line[len(words):]
		if len(words) <= maxNotice && isNotice(words, isFirst) {
			words = ""
		}
		isFirst = isFirst && strings.TrimSpace(words) == ""
		said.WriteString(lex.Expr("edited").ReplaceAllString(words, "") + end)
	}
	return said.String()
}

// isNotice reports whether a line is a notice. The beginning of a message may also be a phrase in
// angle brackets, which stands for an attachment in any language.
func isNotice(line string, isFirst bool) bool {
	const marks = " \t\u200e\u200f\u202a\u202c.。"
	whole := strings.Trim(line, marks)
	parts := strings.Split(line, generated) // the last one may describe what was omitted
	isListed := func(text string) bool { return lex.Kind("notices", text) == "line" }
	return isListed(whole) || isListed(strings.Trim(parts[len(parts)-1], marks)) ||
		strings.HasSuffix(whole, ")") && lex.Match("file-notice", whole) ||
		lex.Match("call-notice", whole) || isFirst && lex.Match("start-notice", whole)
}
