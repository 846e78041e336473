package importer

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Not all that a model and its tracing write is said to the other side: this file recognizes
// thoughts between tags, JSON payloads, and the conversation so far in one text.

// thoughts returns an expression in which %[1]s is replaced by the tag names of unsaid.txt.
func thoughts(expr string) pattern {
	return sync.OnceValue(func() *regexp.Regexp {
		words := maps.Clone(kinds()["unsaid"])
		maps.DeleteFunc(words, func(_, kind string) bool { return kind != "tag" })
		names := strings.Join(slices.Sorted(maps.Keys(words)), "|")
		return regexp.MustCompile(fmt.Sprintf(expr, names))
	})
}

var (
	thought   = thoughts(`(?is)<(?:%[1]s)>.*?</(?:%[1]s)>`)
	openEnded = thoughts(`(?is)^\s*<(?:%[1]s)>.*|^.*\n\s*</(?:%[1]s)>`)
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

// withoutStop returns the text of a simulated customer without the mark that ends the conversation.
func withoutStop(text string) string {
	if !strings.Contains(text, "###") {
		return text
	}
	for mark, kind := range kinds()["unsaid"] {
		if before, ok := strings.CutSuffix(strings.TrimSpace(text), mark); ok && kind == "stop" {
			return strings.TrimSpace(before)
		}
	}
	return text
}

// turnsIn returns the turns of a text in which every turn begins with a role, such as "Human: Is it
// open?". It returns nil for any other text.
func turnsIn(text string) (list []message) {
	start := 0
	end := func(at int) {
		if len(list) > 0 {
			list[len(list)-1].Text = strings.TrimSpace(text[start:at])
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
