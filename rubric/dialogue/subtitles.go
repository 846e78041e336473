package dialogue

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Subtitles of a call, WebVTT (https://www.w3.org/TR/webvtt1) and SRT, as Zoom and Teams export them: cues with times,
// in which the speaker is a voice, <v Ann Lee>, or a name and a colon. A file is one dialogue, and what a speaker says
// in cues that follow one another is one turn.

var (
	cueTimes = regexp.MustCompile(`^\s*(?:(\d+):)?(\d{1,2}):(\d{2})[.,](\d{1,3})\s+-->\s+(?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3}`)
	voice    = regexp.MustCompile(`<v(?:\.[^\s>]*)?\s+([^>]*)>`)
)

// areSubtitles reports whether a stream begins as subtitles do.
func areSubtitles(head string) bool {
	const most = 20 // lines of a heading, a style or a note
	n := 0
	for line := range strings.Lines(head) {
		if n++; n > most {
			break
		}
		if cueTimes.MatchString(line) {
			return true
		}
	}
	return strings.HasPrefix(head, "WEBVTT")
}

type spoken struct {
	line  int
	start int    // of its cue, in milliseconds
	voice string // empty where the line has no tag that names it
	text  string
}

func (f *file) readSubtitles() {
	var list []spoken
	size, inCue, start := 0, false, 0
	l := f.lines()
	for l.next() {
		line := strings.TrimSpace(string(l.text))
		switch {
		case cueTimes.MatchString(line):
			inCue, start = true, cueStart(line)
		case line == "":
			inCue = false
		case inCue:
			name := ""
			for _, part := range strings.Split(voice.ReplaceAllString(line, "\x00$1\x01"), "\x00") {
				if who, words, ok := strings.Cut(part, "\x01"); ok {
					name, part = who, words
				}
				if text := htmlText(part); text != "" {
					list = append(list, spoken{l.number, start, strings.TrimSpace(name), text})
				}
			}
		}
		if size += len(line); size > f.most.text {
			d := f.draft(1, "")
			d.wrong(l.number, f.most.String(), longHint)
			d.emit()
			return
		}
	}
	if f.fail(l.err); f.err == nil && len(list) > 0 {
		f.cuesInOrder(list)
		f.subtitles(list)
	}
}

// cueStart gives when a cue begins, in milliseconds.
func cueStart(line string) int {
	m := cueTimes.FindStringSubmatch(line)
	var at int
	for i, part := range m[1:] {
		n, _ := strconv.Atoi(part) // hours may be absent
		at = at*[]int{0, 60, 60, 1000}[i] + n
	}
	return at
}

// cuesInOrder reads cues that stand last first from the end. Where their times go back elsewhere, as in recordings that
// were put together, the order of the file stays. It tells of both.
func (f *file) cuesInOrder(list []spoken) {
	earlier := func(a, b spoken) int { return cmp.Compare(a.start, b.start) }
	later := func(a, b spoken) int { return cmp.Compare(b.start, a.start) }
	switch {
	case slices.IsSortedFunc(list, earlier):
	case slices.IsSortedFunc(list, later):
		slices.SortStableFunc(list, earlier) // the lines of a cue keep their order
		f.note("the last cue comes first, so read from the end")
	default:
		f.note("the times of the cues go back; the file's order is kept")
	}
}

// subtitles yields the dialogue. A line that names nobody goes on with the turn before it.
func (f *file) subtitles(list []spoken) {
	var all strings.Builder
	for _, s := range list {
		if s.voice == "" {
			all.WriteString(s.text + "\n")
		}
	}
	parse := f.plain(all.String())
	p := Part{Line: list[0].line}
	named := false
	for _, s := range list {
		if name, words, ok := parse(s.text); ok && s.voice == "" {
			s.voice, s.text = name, s.text[words:]
		}
		named = named || s.voice != ""
		if n := len(p.Said); n > 0 && (s.voice == "" || s.voice == p.Said[n-1].Name) {
			p.Said[n-1].Text += " " + s.text
		} else {
			p.Said = append(p.Said, Said{Name: s.voice, Text: s.text, Line: s.line, IsKnown: s.voice == ""})
		}
	}
	if !named {
		p.wrong("no cue names its speaker", "export the call with the names of the speakers")
	}
	f.conversation([]Part{p}, true)
}
