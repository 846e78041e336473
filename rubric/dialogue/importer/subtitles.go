package importer

import (
	"strconv"
	"strings"
)

// This file reads subtitles of a call (WebVTT, SRT and SBV): cues with times, in which the speaker
// is a voice, <v Ann Lee>, or a name and a colon. A file is one dialogue, and consecutive cues of a
// speaker are one turn.

func readSubtitles(f *file) {
	var list []message                                // the lines of the cues
	size, inCue, isFirst, start := 0, false, false, 0 // isFirst: no line of the cue is read yet
	l := newLines(f)
	for f.err == nil && l.next() {
		line := strings.TrimSpace(string(l.text))
		if m := expr("cue-times").FindStringSubmatch(line); m != nil {
			inCue, isFirst, start = true, true, 0
			for i, part := range m[1:] {
				n, _ := strconv.Atoi(part) // hours are optional
				start = start*[]int{0, 60, 60, 1000}[i] + n
			}
		} else if inCue = inCue && line != ""; inCue {
			name := ""
			for part := range strings.SplitSeq(expr("voice").ReplaceAllString(line, "\x00$1\x01"),
				"\x00") {
				if who, words, ok := strings.Cut(part, "\x01"); ok {
					name, part = strings.TrimSpace(who), words
				}
				if text := htmlText(part); text != "" {
					s := message{Name: name, Text: text, Line: l.number}
					s.at, s.hasTime = Moment{US: int64(start), EU: int64(start)}, isFirst
					list, isFirst = append(list, s), false
				}
			}
		}
		if size += len(line); size > f.most.text {
			f.fail(errTooLong)
		}
	}
	if f.fail(l.err); f.err == nil && len(list) > 0 {
		orderText(f, list)
		assemble(f, []part{turnsOfCues(f, list)}, true)
	}
}

// turnsOfCues returns the turns in cues. If cues begin with names, anything before a colon at the
// beginning of a cue is one, as long as it occurs again, all cues have one, or it can be a name.
func turnsOfCues(f *file, list []message) part {
	cues, labelled, named := 0, 0, map[string]int{}
	for _, s := range list {
		if !s.hasTime || s.Name != "" {
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
	p, isNamed := part{Line: list[0].Line}, false
	for _, s := range list {
		name, words, ok := label(s.Text)
		if ok && s.Name == "" &&
			(f.who.knows(name) || speaks(name) && (s.hasTime || named[name] > 1)) {
			s.Name, s.Text = name, s.Text[words:]
		}
		isNamed, s.speaker, s.IsKnown = isNamed || s.Name != "", s.Name, s.Name == ""
		p.Messages = append(p.Messages, s)
	}
	p.Messages = joined(p.Messages)
	if !isNamed {
		p.wrong("no cue names its speaker", "export the call with the names of the speakers")
	}
	return p
}
