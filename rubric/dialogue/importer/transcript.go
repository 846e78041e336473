package importer

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"assize/rubric/dialogue"
)

// This file parses a text that holds a whole conversation: lines such as "Agent: words" or
// "[10:15] Agent: words", with line breaks of any kind, in HTML, or as JSON messages.

// unfold returns the conversation in a cell as lines.
func unfold(who *names, cell string) string {
	if !strings.Contains(cell, "\n") && strings.Contains(cell, `\n`) {
		cell = strings.NewReplacer(`\r\n`, "\n", `\n`, "\n").Replace(cell)
	}
	if expr("block-tag").MatchString(cell) || expr("any-tag").MatchString(cell) {
		if !expr("block-tag").MatchString(cell) {
			cell = strings.ReplaceAll(cell, "\n", "<br>")
		}
		cell = htmlLines(cell, "- ", "")
	}
	// The name and the time may be on a line of their own.
	if expr("name-clock").MatchString(cell) && !isDialogue(who, cell) {
		begins, lines := headsIn(cell), strings.Builder{}
		for line := range strings.Lines(cell) {
			if name, _, ok := begins(line); ok && name != "" {
				line = "[" + expr("clock-in").FindString(line) + "] " + name + ": \n"
			}
			lines.WriteString(line)
		}
		cell = lines.String()
	}
	if strings.Contains(cell, " says: ") {
		cell = expr("says-in").ReplaceAllString(strings.TrimSuffix(cell, ";"), "\n$1")
	}
	if isDialogue(who, cell) || strings.Contains(strings.TrimSpace(cell), "\n") {
		return cell
	}
	for _, between := range []string{" || ", " | ", "||", "|", " ;; ", " / "} {
		if lines := strings.ReplaceAll(cell, between, "\n"); isDialogue(who, lines) {
			return lines
		}
	}
	return expr("inline").ReplaceAllStringFunc(cell, func(s string) string {
		if name, _, ok := label(s[cutStamp(s):]); ok && who.knows(name) {
			return "\n" + strings.TrimLeft(s, " \t")
		}
		return s
	})
}

// isDialogue reports whether a text is a dialogue: it has at least two speakers, and either usual
// names are among them or most of its lines begin turns.
func isDialogue(who *names, text string) bool {
	lines, turns, known := 0, 0, 0
	seen := map[string]int{}
	look := styleOf(who, text)
	isTurn := func(line string) bool { _, _, ok := turnIn(line); return ok }
	for line, inCode := range codeLines(text, isTurn) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		lines++
		name, stamped, ok := turnIn(line)
		if !stamped && !look.fits(line) {
			ok = false
			if lines == 1 {
				look = style{} // everything below prose is a list
			}
		}
		if !ok || inCode || !stamped && !who.knows(name) && !isName(name) {
			continue
		}
		turns++
		seen[FoldName(name)]++
		if who.knows(name) {
			known++
		}
		if turns >= 50 {
			break
		}
	}
	return len(seen) > 1 &&
		(known > 1 || known == 1 && len(seen) == 2 || 2*turns > lines && turns > len(seen))
}

func isTranscript(who *names, cell string) bool {
	if strings.HasPrefix(cell, "[{") || strings.HasPrefix(cell, "{") {
		return len(messagesIn(cell)) > 0
	}
	return (strings.Contains(cell, ":") || expr("name-clock").MatchString(cell)) &&
		isDialogue(who, unfold(who, cell))
}

// messagesIn returns the list of messages that a cell holds as JSON, or nil.
func messagesIn(cell string) jsontext.Value {
	raw := jsontext.Value(cell)
	if !raw.IsValid(lenient) {
		return nil
	}
	if raw.Kind() == '{' {
		raw = members(raw).get("messages", "conversation", "conversations", "transcript")
	}
	for m := range elements(raw) {
		t := &layoutNamed(openAI).Turns[0]
		if _, is, bad := t.Text.words(members(m)); is && !bad &&
			t.Speaker.first(members(m)) != nil {
			return raw
		}
		break
	}
	return nil
}

// readTranscript yields the conversation in the text of a part.
func readTranscript(f *file, p *part) {
	text := p.Messages[0].Text
	p.Messages = nil
	if list := messagesIn(text); list != nil && p.Err == nil {
		layoutNamed(openAI).read(f, p, list)
	} else if text != "" && p.Err == nil {
		parseCell(f, p, unfold(f.who, text))
	}
	addReply(f, p)
	assemble(f, []part{*p}, true)
}

// addReply appends the model's reply to a conversation that does not contain it already.
func addReply(f *file, p *part) {
	n := len(p.Messages)
	if p.reply == "" || p.Err != nil || n == 0 {
		return
	}
	// This may be "Assistant:", where the reply begins.
	if n > 1 && strings.TrimSpace(p.Messages[n-1].Text) == "" {
		n--
		p.Messages = p.Messages[:n]
	}
	if last := &p.Messages[n-1]; f.who.side(last) != dialogue.User {
		if strings.TrimSpace(last.Text) != p.reply {
			f.omissions.add("answer", "")
		}
		return
	}
	if isData(p.reply) {
		list := messagesIn("[" + p.reply + "]")
		if list == nil {
			list = messagesIn(p.reply)
		}
		if list == nil {
			p.wrong("JSON and no words in the column of the answer",
				"the keys are "+quoted(keysIn(jsontext.Value(p.reply), "")))
			return
		}
		layoutNamed(openAI).read(f, p, list)
		return
	}
	p.Messages = append(p.Messages, message{Name: "assistant", Text: p.reply})
}

// parseCell splits the text of a conversation into turns. The names in the part are known speakers.
func parseCell(f *file, p *part, text string) {
	who := newNames(f.opt)
	learn(who.roles, p.Agent, dialogue.System)
	learn(who.roles, p.Customer, dialogue.User)
	isStamped := false
	for line := range strings.Lines(text) {
		name, stamped, ok := turnIn(line)
		isStamped = isStamped || stamped && ok
		if folded := FoldName(name); ok && f.agents[folded] != dialogue.Other {
			learn(who.roles, []string{folded}, dialogue.System)
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

// withoutTags returns the text of a message, which may be HTML.
func withoutTags(s string) string {
	if strings.HasPrefix(s, "<") && expr("block-tag").MatchString(s) {
		return htmlText(s)
	}
	return s
}

// htmlText returns the text of an HTML document as a reader sees it: without tags, with entities
// decoded, and with a line break where a paragraph, a list item or a <br> begins a line.
func htmlText(s string) string { return htmlLines(s, "", "") }

// htmlLines is like htmlText but puts entry before list items and quote before quoted lines.
func htmlLines(s, entry, quote string) string {
	if !strings.ContainsAny(s, "<&") {
		return strings.TrimSpace(s)
	}
	var text strings.Builder
	var lines []string
	quotes := 0 // open blockquotes
	end := func() {
		for line := range strings.Lines(text.String()) {
			if words := strings.Join(strings.Fields(line), " "); words != "" && quotes > 0 {
				lines = append(lines, quote+words)
			} else if words != "" {
				lines = append(lines, words)
			}
		}
		text.Reset()
	}
	z := html.NewTokenizer(strings.NewReader(s))
	hidden := false // in a script or a style, whose text is a single token
	// Anything that is not HTML is text, so an error means the end of the input.
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		if kind == html.TextToken && !hidden {
			text.WriteString(strings.ReplaceAll(string(z.Text()), "\n", " "))
		}
		name, _ := z.TagName()
		tag := atom.Lookup(name)
		hidden = false
		switch tag {
		case atom.Script, atom.Style:
			hidden = kind == html.StartTagToken
		case atom.Br, atom.P, atom.Div, atom.Li, atom.Ul, atom.Ol, atom.Tr, atom.Table,
			atom.Blockquote, atom.Pre, atom.Hr,
			atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
			text.WriteByte('\n')
		}
		switch {
		case tag == atom.Li && kind == html.StartTagToken:
			text.WriteString(entry)
		case tag == atom.Blockquote && kind == html.StartTagToken:
			end()
			quotes++
		case tag == atom.Blockquote && kind == html.EndTagToken:
			end()
			quotes = max(quotes-1, 0)
		}
	}
	end()
	return strings.Join(lines, "\n")
}
