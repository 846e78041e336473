package importer

import (
	"slices"
	"strings"
	"unicode"
)

// Not all that a model and its tracing write is said to the other side: this file recognizes
// thoughts between tags, JSON payloads, and the conversation so far in one text.

var (
	thought   = form("thought")
	stopMark  = form("stop-mark")
	openEnded = form("open-ended")
)

// withoutThoughts returns the text of a model without its thoughts. A thought at the beginning may
// lack its end, if the answer was cut off, and one that ends on a line of its own may lack its
// beginning, if that is in the prompt.
func withoutThoughts(text string) string {
	if !strings.Contains(text, "<") {
		return text
	}
	text = thought().ReplaceAllString(text, "")
	return strings.TrimSpace(openEnded().ReplaceAllString(text, ""))
}

// withoutStop returns a text without the marks at its end with which a simulated customer or a
// model ends what it writes.
func withoutStop(text string) string {
	const ends, longest = " \t\r\n\"'`*_.!", 40
	for {
		cut := strings.TrimRight(text, ends)
		if cut == "" || !strings.Contains("#>]E", cut[len(cut)-1:]) { // as nearly always
			return text
		}
		begin := max(0, len(cut)-longest)
		mark := stopMark().FindStringIndex(cut[begin:])
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
		case ok && unicode.IsLetter(rune(line[0])) && kinds()["unsaid"][FoldName(name)] == "label":
			end(at)
			start = at + words
			list = append(list, message{Name: name, speaker: name})
		case len(list) == 0 && strings.TrimSpace(line) != "":
			return nil
		}
		at += len(line)
	}
	end(len(text))
	return slices.DeleteFunc(list, func(s message) bool { return s.Text == "" })
}
