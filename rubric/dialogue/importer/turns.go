package importer

import (
	"strconv"
	"strings"
	"unicode"

	"assize/rubric/dialogue"
)

// This file splits the text of a conversation into turns.

// maxHeading is the maximum number of lines above the first turn.
const maxHeading = 10

const usualTurns = 50 // nearly all dialogues have no more

// callersLines matches lines above a transcript: exactly two that only name the speakers, as
// "Agent: Jamie Reed" does, followed by at least one other line, such as "Reason: billing".
var callersLines = form("callers-lines")

// parseTurns splits the text of a dialogue into turns. A turn extends to the next line that begins
// one.
func parseTurns(f *file, p *part, begins parser, text string) {
	callers := len(callersLines().FindString(text))
	list := make([]message, 0, min(strings.Count(text, "\n"), usualTurns))
	at, start, heading, line := 0, 0, 0, p.Line // start is the offset of the last turn's words
	isTurn := func(row string) bool { _, _, ok := begins(row); return ok }
	end := func() {
		if n := len(list); n > 0 {
			s := &list[n-1]
			if s.Text = f.withoutComments(text[start:at]); s.IsKnown {
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
				s.Time = clockIn().FindString(row[:min(words, maxStamp)])
			}
			list = append(list, s)
		} else if len(list) == 0 && strings.TrimSpace(row) != "" {
			heading++
		} else if len(list) > 0 {
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
	p.Messages, p.isWhole = list, true
}

// commentLine matches a line that a program writes between turns.
var commentLine = form("comment-line")

// withoutComments returns the text of a turn without the comments at its end, since nobody ends
// what he says with a heading.
func (f *file) withoutComments(text string) string {
	for {
		cut := strings.TrimRight(text, " \t\r\n")
		last := strings.LastIndexByte(cut, '\n')
		if last < 0 || f.who.begins(cut[last+1:]) || !commentLine().MatchString(cut[last+1:]) {
			return text
		}
		f.omissions.add("comment", "")
		text = cut[:last]
	}
}

// mayBePerson reports whether a label that is not taken for a speaker may be one after all: a person
// whose name has a word of headings, as Bill Price has, or begins with an emoji.
func mayBePerson(name, said string) bool {
	isEmoji := func(r rune) bool { return unicode.In(r, unicode.So, unicode.Mn, unicode.Zs) }
	name = strings.TrimLeftFunc(name, isEmoji)
	first, last, isPair := strings.Cut(name, " ")
	isPair = isPair && len(strings.Fields(said)) > 3 && shortName().MatchString(name) &&
		unicode.IsUpper([]rune(last + " ")[0]) && !(isHeading(first) && isHeading(last))
	return name != "" && (isPair || personIn(name, said) >= possible)
}

// noteInside reports, once per file, a line inside a turn that would begin a turn if it were not
// for its mark or a code block.
func noteInside(f *file, row string) {
	if f.isWithin || f.format == Chat {
		return
	}
	name, words, ok := label(row)
	if ok && !f.who.knows(name) && markOf(row) == "" && mayBePerson(name, row[words:]) {
		f.isWithin = true
		f.report(quote(name+":") + " is taken for words of the turn above; if somebody of that " +
			"name speaks, say who it is with --role-map " + quote(name+"=user"))
	} else if ok && f.who.knows(name) {
		f.isWithin = true
		f.report("lines such as " + quote(strings.TrimSpace(row)) +
			" are part of the turn above them, " +
			"as they are entries of a list or in a code block")
	}
}

// doubt records a speaker who speaks once, directly below a list item in somebody else's turn: the
// line may belong to that list. If the speaker is the only one of that side, this counts only if
// the list continues below.
func doubt(f *file, p *part) {
	role := func(s *message) dialogue.Role { r, _ := f.who.role(s.Name); return r }
	names, roles := map[string]int{}, map[dialogue.Role]int{}
	for i := range p.Messages {
		names[p.Messages[i].Name]++
		roles[role(&p.Messages[i])]++
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
			f.note(quote(s.Name) + " speaks once, right below an entry of a list on line " +
				strconv.Itoa(s.Line) + ", and may be part of that list")
			return
		}
	}
}
