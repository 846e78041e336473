package stream

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"assize/rubric/dialogue"
	"assize/rubric/dialogue/importer/lex"
)

// rating holds ratings as the source writes them, and the number of turns before them.
type rating struct {
	text  string
	list  []float64
	turns int
}

// draft is a dialogue under construction. It keeps its first error and then ignores the rest of the
// dialogue, so that a dialogue has at most one error.
type draft struct {
	Part     // what its parts have in common
	file     *File
	dialogue dialogue.Dialogue
	ratings  []rating                 // the ratings so far
	speakers []dialogue.Speaker       // in order of appearance
	strange  []string                 // speakers of unknown role, in order of appearance
	unknown  int                      // the line of the first of them
	roles    map[string]dialogue.Role // the names that the source itself assigns to a side, folded
	// rest is the role of the only unknown speaker, if the other side is known; else Other.
	rest     dialogue.Role
	likely   dialogue.Role    // of the only unknown speaker
	doubted  []string         // names that may be of either side
	isServed bool             // somebody who is not called system is the SYSTEM
	voices   []dialogue.Voice // of the turns
	prompt   string           // the latest prompt of the model
	openings []Opening        // of the first speakers
	tools    map[int]*Message // the tool calls and results that have ids, by turn
}

// settleRatings decides what was rated. If all ratings are the same, it is the dialogue, since
// exports repeat such a rating in every row; if they differ, it is the turns.
func (d *draft) settleRatings() {
	if len(d.ratings) == 0 || d.Err != nil {
		return
	}
	differs := func(g rating) bool { return g.text != d.ratings[0].text }
	if !slices.ContainsFunc(d.ratings, differs) {
		d.Truth.Overall = d.ratings[0].list
		return
	}
	d.Truth.Turns = make([][]float64, len(d.dialogue.Turns))
	for _, g := range d.ratings {
		if g.turns > 0 {
			d.Truth.Turns[g.turns-1] = g.list
		}
	}
}

// Assemble yields the dialogue of the parts. In rows, the role of a single unknown one is guessed.
func Assemble(f *File, parts []Part, areRows bool) {
	d := draft{Part: parts[0], file: f}
	d.roles, d.tools, d.Meta = map[string]dialogue.Role{}, map[int]*Message{}, nil
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
		Learn(d.roles, p.Agent, dialogue.System)
		Learn(d.roles, p.Customer, dialogue.User)
	}
	d.settleSides(parts, areRows)
	for i := range parts {
		if d.Err == nil {
			d.say(parts[i].Line, parts[i].Messages)
			list, ok := lex.ParseRatings(parts[i].Rating)
			if !ok {
				Misrated(f, parts[i].Line, parts[i].Rating)
			} else if list != nil {
				d.ratings = append(d.ratings, rating{parts[i].Rating, list, len(d.dialogue.Turns)})
			}
		}
	}
	d.settleRatings()
	if d.Err == nil && d.Truth.Turns == nil {
		d.orderResults()
	}
	d.emit()
}

// say appends the messages of a line of the file as turns, and a prompt once, as a turn of OTHER. A
// speaker of unknown role is an error at the end of the dialogue, which names all of them.
func (d *draft) say(line int, list []Message) {
	for i := range list {
		s := &list[i]
		role, ok, isPrompt := s.Role, s.IsKnown, !s.IsKnown && d.file.IsPrompt(s.Name)
		if folded := lex.FoldName(s.Name); ok {
			_, isMapped := d.file.Who.Roles[folded]
			ok = s.IsOurs || !isMapped && !slices.Contains(d.doubted, s.Name) &&
				!(d.isServed && folded == "system")
		}
		if isPrompt {
			role, ok = dialogue.Other, true
		} else if !ok {
			role, ok = d.role(s.Name)
		}
		if ok && role != dialogue.Other && !d.file.IsJSON && lex.IsData(s.Text) {
			role = dialogue.Other
			d.file.Omissions.Add("data", "")
		}
		said := lex.WithoutStop(s.Text)
		if said == "" && s.Text != "" && role != dialogue.Other && d.Truth.Empty() {
			continue
		}
		s.Text = said
		switch line := cmp.Or(s.Line, line); {
		case s.IsNote, isPrompt && (s.Text == "" || s.Text == d.prompt):
		case ok && role == dialogue.System && d.Truth.Empty() &&
			lex.Kind("unsaid", strings.TrimSpace(s.Text)) == "nothing":
			d.file.Omissions.Add("nothing", "")
		case ok:
			if isPrompt {
				d.prompt = s.Text
			}
			if role == dialogue.Other && d.file.Who.find(s.Name).isNote() {
				d.file.Omissions.Add("noted", "")
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
func (d *draft) open(s *Message) {
	const maxText = 1000
	isOwn := func(o Opening) bool { return o.Speaker == s.Name }
	if len(d.openings) < maxListed && s.Name != "" && strings.TrimSpace(s.Text) != "" &&
		!slices.ContainsFunc(d.openings, isOwn) {
		text := s.Text[:min(len(s.Text), maxText)]
		d.openings = append(d.openings, Opening{Speaker: s.Name, Text: text})
	}
}

// role returns the role of a speaker's name and reports whether it is known. The user's options and
// usual names come first, then what the source says in this dialogue, then what it says in others.
func (d *draft) role(name string) (dialogue.Role, bool) {
	who, folded := d.file.Who, lex.FoldName(name)
	isMapped := func() bool { _, is := who.Roles[folded]; return is }
	switch usual := who.Find(name); {
	case slices.Contains(d.doubted, name):
		return dialogue.User, who.ElseUser
	case d.isServed && folded == "system" && !isMapped():
		return dialogue.Other, true // a prompt, or the software: "Chat started"
	case usual != Nobody:
		return usual, true
	case d.roles[folded] != dialogue.Other:
		return d.roles[folded], true
	case d.file.Agents[folded] != dialogue.Other,
		!who.ElseUser && strings.HasPrefix(folded, "agent "): // Agent Anna
		return dialogue.System, true
	case who.ElseUser && name != "":
		return dialogue.User, true
	}
	return d.rest, d.rest != dialogue.Other && name != ""
}

// settleSides decides what the other speakers show about some: "me", who exported the chat and
// usually is the SYSTEM, is unknown if another SYSTEM, or perhaps a company, speaks, or if a text
// begins with "me" and nobody else is known; a speaker called system is OTHER if a SYSTEM speaks; a
// "user" is unknown if a customer speaks, since it may be a person who works for the SYSTEM; in
// rows, the only unknown speaker is the side that is missing.
func (d *draft) settleSides(parts []Part, areRows bool) {
	unknown, speaks := map[string]bool{}, [...]bool{dialogue.System: false, dialogue.User: false}
	isOther, isServed, isClient, isCompany, hasAgent := false, false, false, false, false
	isFirst := false        // "me" begins a text
	var me, either []string // the names as written
	for i := range parts {
		for j := range parts[i].Messages {
			s := &parts[i].Messages[j]
			is := d.file.Who.find(s.Name)
			isSystem := is.words == "system"
			role, ok := s.Role, s.IsKnown
			if !ok {
				role, ok = d.role(s.Name)
			}
			isOwn := strings.EqualFold(s.Name, "me")
			switch {
			case isOwn && is.words != "":
				isFirst = isFirst || !areRows && i+j == 0
				me = append(me, s.Name)
			case is.role == dialogue.User && lex.In(is.words, "either-side"):
				either = append(either, s.Name)
			default:
				isClient = isClient || is.role == dialogue.User && is.words != ""
				isOther = isOther || !isOwn && !isSystem && d.file.Who.Side(s) == dialogue.System
				isCompany = isCompany || !ok && lex.Match("company", s.Name)
			}
			isAgent := !isSystem && s.Name != "" && !s.IsNote && ok && role == dialogue.System
			isServed, hasAgent = isServed || isAgent, hasAgent || isAgent && !isOwn
			switch {
			case s.IsKnown || s.IsNote:
			case ok:
				speaks[role] = true
			case s.Name != "" && s.Person == "" && len(unknown) < 2: // a kind may be of neither
				unknown[lex.FoldName(s.Name)] = true
			}
		}
	}
	if isClient {
		d.doubted = slices.Compact(either)
	}
	isUser := !speaks[dialogue.User] && (hasAgent || isCompany || isFirst && len(unknown) == 1)
	if len(me) > 0 && (isOther || isUser) {
		d.doubted = append(d.doubted, slices.Compact(me)...)
		unknown["me"], speaks[dialogue.System] = true, hasAgent
	}
	if len(unknown) == 1 && speaks[dialogue.System] != speaks[dialogue.User] {
		if d.likely = dialogue.System; speaks[d.likely] {
			d.likely = dialogue.User
		} else if areRows && len(d.file.Opt.Roles) > 0 { // others need not be named, either
			Learn(d.file.Agents, slices.Collect(maps.Keys(unknown)), dialogue.System)
		}
	}
	if areRows {
		d.rest = d.likely
	}
	d.isServed = isServed
}

// add appends a turn of known role. White space around its text is dropped.
func (d *draft) add(line int, role dialogue.Role, s *Message) {
	if len(d.dialogue.Turns) == d.file.Limits.Turns {
		msg, hint := lex.Problem("long", d.file.Limits)
		d.Wrong(msg, hint, line)
	}
	if d.Err != nil {
		return
	}
	d.file.hasNamed = d.file.hasNamed || d.file.Who.Roles[lex.FoldName(s.Name)] == dialogue.System
	name, n := dialogue.Clean(s.Name), len(d.dialogue.Turns)
	if s.CallIDs+s.ResultID != "" {
		d.tools[n] = s
	}
	text := dialogue.Clean(strings.TrimSpace(s.Text))
	if role == dialogue.System {
		text = lex.WithoutThoughts(text)
	}
	d.dialogue.Turns = append(d.dialogue.Turns, dialogue.Turn{Role: role, Text: text})
	at := dialogue.Short(s.Time, dialogue.MaxFieldName)
	d.voices = append(d.voices, dialogue.Voice{Speaker: personal(cmp.Or(s.Person, s.Name)), At: at})
	isSame := func(s dialogue.Speaker) bool { return s.Name == name && s.Role == role }
	i := slices.IndexFunc(d.speakers, isSame)
	if i >= 0 {
		d.speakers[i].Turns++
	} else if name != "" && len(d.speakers) < maxSpeakers {
		isAssumed := role == dialogue.User && !s.IsKnown && d.file.Who.ElseUser && // as no other
			!d.file.Who.Knows(s.Name) && d.roles[lex.FoldName(s.Name)] == dialogue.Other
		d.speakers = append(d.speakers,
			dialogue.Speaker{Name: name, Role: role, Turns: 1, Assumed: isAssumed})
	}
}

// missed detects a dialogue of several people none of whom is in Options.SystemNames. If one of
// these names spoke before, or in any row of a table, the dialogue has only one side.
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
	if isAssumed && len(names) > 1 && !d.file.hasNamed {
		names = names[:min(len(names), maxListed)]
		d.Wrong(lex.Problem("nobody", lex.Quoted(names)))
		d.explain(names)
	}
}

// explain adds speakers and the first messages of all to an error.
func (d *draft) explain(speakers []string) {
	d.Err.Speakers = speakers
	for _, o := range d.openings {
		o.Speaker, o.Text = dialogue.Clean(o.Speaker), dialogue.Short(o.Text, len(o.Text))
		d.Err.Openings = append(d.Err.Openings, o)
	}
}

// emit yields the dialogue, or its error, at the next position of the file. Unknown speakers are an
// error; if the speakers have personal names, all of them are candidates for --system-name.
func (d *draft) emit() {
	f := d.file
	f.Position++
	if unknown := d.strange; len(unknown) > 0 && d.Err == nil {
		likely, others := "=system", "=user"
		if d.likely == dialogue.User {
			likely, others = others, likely
		}
		name := unknown[0]
		if strings.ContainsAny(name, "$`\\") { // a shell would read more than a name
			name = "NAME"
		}
		hint := lex.Text("who", lex.Quote(name+likely), others)
		if len(unknown) > 1 || f.Format == Chat {
			names := slices.Clone(unknown)
			for _, s := range d.speakers {
				if s.Role != dialogue.Other && len(names) < maxListed {
					names = append(names, s.Name)
				}
			}
			if lex.Match("owner", names[0]) { // whoever exported a chat is usually the USER
				names = append(names[1:], names[0])
			}
			if hint = "say who is judged with --system-name NAME"; f.Who.areRoles {
				hint = "say who is who with --role-map NAME=system,NAME=user"
			} else if len(names) > 2 {
				hint = lex.Text("several-speakers")
			}
			hint += ", where NAME is one of " + lex.Quoted(names)
		}
		d.Wrong("unknown speaker "+lex.Quote(unknown[0]), hint, d.unknown)
		if d.explain(unknown); len(unknown) == 1 && d.likely != dialogue.Other {
			d.Err.Likely = likely
		}
	}
	d.missed()
	if d.Err != nil {
		if d.Err.Msg == f.Limits.String() && d.ID != "" {
			d.Err.Msg = lex.Quote(d.ID) + " has " + d.Err.Msg
		}
		d.Err.File, d.Err.Position = f.Name, f.Position
		f.Emit(dialogue.Sample{}, d.Err)
		return
	}
	if len(d.dialogue.Turns) == 0 {
		f.Silent++
		return
	}
	if last := len(d.dialogue.Turns) - 1; d.IsRequest {
		if f.Requests++; d.dialogue.Turns[last].Role == dialogue.User {
			f.Unanswered++
			f.IsOpen = f.IsOpen || strings.Contains(d.dialogue.Turns[last].Text, "?")
		}
	}
	for _, s := range d.speakers {
		f.Speaks[s.Role] = true
		f.Speaks[dialogue.System] = f.Speaks[dialogue.System] || s.Name == ToolCall
	}
	slices.Sort(d.Tools)
	d.dialogue.Listed = slices.Compact(d.Tools)
	s := dialogue.Sample{Dialogue: d.dialogue, Truth: d.Truth}
	s.Source = dialogue.Source{File: f.Name, Format: f.Format, Line: d.Line, Position: f.Position,
		Speakers: d.speakers}
	if slices.ContainsFunc(d.voices, func(v dialogue.Voice) bool { return v != dialogue.Voice{} }) {
		s.Source.Voices = d.voices
	}
	s.Source.Meta = dialogue.NewMeta(slices.DeleteFunc(d.Meta, f.setsAside))
	const most = 1<<53 - 1 // the largest integer that every JSON reader represents exactly
	if n, err := strconv.Atoi(d.ID); err == nil && 0 < n && n <= most && strconv.Itoa(n) == d.ID {
		s.Dialogue.ID = n
	} else {
		s.Dialogue.ID, s.Source.ID = f.Position, dialogue.Clean(d.ID)
	}
	f.Emit(s, nil)
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
		case i < 0 && len(fields) < lex.MaxGathered:
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

// mended returns a text that is all damaged UTF-8 as it was, and reports whether it is. Some
// exports, such as those of Messenger, hold UTF-8 whose bytes were read as Latin-1 or Windows-1252
// and encoded as UTF-8 again, so that an é is "Ã©".
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
func mend(f *File, p *Part) {
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
		f.Note("UTF-8 that was stored as Latin-1, such as Ã© for é, is decoded")
	}
}

// TimeOf returns the time of a message, and whether the source states it; see FillTimes.
func TimeOf(m *Message) (at *lex.Moment, isKnown bool) { return &m.At, m.HasTime }

// FillTimes sets the time of an element without one to that of the element before it. It counts how
// often the time increases and decreases; if times have no date, a step from late to early is
// midnight. Decreases that a change of clocks may explain are counted separately, as nights.
func FillTimes[T any](list []T, timeOf func(*T) (at *lex.Moment, isKnown bool), dated, isUS bool) (
	up, back, nights int) {
	known := slices.IndexFunc(list, func(v T) bool { _, is := timeOf(&v); return is })
	if known < 0 {
		return 0, 0, 0
	}
	for i := range list {
		at, isKnown := timeOf(&list[i])
		if before, _ := timeOf(&list[max(known, i-1)]); !isKnown {
			*at = *before
		}
		last, _ := timeOf(&list[max(0, i-1)])
		switch step := at.In(isUS) - last.In(isUS); {
		case step > 0:
			up++
		case step == 0:
		case lex.SetBack(*last, *at, isUS):
			nights++
		case dated || last.EU-at.EU < lex.DayLength/2:
			back++
		}
	}
	return up, back, nights
}

// OrderText puts the messages of a chat in order, oldest first, if most times decrease, and the
// lines of cues if nearly all do. It reports both that and an order that is kept.
func OrderText(f *File, list []Message) {
	up, back, _ := FillTimes(list, TimeOf, true, false)
	if back == 0 {
		return // as nearly always
	}
	upUS, backUS, _ := FillTimes(list, TimeOf, true, true)
	if back > up && backUS > upUS && (f.Format != Subtitles || back > 9*up) {
		if slices.Reverse(list); f.Format == Subtitles { // the lines of a cue keep theirs
			slices.SortStableFunc(list, func(a, b Message) int {
				return cmp.Or(cmp.Compare(a.At.EU, b.At.EU), a.Line-b.Line)
			})
		}
		f.Note("newest first, so read from the end")
	} else if backUS > 0 && (list[0].At.HasDate || f.Format == Subtitles) {
		f.Note("the times go back within a dialogue; the file's order is kept")
	}
}

// orderResults moves the results of tools into the order of their calls, as far as these have ids,
// because [dialogue.Dialogue.Tools] sees only the turns. Consecutive calls are a batch; within a
// batch, calls without a result come last.
func (d *draft) orderResults() {
	if len(d.tools) == 0 {
		return
	}
	type batch struct{ first, last int }    // turns
	type callPlace struct{ turn, line int } // of a call, with the line within its turn
	type sorted struct {
		key [3]int
		dialogue.Turn
		dialogue.Voice
	}
	list := make([]sorted, len(d.dialogue.Turns))
	batches, latest := map[int]*batch{}, (*batch)(nil) // by turn
	calls := map[string]callPlace{}                    // by id; the last one before a result counts
	answered := map[callPlace]bool{}                   // the calls that have a result
	run := 0                                           // where consecutive results begin
	for i, t := range d.dialogue.Turns {
		list[i] = sorted{[3]int{i}, t, d.voices[i]}
		s := cmp.Or(d.tools[i], &Message{})
		if s.CallIDs != "" {
			if batches[i-1] == nil {
				latest = &batch{first: i}
			}
			latest.last, batches[i] = i, latest
			for line, id := range strings.Split(s.CallIDs, "\n") {
				calls[id] = callPlace{i, line}
			}
		}
		if before := d.tools[i-1]; before == nil || before.ResultID == "" {
			run = i
		}
		if at, isKnown := calls[s.ResultID]; isKnown && s.ResultID != "" {
			answered[at] = true
			list[i].key = [3]int{run, at.turn + 1, at.line}
			if b := batches[at.turn]; b != latest { // it comes after other calls
				list[i].key[0] = b.last
			}
		}
	}
	for i, b := range batches {
		lines := strings.Split(list[i].Text, "\n")
		var with, without []string
		for line := range lines {
			if answered[callPlace{i, line}] {
				with = append(with, lines[line])
			} else {
				without = append(without, lines[line])
			}
		}
		if len(lines) == strings.Count(d.tools[i].CallIDs, "\n")+1 {
			list[i].Text = strings.Join(append(with, without...), "\n")
		}
		if b.first < b.last {
			list[i].key = [3]int{b.first, min(1, len(without)) * (2 - min(1, len(with))), i}
		}
	}
	slices.SortStableFunc(list, func(a, b sorted) int { return slices.Compare(a.key[:], b.key[:]) })
	for i, s := range list {
		d.dialogue.Turns[i], d.voices[i] = s.Turn, s.Voice
	}
}

// Joined merges consecutive messages of a speaker, or of nobody, into one.
func Joined(list []Message) (all []Message) {
	for from, to := 0, 0; from < len(list); from = to {
		s := list[from]
		var texts []string
		for to = from; to < len(list) &&
			(to == from || list[to].Speaker == "" || list[to].Speaker == s.Speaker); to++ {
			texts = append(texts, strings.TrimSpace(list[to].Text))
		}
		s.Text = strings.Join(texts, " ")
		all = append(all, s)
	}
	return all
}

// AreWords reports whether nearly all messages are single words, to be joined, and says so.
func AreWords(f *File, list []Message) bool {
	const few = 8
	isWord := func(s Message) bool { return !strings.ContainsAny(strings.TrimSpace(s.Text), " \n") }
	n := Count(slices.Values(list), isWord)
	is := len(list) >= few && 10*n >= 9*len(list)
	if is {
		f.Report("the texts are single words; those of a speaker in a row are one turn")
	}
	return is
}
