package importer

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"assize/rubric/dialogue"
)

// A parser finds the speaker of a line that begins a turn, and the offset at which the words begin;
// other lines continue the turn before. A turn without a name is OTHER.
type parser func(line string) (name string, words int, ok bool)

// pattern returns a regular expression.
type pattern func() *regexp.Regexp

// lazy returns a pattern that is compiled when it is first used: compiling all of them would add 10
// ms to every start.
func lazy(expr string) pattern {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// maxHeading is the maximum number of lines above the first turn.
const maxHeading = 10

// A separator classifies a line that may separate two dialogues: a bar or a title always does; a
// rule does if the next line is a title or begins a turn.
type separator func(line string) (isBar, isRule bool, title string)

// readText splits a file into the texts of its dialogues, each with the id from the title above it,
// and calls parse for each. begins finds the lines that begin a turn.
func (f *file) readText(kind separator, begins parser, parse func(p *part, text string)) {
	var text []byte
	isLong, isTold := false, false
	isFenced := false  // by a line such as "~~~yaml", which a rule of tildes closes
	id, first := "", 0 // the line on which the first words are; 0 if none so far
	end := func() {
		if first == 0 {
			return
		}
		p := part{Line: first, ID: id}
		if isLong {
			p.wrong(f.most.String(), longHint)
		} else {
			parse(&p, string(text))
		}
		isTitle := f.format == Chat && !isLong && len(p.Said) == 0 &&
			bytes.Count(text, []byte("\n")) <= maxHeading
		isFenced = false
		if text, isLong, id, first = text[:0], false, "", 0; isTitle {
			f.note("a title or a last line without a turn is passed over")
		} else {
			f.conversation([]part{p}, false)
		}
	}
	if head, _ := f.in.Peek(headSize); begins != nil && blankParts(string(head), begins) {
		f.note("blank lines do not part dialogues, so that this is one; a line of ==== or a title parts them")
	}
	l := f.lines()
	rule := -1 // offset in the text of a rule whose next line is not yet known, or -1
	for f.err == nil && l.next() {
		// This much is enough to classify the line.
		line := strings.TrimSpace(string(l.text[:min(len(l.text), 2*maxName)]))
		isBar, isRule, title := kind(line)
		if strings.HasPrefix(line, "~~~") && first > 0 {
			isFenced, isRule = !isRule, isRule && !isFenced
		}
		isTicket := title != "" && (ticketLine().MatchString(line) || withLine().MatchString(line))
		if isTicket && first > 0 && isEntry(line) {
			title, isTicket = "", false // as an answer has it
		}
		if rule >= 0 && line != "" && !isRule {
			if _, _, ok := begins(line); ok || title != "" {
				text = text[:rule]
				end()
			}
			rule = -1
		}
		switch {
		case title != "" || isBar && first > 0:
			end()
			if id = title; isTicket && !isTold {
				isTold = true
				f.note("lines such as " + quote(line) + " begin a dialogue")
			}
			continue
		case first == 0 && (line == "" || isBar || isRule):
			continue
		case isRule && rule < 0:
			rule = len(text)
		}
		first = cmp.Or(first, l.number)
		if text = append(append(text, l.text...), '\n'); len(text) > f.most.text || l.isLong {
			text, isLong, rule = text[:0], true, min(rule, 0) // the rest is skipped
		}
	}
	if f.fail(l.err); f.err == nil {
		end()
	}
	f.unsaid.tell(f)
}

// blankParts reports whether blank lines separate groups of several turns, as in dialogues that
// people write one below the other.
func blankParts(head string, begins parser) bool {
	groups := blankLines().Split(strings.TrimSpace(head), -1)
	for _, group := range groups {
		turns := 0
		for line := range strings.Lines(group) {
			if _, _, ok := begins(line); ok {
				turns++
			} else if turns == 0 {
				return false
			}
		}
		if turns < 2 {
			return false
		}
	}
	return len(groups) > 1
}

var blankLines = lazy(`\n\s*\n`)

// callersLines matches lines above a transcript: exactly two that only name the speakers, as
// "Agent: Jamie Reed" does, followed by at least one other line, such as "Reason: billing".
var callersLines = lazy(
	`^(?:[^\n.?!]+\n)*?(?:(?:Agent|Advisor|Representative|Customer|Caller|Client): ` +
		`\p{Lu}\p{L}*(?: \p{Lu}[\p{L}.'’-]*)+\n){2}(?:[^\n.?!]+\n)+\n`)

const usualTurns = 50 // nearly all dialogues have no more

// parse splits the text of a dialogue into turns. A turn extends to the next line that begins one.
func (f *file) parse(p *part, begins parser, text string) {
	callers := len(callersLines().FindString(text))
	list := make([]utterance, 0, min(strings.Count(text, "\n"), usualTurns))
	at, start, heading, line := 0, 0, 0, p.Line // start is the offset of the last turn's words
	code := codeBlocks(text, func(row string) bool { _, _, ok := begins(row); return ok })
	end := func() {
		if n := len(list); n > 0 {
			s := &list[n-1]
			if s.Text = text[start:at]; s.IsKnown {
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
	for row := range strings.Lines(text) {
		inCode := code.cover(at)
		if name, words, ok := begins(row); ok && at >= callers && !inCode {
			end()
			s := utterance{Name: name, Line: line, IsKnown: name == ""}
			if start = at + words; f.format != Plain {
				s.Time = clockIn().FindString(row[:min(len(row), maxStamp)])
			}
			list = append(list, s)
		} else if len(list) == 0 && strings.TrimSpace(row) != "" {
			heading++
		} else if len(list) > 0 {
			f.within(row)
		}
		if at, line = at+len(row), line+1; heading > maxHeading {
			break
		}
	}
	if end(); len(list) == 0 {
		p.wrong("no line, or none of the first, begins a turn",
			`want lines such as "Agent: Good morning" or "[10:15] Agent: Good morning"`)
	}
	p.Said, p.isWhole = list, true
}

// Lines that may separate two dialogues of one file. A blank line does not, since people put blank
// lines between turns and inside them. A title such as "=== 25 ===", "## Conversation 25" or
// "Dialogue 25:" also provides the id.
var (
	barLine = lazy(`^={3,}$`)
	// A rule separates if the next line begins a turn or is a title.
	ruleLine  = lazy(`^(?:-{3,}|\*{3,}|_{3,}|#{3,}|~{3,})$`)
	drawnLine = lazy(`^[-=*_#~]{3,} *([^ ]*[0-9][^ ]*?) *[-=*_#~]{3,}$`)
	titleLine = lazy(`(?i)^[-=*_#~ ]*(?:dialogue|dialog|conversation|session|transcript|chat)` +
		`(?:\s+[#:.]*(?:id|no|number)?[#:.]*)?\s+[#:.]*([0-9]+)[#:.]*[-=*_#~ ]*$`)
	withLine = lazy(`^(?:Chat|Conversation|Transcript|Call|Session) (?:with|of|from) ` +
		`(\p{Lu}[\p{L}.'’-]*(?: [\p{L}.'’-]+){0,3})$`)
	ticketLine = lazy(
		`(?i)^[-=*_#~ ]*(?:ticket|case|call|thread|interaction|request|issue|incident|chat|` +
			`session|conversation)\s*(?:(?:id|no\.?|number|ref)\s*[#:.]*|[#:]+)\s*#?([\w-]*\d[\w-]*)[-=*_#~ ]*$`)
)

// textBreak classifies the separators of plain text and chats; title is the id in a title.
func textBreak(line string) (isBar, isRule bool, title string) {
	if line == "" || len(line) > maxName {
		return false, false, "" // the common case
	}
	for _, re := range []pattern{drawnLine, titleLine, ticketLine, withLine} {
		if m := re().FindStringSubmatch(line); m != nil {
			title = m[1]
		}
	}
	return barLine().MatchString(line), ruleLine().MatchString(line), title
}

// maxName is the maximum length of a speaker's name in bytes, and maxNameWords in words. "Your
// booking for four people tonight: see below" is a sentence.
const (
	maxName      = 80
	maxNameWords = 5
)

// label finds the speaker of a line such as "Agent: Good morning", "**Agent:** Good morning" or "-
// Agent 2: Good morning": it returns the name before the first colon, and the offset at which the
// words begin.
func label(line string) (name string, words int, ok bool) {
	head := line[:min(len(line), maxName)]
	colon := strings.IndexByte(head, ':')
	if colon < 0 {
		return "", 0, false
	}
	before := head[:colon]
	if strings.LastIndexAny(before, "([") > strings.LastIndexAny(before, ")]") {
		at := timed().FindStringSubmatchIndex(head)
		if at == nil {
			return "", 0, false
		}
		before, colon = head[:at[3]]+head[at[4]:at[5]], at[5]
	}
	_, before = cutMark(before)
	name = strings.Trim(before, " \t*_[]")
	if name == "" || len(strings.Fields(name)) > maxNameWords || isStamped(name, head[colon+1:]) {
		return "", 0, false
	}
	rest := line[colon+1:]
	if strings.HasPrefix(before, "*") && !strings.HasSuffix(before, "*") {
		rest = strings.TrimLeft(rest, "*") // the bold part ends after the colon
	}
	return name, len(line) - len(strings.TrimLeft(rest, " \t")), true
}

// isStamped reports whether the name before a colon is, or begins with, a date or a time. A time in
// a form that [stamp] does not match is not part of a name.
func isStamped(name, rest string) bool {
	isClock := len(rest) > 1 && isDigit(rest[0]) && isDigit(rest[1]) && isDigit(name[len(name)-1])
	if isClock || !isDigit(name[0]) {
		return isClock
	}
	for end := range name + " " {
		if end == len(name) || name[end] == ' ' || name[end] == ',' {
			if m, ok := ParseTime(name[:end]); ok && !m.IsNumber {
				return true
			}
		}
	}
	return false
}

// timed matches a name followed by a time that is not part of it: "Agent (10:15): Good morning".
var timed = lazy(`^([^:]+)[(\[][^)\]]*[)\]]([ *_]*):`)

// nameLike matches an unknown label that may be the name of a person or a role: every word begins
// with a capital or a digit, or it is a single word, and all its characters occur in names.
var nameLike = lazy(`^(?:\p{L}` + inName + `*|` + capital + inName +
	`*(?: +[(#&]*(?:` + capital + inName + `*)?)+)$`)

const (
	inName  = `[\p{L}\p{Nd}.'’_()#&-]`
	capital = `[\p{Lu}\p{Lt}\p{Lo}\p{Nd}.'’_)-]`
)

// Plain text has lines such as "Agent: words", in any case, numbered or bold. A line that does not
// begin with a speaker continues the turn before it. Whether "Note: the fee is 5" is a turn of
// somebody called Note cannot be decided from the line, so a label that is not a usual name is a
// speaker only if it behaves like one; see [survey.speaks]. A heading of a few lines may precede
// the first turn; it is not a turn.

// plain returns a parser for the turns of a dialogue in the given style.
func (n *names) plain(text string, look style) parser {
	s := n.survey(text, look)
	return func(line string) (string, int, bool) {
		name, words, ok := label(line)
		return name, words, ok && (n.knows(name) || s.speaks(name)) && look.fits(line)
	}
}

// opens returns a parser for the lines that may begin a turn of any dialogue of a file.
func (n *names) opens(look style) parser {
	return func(line string) (string, int, bool) {
		name, words, ok := label(line)
		isNew := n.elseUser && nameLike().MatchString(name)
		return name, words, ok && (isNew || n.knows(name)) && look.fits(line)
	}
}

// survey is what a first pass over a dialogue reveals about its labels. Roles are bits.
type survey struct {
	roles uint8            // roles of the usual names that speak
	lines map[string]int   // number of lines per label that is like a name but is not a usual one
	under map[string]uint8 // the roles of the turns in which such a label appears
}

const bothRoles = 1<<dialogue.System | 1<<dialogue.User

func (n *names) survey(text string, look style) survey {
	// most is the number of different labels counted; in a dialogue with more, they are not
	// speakers.
	const most = 10_000
	s := survey{lines: map[string]int{}, under: map[string]uint8{}}
	var now uint8
	code := codeBlocks(text, func(row string) bool {
		name, _, ok := label(row)
		return ok && n.knows(name)
	})
	at := 0
	for row := range strings.Lines(text) {
		inCode := code.cover(at)
		at += len(row)
		name, words, ok := label(row)
		switch {
		case !ok || inCode || !look.fits(row):
		case n.knows(name):
			role, _ := n.role(name)
			now = 1 << role
			s.roles |= now & bothRoles
		case !strings.HasPrefix(row[words:], "//") && nameLike().MatchString(name) &&
			len(s.lines) < most:
			// The label before a time, as in "Date: 14.03.2024", is not a speaker.
			if _, isTime := ParseTime(strings.TrimSpace(row[words:])); !isTime {
				s.lines[name]++
			}
			s.under[name] |= now
		}
	}
	return s
}

// speaks reports whether a label that is not a usual name behaves like a speaker. "Note:" or
// "Total:" appears only within the turns of one speaker; a speaker occurs again, and follows both
// sides or takes the place of the missing side.
func (s survey) speaks(name string) bool {
	lines := s.lines[name]
	if s.roles == bothRoles {
		return lines > 1 && s.under[name]&bothRoles == bothRoles
	}
	return lines > 1 || lines == 1 && (len(s.lines) == 1 || s.hasSibling(name))
}

// hasSibling reports whether a repeated label differs from the name only in its last letter or
// number, as SPEAKER_00 differs from SPEAKER_01, and A from B.
func (s survey) hasSibling(name string) bool {
	stem, isNumbered := stemOf(name)
	if !isNumbered || len(s.lines) > maxVoices {
		return false
	}
	for other, lines := range s.lines {
		if like, is := stemOf(other); is && like == stem && other != name && lines > 1 {
			return true
		}
	}
	return false
}

// maxVoices is the maximum number of labels in a dialogue whose speakers are distinguished only by
// a letter or a number.
const maxVoices = 20

// stemOf returns a label without the number or the single capital letter at its end, and reports
// whether it has one.
func stemOf(name string) (stem string, ok bool) {
	if stem = strings.TrimRight(name, "0123456789"); stem != name {
		return stem, true
	}
	if n := len(name) - 1; n >= 0 && name[n] >= 'A' && name[n] <= 'Z' &&
		(n == 0 || name[n-1] == ' ' || name[n-1] == '_') {
		return name[:n], true
	}
	return name, false
}

// In a chat log, every message begins with a time, then the name, then the words. A line with a
// time but no name ("Mira joined the chat") is a turn of OTHER. A line without a time continues the
// message before it.

// stamp matches the time at the beginning of a message: [12/03/24, 10:15:22], (10:15), 12/03/2024,
// 10:15 - or 2024-03-12T10:15:00Z, with the invisible marks that WhatsApp adds. bareStamp matches a
// time that has neither a date nor brackets and may as well be the beginning of a sentence ("10:30
// suits me").
var (
	stamp = lazy(invisible + `(?:\[\s*(?:` + date + `)?` + clock + unit + `?\s*\]|` +
		`\(\s*(?:(?:` + date + `)?` + clock + unit + `?|` + elapsed + `)\s*\)|` +
		date + clock + `(?:` + unit + `?` + space + `+[-–—|]|` + gap + `))`)
	bareStamp = lazy(invisible + clock + gap)
)

const (
	invisible = `^[\x{200e}\x{200f}\x{202a}-\x{202e}\x{feff}\s]*`
	space     = `[\s\x{a0}\x{202f}]`
	date      = `\d{1,4}(?:[-/.年] ?|년 ?)\d{1,2}(?:[-/.月] ?|월 ?)\d{1,4}(?:\.|日|일| г\.)?` +
		`(?:[,،]` + space + `*|T|` + space + `+)(?:(?:um|kl\.?|klo|à|às|at|alle|a las) )?`
	clock = `(?:(?:오전|오후|上午|下午|午前|午後) ?)?\d{1,2}[:.]\d{2}(?:[:.]\d{2}(?:[.,]\d{1,9})?)?` +
		`(?:` + space + `?[AaPp]\.?` + space + `?[Mm]\.?)?(?:\s?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2}))?`
	unit    = `(?:` + space + `(?:Uhr|\p{Ll}{1,6}\.?))` // such as "Uhr" and "h", after a clock time
	elapsed = `(?:\d+h\s*)?(?:\d+m\s*)?\d+s`            // as in ( 1m 10s ) of Salesforce
	gap     = `(?:` + space + `+[-–—|]|` + space + `|[:,]` + space + `)`
)

// maxStamp is the maximum length of a time in bytes; nothing after it is examined.
const maxStamp = 80

// cutStamp returns the length of the time at the beginning of a line, or 0.
func cutStamp(line string) int {
	head := line[:min(len(line), maxStamp)]
	if !strings.ContainsAny(head, "0123456789") {
		return 0 // the common case, which needs no regular expression
	}
	if m := stamp().FindStringIndex(head); m != nil {
		return m[1]
	}
	if m := bareStamp().FindStringIndex(head); m != nil {
		if _, _, ok := label(line[m[1]:]); ok {
			return m[1]
		}
	}
	return 0
}

// generated is the invisible mark with which WhatsApp begins text that it writes itself under
// somebody's name, such as "image omitted". Such text is nobody's turn.
const generated = "\u200e"

// chatLine parses a line with a time.
func chatLine(line string) (name string, words int, ok bool) {
	n := cutStamp(line)
	if n == 0 {
		return "", 0, false
	}
	if m := nick().FindStringSubmatch(line[n:]); m != nil {
		return m[1], n + len(m[0]), true
	}
	name, words, _ = label(line[n:])
	isQuote := strings.Count(name, `"`)%2 == 1 ||
		strings.ContainsAny(name, "“«„") && !strings.ContainsAny(name, "”»")
	if isQuote { // as in: Ann changed the subject to “Kites: news”
		return "", n, true
	}
	if words += n; strings.HasPrefix(line[words:], generated) {
		name = ""
	}
	return name, words, true
}

// nick matches a name as IRC writes it: <ines> words.
var nick = lazy(`^\s*<([^<>]{1,60})> `)

// headLine parses a line that holds only a name and a time, as copies from Slack, Teams, Telegram
// and Discord have above the words. A line without a name is a date or an event.
func headLine(line string) (name string, words int, ok bool) {
	head := strings.TrimRight(line[:min(len(line), maxName)], "\r\n")
	if !strings.ContainsAny(head, "0123456789") {
		return "", 0, false
	}
	if m := nameClock().FindStringSubmatch(head); m != nil {
		return m[1], len(line), true
	}
	n := cutStamp(head)
	name = strings.TrimSpace(head[n:])
	return name, len(line), n > 0 && nameLike().MatchString(name)
}

// hasHeads reports whether the words of a chat are below lines with the names and times.
func (f *file) hasHeads(text string) bool {
	heads, others := 0, 0
	seen := map[string]int{}
	for line := range strings.Lines(text) {
		if name, _, ok := headLine(line); ok {
			heads++
			seen[name]++
		} else if name, stamped, ok := turnIn(line); ok && (stamped || f.who.knows(name)) {
			others++
		}
	}
	return heads > others && heads > len(seen) && len(seen) > 1
}

// clockIn matches the time in a line that begins a message.
var clockIn = lazy(`(?:` + date + `)?` + clock + `|` + elapsed)

// order puts the turns of a chat in order, oldest first, and reports once per file what it finds.
func (d *draft) order() {
	up, down := 0, 0
	var first, before Moment
	for i, v := range d.voices {
		now, _ := ParseTime(v.At)
		switch {
		case i == 0:
			first = now
		case before.US < now.US && before.EU < now.EU:
			up++
		case before.US > now.US && before.EU > now.EU:
			down++
		}
		before = now
	}
	switch {
	case d.Err != nil || len(d.strange) > 0 || down == 0:
	case down > up:
		slices.Reverse(d.dialogue.Turns)
		slices.Reverse(d.voices)
		d.file.note("newest first, so read from the end")
	case first.HasDate:
		d.file.note("the times go back within a dialogue; the file's order is kept")
	}
}

// The files of the User Satisfaction Simulation sets have one row per turn: ROLE, text, ACTION and
// ratings, separated by tabs, with sessions separated by blank lines and numbered from 1. The row
// of the USER whose text is OVERALL is not a turn; it holds the raters' ratings of the whole
// session. ACTION and ratings may be missing.

const ussHint = "want SYSTEM or USER, the text, the ACTION and the ratings, with a tab between them"

func ussBreak(line string) (isBar, isRule bool, id string) { return line == "", false, "" }

func (f *file) parseUSS(p *part, text string) {
	truth := &p.truth
	isOver, line := false, p.Line-1
	turns := min(strings.Count(text, "\n"), usualTurns)
	p.Said = make([]utterance, 0, turns)
	truth.Turns, truth.Labels = make([][]float64, 0, turns), make([]string, 0, turns)
	for row := range strings.Lines(dialogue.Clean(text)) {
		line++
		name, rest, ok := strings.Cut(strings.TrimSuffix(row, "\n"), "\t")
		words, rest, _ := strings.Cut(rest, "\t")
		label, given, _ := strings.Cut(rest, "\t")
		given, _, more := strings.Cut(given, "\t")
		if !ok || more {
			p.wrong(fmt.Sprintf("%d tabs", strings.Count(row, "\t")), ussHint, line)
		} else if isOver {
			p.wrong("a row after OVERALL", "put a blank line before the next session", line)
		}
		if p.Err != nil {
			return
		}
		ratings, ok := ParseRatings(given)
		if !ok {
			f.misrated(line, given)
		}
		if strings.TrimSpace(words) == "OVERALL" {
			isOver, truth.Overall = true, ratings
			continue
		}
		p.Said = append(p.Said, utterance{Name: name, Text: words, Line: line})
		truth.Turns = append(truth.Turns, ratings)
		truth.Labels = append(truth.Labels, strings.TrimSpace(label))
	}
	if !slices.ContainsFunc(truth.Turns, func(ratings []float64) bool { return ratings != nil }) {
		truth.Turns = nil
	}
	if !slices.ContainsFunc(truth.Labels, func(label string) bool { return label != "" }) {
		truth.Labels = nil
	}
}
