package transcript

import (
	"strconv"
	"strings"
	"unicode"

	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer/lex"
	"assize/rubric/dialogue/importer/stream"
)

// maxHeading is the maximum number of lines above the first turn.
const maxHeading = 10

// aboveBlank returns the lines of a text up to its first blank one, or "" if it has none.
func aboveBlank(text string) string {
	end := 0
	for row := range strings.Lines(text) {
		if end += len(row); strings.TrimSpace(row) == "" {
			return text[:end]
		}
	}
	return ""
}

// parseTurns splits the text of a dialogue into turns, each up to the next line that begins one.
func parseTurns(f *stream.File, p *stream.Part, begins parser, text string) {
	header := lex.Expr("header").FindString(aboveBlank(text))
	if lex.Match("spoken-header", lex.Expr("field-line").ReplaceAllString(header, "")) {
		header = ""
	}
	var list []stream.Message
	speaks := map[string]bool{}
	at, start, line, above := 0, 0, p.Line, []string(nil) // start: the last turn's words
	isTurn := func(row string) bool { _, _, ok := begins(row); return ok }
	for row, inCode := range codeLines(text, isTurn) {
		name, words, ok := begins(row)
		if ok && at >= len(header) && !inCode {
			s := stream.Message{Name: name, Line: line, IsKnown: name == ""}
			if start = at + words; f.Format != stream.Plain { // what is said may hold times, too
				s.Time = lex.Expr("clock-in").FindString(row[:min(words, lex.MaxStamp)])
				s.At, s.HasTime = lex.ParseTime(s.Time)
			}
			list, speaks[name] = append(list, s), true
		} else if len(list) == 0 && strings.TrimSpace(row) != "" {
			above = append(above, strings.TrimSpace(row))
		}
		if at, line = at+len(row), line+1; len(list) > 0 {
			list[len(list)-1].Text = text[start:at]
		} else if len(above) > maxHeading {
			break
		}
	}
	if len(list) == 0 {
		p.Wrong(lex.Problem("no-turn"))
		above = nil
	}
	for i, row := range above {
		if strings.ContainsFunc(row, unicode.IsLetter) { // unlike a fence of code
			f.Omissions.First("above", lex.Quote(row))
		}
		if i >= strings.Count(header, "\n") {
			noteSaid(f, true, row)
		}
	}
	for i := range list {
		s := &list[i]
		_, below, _ := strings.Cut(s.Text, "\n")
		noteSaid(f, false, below)
		if s.Text = withoutComments(f, speaks, s.Text, i == len(list)-1); s.IsKnown {
			s.Text = strings.TrimPrefix(s.Text, generated)
		} else if f.Format != stream.Chat {
			continue
		} else if said := withoutNotices(s.Text); strings.TrimSpace(said) != "" {
			s.Text = said
		} else if said != s.Text {
			s.Name, s.IsKnown = "", true
		}
	}
	if p.Messages = list; f.Format != stream.Plain { // which has no times
		stream.OrderText(f, list)
	}
}

// withoutComments returns the text of a turn without the comments and events at its end, since
// nobody ends what he says with a heading. What is below a colon is said.
func withoutComments(f *stream.File, speaks map[string]bool, text string, isLast bool) string {
	for {
		cut := strings.TrimRight(text, " \t\r\n")
		last := strings.LastIndexByte(cut, '\n')
		if last < 1 || beginsKnown(f.Who)(cut[last+1:]) ||
			strings.HasSuffix(strings.TrimRight(cut[:last], " \t\r\n"), ":") {
			return text
		}
		line := strings.TrimSpace(cut[last+1:])
		isMark := strings.Count(text[len(cut):], "\n") > 1 && lex.Match("mark-line", line) ||
			isLast && lex.Match("rated-line", line)
		isDeed, first := false, strings.IndexByte(line, ' ') // what a speaker did
		for at := range min(len(line), lex.MaxName) {
			isSpeaker := line[at] == ' ' &&
				(speaks[line[:at]] || at == first && f.Who.Knows(line[:at]))
			isDeed = isDeed || isSpeaker && lex.Match("deed", line[at+1:])
		}
		if !isMark && !isDeed && !lex.Match("comment-line", line) {
			return text
		}
		f.Omissions.Add("comment", "")
		text = cut[:last]
	}
}

// mayBePerson reports whether a label that is not taken for a speaker may be one after all: a
// person whose name has a word of headings, as Bill Price has, or begins with an emoji, or who says
// a word alone between two turns.
func mayBePerson(name, said string, isAlone bool) bool {
	isEmoji := func(r rune) bool { return unicode.In(r, unicode.So, unicode.Mn, unicode.Zs) }
	name = strings.TrimLeftFunc(name, isEmoji)
	first, last, isPair := strings.Cut(name, " ")
	isPair = isPair && len(strings.Fields(said)) > 3 && lex.Match("short-name", name) &&
		unicode.IsUpper([]rune(last + " ")[0]) && !(isHeading(first) && isHeading(last))
	isAlone = isAlone && !strings.ContainsAny(said, "0123456789") && !isHeading(first) &&
		lex.Match("short-name", name) && unicode.IsUpper([]rune(name + " ")[0])
	return name != "" && (isPair || isAlone || lex.Match("kin", name) ||
		personIn(name, lex.Match("sentence", strings.TrimSpace(said))) >= possible)
}

// noteSaid reports, once per file, a line of a turn or above the first that may begin another one.
// Above the first it must be a sentence by a name that is no field, as "Store" is, or looks like
// another name.
func noteSaid(f *stream.File, isAbove bool, rows string) {
	for isMore := rows != ""; isMore && f.Format != stream.Chat && !f.IsWithin; {
		var row string
		row, rows, isMore = strings.Cut(rows, "\n")
		name, words, ok := label(row)
		said := row[words:]
		switch isAlone := rows == ""; {
		case !ok, strings.HasPrefix(said, "//"):
			continue
		case f.Who.Knows(name):
			f.Report(lex.Text("inside", lex.Quote(strings.TrimSpace(row))))
		case isAbove && !lex.Match("two-scripts", name) && (isHeading(name) ||
			lex.Match("field-above", name) || !lex.Match("sentence-above", said)):
			continue
		case lex.Match("two-scripts", name), markOf(row) == "" && mayBePerson(name, said, isAlone):
			text := lex.Text("no-speaker", lex.Quote(name+":"), lex.Quote(name+"=user"))
			if isAbove {
				text = lex.Text("said-above", lex.Quote(name+":"), lex.Quote(name+"=user"))
			}
			f.Note(text)
		default:
			continue
		}
		f.IsWithin = true
	}
}

// doubt records a speaker who speaks once: directly below a list item in somebody else's turn,
// where the line may belong to that list, or as one of several customers by --system-name alone. If
// the speaker is the only one of that side, the list must continue below.
func doubt(f *stream.File, p *stream.Part) {
	role := func(name string) dialogue.Role { r, _ := f.Who.Role(name); return r }
	names, roles := map[string]int{}, map[dialogue.Role]int{}
	for _, s := range p.Messages {
		names[s.Name]++
		roles[role(s.Name)]++
	}
	var once []string // names taken for customers
	for _, s := range p.Messages {
		if f.Who.ElseUser && names[s.Name] == 1 && !s.IsKnown &&
			roles[dialogue.User] > 1 && !f.Who.Knows(s.Name) {
			once = append(once, s.Name)
		}
	}
	if len(once) > 0 && p.Err == nil {
		f.Note(lex.Text("once", lex.Quoted(once)))
	}
	for i := 1; i < len(p.Messages) && p.Err == nil; i++ {
		s := &p.Messages[i]
		above := strings.TrimRight(p.Messages[i-1].Text, " \t\r\n")
		if markOf(above[strings.LastIndexByte(above, '\n')+1:]) == "" || names[s.Name] > 1 {
			continue
		}
		_, below, _ := strings.Cut(strings.TrimLeft(s.Text, " \t\r\n"), "\n")
		if roles[role(s.Name)] > 1 || markOf(below) != "" {
			f.Note(lex.Text("in-list", lex.Quote(s.Name), s.Line))
			return
		}
	}
}

// TurnsIn returns the turns of a text in which every turn begins with a role, such as "Human: Is it
// open?", with the time of the whole. It returns nil for any other text.
func TurnsIn(whole stream.Message) (list []stream.Message) {
	text := whole.Text
	heads := lex.Expr("role-head").FindAllStringSubmatchIndex(text, -1)
	if heads == nil || strings.TrimSpace(text[:heads[0][0]]) != "" {
		return nil
	}
	list = []stream.Message{}
	for i, at := range heads {
		said := text[at[1]:append(heads, []int{len(text)})[i+1][0]]
		s := whole
		s.Name, s.Text = text[at[2]:at[3]], strings.TrimSuffix(strings.TrimSpace(said), "\n---")
		if s.Speaker, s.Text = s.Name, strings.TrimSpace(s.Text); s.Text != "" {
			list = append(list, s)
		}
	}
	return list
}

// Unfold returns the conversation in a cell as lines such as "Agent: words" or "[10:15] Agent:
// words". The cell may have line breaks of any kind, or be HTML.
func Unfold(who *stream.Names, cell string) string {
	if !strings.Contains(cell, "\n") && strings.Contains(cell, `\n`) {
		cell = strings.NewReplacer(`\r\n`, "\n", `\n`, "\n").Replace(cell)
	}
	if lex.Match("block-tag", cell) || lex.Match("any-tag", cell) {
		if !lex.Match("block-tag", cell) {
			cell = strings.ReplaceAll(cell, "\n", "<br>")
		}
		cell = lex.HTMLLines(cell, "- ", "")
	}
	// The name and the time may be on a line of their own.
	if lex.Match("name-clock", cell) && !IsDialogue(who, cell) {
		begins, lines := headsIn(cell), strings.Builder{}
		for line := range strings.Lines(cell) {
			if name, _, ok := begins(line); ok && name != "" {
				line = "[" + lex.Expr("clock-in").FindString(line) + "] " + name + ": \n"
			}
			lines.WriteString(line)
		}
		cell = lines.String()
	}
	if strings.Contains(cell, " says: ") {
		cell = lex.Expr("says-in").ReplaceAllString(strings.TrimSuffix(cell, ";"), "\n$1")
	}
	if IsDialogue(who, cell) || strings.Contains(strings.TrimSpace(cell), "\n") {
		return cell
	}
	for _, between := range []string{" || ", " | ", "||", "|", " ;; ", " / "} {
		if lines := strings.ReplaceAll(cell, between, "\n"); IsDialogue(who, lines) {
			return lines
		}
	}
	return lex.Expr("inline").ReplaceAllStringFunc(cell, func(s string) string {
		if name, _, ok := label(s[CutStamp(s):]); ok && who.Knows(name) {
			return "\n" + strings.TrimLeft(s, " \t")
		}
		return s
	})
}

// IsDialogue reports whether a text is a dialogue: it has at least two speakers, and either usual
// names are among them or most of its lines begin turns.
func IsDialogue(who *stream.Names, text string) bool {
	lines, turns, known := 0, 0, 0
	seen := map[string]int{}
	look := styleOf(who, text)
	isTurn := func(line string) bool { _, _, ok := TurnIn(line); return ok }
	for line, inCode := range codeLines(text, isTurn) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		lines++
		name, stamped, ok := TurnIn(line)
		if !stamped && !look.fits(line) {
			ok = false
			if lines == 1 {
				look = style{} // everything below prose is a list
			}
		}
		if !ok || inCode || !stamped && !who.Knows(name) && !isName(name) {
			continue
		}
		turns++
		seen[lex.FoldName(name)]++
		if who.Knows(name) {
			known++
		}
		if turns >= 50 {
			break
		}
	}
	return len(seen) > 1 &&
		(known > 1 || known == 1 && len(seen) == 2 || 2*turns > lines && turns > len(seen))
}

// ParseCell splits the text of a conversation into turns. The names in the part are known speakers.
func ParseCell(f *stream.File, p *stream.Part, text string) {
	who := stream.NewNames(f.Opt)
	stream.Learn(who.Roles, p.Agent, dialogue.System)
	stream.Learn(who.Roles, p.Customer, dialogue.User)
	isStamped := false
	for line := range strings.Lines(text) {
		name, stamped, ok := TurnIn(line)
		isStamped = isStamped || stamped && ok
		if folded := lex.FoldName(name); ok && f.Agents[folded] != dialogue.Other {
			stream.Learn(who.Roles, []string{folded}, dialogue.System)
		}
	}
	begins := plain(who, text, styleOf(who, text))
	if isStamped {
		begins = chatLine
	}
	if parseTurns(f, p, begins, text); !isStamped {
		doubt(f, p)
	}
}

// readSubtitles reads subtitles of a call (WebVTT, SRT and SBV): cues with times, in which the
// speaker is a voice, <v Ann Lee>, or a name and a colon. A file is one dialogue, and consecutive
// cues of a speaker are one turn.
func readSubtitles(f *stream.File) {
	var list []stream.Message                         // the lines of the cues
	size, inCue, isFirst, start := 0, false, false, 0 // isFirst: no line of the cue is read yet
	l := stream.NewLines(f)
	for f.Err == nil && l.Next() {
		line := strings.TrimSpace(string(l.Text))
		if m := lex.Expr("cue-times").FindStringSubmatch(line); m != nil {
			inCue, isFirst, start = true, true, 0
			for i, part := range m[1:] {
				n, _ := strconv.Atoi(part) // hours are optional
				start = start*[]int{0, 60, 60, 1000}[i] + n
			}
		} else if inCue = inCue && line != ""; inCue {
			name := ""
			voices := lex.Expr("voice").ReplaceAllString(line, "\x00$1\x01")
			for part := range strings.SplitSeq(voices, "\x00") {
				if who, words, ok := strings.Cut(part, "\x01"); ok {
					name, part = strings.TrimSpace(who), words
				}
				if text := lex.HTMLText(part); text != "" {
					s := stream.Message{Name: name, Text: text, Line: l.Number}
					s.At, s.HasTime = lex.Moment{US: int64(start), EU: int64(start)}, isFirst
					list, isFirst = append(list, s), false
				}
			}
		}
		if size += len(line); size > f.Limits.Text {
			f.Fail(stream.ErrTooLong)
		}
	}
	if f.Fail(l.Err); f.Err == nil && len(list) > 0 {
		stream.OrderText(f, list)
		stream.Assemble(f, []stream.Part{turnsOfCues(f, list)}, true)
	}
}

// turnsOfCues returns the turns in cues. If cues begin with names, anything before a colon at the
// beginning of a cue is one, as long as it occurs again, all cues have one, or it can be a name.
func turnsOfCues(f *stream.File, list []stream.Message) stream.Part {
	cues, labelled, named := 0, 0, map[string]int{}
	for _, s := range list {
		if !s.HasTime || s.Name != "" {
			continue
		}
		cues++
		if name, _, ok := label(s.Text); ok {
			named[name]++
			labelled++
		}
	}
	speaks := func(name string) bool {
		return labelled == cues || len(named) > 1 && named[name] > 1 ||
			!isHeading(name) && isName(name)
	}
	p, isNamed := stream.Part{Line: list[0].Line}, false
	for _, s := range list {
		name, words, ok := label(s.Text)
		if ok && s.Name == "" &&
			(f.Who.Knows(name) || speaks(name) && (s.HasTime || named[name] > 1)) {
			s.Name, s.Text = name, s.Text[words:]
		}
		isNamed, s.Speaker, s.IsKnown = isNamed || s.Name != "", s.Name, s.Name == ""
		p.Messages = append(p.Messages, s)
	}
	p.Messages = stream.Joined(p.Messages)
	if !isNamed {
		p.Wrong(lex.Problem("no-cue"))
	}
	return p
}
