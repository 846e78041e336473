package importer

import (
	"bytes"
	"fmt"
	"html"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"

	"assize/rubric/dialogue"
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
	entity    = lazy(`&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});`)
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

// withoutEntities returns the text with HTML entities such as &#39; decoded. JSON is unchanged.
func withoutEntities(text string) string {
	if !strings.Contains(text, "&") || isData(text) {
		return text
	}
	return entity().ReplaceAllStringFunc(text, html.UnescapeString)
}

// has reports whether one of the paths has that kind.
func (ps paths) has(kind string) bool {
	return slices.ContainsFunc(ps, func(p path) bool { return p.kind == kind })
}

// plain returns the text at a path without what its kind excludes.
func (p path) plain(s string) string {
	switch p.kind {
	case "html", "json": // whose entities are decoded already, or are part of the text
		return s
	case "last":
		return s[strings.LastIndexByte(s, '/')+1:]
	}
	return withoutEntities(s)
}

// isData reports whether a text is JSON rather than words: an object, or a list that contains one.
func isData(text string) bool {
	text = strings.TrimSpace(text)
	if text == "" || text[0] != '{' && text[0] != '[' {
		return false
	}
	v := jsontext.Value(text)
	if !v.IsValid(lenient) {
		return false
	}
	if v.Kind() == '{' {
		return len(membersWithin(v, 1)) > 0
	}
	for e := range elements(v) {
		if e.Kind() == '{' {
			return true
		}
	}
	return false
}

// hasWords reports whether a string in a value has several words.
func hasWords(v jsontext.Value) bool {
	dec := jsontext.NewDecoder(bytes.NewBuffer(v), lenient)
	for {
		t, err := dec.ReadToken()
		if err != nil {
			return false
		}
		if t.Kind() == '"' && strings.ContainsFunc(strings.TrimSpace(t.String()), unicode.IsSpace) {
			return true
		}
	}
}

// duty describes which records of a log must hold messages, so that a record whose messages are not
// found is reported rather than taken for empty.
type duty struct {
	If       paths
	Asked    paths // where the request is
	Answered paths // where the answer is
}

// unmet returns the paths of a record that must hold messages and have words, but in which no
// message was found.
func (d *duty) unmet(o object, isAsked, isAnswered bool) (places []string) {
	if d.If.first(o) == nil {
		return nil
	}
	for _, at := range []struct {
		paths
		isFound bool
	}{{d.Asked, isAsked}, {d.Answered, isAnswered}} {
		if v := at.first(o); !at.isFound && v != nil && hasWords(v) {
			places = append(places, at.String())
		}
	}
	return places
}

// unread returns the paths of lists of messages in a request that no path of the layout reads.
func (l *layout) unread(o object) (places []string) {
	for _, asked := range l.Says.Asked {
		known := func(m member) bool {
			return slices.ContainsFunc(l.Turns, func(t messages) bool {
				return slices.ContainsFunc(slices.Concat(t.List, t.Text), func(p path) bool {
					return len(p.steps) > 1 && p.steps[0].name == asked.steps[0].name &&
						p.steps[1].name == m.folded
				})
			})
		}
		for v := range asked.in(o) {
			for _, m := range members(unpacked(v)) {
				if m.value.Kind() != '[' || len(asked.steps) > 1 || known(m) {
					continue
				}
				for _, e := range flat(m.value) {
					text, _, _ := l.Messages.Text.words(members(e))
					if text != "" && l.Messages.Speaker.first(members(e)) != nil {
						places = append(places, asked.text+"."+m.name)
					}
					break
				}
			}
		}
	}
	return places
}

// turnsIn returns the turns of a text in which every turn begins with a role, such as "Human: Is it
// open?". It returns nil for any other text.
func turnsIn(text string) (list []utterance) {
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
			list = append(list, utterance{Name: name, speaker: name})
		case len(list) == 0 && strings.TrimSpace(line) != "":
			return nil
		}
		at += len(line)
	}
	end(len(text))
	return slices.DeleteFunc(list, func(s utterance) bool { return s.Text == "" })
}

// unsaid counts messages that say nothing.
type unsaid struct {
	missing int      // messages of a side without words
	first   string   // where the first of them is
	data    int      // messages with JSON instead of words
	endless int      // thoughts of the SYSTEM that have no end
	answers int      // answers next to conversations that end with the SYSTEM
	places  []string // paths of messages that are not read
}

// unread records paths of messages that are not read, each once.
func (u *unsaid) unread(places []string) {
	for _, at := range places {
		if !slices.Contains(u.places, at) && len(u.places) < maxNamed {
			u.places = append(u.places, at)
		}
	}
}

// miss counts a message of a side without words. A message without a role is an event.
func (u *unsaid) miss(l *layout, role dialogue.Role, n, line int) {
	if l.Events || role != dialogue.System && role != dialogue.User {
		return
	}
	if u.missing == 0 {
		u.first = fmt.Sprintf("message %d on line %d", n, line)
	}
	u.missing++
}

// unknownHint says what to do about JSON of an unknown form; the list of keys follows it.
const unknownHint = "name the places with --columns, such as text=messages[].body; the keys are "

// tell reports the counts.
func (u *unsaid) tell(f *file) {
	if u.missing > 0 {
		f.tell(fmt.Sprintf("left out: %s of a side whose words are null or missing; the first is "+
			"%s", Counted(u.missing, "message"), u.first))
	}
	f.leftOut(u.endless, "message",
		" of the SYSTEM that begins with a thought without an end, such "+
			"as <think>, so that nobody can tell what was said")
	f.leftOut(u.answers, "answer", " next to a conversation that does not end with the customer")
	if len(u.places) > 0 {
		f.tell("left out: messages at " + quoted(u.places) +
			", a place that the format does not have")
	}
	if u.data > 0 {
		hint := ""
		if f.layout != nil {
			hint = "; name the place of the words with --columns, such as text=messages[].content.reply"
		}
		f.tell(areMessages(u.data) + " JSON and no words, so nobody's" + hint)
	}
}

// areMessages returns a number of messages with the verb.
func areMessages(n int) string {
	if n == 1 {
		return "1 message is"
	}
	return Counted(n, "message") + " are"
}
