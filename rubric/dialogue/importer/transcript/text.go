// Package transcript reads texts: transcripts, chats, subtitles and mail, in a file or in a cell.
//
//	Where is a format of text recognised?                  text.go: FormatOfHead, FormatOfTurns
//	Where does a dialogue of a file end?                   text.go: readText
//	Who speaks in a line, and when?                        label.go: label, personIn, CutStamp
//	Which labels are speakers, and not headings or lists?  label.go: styleOf, surveyOf
//	What is a message, an event or a notice of a chat?     chat.go: chatLine, headsIn, isNotice
//	What does each turn say? Which names are doubtful?     turns.go: parseTurns, doubt
//	Is the text of a cell a conversation?                  turns.go: IsDialogue, Unfold
//	Which letters are a thread, and what do they quote?    mail.go: threads, said
//
// Sessions of USS are separated by a blank line; dialogues of plain text and chats by a line of
// three or more "="; by a line of three or more "-", "*", "_", "#" or "~" if the next line begins a
// turn, unless such lines separate single turns; by a title such as "=== 25 ===" or
// "## Conversation 25", which provides the id; and by titles such as "--- Lost parcel ---" and
// "# conv-25" if they differ and turns are below them. Blank lines do not separate dialogues, since
// people put them between turns and inside them. A name after the mark of a list, a heading or a
// quotation begins a turn only if all turns of the text have that mark, and one in a code block
// never does.
package transcript

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer/lex"
	"assize/rubric/dialogue/importer/stream"
)

// Read reads a stream whose format is one of those of this package.
func Read(f *stream.File, head []byte) {
	switch head := string(head); f.Format {
	case stream.USS:
		f.NameRoles()
		isBlank := func(line string) (bool, bool, string) { return line == "", false, "" }
		readText(f, head, isBlank, nil, func(p *stream.Part, s string) { parseUSS(f, p, s) })
	case stream.Plain:
		look := styleOf(f.Who, head)
		opens := func(line string) (name string, words int, ok bool) { // a turn of any dialogue
			name, words, ok = label(line)
			return name, words, ok && (f.Who.ElseUser || f.Who.Knows(name)) && look.fits(line)
		}
		readText(f, head, textBreak, opens, func(p *stream.Part, text string) {
			parseTurns(f, p, plain(f.Who, text, look), text)
			doubt(f, p)
		})
	case stream.Chat:
		if hasHeads(f.Who, head) {
			readText(f, head, textBreak, headLine, func(p *stream.Part, text string) {
				parseTurns(f, p, headsIn(text), text)
				doubt(f, p)
			})
			return
		}
		begins, areAbove := chatLines(f.Who, head), hasDatesAbove(head)
		readText(f, head, textBreak, begins, func(p *stream.Part, text string) {
			if areAbove {
				text = datesBeside(text)
			}
			parseTurns(f, p, begins, text)
		})
	case stream.Subtitles:
		readSubtitles(f)
	case stream.Mail:
		readMail(f)
	}
}

// FormatOfHead returns the format of subtitles or mail, which their first lines show, or auto.
func FormatOfHead(text string) dialogue.Format {
	const most = 20 // lines of a heading, a style or a note above the first cue
	if lines := strings.SplitN(text, "\n", most+1); strings.HasPrefix(text, "WEBVTT") ||
		slices.ContainsFunc(lines[:min(len(lines), most)], lex.Expr("cue-times").MatchString) {
		return stream.Subtitles
	}
	if isMail(text) {
		return stream.Mail
	}
	return stream.Auto
}

// FormatOfTurns returns the format of a text by the lines that look like turns, or auto.
func FormatOfTurns(f *stream.File, text string) dialogue.Format {
	if hasHeads(f.Who, text) || hasDatesAbove(text) {
		return stream.Chat
	}
	seen := map[string]int{}
	messages, labels, listed, recurring, isLikely := 0, 0, 0, 0, false
	for line := range strings.Lines(text) {
		name, _, isLabel := label(line)
		role, _, isRow := strings.Cut(line, "\t")
		sender, _, isMessage := chatLine(line)
		switch {
		case isRow && f.Who.Knows(role) && messages+labels == 0:
			return stream.USS
		case isMessage && sender != "":
			messages++
		case isLabel && f.Who.Knows(name) && markOf(line) != "":
			listed++ // which may be items of a list in a message
		case isLabel && f.Who.Knows(name):
			labels++
		case isLabel:
			if seen[name]++; seen[name] == 2 {
				recurring, isLikely = recurring+1, isLikely || isName(name)
			}
		}
	}
	switch {
	case messages > labels: // which may be above them, such as "Agent: Ann Lee"
		return stream.Chat
	// Any words that begin lines may be a name if others do as well.
	case labels+listed > 0 || isLikely || recurring > 1:
		return stream.Plain // with speakers that need --role-map or --system-name
	case marked(f.Who, text) != nil:
		return stream.Chat
	}
	return stream.Auto
}

// A separator classifies a line that may separate two dialogues: a bar or a title always does; a
// rule, which may have a title, too, does if the next line is a title or begins a turn.
type separator func(line string) (isBar, isRule bool, title string)

// readText splits a file into the texts of its dialogues, each with the id from the title above it,
// and calls parse for each. begins finds the lines that begin a turn.
func readText(f *stream.File, head string, kind separator, begins parser,
	parse func(*stream.Part, string)) {
	var text []byte
	isLong, isOver := false, false
	isFenced := false  // by a line such as "~~~yaml", which a rule of tildes closes
	id, first := "", 0 // the line on which the first words are; 0 if none so far
	end := func() {
		if first == 0 {
			return
		}
		p := stream.Part{Line: first, ID: id}
		if isLong {
			p.Wrong(lex.Problem("long", f.Limits))
		} else {
			parse(&p, string(text))
		}
		isFirst := f.Format == stream.Plain && f.Position == 0 && !isOver // of several
		isTitle := (f.Format == stream.Chat || isFirst) && !isLong && len(p.Messages) == 0 &&
			strings.Count(string(text), "\n") <= maxHeading
		isFenced = false
		if text, isLong, id, first = text[:0], false, "", 0; isTitle {
			f.Note("a title or a last line without a turn is passed over")
		} else {
			stream.Assemble(f, []stream.Part{p}, false)
		}
	}
	if begins != nil && blankParts(head, begins) {
		f.Note(lex.Text("blank-lines"))
	}
	isPlainRule := begins != nil && rulesBetweenTurns(head, only(kind, ""), begins)
	if isPlainRule {
		f.Note(lex.Text("plain-rules"))
	}
	l := stream.NewLines(f)
	rule := -1                  // offset in the text of a rule before an unknown line, or -1
	heading := ""               // the line above, if it may be a title
	areNames := map[byte]bool{} // by the first letter or mark of titles; see titlesDiffer
	titled := ""                // the first title, which stands for all
	note := func(line string) {
		titled = cmp.Or(titled, line)
		f.Note(lex.Text("titled", lex.Quote(titled)))
	}
	for f.Err == nil && l.Next() {
		// This much is enough to classify the line.
		line := strings.TrimSpace(string(l.Text[:min(len(l.Text), 2*lex.MaxName)]))
		isBar, isRule, title := kind(line)
		if strings.HasPrefix(line, "~~~") && first > 0 {
			isFenced, isRule = !isRule, isRule && !isFenced
		}
		isTicket := title != "" &&
			(isRule || lex.Match("ticket-line", line) || lex.Match("with-line", line))
		if isTicket && first > 0 && // an entry of a list, or what a turn announces
			(lex.Match("entry-mark", line) || bytes.HasSuffix(text, []byte(":\n"))) {
			title, isTicket, isRule = "", false, false
		}
		unclear := "" // the line, if it may be a title
		if isRule && title != "" {
			are, isKnown := areNames[line[0]]
			if !isKnown {
				are = titlesDiffer(head, only(kind, line[:1]), begins)
				areNames[line[0]] = are
			}
			if isRule = !are && f.Format == stream.Plain && lex.Match("id-title", line); !are {
				title, unclear = "", line
			}
		}
		if line != "" && (rule >= 0 || heading != "") && !isRule {
			switch _, _, isTurn := begins(line); {
			case rule >= 0 && (isTurn || title != ""):
				if text = text[:rule]; !isPlainRule || title+heading != "" {
					end()
				}
				if heading != "" {
					note(heading)
				}
			case isTurn && lex.Match("comment-line", heading):
				f.Omissions.First("event", lex.Quote(heading))
			case isTurn && heading != "":
				f.Omissions.First("heading", lex.Quote(heading))
			}
			rule, heading = -1, ""
		}
		if first > 0 && unclear != "" {
			heading = unclear
		}
		switch {
		case title != "" || isBar && first > 0:
			end()
			if id = title; isTicket {
				note(line)
			}
			continue
		case first == 0 && (line == "" || isBar || isRule):
			continue
		case isRule && rule < 0:
			rule = len(text)
		}
		first, text = cmp.Or(first, l.Number), append(append(text, l.Text...), '\n')
		if len(text) > f.Limits.Text || l.Long != nil {
			text, isLong, rule = text[:0], true, min(rule, 0) // the rest is skipped
		}
	}
	if f.Fail(l.Err); f.Err == nil {
		isOver = true
		end()
	}
}

// blankParts reports whether blank lines separate groups of several turns, as some people write.
func blankParts(head string, begins parser) bool {
	groups := lex.Expr("blank-lines").Split(strings.TrimSpace(head), -1)
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

// rulesBetweenTurns reports whether rules separate turns rather than dialogues: above and below
// most of them, one speaker says one thing, and not the same one.
func rulesBetweenTurns(head string, kind separator, begins parser) bool {
	groups, single := 0, 0 // of turns above or below a rule
	above, name, turns := "", "", 0
	isBelow := false
	end := func(isRule bool) {
		if turns > 0 && (isRule || isBelow) {
			groups++
			if turns == 1 && name != above {
				single++
			}
		}
		if above, turns, isBelow = "", 0, isRule; isRule {
			above = name
		}
	}
	for line := range strings.Lines(head) {
		isBar, isRule, title := kind(strings.TrimSpace(line))
		if who, _, ok := begins(line); ok {
			name, turns = who, turns+1
		} else if isRule && turns > 0 || isBar || title != "" {
			end(isRule)
		}
	}
	end(false)
	return groups > 2 && 2*single > groups
}

// titlesDiffer reports whether the titles of rules name the dialogues: there are several, no two
// are equal, none is a day, and turns are below each, perhaps after fields such as "Channel: web".
// A title that is only an id, as an order number may be, must be above the first turn, too.
func titlesDiffer(head string, kind separator, begins parser) bool {
	seen, isOpen, isLate := map[string]bool{}, false, false
	for line := range strings.Lines(head) {
		line = strings.TrimSpace(line)
		_, isRule, title := kind(line)
		_, _, isTurn := begins(line)
		_, _, isField := label(line)
		switch _, isTime := lex.ParseTime(title); {
		case isRule && (isOpen || seen[title] || isTime || lex.Match("day-title", title) ||
			isLate && lex.Match("id-heading", line)),
			isOpen && line != "" && !isTurn && !isField:
			return false
		case isRule:
			seen[title], isOpen = true, true
		case isTurn:
			isOpen, isLate = false, isLate || len(seen) == 0
		}
	}
	return len(seen) > 1 && !rulesBetweenTurns(head, kind, begins)
}

// only returns a separator for the titles with a mark or, if that is empty, for other lines.
func only(kind separator, mark string) separator {
	return func(line string) (isBar, isRule bool, title string) {
		isBar, isRule, title = kind(line)
		if isRule && (title != "") != (mark != "" && strings.HasPrefix(line, mark)) {
			return isBar, false, ""
		}
		return isBar, isRule, title
	}
}

// textBreak classifies the separators of plain text and chats; title is the id in a title.
func textBreak(line string) (isBar, isRule bool, title string) {
	const longest = 50 // bytes of a title without digits and marks
	if line == "" || len(line) > lex.MaxName ||
		len(line) > longest && !strings.ContainsAny(line, "0123456789-=*_#~") {
		return false, false, "" // the common case
	}
	forms := []string{"titled-rule", "id-title", "start-title", "id-heading",
		"drawn-line", "title-line", "ticket-line", "with-line"}
	for i, form := range forms {
		isSoft := i < 4 // it depends on the lines below
		m := lex.Expr(form).FindStringSubmatch(line)
		if m != nil && !(isSoft && lex.Match("no-title", line)) {
			isRule, title = isSoft, cmp.Or(m[1:]...)
		}
	}
	return lex.Match("bar-line", line), isRule || lex.Match("rule-line", line), title
}

// parseUSS reads a session. The files of the User Satisfaction Simulation sets have one row per
// turn: ROLE, text, and possibly ACTION and ratings, between tabs, and blank lines between
// sessions, which are numbered. The row of the USER whose text is OVERALL rates the whole session.
func parseUSS(f *stream.File, p *stream.Part, text string) {
	truth := &p.Truth
	isOver, isRated, line := false, false, p.Line-1
	for row := range strings.Lines(dialogue.Clean(text)) {
		line++
		name, rest, ok := strings.Cut(strings.TrimSuffix(row, "\n"), "\t")
		words, rest, _ := strings.Cut(rest, "\t")
		label, scores, _ := strings.Cut(rest, "\t")
		scores, _, more := strings.Cut(scores, "\t")
		if !ok || more {
			msg, hint := lex.Problem("tabs", strings.Count(row, "\t"))
			p.Wrong(msg, hint, line)
		} else if isOver {
			p.Wrong("a row after OVERALL", "put a blank line before the next session", line)
		}
		if p.Err != nil {
			return
		}
		ratings, ok := lex.ParseRatings(scores)
		if !ok {
			stream.Misrated(f, line, scores)
		}
		if strings.TrimSpace(words) == "OVERALL" {
			isOver, truth.Overall = true, ratings
			continue
		}
		p.Messages = append(p.Messages, stream.Message{Name: name, Text: words, Line: line})
		isRated = isRated || ratings != nil
		truth.Turns = append(truth.Turns, ratings)
		truth.Labels = append(truth.Labels, strings.TrimSpace(label))
	}
	if !isRated {
		truth.Turns = nil
	}
	if strings.Join(truth.Labels, "") == "" {
		truth.Labels = nil
	}
}
