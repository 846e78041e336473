package dialogue

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// part is what a source says of a conversation in one place: in a row, in a message that is a value of its own, or in
// all of its file. Its exported fields are what a spool keeps.
type part struct {
	ID        string  // of the conversation; empty for that of the part above
	Turn      float64 // its number in the conversation; NaN where the source has none
	Said      []utterance
	Rating    string
	Agent     []string // the names of those who serve in this conversation, where the source has a place for them
	Customer  []string // and of those who are served
	Meta      []Field  // what else it says
	Line      int
	Err       *SyntaxError // what is wrong with it
	IsRequest bool         // to a model, which has an answer

	truth   Truth   // of all of its turns
	request request // what a log must know of it
	isRow   bool    // there may be other parts of the conversation
	reply   string  // to the whole conversation, where that ends with the USER
	isWhole bool    // the words are those of a whole conversation
	isEmpty bool    // there is no message, as in a step of a trace
	version version // of the message, where the source has several
	link    link    // of the message, where nothing else tells conversations apart
}

// utterance is what one speaker says, as the source writes it.
type utterance struct {
	Name    string // of the speaker; empty for nobody
	Text    string
	Time    string // see ParseTime
	Role    Role   // of the speaker, if it is known
	IsKnown bool   // the source tells the role
	IsNote  bool   // nobody said this to the other side
	Line    int    // 0 for that of the part
	Asks    string // the ids of the calls of tools in it, a line for each of its lines
	Answers string // the id of the call of which it is the result

	speaker  string // who speaks, where the name is that of the person
	conv     string // the id of the conversation, where the message itself has one
	at       Moment
	hasTime  bool
	isAnswer bool // beside the request that a log has
	isData   bool // JSON in place of words
}

// side tells who speaks, as far as the utterance itself tells.
func (s *utterance) side(f *file) Role {
	if s.IsKnown {
		return s.Role
	}
	role, _ := f.who.role(s.Name)
	return role
}

// wrong gives a part an error, of its line or another. Only the first counts.
func (p *part) wrong(msg, hint string, line ...int) {
	if p.Err == nil {
		p.Err = &SyntaxError{Line: append(line, p.Line)[0], Msg: msg, Hint: hint}
	}
}

// draft is a dialogue while it is put together from its parts. The first thing that is wrong with it is kept and the
// rest of it is then passed over, so that a dialogue has one error.
type draft struct {
	part     // what its parts have in common
	file     *file
	dialogue Dialogue
	given    []given         // the ratings so far
	speakers []Speaker       // in order of appearance
	strange  []string        // speakers of unknown role, in order of appearance
	unknown  int             // the line of the first of them
	roles    map[string]Role // names that the source itself gives to a side of this dialogue, folded
	rest     Role            // of the one speaker that nothing names, where the other side is named; else Other
	voices   []Voice         // of the turns
	prompt   string          // what the model was told last
	machine  []int           // the turns of a speaker called system
	openings []Opening       // of the first speakers
	asks     map[int]string  // the ids of calls of tools, by the turn that has them; see utterance
	answers  map[int]string  // and of results
}

// conversation yields what parts say of a dialogue. Where they are rows, the one speaker that nothing names is guessed.
func (f *file) conversation(parts []part, areRows bool) {
	d := draft{part: parts[0], file: f, roles: map[string]Role{}}
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
		learn(d.roles, p.Agent, System)
		learn(d.roles, p.Customer, User)
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
	d.demote() // before the turns change places
	d.settleTools()
	if d.isWhole {
		d.order()
	}
	d.emit()
}

// say adds turns of a line of the file. A prompt is kept, once, as a turn that nobody is judged for. A speaker of
// unknown role is an error of the dialogue, but only at its end, so that the error can name all of them.
func (d *draft) say(line int, list []utterance) {
	d.dialogue.Turns, d.voices = slices.Grow(d.dialogue.Turns, len(list)), slices.Grow(d.voices, len(list))
	for i := range list {
		s := &list[i]
		role, ok, isPrompt := s.Role, s.IsKnown, !s.IsKnown && d.file.isPrompt(s.Name)
		if ok {
			_, isMapped := d.file.who.roles[FoldName(s.Name)]
			ok = !isMapped // Options.Roles say otherwise
		}
		if isPrompt {
			role, ok = Other, true
		} else if !ok {
			role, ok = d.role(s.Name)
		}
		if ok && role != Other && d.file.layout == nil && isData(s.Text) {
			role = Other
			d.file.unsaid.data++
		}
		switch line := cmp.Or(s.Line, line); {
		case s.IsNote, isPrompt && (s.Text == "" || s.Text == d.prompt):
		case ok && role == System && d.truth.Empty() && isNothing(s.Text):
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

// open notes what somebody says, if it is the first that the speaker says.
func (d *draft) open(s *utterance) {
	const maxText = 1000
	if len(d.openings) == maxNamed || s.Name == "" || strings.TrimSpace(s.Text) == "" ||
		slices.ContainsFunc(d.openings, func(o Opening) bool { return o.Speaker == s.Name }) {
		return
	}
	d.openings = append(d.openings, Opening{s.Name, s.Text[:min(len(s.Text), maxText)]})
}

// isAssumed reports whether nothing names a speaker, who is the USER since Options.SystemNames
// names others.
func (d *draft) isAssumed(name string) bool {
	who := d.file.who
	return who.elseUser && name != "" && who.find(name) == nobody && d.roles[FoldName(name)] == Other
}

// isNothing reports whether a text is what programs write for no text.
func isNothing(text string) bool {
	switch strings.TrimSpace(text) {
	case "None", "null", "nan", "NaN", "undefined":
		return true
	}
	return false
}

// role tells who speaks under a name: what the user says and usual names come first, then what the source says of this
// dialogue, and of others.
func (d *draft) role(name string) (Role, bool) {
	if r := d.file.who.find(name); r != nobody {
		return r, true
	}
	folded := FoldName(name)
	if r, ok := d.roles[folded]; ok {
		return r, true
	}
	if d.file.agents[folded] {
		return System, true
	}
	if r, ok := d.file.who.role(name); ok {
		return r, true
	}
	if strings.HasPrefix(folded, "agent ") { // "Agent Anna"
		return System, true
	}
	return d.rest, d.rest != Other && name != ""
}

// settleRest settles who the one speaker is that nothing names, where one side speaks and the other does not.
func (d *draft) settleRest(parts []part) {
	unknown, speaks := map[string]bool{}, [...]bool{System: false, User: false}
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
	case len(unknown) != 1 || speaks[System] == speaks[User]:
	case speaks[System]:
		d.rest = User
	default:
		d.rest = System
	}
}

// add adds a turn of known role. White space around its words is not kept.
func (d *draft) add(line int, role Role, s *utterance) {
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
	if role == System && FoldName(name) == "system" {
		d.machine = append(d.machine, n)
	}
	text := clean(strings.TrimSpace(s.Text))
	if role == System {
		text = withoutThoughts(text)
	}
	d.dialogue.Turns = append(d.dialogue.Turns, Turn{Role: role, Text: text})
	d.voices = append(d.voices, Voice{personal(name), within(s.Time, MaxFieldName)})
	name = clean(name)
	i := slices.IndexFunc(d.speakers, func(s Speaker) bool { return s.Name == name })
	if i >= 0 {
		d.speakers[i].Turns++
	} else if name != "" && len(d.speakers) < maxSpeakers {
		isAssumed := role == User && !s.IsKnown && d.isAssumed(s.Name)
		d.speakers = append(d.speakers,
			Speaker{Name: name, Role: role, Turns: 1, Assumed: isAssumed})
	}
}

// demote settles that a speaker called system is nobody who is judged, where somebody else serves: it is the prompt of
// a model, or what the software says itself, such as "Chat started".
func (d *draft) demote() {
	isServing := func(s Speaker) bool { return s.Role == System && FoldName(s.Name) != "system" }
	_, isMapped := d.file.who.roles["system"]
	if len(d.machine) == 0 || isMapped || !slices.ContainsFunc(d.speakers, isServing) {
		return
	}
	for _, i := range d.machine {
		d.dialogue.Turns[i].Role = Other
	}
	for i, s := range d.speakers {
		if s.Role == System && !isServing(s) {
			d.speakers[i].Role = Other
		}
	}
}

const (
	maxSpeakers = 100 // that are listed for a dialogue
	maxNamed    = 6   // that an error names
)

// missed finds a dialogue in which nobody has one of Options.SystemNames, so that all of several
// people are the USER.
func (d *draft) missed() {
	var names []string
	isAssumed := false
	for _, s := range d.speakers {
		if s.Role == System || d.Err != nil {
			return
		}
		if isAssumed = isAssumed || s.Assumed; s.Role == User {
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

// explain adds to an error what the speakers say first.
func (d *draft) explain() {
	for _, o := range d.openings {
		o = Opening{clean(o.Speaker), within(o.Text, len(o.Text))}
		d.Err.Openings = append(d.Err.Openings, o)
	}
}

// emit yields the dialogue, or what is wrong with it, in the next place of the file. Speakers of unknown role are
// wrong; where people go by their names, all speakers are candidates for --system-name.
func (d *draft) emit() {
	f := d.file
	f.position++
	if unknown := d.strange; len(unknown) > 0 && d.Err == nil {
		hint := "say who it is with --role-map " + quote(unknown[0]+"=system") + " (or =user, =other)"
		if len(unknown) > 1 || f.format == Chat {
			names := slices.Clone(unknown)
			for _, s := range d.speakers[:min(len(d.speakers), maxNamed-len(unknown))] {
				names = append(names, s.Name)
			}
			hint = "say who is judged with --system-name NAME, where NAME is one of " + quoted(names)
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
	for _, role := range []Role{System, User} {
		isSaid := func(t Turn) bool { return t.Role == role && t.Text != "" }
		if d.dialogue.Count(role) > 1 && !slices.ContainsFunc(d.dialogue.Turns, isSaid) {
			d.wrong("no turn of the "+role.String()+" has words", "say where they are with --columns text=NAME")
		}
	}
	if d.Err != nil {
		d.Err.File, d.Err.Position = f.name, f.position
		f.emit(Sample{}, d.Err)
		return
	}
	if last := len(d.dialogue.Turns) - 1; d.IsRequest && last >= 0 {
		if f.requests++; d.dialogue.Turns[last].Role == User {
			f.unanswered++
			f.isOpen = f.isOpen || strings.Contains(d.dialogue.Turns[last].Text, "?")
		}
	}
	s := Sample{Dialogue: d.dialogue, Truth: d.truth}
	s.Source = Source{File: f.name, Format: f.format, Line: d.Line, Position: f.position, Speakers: d.speakers}
	if slices.ContainsFunc(d.voices, func(v Voice) bool { return v != Voice{} }) {
		s.Source.Voices = d.voices
	}
	s.Source.Meta = NewMeta(slices.DeleteFunc(d.Meta, func(f Field) bool { return setAside(f.Name) }))
	const most = 1<<53 - 1 // what every reader of JSON keeps exactly
	n, err := strconv.Atoi(d.ID)
	if err == nil && 0 < n && n <= most && strconv.Itoa(n) == d.ID {
		s.Dialogue.ID = n
	} else {
		s.Dialogue.ID, s.Source.ID = f.position, clean(d.ID)
	}
	f.emit(s, nil)
}
