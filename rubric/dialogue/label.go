package dialogue

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxName is the longest name of a speaker in bytes, and maxNameWords in words. "Your booking for four
// people tonight: see below" is a sentence.
const (
	maxName      = 80
	maxNameWords = 5
)

// label finds the speaker of a line such as "Agent: Good morning", "**Agent:** Good morning" or
// "- Agent 2: Good morning": the name before the first colon, and where in the line the words begin.
func label(line string) (name string, words int, ok bool) {
	before, colon := cutTime(line[:min(len(line), maxName)])
	if colon < 0 {
		return "", 0, false
	}
	before = strings.TrimLeft(before, " \t>-#\u200e")
	name = strings.Trim(before, " \t*_[]")
	if name == "" || len(strings.Fields(name)) > maxNameWords {
		return "", 0, false
	}
	rest := line[colon+1:]
	if strings.HasPrefix(before, "*") && !strings.HasSuffix(before, "*") {
		rest = strings.TrimLeft(rest, "*") // the bold part ends after the colon
	}
	return name, len(line) - len(strings.TrimLeft(rest, " \t")), true
}

// cutTime gives what stands before the first colon, and where that is; -1 where there is none. The colon of
// a time in brackets after the name is none, and the time is not part of the name: "Agent (10:15): Good morning".
func cutTime(head string) (before string, colon int) {
	colon = strings.IndexByte(head, ':')
	if colon < 0 {
		return "", -1
	}
	open := strings.LastIndexAny(head[:colon], "([")
	if open <= 0 || strings.ContainsAny(head[open:colon], ")]") {
		return head[:colon], colon
	}
	inside := strings.IndexAny(head[open:], ")]")
	if inside < 0 {
		return "", -1
	}
	between, _, ok := strings.Cut(head[open+inside+1:], ":")
	if !ok || strings.Trim(between, " *_") != "" {
		return "", -1
	}
	return head[:open] + between, open + inside + 1 + len(between)
}

// nameLike reports whether an unknown label may be the name of a person or a role: every word begins with a
// capital or a digit, or it is a single word, and it is made of what names are made of.
func nameLike(name string) bool {
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" .'’-_()#&", r) {
			return false
		}
	}
	words := strings.Fields(name)
	if first, _ := utf8.DecodeRuneInString(name); !unicode.IsLetter(first) {
		return false
	}
	for _, w := range words {
		if r, _ := utf8.DecodeRuneInString(strings.TrimLeft(w, "(#&")); unicode.IsLower(r) && len(words) > 1 {
			return false
		}
	}
	return true
}

// separator is a line that may part two dialogues of one file. A blank line does not, since people put blank
// lines between turns and inside them.
type separator struct {
	kind separatorKind
	id   string // of the dialogue that follows, from a title
}

type separatorKind uint8

const (
	noSeparator separatorKind = iota
	rule                      // ---, *** and the like part dialogues if the next line begins a turn or is a title
	bar                       // === parts dialogues
	title                     // "=== 25 ===", "## Conversation 25" or "Dialogue 25:" parts them, and gives the id
)

// marks are what rules and titles are drawn with.
const marks = "-=*_#~"

// parseSeparator tells the lines that part dialogues from the words of a turn.
func parseSeparator(line string) separator {
	line = strings.TrimSpace(line)
	inner := strings.Trim(line, marks+" ")
	fields := strings.Fields(strings.ToLower(inner))
	switch {
	case len(line) < 3 || len(line) > maxName:
	case len(fields) == 0 && strings.Trim(line, "=") == "":
		return separator{kind: bar}
	case len(fields) == 0 && strings.Trim(line, line[:1]) == "":
		return separator{kind: rule}
	case len(fields) == 1 && len(line) >= len(inner)+6 && strings.ContainsAny(inner, "0123456789"):
		return separator{title, inner}
	case len(fields) == 2 || len(fields) == 3:
		id := strings.Trim(fields[len(fields)-1], "#:.")
		between := strings.Trim(strings.Join(fields[1:len(fields)-1], ""), "#:.")
		if titles[fields[0]] && titles[between] && id != "" && strings.Trim(id, "0123456789") == "" {
			return separator{title, id}
		}
	}
	return separator{}
}

// titles are the words before the number of a title, such as "Conversation no. 25".
var titles = map[string]bool{
	"dialogue": true, "dialog": true, "conversation": true, "session": true, "transcript": true, "chat": true,
	"": true, "id": true, "no": true, "number": true,
}
