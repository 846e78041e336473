package dialogue

import (
	"regexp"
	"slices"
	"strings"
)

// A chat log: every message begins with a time, then the name, then the words. What has a time but no name
// ("Mira joined the chat") is nobody's turn. A line without a time continues the message before it.

// stamp matches the time at the beginning of a message: [12/03/24, 10:15:22], (10:15), 12/03/2024, 10:15 -
// or 2024-03-12T10:15:00Z, with the invisible marks that WhatsApp adds. bareStamp matches a time that has
// neither a date nor brackets and may as well be the beginning of a sentence ("10:30 suits me").
var (
	stamp = regexp.MustCompile(invisible + `(?:\[\s*(?:` + date + `)?` + clock + `\s*\]|` +
		`\(\s*(?:` + date + `)?` + clock + `\s*\)|` + date + clock + gap + `)`)
	bareStamp = regexp.MustCompile(invisible + clock + gap)
)

const (
	invisible = `^[\x{200e}\x{200f}\x{202a}-\x{202e}\x{feff}\s]*`
	date      = `\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:,\s*|T|\s+)`
	clock     = `\d{1,2}[:.]\d{2}(?:[:.]\d{2}(?:[.,]\d{1,9})?)?` +
		`(?:[\s\x{a0}\x{202f}]?[AaPp]\.?\s?[Mm]\.?)?(?:\s?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2}))?`
	gap = `(?:\s+[-–—|]|\s|:\s)`
)

// maxStamp is the longest time in bytes; nothing after it needs to be looked at.
const maxStamp = 80

// cutStamp gives the length of the time at the beginning of a line, or 0.
func cutStamp(line string) int {
	head := line[:min(len(line), maxStamp)]
	if m := stamp.FindStringIndex(head); m != nil {
		return m[1]
	}
	if m := bareStamp.FindStringIndex(head); m != nil {
		if _, _, ok := label(line[m[1]:]); ok {
			return m[1]
		}
	}
	return 0
}

// generated is the invisible mark with which WhatsApp begins what it says itself under somebody's name, such
// as "image omitted". Nobody is judged for that.
const generated = "\u200e"

// chatLine takes a line with a time apart.
func chatLine(line string) (name string, words int, ok bool) {
	n := cutStamp(line)
	if n == 0 {
		return "", 0, false
	}
	if m := nick.FindStringSubmatch(line[n:]); m != nil {
		return m[1], n + len(m[0]), true
	}
	name, words, _ = label(line[n:])
	if words += n; strings.HasPrefix(line[words:], generated) {
		name = ""
	}
	return name, words, true
}

// nick matches a name as IRC writes it: <ines> words.
var nick = regexp.MustCompile(`^\s*<([^<>]{1,60})> `)

// headLine takes a line apart that holds a name and a time alone, as copies from Slack, Teams, Telegram and Discord
// have it above the words. The line without a name is a date or an event.
func headLine(line string) (name string, words int, ok bool) {
	head := strings.TrimRight(line[:min(len(line), maxName)], "\r\n")
	if m := nameClock.FindStringSubmatch(head); m != nil {
		return m[1], len(line), true
	}
	n := cutStamp(head)
	name = strings.TrimSpace(head[n:])
	return name, len(line), n > 0 && nameLike.MatchString(name)
}

// hasHeads reports whether the words of a chat stand below lines with the names and times.
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

// clockIn finds the time in a line that begins a message.
var clockIn = regexp.MustCompile(`(?:` + date + `)?` + clock)

// order sees to it that the turns of a chat are oldest first. It tells once a file what it finds.
func (d *draft) order() error {
	up, down, f, times := 0, 0, d.file, d.times
	for i := 1; i < len(times); i++ {
		switch a, b := times[i-1], times[i]; {
		case a.US < b.US && a.EU < b.EU:
			up++
		case a.US > b.US && a.EU > b.EU:
			down++
		}
	}
	told := ""
	switch turns := d.dialogue.Turns; {
	case d.err != nil || len(times) != len(turns) || down == 0:
	case down > up:
		slices.Reverse(turns)
		slices.Reverse(d.voices)
		told = "newest first, so read from the end"
	case times[0].HasDate:
		told = "the times go back within a dialogue; the file's order is kept"
	}
	return f.noteOnce(told)
}
