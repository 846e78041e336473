package importer

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"assize/rubric/dialogue"
)

// This file parses a table cell that holds a whole conversation: lines such as "Agent: words" or
// "[10:15] Agent: words", with line breaks of any kind, in HTML, or as JSON messages.

var (
	blockTag  = lazy(`(?i)<(?:br|p|div|li|tr)\b[^>]*>`)
	anyTag    = lazy(`(?i)</?(?:b|strong|span|i|em|a|font|u)\b[^>]*>`)
	nameClock = lazy(`(?m)^[ \t]*([^\d:\[(\n]{2,60}?)[-–—|,(\[ \t]*(?:` + date + `)?` + clock +
		`[)\]]*:?[ \t]*$`)
	inline = lazy(`[ \t]+((?:\[[\d: ]+\] |\([\d: ]+\) )?\p{Lu}\p{L}*(?: \d+)?: )`)
)

// unfold returns the conversation in a cell as lines.
func unfold(who *names, cell string) string {
	if !strings.Contains(cell, "\n") && strings.Contains(cell, `\n`) {
		cell = strings.NewReplacer(`\r\n`, "\n", `\n`, "\n").Replace(cell)
	}
	if blockTag().MatchString(cell) || anyTag().MatchString(cell) {
		if !blockTag().MatchString(cell) {
			cell = strings.ReplaceAll(cell, "\n", "<br>")
		}
		cell = htmlLines(cell, "- ", "")
	}
	// The name and the time may be on a line of their own.
	cell = nameClock().ReplaceAllString(cell, "$1: ")
	if isDialogue(who, cell) || strings.Contains(strings.TrimSpace(cell), "\n") {
		return cell
	}
	for _, between := range []string{" || ", " | ", "||", "|", " ;; ", " / "} {
		if lines := strings.ReplaceAll(cell, between, "\n"); isDialogue(who, lines) {
			return lines
		}
	}
	lines := inline().ReplaceAllStringFunc(cell, func(s string) string {
		if name, _, ok := label(s[max(0, cutStamp(s)):]); ok && who.knows(name) {
			return "\n" + strings.TrimLeft(s, " \t")
		}
		return s
	})
	return lines
}

// turnIn finds the speaker of a line, whether or not the line begins with a time.
func turnIn(line string) (name string, stamped, ok bool) {
	n := cutStamp(line)
	name, words, ok := label(line[n:])
	return name, n > 0, ok && !strings.HasPrefix(line[n+words:], "//")
}

// isDialogue reports whether a text is a dialogue: it has at least two speakers, and either usual
// names are among them or most of its lines begin turns.
func isDialogue(who *names, text string) bool {
	lines, turns, known, at := 0, 0, 0, 0
	seen := map[string]int{}
	look := who.styleOf(text)
	code := codeBlocks(text, func(line string) bool { _, _, ok := turnIn(line); return ok })
	for line := range strings.Lines(text) {
		inCode := code.cover(at)
		if at += len(line); strings.TrimSpace(line) == "" {
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
		if !ok || inCode || !stamped && !who.knows(name) && !nameLike().MatchString(name) {
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
	return strings.Contains(cell, ":") && isDialogue(who, unfold(who, cell)) ||
		nameClock().MatchString(cell) && isDialogue(who, unfold(who, cell))
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
		t := &layoutNamed(OpenAI).Turns[0]
		if _, is, bad := t.Text.words(members(m)); is && !bad &&
			t.Speaker.first(members(m)) != nil {
			return raw
		}
		break
	}
	return nil
}

// transcript yields the conversation in the text of a part.
func (f *file) transcript(p *part) {
	text := p.Said[0].Text
	p.Said = nil
	if list := messagesIn(text); list != nil && p.Err == nil {
		l := layoutNamed(OpenAI)
		p.Said, _ = l.messages(f, p, &l.Turns[0], asObject(list))
		l.inOrder(f, p, p.Said)
		for i := range p.Said {
			p.Said[i].Name = p.Said[i].speaker
		}
	} else if text != "" && p.Err == nil {
		f.parseCell(p, unfold(f.who, text))
	}
	f.addReply(p)
	f.conversation([]part{*p}, true)
}

// addReply appends the model's reply to a conversation that ends with the USER. Any other
// conversation already contains it.
func (f *file) addReply(p *part) {
	n := len(p.Said)
	if p.reply == "" || p.Err != nil || n == 0 {
		return
	}
	if n > 1 && strings.TrimSpace(p.Said[n-1].Text) == "" { // "Assistant:", where the reply begins
		n--
		p.Said = p.Said[:n]
	}
	if last := p.Said[n-1]; last.side(f) != dialogue.User {
		if last.Text = strings.TrimSpace(last.Text); last.Text != p.reply {
			f.unsaid.answers++
		}
		return
	}
	s := utterance{Name: "assistant", Text: p.reply}
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
		t := &layoutNamed(OpenAI).Turns[0]
		more, _ := layoutNamed(OpenAI).messages(f, p, t, asObject(list))
		for i := range more {
			more[i].Name = more[i].speaker
		}
		p.Said = append(p.Said, more...)
		return
	}
	p.Said = append(p.Said, s)
}

// parseCell splits the text of a conversation into turns. The names that the part lists for each
// side are known speakers.
func (f *file) parseCell(p *part, text string) {
	who := newNames(f.opt)
	learn(who.roles, p.Agent, dialogue.System)
	learn(who.roles, p.Customer, dialogue.User)
	isStamped := false
	for line := range strings.Lines(text) {
		name, stamped, ok := turnIn(line)
		isStamped = isStamped || stamped && ok
		if folded := FoldName(name); ok && f.agents[folded] {
			learn(who.roles, []string{folded}, dialogue.System)
		}
	}
	begins := who.plain(text, who.styleOf(text))
	if isStamped {
		begins = chatLine
	}
	if f.parse(p, begins, text); !isStamped {
		f.doubt(p)
	}
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
			atom.Blockquote, atom.Pre,
			atom.Hr, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
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
