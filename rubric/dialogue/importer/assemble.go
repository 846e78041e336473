package importer

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"assize/rubric/dialogue"
)

// This file makes dialogues of what the readers read.

// rating holds ratings as the source writes them, and the number of turns before them.
type rating struct {
	text  string
	list  []float64
	turns int
}

// draft is a dialogue under construction. It keeps its first error and then ignores the rest of the
// dialogue, so that a dialogue has at most one error.
type draft struct {
	part     // what its parts have in common
	file     *file
	dialogue dialogue.Dialogue
	ratings  []rating           // the ratings so far
	speakers []dialogue.Speaker // in order of appearance
	strange  []string           // speakers of unknown role, in order of appearance
	unknown  int                // the line of the first of them
	// roles holds the names that the source itself assigns to a side of this dialogue, folded.
	roles map[string]dialogue.Role
	// rest is the role of the only unknown speaker, if the other side is known; else Other.
	rest      dialogue.Role
	doubtsMe  bool             // "me" may be either side
	isServed  bool             // somebody who is not called system is the SYSTEM
	voices    []dialogue.Voice // of the turns
	prompt    string           // the latest prompt of the model
	openings  []Opening        // of the first speakers
	callIDs   map[int]string   // the ids of tool calls, by turn; see message
	resultIDs map[int]string   // the ids that results refer to, by turn
}

// settleRatings decides what was rated. If all ratings are the same, it is the dialogue, since
// exports repeat such a rating in every row; if they differ, it is the turns.
func (d *draft) settleRatings() {
	if len(d.ratings) == 0 || d.Err != nil {
		return
	}
	differs := func(g rating) bool { return g.text != d.ratings[0].text }
	if !slices.ContainsFunc(d.ratings, differs) {
		d.truth.Overall = d.ratings[0].list
		return
	}
	d.truth.Turns = make([][]float64, len(d.dialogue.Turns))
	for _, g := range d.ratings {
		if g.turns > 0 {
			d.truth.Turns[g.turns-1] = g.list
		}
	}
}

// assemble yields the dialogue of the parts. In rows, the role of a single unknown one is guessed.
func assemble(f *file, parts []part, areRows bool) {
	d := draft{part: parts[0], file: f, roles: map[string]dialogue.Role{}}
	d.Meta = nil
	for i := range parts {
		p := &parts[i]
		mend(f, p)
		if p.Err != nil && (d.Err == nil || p.Err.Line < d.Err.Line) {
			d.Err = p.Err
		}
		d.Tools = append(d.Tools, p.Tools...)
		if d.IsRequest = d.IsRequest || p.IsRequest; areRows {
			d.Line, d.Meta = min(d.Line, p.Line), agree(d.Meta, p.Meta)
		} else {
			d.Meta = append(d.Meta, p.Meta...)
		}
		learn(d.roles, p.Agent, dialogue.System)
		learn(d.roles, p.Customer, dialogue.User)
	}
	d.settleSides(parts, areRows)
	for i := range parts {
		if d.Err == nil {
			d.say(parts[i].Line, parts[i].Messages)
			list, ok := ParseRatings(parts[i].Rating)
			if !ok {
				misrated(f, parts[i].Line, parts[i].Rating)
			} else if list != nil {
				d.ratings = append(d.ratings,
					rating{parts[i].Rating, list, len(d.dialogue.Turns)})
			}
		}
	}
	d.settleRatings()
	if d.Err == nil && d.truth.Turns == nil {
		orderResults(d.dialogue.Turns, d.voices, d.callIDs, d.resultIDs)
	}
	d.emit()
}

// say appends the messages of a line of the file as turns, and a prompt once, as a turn of OTHER. A
// speaker of unknown role is an error at the end of the dialogue, which names all of them.
func (d *draft) say(line int, list []message) {
	d.dialogue.Turns, d.voices = slices.Grow(d.dialogue.Turns, len(list)),
		slices.Grow(d.voices, len(list))
	for i := range list {
		s := &list[i]
		role, ok, isPrompt := s.Role, s.IsKnown, !s.IsKnown && d.file.isPrompt(s.Name)
		if folded := FoldName(s.Name); ok {
			_, isMapped := d.file.who.roles[folded]
			ok = s.IsOurs || !isMapped && !(d.doubtsMe && folded == "me") &&
				!(d.isServed && folded == "system")
		}
		if isPrompt {
			role, ok = dialogue.Other, true
		} else if !ok {
			role, ok = d.role(s.Name)
		}
		if ok && role != dialogue.Other && !d.file.isJSON && isData(s.Text) {
			role = dialogue.Other
			d.file.omissions.add("data", "")
		}
		said := withoutStop(s.Text)
		if said == "" && s.Text != "" && role != dialogue.Other && d.truth.Empty() {
			continue
		}
		s.Text = said
		switch line := cmp.Or(s.Line, line); {
		case s.IsNote, isPrompt && (s.Text == "" || s.Text == d.prompt):
		case ok && role == dialogue.System && d.truth.Empty() &&
			kindOf("unsaid", strings.TrimSpace(s.Text)) == "nothing":
			d.file.omissions.add("nothing", "")
		case ok:
			if isPrompt {
				d.prompt = s.Text
			}
			d.open(s)
			d.add(line, role, s)
		case len(d.strange) < maxListed && !slices.Contains(d.strange, s.Name):
			d.open(s)
			d.strange = append(d.strange, s.Name)
			d.unknown = cmp.Or(d.unknown, line)
		}
	}
}

// open records a message if it is its speaker's first.
func (d *draft) open(s *message) {
	const maxText = 1000
	if len(d.openings) == maxListed || s.Name == "" || strings.TrimSpace(s.Text) == "" ||
		slices.ContainsFunc(d.openings, func(o Opening) bool { return o.Speaker == s.Name }) {
		return
	}
	d.openings = append(d.openings, Opening{s.Name, s.Text[:min(len(s.Text), maxText)]})
}

// role returns the role of a speaker's name and reports whether it is known. The user's options and
// usual names come first, then what the source says in this dialogue, then what it says in others.
func (d *draft) role(name string) (dialogue.Role, bool) {
	who, folded := d.file.who, FoldName(name)
	listed, isListed := d.roles[folded]
	isMapped := func() bool { _, is := who.roles[folded]; return is }
	switch usual := who.find(name); {
	case d.doubtsMe && folded == "me":
		return dialogue.User, who.elseUser
	case d.isServed && folded == "system" && !isMapped():
		return dialogue.Other, true // a prompt, or the software: "Chat started"
	case usual != nobody:
		return usual, true
	case isListed:
		return listed, true
	case d.file.agents[folded] != dialogue.Other,
		!who.elseUser && strings.HasPrefix(folded, "agent "): // Agent Anna
		return dialogue.System, true
	case who.elseUser:
		return dialogue.User, true
	}
	return d.rest, d.rest != dialogue.Other && name != ""
}

// settleSides decides what the other speakers show about some: "me", who usually is the SYSTEM, is
// unknown if another SYSTEM speaks, and a speaker called system then is OTHER; in rows, the only
// unknown speaker is the side that is missing.
func (d *draft) settleSides(parts []part, areRows bool) {
	unknown, speaks := map[string]bool{}, [...]bool{dialogue.System: false, dialogue.User: false}
	isMe, isOther, isServed := false, false, false
	for i := range parts {
		for j := range parts[i].Messages {
			s := &parts[i].Messages[j]
			own, isCounted := strings.EqualFold(s.Name, "me"), areRows && !s.IsKnown && !s.IsNote
			if isMe = isMe || own; isOther && isServed && !isCounted {
				continue
			}
			role, ok := s.Role, s.IsKnown
			if !ok {
				role, ok = d.role(s.Name)
			}
			side := d.file.who.side(s)
			if !(isOther && isServed) && FoldName(s.Name) != "system" {
				isOther = isOther || !own && side == dialogue.System
				isServed = isServed ||
					s.Name != "" && !s.IsNote && ok && role == dialogue.System
			}
			switch {
			case !isCounted:
			case ok:
				speaks[role] = true
			case s.Name != "" && len(unknown) < 2:
				unknown[FoldName(s.Name)] = true
			}
		}
	}
	_, isMapped := d.file.who.roles["me"]
	d.doubtsMe = isMe && isOther && !isMapped
	if len(unknown) == 1 && speaks[dialogue.System] != speaks[dialogue.User] {
		if d.rest = dialogue.System; speaks[d.rest] {
			d.rest = dialogue.User
		}
	}
	d.isServed = isServed
}

// add appends a turn of known role. White space around its text is dropped.
func (d *draft) add(line int, role dialogue.Role, s *message) {
	if len(d.dialogue.Turns) == d.file.most.turns {
		d.wrong(d.file.most.String(), longHint, line)
	}
	if d.Err != nil {
		return
	}
	name, n := s.Name, len(d.dialogue.Turns)
	if d.callIDs == nil && s.CallIDs+s.ResultID != "" {
		d.callIDs, d.resultIDs = map[int]string{}, map[int]string{}
	}
	if s.CallIDs != "" {
		d.callIDs[n] = s.CallIDs
	}
	if s.ResultID != "" {
		d.resultIDs[n] = s.ResultID
	}
	text := dialogue.Clean(strings.TrimSpace(s.Text))
	if role == dialogue.System {
		text = withoutThoughts(text)
	}
	d.dialogue.Turns = append(d.dialogue.Turns, dialogue.Turn{Role: role, Text: text})
	d.voices = append(d.voices,
		dialogue.Voice{Speaker: personal(name), At: dialogue.Short(s.Time, dialogue.MaxFieldName)})
	name = dialogue.Clean(name)
	i := slices.IndexFunc(d.speakers, func(s dialogue.Speaker) bool { return s.Name == name })
	if i >= 0 {
		d.speakers[i].Turns++
	} else if name != "" && len(d.speakers) < maxSpeakers {
		isAssumed := role == dialogue.User && !s.IsKnown && d.file.who.elseUser && // as no other
			!d.file.who.knows(s.Name) && d.roles[FoldName(s.Name)] == dialogue.Other
		d.speakers = append(d.speakers,
			dialogue.Speaker{Name: name, Role: role, Turns: 1, Assumed: isAssumed})
	}
}

// missed detects a dialogue of several people none of whom is in Options.SystemNames.
func (d *draft) missed() {
	var names []string
	isAssumed := false
	for _, s := range d.speakers {
		if s.Role == dialogue.System || d.Err != nil {
			return
		}
		if isAssumed = isAssumed || s.Assumed; s.Role == dialogue.User {
			names = append(names, s.Name)
		}
	}
	if isAssumed && len(names) > 1 {
		names = names[:min(len(names), maxListed)]
		d.wrong("no speaker is called as --system-name says, so everybody would be the USER",
			"name one of "+quoted(names), d.Line)
		d.explain(names)
	}
}

// explain adds speakers and the first messages of all to an error.
func (d *draft) explain(speakers []string) {
	d.Err.Speakers = speakers
	for _, o := range d.openings {
		o = Opening{dialogue.Clean(o.Speaker), dialogue.Short(o.Text, len(o.Text))}
		d.Err.Openings = append(d.Err.Openings, o)
	}
}

// emit yields the dialogue, or its error, at the next position of the file. Unknown speakers are an
// error; if the speakers have personal names, all of them are candidates for --system-name.
func (d *draft) emit() {
	f := d.file
	f.position++
	if unknown := d.strange; len(unknown) > 0 && d.Err == nil {
		hint := "say who it is with --role-map " + quote(unknown[0]+"=system") +
			" (or =user, =other)"
		if len(unknown) > 1 || f.format == Chat {
			names := slices.Clone(unknown)
			for _, s := range d.speakers[:min(len(d.speakers), maxListed-len(unknown))] {
				names = append(names, s.Name)
			}
			if hint = "say who is judged with --system-name NAME"; f.who.areRoles {
				hint = "say who is who with --role-map NAME=system,NAME=user"
			} else if len(names) > 2 {
				hint = "say who is who with --role-map NAME=system,NAME=user,NAME=other, or, if " +
					"all others are customers, who is judged with --system-name NAME"
			}
			hint += ", where NAME is one of " + quoted(names)
		}
		d.wrong("unknown speaker "+quote(unknown[0]), hint, d.unknown)
		d.explain(unknown)
	}
	d.missed()
	if d.Err != nil {
		if d.Err.Msg == f.most.String() && d.ID != "" {
			d.Err.Msg = quote(d.ID) + " has " + d.Err.Msg
		}
		d.Err.File, d.Err.Position = f.name, f.position
		f.emit(dialogue.Sample{}, d.Err)
		return
	}
	if len(d.dialogue.Turns) == 0 {
		f.silent++
		return
	}
	if last := len(d.dialogue.Turns) - 1; d.IsRequest {
		if f.requests++; d.dialogue.Turns[last].Role == dialogue.User {
			f.unanswered++
			f.isOpen = f.isOpen || strings.Contains(d.dialogue.Turns[last].Text, "?")
		}
	}
	for _, s := range d.speakers {
		f.speaks[s.Role] = true
		f.speaks[dialogue.System] = f.speaks[dialogue.System] || s.Name == toolCall
	}
	slices.Sort(d.Tools)
	d.dialogue.Listed = slices.Compact(d.Tools)
	s := dialogue.Sample{Dialogue: d.dialogue, Truth: d.truth}
	s.Source = dialogue.Source{File: f.name, Format: f.format, Line: d.Line, Position: f.position,
		Speakers: d.speakers}
	if slices.ContainsFunc(d.voices, func(v dialogue.Voice) bool { return v != dialogue.Voice{} }) {
		s.Source.Voices = d.voices
	}
	s.Source.Meta = dialogue.NewMeta(slices.DeleteFunc(d.Meta, f.setsAside))
	const most = 1<<53 - 1 // the largest integer that every JSON reader represents exactly
	n, err := strconv.Atoi(d.ID)
	if err == nil && 0 < n && n <= most && strconv.Itoa(n) == d.ID {
		s.Dialogue.ID = n
	} else {
		s.Dialogue.ID, s.Source.ID = f.position, dialogue.Clean(d.ID)
	}
	f.emit(s, nil)
}

// agree merges a row into the metadata of a dialogue that has several rows. It marks a field as
// differing if two rows have different values; rows without a value do not count.
func agree(fields, row []dialogue.Field) []dialogue.Field {
	for i, f := range row {
		f.Value = strings.TrimSpace(f.Value)
		// Most rows have the same fields in the same order.
		if i >= len(fields) || fields[i].Name != f.Name {
			i = slices.IndexFunc(fields, func(g dialogue.Field) bool { return g.Name == f.Name })
		}
		switch {
		case i < 0 && len(fields) < maxGathered:
			fields = append(fields, f)
		case i < 0 || f.Value == "":
		case fields[i].Value == "":
			fields[i].Value = f.Value
		case fields[i].Value != f.Value:
			fields[i].Value = differs
		}
	}
	return fields
}

// differs is the value of a field in which rows differ; NewMeta drops it, as no text has a NUL.
const differs = "\x00"

// Some exports, such as those of Messenger, hold UTF-8 whose bytes were read as Latin-1 or
// Windows-1252 and encoded as UTF-8 again, so that an é is "Ã©".

// mended returns a text that is all damaged UTF-8 as it was, and reports whether it is.
func mended(s string) (text string, is bool) {
	// A damaged character begins with one of these, which are the bytes from C2 to F4.
	if !strings.ContainsFunc(s, func(r rune) bool { return 0xC2 <= r && r <= 0xF4 }) {
		return s, false
	}
	bytes := make([]byte, 0, len(s))
	for _, r := range s {
		b, ok := charmap.Windows1252.EncodeRune(r)
		switch {
		case ok:
		case r <= 0xFF: // Windows-1252 has them elsewhere or not at all
			b = byte(r)
		default:
			return s, false
		}
		bytes = append(bytes, b)
	}
	if !utf8.Valid(bytes) {
		return s, false
	}
	return string(bytes), true
}

// mend repairs the names and the texts of a part, and reports that it did.
func mend(f *file, p *part) {
	is := false
	change := func(s *string) {
		if text, isOther := mended(*s); isOther {
			*s, is = text, true
		}
	}
	for i := range p.Messages {
		change(&p.Messages[i].Name)
		change(&p.Messages[i].Text)
	}
	for _, list := range [][]string{p.Agent, p.Customer} {
		for i := range list {
			change(&list[i])
		}
	}
	for i := range p.Meta {
		change(&p.Meta[i].Value)
	}
	if is {
		f.note("UTF-8 that was stored as Latin-1, such as Ã© for é, is decoded")
	}
}
