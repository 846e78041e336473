package dialogue

import (
	"bytes"
	"cmp"
	"regexp"
	"strings"
)

// A parser finds the speaker of a line that begins a turn, and where in the line the words begin; other lines continue
// the turn before. A turn without a name is nobody's.
type parser func(line string) (name string, words int, ok bool)

// maxHeading is how many lines may be above the first turn.
const maxHeading = 10

// A separator tells what a line is that may part two dialogues: a bar or a title does; a rule does if the next line
// is a title or begins a turn.
type separator func(line string) (isBar, isRule bool, title string)

// readText cuts a file into the texts of its dialogues, each with the id that the title above it gives, and has them
// parsed and yielded. Begins finds the lines that begin a turn.
func (f *file) readText(kind separator, begins parser, parse func(d *draft, text string)) error {
	var text []byte
	isLong, isTold := false, false
	id, first := "", 0 // the line on which the first words are; 0 where there are none yet
	end := func() error {
		if first == 0 {
			return nil
		}
		d := f.draft(first, id)
		if isLong {
			d.wrong(first, f.most.String(), longHint)
		} else {
			parse(d, string(text))
		}
		isTitle := f.format == Chat && !isLong && len(d.times) == 0 && bytes.Count(text, []byte("\n")) <= maxHeading
		text, isLong, id, first = text[:0], false, "", 0
		if isTitle {
			return f.noteOnce("a title or a last line without a turn is passed over")
		}
		if err := d.order(); err != nil {
			return err
		}
		return d.emit()
	}
	if head, _ := f.in.Peek(headSize); begins != nil && blankParts(string(head), begins) {
		err := f.note("blank lines do not part dialogues, so that this is one; a line of ==== or a title parts them")
		if err != nil {
			return err
		}
	}
	l := f.lines()
	rule := -1 // where in the text a rule begins whose next line is not yet known, or -1
	for l.next() {
		line := strings.TrimSpace(string(l.text[:min(len(l.text), 2*maxName)])) // enough to tell its kind
		isBar, isRule, title := kind(line)
		if rule >= 0 && line != "" && !isRule {
			if _, _, ok := begins(line); ok || title != "" {
				text = text[:rule]
				if err := end(); err != nil {
					return err
				}
			}
			rule = -1
		}
		switch {
		case title != "" || isBar && first > 0:
			if err := end(); err != nil {
				return err
			}
			if id = title; (ticketLine.MatchString(line) || withLine.MatchString(line)) && !isTold {
				isTold = true
				if err := f.note("lines such as " + quote(line) + " begin a dialogue"); err != nil {
					return err
				}
			}
			continue
		case first == 0 && (line == "" || isBar || isRule):
			continue
		case isRule && rule < 0:
			rule = len(text)
		}
		first = cmp.Or(first, l.number)
		if text = append(append(text, l.text...), '\n'); len(text) > f.most.text || l.isLong {
			text, isLong, rule = text[:0], true, min(rule, 0) // the rest is passed over
		}
	}
	if l.err != nil {
		return l.err
	}
	return end()
}

// blankParts reports whether blank lines part groups of several turns, as people write dialogues one below the other.
func blankParts(head string, begins parser) bool {
	groups, turns := 0, 0
	wasBlank := true
	for line := range strings.Lines(head) {
		if strings.TrimSpace(line) == "" {
			wasBlank = true
			continue
		}
		_, _, isTurn := begins(line)
		switch {
		case !isTurn && wasBlank, isTurn && wasBlank && turns == 1:
			return false
		case isTurn && wasBlank:
			groups++
			turns = 1
		case isTurn:
			turns++
		}
		wasBlank = false
	}
	return groups > 1 && turns > 1
}

// parse takes one dialogue apart. The text of a turn reaches to the next line that begins one.
func (d *draft) parse(parse parser, text string) {
	var name string
	begun, start, first := false, 0, 0 // where the turn starts, and its first line
	end := func(at int) {
		switch {
		case !begun:
		case name == "":
			d.add(first, "", Other, strings.TrimPrefix(text[start:at], generated))
		default:
			d.say(first, name, text[start:at])
		}
	}
	at, line, heading := 0, d.line-1, 0
	for row := range strings.Lines(text) {
		line++
		if next, words, ok := parse(row); ok {
			end(at)
			begun, name, start, first = true, next, at+words, line
			if d.at = ""; d.file.format != Plain {
				d.at = clockIn.FindString(row[:min(len(row), maxStamp)])
				m, _ := ParseTime(d.at)
				d.times = append(d.times, m)
			}
		} else if !begun && strings.TrimSpace(row) != "" {
			heading++
		}
		at += len(row)
		if heading > maxHeading {
			break
		}
	}
	if end(at); !begun {
		d.wrong(d.line, "no line, or none of the first, begins a turn",
			`want lines such as "Agent: Good morning" or "[10:15] Agent: Good morning"`)
	}
}

// The lines that may part two dialogues of one file. A blank line does not, since people put blank lines between turns
// and inside them. A title such as "=== 25 ===", "## Conversation 25" or "Dialogue 25:" gives the id, too.
var (
	barLine   = regexp.MustCompile(`^={3,}$`)
	ruleLine  = regexp.MustCompile(`^(?:-{3,}|\*{3,}|_{3,}|#{3,}|~{3,})$`) // if the next line begins a turn or is a title
	drawnLine = regexp.MustCompile(`^[-=*_#~]{3,} *([^ ]*[0-9][^ ]*?) *[-=*_#~]{3,}$`)
	titleLine = regexp.MustCompile(`(?i)^[-=*_#~ ]*(?:dialogue|dialog|conversation|session|transcript|chat)` +
		`(?:\s+[#:.]*(?:id|no|number)?[#:.]*)?\s+[#:.]*([0-9]+)[#:.]*[-=*_#~ ]*$`)
	withLine = regexp.MustCompile(`^(?:Chat|Conversation|Transcript|Call|Session) (?:with|of|from) ` +
		`(\p{Lu}[\p{L}.'’-]*(?: [\p{L}.'’-]+){0,3})$`)
	ticketLine = regexp.MustCompile(`(?i)^[-=*_#~ ]*(?:ticket|case|call|thread|interaction|request|issue|incident|chat|` +
		`session|conversation)\s*(?:(?:id|no\.?|number|ref)\s*[#:.]*|[#:]+)\s*#?([\w-]*\d[\w-]*)[-=*_#~ ]*$`)
)

// textBreak finds the separators of plain text and chats; title is the id of one.
func textBreak(line string) (isBar, isRule bool, title string) {
	if line == "" || len(line) > maxName {
		return false, false, "" // as most lines
	}
	for _, re := range []*regexp.Regexp{drawnLine, titleLine, ticketLine, withLine} {
		if m := re.FindStringSubmatch(line); m != nil {
			title = m[1]
		}
	}
	return barLine.MatchString(line), ruleLine.MatchString(line), title
}

// maxName is the longest name of a speaker in bytes, and maxNameWords in words. "Your booking for four
// people tonight: see below" is a sentence.
const (
	maxName      = 80
	maxNameWords = 5
)

// label finds the speaker of a line such as "Agent: Good morning", "**Agent:** Good morning" or
// "- Agent 2: Good morning": the name before the first colon, and where in the line the words begin.
func label(line string) (name string, words int, ok bool) {
	head := line[:min(len(line), maxName)]
	colon := strings.IndexByte(head, ':')
	if colon < 0 {
		return "", 0, false
	}
	before := head[:colon]
	if strings.LastIndexAny(before, "([") > strings.LastIndexAny(before, ")]") {
		at := timed.FindStringSubmatchIndex(head)
		if at == nil {
			return "", 0, false
		}
		before, colon = head[:at[3]]+head[at[4]:at[5]], at[5]
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

// timed matches a name with a time after it, which is not part of the name: "Agent (10:15): Good morning".
var timed = regexp.MustCompile(`^([^:]+)[(\[][^)\]]*[)\]]([ *_]*):`)

// nameLike matches an unknown label that may be the name of a person or a role: every word begins with a
// capital or a digit, or it is a single word, and its characters are those of names.
var nameLike = regexp.MustCompile(`^(?:\p{L}` + inName + `*|` + capital + inName +
	`*(?: +[(#&]*(?:` + capital + inName + `*)?)+)$`)

const (
	inName  = `[\p{L}\p{Nd}.'’_()#&-]`
	capital = `[\p{Lu}\p{Lt}\p{Lo}\p{Nd}.'’_)-]`
)
