package importer

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"assize/rubric/dialogue"
)

// This file splits the text of a conversation into turns.

// maxHeading is the maximum number of lines above the first turn.
const maxHeading = 10

const usualTurns = 50 // nearly all dialogues have no more

// parseTurns splits the text of a dialogue into turns, each up to the next line that begins one.
func parseTurns(f *file, p *part, begins parser, text string) {
	callers := len(expr("callers-lines").FindString(text))
	list := make([]message, 0, min(strings.Count(text, "\n"), usualTurns))
	at, start, heading, line := 0, 0, 0, p.Line // start is the offset of the last turn's words
	isTurn := func(row string) bool { _, _, ok := begins(row); return ok }
	end := func() {
		if n := len(list); n > 0 {
			s := &list[n-1]
			if s.Text = withoutComments(f, text[start:at]); s.IsKnown {
				s.Text = strings.TrimPrefix(s.Text, generated)
			} else if f.format != Chat {
				return
			} else if said := withoutNotices(s.Text); strings.TrimSpace(said) != "" {
				s.Text = said
			} else if said != s.Text {
				s.Name, s.IsKnown = "", true
			}
		}
	}
	for row, inCode := range codeLines(text, isTurn) {
		if name, words, ok := begins(row); ok && at >= callers && !inCode {
			end()
			s := message{Name: name, Line: line, IsKnown: name == ""}
			if start = at + words; f.format != Plain { // what is said may hold times, too
				s.Time = expr("clock-in").FindString(row[:min(words, maxStamp)])
				s.at, s.hasTime = ParseTime(s.Time)
			}
			list = append(list, s)
		} else if len(list) == 0 && strings.TrimSpace(row) != "" {
			heading++
		} else if len(list) > 0 && !f.isWithin && f.format != Chat {
			noteInside(f, row)
		}
		if at, line = at+len(row), line+1; heading > maxHeading {
			break
		}
	}
	if end(); len(list) == 0 {
		p.wrong("no line, or none of the first, begins a turn",
			`want lines such as "Agent: Good morning" or "[10:15] Agent: Good morning"`)
	}
	if p.Messages = list; f.format != Plain { // which has no times
		orderText(f, list)
	}
}

// withoutComments returns the text of a turn without the comments and events at its end, since
// nobody ends what he says with a heading. What is below a colon is said.
func withoutComments(f *file, text string) string {
	for {
		cut := strings.TrimRight(text, " \t\r\n")
		last := strings.LastIndexByte(cut, '\n')
		if last < 1 || beginsKnown(f.who)(cut[last+1:]) ||
			!expr("comment-line").MatchString(cut[last+1:]) ||
			strings.HasSuffix(strings.TrimRight(cut[:last], " \t\r\n"), ":") {
			return text
		}
		f.omissions.add("comment", "")
		text = cut[:last]
	}
}

// mayBePerson reports whether a label that is not taken for a speaker may be one after all: a
// person whose name has a word of headings, as Bill Price has, or begins with an emoji.
func mayBePerson(name, said string) bool {
	isEmoji := func(r rune) bool { return unicode.In(r, unicode.So, unicode.Mn, unicode.Zs) }
	name = strings.TrimLeftFunc(name, isEmoji)
	first, last, isPair := strings.Cut(name, " ")
	isPair = isPair && len(strings.Fields(said)) > 3 && expr("short-name").MatchString(name) &&
		unicode.IsUpper([]rune(last + " ")[0]) && !(isHeading(first) && isHeading(last))
	return name != "" && (isPair || personIn(name, said) >= possible)
}

// noteInside reports, once per file, a line that would begin a turn if it were not for its mark.
func noteInside(f *file, row string) {
	name, words, ok := label(row)
	switch {
	case !ok:
		return
	case f.who.knows(name):
		f.report("lines such as " + quote(strings.TrimSpace(row)) + " are part of the turn above " +
			"them, as they are entries of a list or in a code block")
	case markOf(row) != "" || !mayBePerson(name, row[words:]):
		return
	default:
		f.report(quote(name+":") + " is taken for words of the turn above; if somebody of that " +
			"name speaks, say who it is with --role-map " + quote(name+"=user"))
	}
	f.isWithin = true
}

// doubt records a speaker who speaks once: directly below a list item in somebody else's turn,
// where the line may belong to that list, or as one of several customers by --system-name alone. If
// the speaker is the only one of that side, the list must continue below.
func doubt(f *file, p *part) {
	role := func(s *message) dialogue.Role { r, _ := f.who.role(s.Name); return r }
	names, roles := map[string]int{}, map[dialogue.Role]int{}
	for i := range p.Messages {
		names[p.Messages[i].Name]++
		roles[role(&p.Messages[i])]++
	}
	var once []string // names taken for customers
	for i := range p.Messages {
		if s := &p.Messages[i]; f.who.elseUser && names[s.Name] == 1 && !s.IsKnown &&
			roles[dialogue.User] > 1 && !f.who.knows(s.Name) {
			once = append(once, s.Name)
		}
	}
	if len(once) > 0 && p.Err == nil {
		f.note("taken for customers, who speak once each: " + quoted(once) +
			"; --role-map NAME=system, =user or =other says otherwise")
	}
	for i := 1; i < len(p.Messages) && p.Err == nil; i++ {
		s := &p.Messages[i]
		above := strings.TrimRight(p.Messages[i-1].Text, " \t\r\n")
		form, _ := cutMark(above[strings.LastIndexByte(above, '\n')+1:])
		if form == "" || names[s.Name] > 1 {
			continue
		}
		_, below, _ := strings.Cut(strings.TrimLeft(s.Text, " \t\r\n"), "\n")
		if form, _ = cutMark(below); roles[role(s)] > 1 || form != "" {
			f.note(fmt.Sprintf("%s speaks once, right below an entry of a list on line %d, and "+
				"may be part of that list", quote(s.Name), s.Line))
			return
		}
	}
}

// Not all that a model and its tracing write is said to the other side: there are
// thoughts between tags, JSON payloads, and the conversation so far in one text.

// withoutThoughts returns the text of a model without its thoughts. One at the beginning may lack
// its end, if the answer was cut off, and one that ends on a line of its own its beginning.
func withoutThoughts(text string) string {
	if !strings.Contains(text, "<") {
		return text
	}
	text = expr("thought").ReplaceAllString(text, "")
	return strings.TrimSpace(expr("open-ended").ReplaceAllString(text, ""))
}

// withoutStop returns a text without the marks with which simulated customers or models end it.
func withoutStop(text string) string {
	const ends, longest = " \t\r\n\"'`*_.!", 40
	for {
		cut := strings.TrimRight(text, ends)
		if cut == "" || !strings.Contains("#>]E", cut[len(cut)-1:]) { // as nearly always
			return text
		}
		begin := max(0, len(cut)-longest)
		mark := expr("stop-mark").FindStringIndex(cut[begin:])
		if mark == nil {
			return text
		}
		text = strings.TrimSpace(cut[:begin+mark[0]])
	}
}

// turnsIn returns the turns of a text in which every turn begins with a role, such as "Human: Is it
// open?". It returns nil for any other text.
func turnsIn(text string) (list []message) {
	start := 0
	end := func(at int) {
		if len(list) > 0 {
			said := strings.TrimSpace(text[start:at])
			list[len(list)-1].Text = strings.TrimSpace(strings.TrimSuffix(said, "\n---"))
		}
	}
	at := 0
	for line := range strings.Lines(text) {
		name, words, ok := label(line)
		switch {
		case ok && unicode.IsLetter(rune(line[0])) && kindOf("unsaid", FoldName(name)) == "label":
			end(at)
			start = at + words
			s := message{Name: name}
			s.speaker = name
			list = append(list, s)
		case len(list) == 0 && strings.TrimSpace(line) != "":
			return nil
		}
		at += len(line)
	}
	end(len(text))
	return slices.DeleteFunc(list, func(s message) bool { return s.Text == "" })
}
