package importer

import "strings"

// In a chat log, every message begins with a time, then the name, then the words. A line with a
// time but no name ("Mira joined the chat") is a turn of OTHER. A line without a time continues the
// message before it.

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
func hasHeads(who *names, text string) bool {
	heads, others := 0, 0
	seen := map[string]int{}
	for line := range strings.Lines(text) {
		if name, _, ok := headLine(line); ok {
			heads++
			seen[name]++
		} else if name, stamped, ok := turnIn(line); ok && (stamped || who.knows(name)) {
			others++
		}
	}
	return heads > others && heads > len(seen) && len(seen) > 1
}
