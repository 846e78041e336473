package importer

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"assize/rubric/dialogue"
)

// part is what a source says about a conversation in one place: in a row, in a message that is a
// value of its own, or in the whole file. A spool keeps its exported fields.
type part struct {
	ID        string  // of the conversation; if empty, that of the part above
	Turn      float64 // number within the conversation; NaN if the source has none
	Said      []utterance
	Rating    string
	Agent     []string         // names of the agents of this conversation, if the source lists them
	Customer  []string         // names of the customers
	Meta      []dialogue.Field // other metadata
	Line      int
	Err       *SyntaxError // what is wrong with the part
	IsRequest bool         // it is a request to a model with an answer

	truth   dialogue.Truth // of all turns
	request request        // what a log needs to know about it
	isRow   bool           // the conversation may have other parts
	reply   string         // reply to the whole conversation, if that ends with the USER
	isWhole bool           // the text is a whole conversation
	isEmpty bool           // it has no message, as in a step of a trace
	version version        // of the message, if the source has several
	link    link           // of the message, if nothing else separates conversations
}

// utterance is what one speaker says, as the source writes it.
type utterance struct {
	Name    string // of the speaker; empty for nobody
	Text    string
	Time    string        // see ParseTime
	Role    dialogue.Role // of the speaker, if known
	IsKnown bool          // the source states the role
	IsNote  bool          // it was not said to the other side
	Line    int           // 0 means that of the part
	Asks    string        // the ids of its tool calls, one line per line of Text
	Answers string        // the id of the call whose result it is

	speaker  string // the role label, if Name is a person's name
	conv     string // the id of the conversation, if the message itself has one
	at       Moment
	hasTime  bool
	isAnswer bool // the answer to a request in a log
	isData   bool // JSON instead of words
}

// side returns the role of the speaker as far as the utterance itself shows it.
func (s *utterance) side(f *file) dialogue.Role {
	if s.IsKnown {
		return s.Role
	}
	role, _ := f.who.role(s.Name)
	return role
}

// wrong records an error of the part, at its own line or at another. Only the first error counts.
func (p *part) wrong(msg, hint string, line ...int) {
	if p.Err == nil {
		p.Err = &SyntaxError{Line: append(line, p.Line)[0], Msg: msg, Hint: hint}
	}
}

// draft is a dialogue under construction. It keeps its first error and then ignores the rest of the
// dialogue, so that a dialogue has at most one error.
type draft struct {
	part     // what its parts have in common
	file     *file
	dialogue dialogue.Dialogue
	given    []given            // the ratings so far
	speakers []dialogue.Speaker // in order of appearance
	strange  []string           // speakers of unknown role, in order of appearance
	unknown  int                // the line of the first of them
	// roles holds the names that the source itself assigns to a side of this dialogue, folded.
	roles    map[string]dialogue.Role
	rest     dialogue.Role    // of the only unknown speaker, if the other side is known; else Other
	voices   []dialogue.Voice // of the turns
	prompt   string           // the latest prompt of the model
	machine  []int            // the turns of a speaker called system
	openings []Opening        // of the first speakers
	asks     map[int]string   // the ids of tool calls, by turn; see utterance
	answers  map[int]string   // the ids that results refer to, by turn
}

// conversation yields the dialogue that the parts make up. If they are rows, the role of a single
// unknown speaker is guessed.
func (f *file) conversation(parts []part, areRows bool) {
	d := draft{part: parts[0], file: f, roles: map[string]dialogue.Role{}}
	d.Meta = nil
	for i := range parts {
		p := &parts[i]
		f.mend(p)
		if p.Err != nil && (d.Err == nil || p.Err.Line < d.Err.Line) {
			d.Err = p.Err
		}
		if d.IsRequest = d.IsRequest || p.IsRequest; areRows {
			d.Line, d.Meta = min(d.Line, p.Line), agree(d.Meta, p.Meta)
		} else {
			d.Meta = append(d.Meta, p.Meta...)
		}
		learn(d.roles, p.Agent, dialogue.System)
		learn(d.roles, p.Customer, dialogue.User)
	}
	if areRows {
		d.settleRest(parts)
	}
	for i := range parts {
		if d.Err == nil {
			d.say(parts[i].Line, parts[i].Said)
			d.rate(parts[i].Line, parts[i].Rating)
		}
	}
	d.settleRatings()
	d.demote() // before turns are moved
	d.settleTools()
	if d.isWhole {
		d.order()
	}
	d.emit()
}

// say appends the utterances of a line of the file as turns. A prompt is kept once, as a turn of
// OTHER. A speaker of unknown role is an error of the dialogue, but only at its end, so that the
// error can name all of them.
func (d *draft) say(line int, list []utterance) {
	d.dialogue.Turns, d.voices = slices.Grow(d.dialogue.Turns, len(list)),
		slices.Grow(d.voices, len(list))
	for i := range list {
		s := &list[i]
		role, ok, isPrompt := s.Role, s.IsKnown, !s.IsKnown && d.file.isPrompt(s.Name)
		if ok {
			_, isMapped := d.file.who.roles[FoldName(s.Name)]
			ok = !isMapped // unless Options.Roles maps the name
		}
		if isPrompt {
			role, ok = dialogue.Other, true
		} else if !ok {
			role, ok = d.role(s.Name)
		}
		if ok && role != dialogue.Other && d.file.layout == nil && isData(s.Text) {
			role = dialogue.Other
			d.file.unsaid.data++
		}
		switch line := cmp.Or(s.Line, line); {
		case s.IsNote, isPrompt && (s.Text == "" || s.Text == d.prompt):
		case ok && role == dialogue.System && d.truth.Empty() && isNothing(s.Text):
			d.file.nothing++
		case ok:
			if isPrompt {
				d.prompt = s.Text
			}
			d.open(s)
			d.add(line, role, s)
		case len(d.strange) < maxNamed && !slices.Contains(d.strange, s.Name):
			d.open(s)
			d.strange = append(d.strange, s.Name)
			d.unknown = cmp.Or(d.unknown, line)
		}
	}
}

// open records an utterance if it is its speaker's first.
func (d *draft) open(s *utterance) {
	const maxText = 1000
	if len(d.openings) == maxNamed || s.Name == "" || strings.TrimSpace(s.Text) == "" ||
		slices.ContainsFunc(d.openings, func(o Opening) bool { return o.Speaker == s.Name }) {
		return
	}
	d.openings = append(d.openings, Opening{s.Name, s.Text[:min(len(s.Text), maxText)]})
}

// isAssumed reports whether an unknown speaker is taken for the USER because Options.SystemNames
// lists others.
func (d *draft) isAssumed(name string) bool {
	who := d.file.who
	return who.elseUser && name != "" && who.find(name) == nobody &&
		d.roles[FoldName(name)] == dialogue.Other
}

// isNothing reports whether a text is what programs write when there is no text.
func isNothing(text string) bool {
	switch strings.TrimSpace(text) {
	case "None", "null", "nan", "NaN", "undefined":
		return true
	}
	return false
}

// role returns the role of a speaker's name and reports whether it is known. The user's options and
// usual names come first, then what the source says in this dialogue, then what it says in others.
func (d *draft) role(name string) (dialogue.Role, bool) {
	if r := d.file.who.find(name); r != nobody {
		return r, true
	}
	folded := FoldName(name)
	if r, ok := d.roles[folded]; ok {
		return r, true
	}
	if d.file.agents[folded] {
		return dialogue.System, true
	}
	if r, ok := d.file.who.role(name); ok {
		return r, true
	}
	if strings.HasPrefix(folded, "agent ") { // "Agent Anna"
		return dialogue.System, true
	}
	return d.rest, d.rest != dialogue.Other && name != ""
}

// settleRest decides the role of the only unknown speaker if one side speaks and the other does
// not.
func (d *draft) settleRest(parts []part) {
	unknown, speaks := map[string]bool{}, [...]bool{dialogue.System: false, dialogue.User: false}
	for i := range parts {
		for _, s := range parts[i].Said {
			if s.IsKnown || s.IsNote {
				continue
			}
			if role, ok := d.role(s.Name); ok {
				speaks[role] = true
			} else if s.Name != "" && len(unknown) < 2 {
				unknown[FoldName(s.Name)] = true
			}
		}
	}
	switch {
	case len(unknown) != 1 || speaks[dialogue.System] == speaks[dialogue.User]:
	case speaks[dialogue.System]:
		d.rest = dialogue.User
	default:
		d.rest = dialogue.System
	}
}

// add appends a turn of known role. White space around its text is dropped.
func (d *draft) add(line int, role dialogue.Role, s *utterance) {
	if len(d.dialogue.Turns) == d.file.most.turns {
		d.wrong(d.file.most.String(), longHint, line)
	}
	if d.Err != nil {
		return
	}
	name, n := s.Name, len(d.dialogue.Turns)
	if d.asks == nil && s.Asks+s.Answers != "" {
		d.asks, d.answers = map[int]string{}, map[int]string{}
	}
	if s.Asks != "" {
		d.asks[n] = s.Asks
	}
	if s.Answers != "" {
		d.answers[n] = s.Answers
	}
	if role == dialogue.System && FoldName(name) == "system" {
		d.machine = append(d.machine, n)
	}
	text := dialogue.Clean(strings.TrimSpace(s.Text))
	if role == dialogue.System {
		text = withoutThoughts(text)
	}
	d.dialogue.Turns = append(d.dialogue.Turns, dialogue.Turn{Role: role, Text: text})
	d.voices = append(d.voices, dialogue.Voice{personal(name), dialogue.Short(s.Time, dialogue.MaxFieldName)})
	name = dialogue.Clean(name)
	i := slices.IndexFunc(d.speakers, func(s dialogue.Speaker) bool { return s.Name == name })
	if i >= 0 {
		d.speakers[i].Turns++
	} else if name != "" && len(d.speakers) < maxSpeakers {
		isAssumed := role == dialogue.User && !s.IsKnown && d.isAssumed(s.Name)
		d.speakers = append(d.speakers,
			dialogue.Speaker{Name: name, Role: role, Turns: 1, Assumed: isAssumed})
	}
}

// demote makes the turns of a speaker called system OTHER if somebody else is the SYSTEM: they are
// the prompt of a model or messages of the software, such as "Chat started".
func (d *draft) demote() {
	isServing := func(s dialogue.Speaker) bool { return s.Role == dialogue.System && FoldName(s.Name) != "system" }
	_, isMapped := d.file.who.roles["system"]
	if len(d.machine) == 0 || isMapped || !slices.ContainsFunc(d.speakers, isServing) {
		return
	}
	for _, i := range d.machine {
		d.dialogue.Turns[i].Role = dialogue.Other
	}
	for i, s := range d.speakers {
		if s.Role == dialogue.System && !isServing(s) {
			d.speakers[i].Role = dialogue.Other
		}
	}
}

const (
	maxSpeakers = 100 // listed for a dialogue
	maxNamed    = 6   // named in an error
)

// missed detects a dialogue of several people in which nobody is in Options.SystemNames, so that
// all of them are the USER.
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
		names = names[:min(len(names), maxNamed)]
		d.wrong("nobody has a name that --system-name names, which makes everybody the USER",
			"name one of "+quoted(names), d.Line)
		d.Err.Speakers = names
		d.explain()
	}
}

// explain adds the first utterances of the speakers to an error.
func (d *draft) explain() {
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
			for _, s := range d.speakers[:min(len(d.speakers), maxNamed-len(unknown))] {
				names = append(names, s.Name)
			}
			hint = "say who is judged with --system-name NAME, where NAME is one of " +
				quoted(names)
			if f.who.areRoles {
				hint = "say who is who with --role-map NAME=system,NAME=user, where NAME is one of " +
					quoted(names)
			}
		}
		d.wrong("unknown speaker "+quote(unknown[0]), hint, d.unknown)
		d.Err.Speakers = unknown
		d.explain()
	}
	d.missed()
	for _, role := range []dialogue.Role{dialogue.System, dialogue.User} {
		isSaid := func(t dialogue.Turn) bool { return t.Role == role && t.Text != "" }
		if d.dialogue.Count(role) > 1 && !slices.ContainsFunc(d.dialogue.Turns, isSaid) {
			d.wrong("no turn of the "+role.String()+" has words",
				"say where they are with --columns text=NAME")
		}
	}
	if d.Err != nil {
		d.Err.File, d.Err.Position = f.name, f.position
		f.emit(dialogue.Sample{}, d.Err)
		return
	}
	if last := len(d.dialogue.Turns) - 1; d.IsRequest && last >= 0 {
		if f.requests++; d.dialogue.Turns[last].Role == dialogue.User {
			f.unanswered++
			f.isOpen = f.isOpen || strings.Contains(d.dialogue.Turns[last].Text, "?")
		}
	}
	s := dialogue.Sample{Dialogue: d.dialogue, Truth: d.truth}
	s.Source = dialogue.Source{File: f.name, Format: f.format, Line: d.Line, Position: f.position,
		Speakers: d.speakers}
	if slices.ContainsFunc(d.voices, func(v dialogue.Voice) bool { return v != dialogue.Voice{} }) {
		s.Source.Voices = d.voices
	}
	s.Source.Meta = dialogue.NewMeta(
		slices.DeleteFunc(d.Meta, func(f dialogue.Field) bool { return setAside(f.Name) }))
	const most = 1<<53 - 1 // the largest integer that every JSON reader represents exactly
	n, err := strconv.Atoi(d.ID)
	if err == nil && 0 < n && n <= most && strconv.Itoa(n) == d.ID {
		s.Dialogue.ID = n
	} else {
		s.Dialogue.ID, s.Source.ID = f.position, dialogue.Clean(d.ID)
	}
	f.emit(s, nil)
}
