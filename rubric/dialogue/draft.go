package dialogue

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// draft is a dialogue while it is put together. The first thing that is wrong with it is kept and the rest
// of it is then passed over, so that a dialogue has one error and costs no memory after it.
type draft struct {
	file      *file
	id        string // as the source writes it; empty where it has none
	line      int
	dialogue  Dialogue
	truth     Truth
	speakers  []Speaker // in order of appearance
	meta      []Field   // as the source has it
	strange   []string  // speakers of unknown role, in order of appearance
	unknown   int       // the line of the first of them
	err       *SyntaxError
	roles     map[string]Role // names that the source itself gives to a side of this dialogue, folded
	request   request         // what a log of requests must know of it
	times     []Moment        // of the turns of a chat
	rest      Role            // of the one speaker that nothing names, where the other side is named; else Other
	unrated   string          // a rating that cannot be read, and its line
	unratedAt int
	voices    []Voice // of the turns
	at        string  // when the next turn was said, as the source writes it
	prompt    string  // what the model was told last
	machine   []int   // the turns of a speaker called system
	isRequest bool    // the dialogue is a request to a model, which has an answer
	isEmpty   bool    // the value holds no message, such as a step of a trace: it is no dialogue
}

func (f *file) draft(line int, id string) *draft { return &draft{file: f, line: line, id: id} }

// wrong gives the dialogue an error. Only the first counts.
func (d *draft) wrong(line int, msg, hint string) {
	if d.err == nil {
		d.err = &SyntaxError{File: d.file.name, Line: line, Msg: msg, Hint: hint}
		d.dialogue, d.truth = Dialogue{}, Truth{}
	}
}

// say adds a turn of the speaker that the source calls name. A speaker of unknown role is an error of the dialogue,
// but only at its end, so that the error can name all of them.
func (d *draft) say(line int, name, text string) {
	if role, ok := d.role(name); ok {
		d.add(line, name, role, text)
	} else if len(d.strange) < maxNamed && !slices.Contains(d.strange, name) {
		d.strange = append(d.strange, name)
		d.unknown = cmp.Or(d.unknown, line)
	}
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
	return d.rest, d.rest != Other && name != ""
}

// settleRest settles who the one speaker is that nothing names, where one side speaks and the other does not.
func (d *draft) settleRest(names []string) {
	unknown, speaks := "", [...]bool{System: false, User: false}
	for _, name := range names {
		folded := FoldName(name)
		switch role, ok := d.role(name); {
		case ok:
			speaks[role] = true
		case name == "" || folded == unknown:
		case unknown != "":
			return
		default:
			unknown = folded
		}
	}
	if speaks[System] && !speaks[User] {
		d.rest = User
	} else if speaks[User] && !speaks[System] {
		d.rest = System
	}
}

// addNames takes names that the source has of one side of the dialogue, such as its agents.
func (d *draft) addNames(names []string, role Role) {
	for _, name := range names {
		if name = FoldName(name); name != "" && len(d.roles) < maxSpeakers {
			if d.roles == nil {
				d.roles = map[string]Role{}
			}
			d.roles[name] = role
		}
	}
}

// sayAs adds a turn of a speaker whose role the source tells, if known; Options.Roles can say otherwise.
func (d *draft) sayAs(name string, role Role, known bool, text string) {
	if _, mapped := d.file.who.roles[FoldName(name)]; known && !mapped {
		d.add(d.line, name, role, text)
	} else {
		d.say(d.line, name, text)
	}
}

// add adds a turn of known role. White space around its words is not kept.
func (d *draft) add(line int, name string, role Role, text string) {
	if d.err != nil {
		return
	}
	if len(d.dialogue.Turns) == d.file.most.turns {
		d.wrong(line, d.file.most.String(), longHint)
		return
	}
	if role == System && FoldName(name) == "system" {
		d.machine = append(d.machine, len(d.dialogue.Turns))
	}
	d.dialogue.Turns = append(d.dialogue.Turns, Turn{Role: role, Text: clean(strings.TrimSpace(text))})
	d.voices = append(d.voices, Voice{personal(name), within(d.at, MaxFieldName)})
	name = clean(name)
	i := slices.IndexFunc(d.speakers, func(s Speaker) bool { return s.Name == name })
	if i >= 0 {
		d.speakers[i].Turns++
	} else if name != "" && len(d.speakers) < maxSpeakers {
		d.speakers = append(d.speakers, Speaker{Name: name, Role: role, Turns: 1})
	}
}

// demote settles that a speaker called system is nobody who is judged, where somebody else serves: it is the prompt of
// a model, or what the software says itself, such as "Chat started".
func (d *draft) demote() {
	isSystem := func(s Speaker) bool { return FoldName(s.Name) == "system" }
	isServing := func(s Speaker) bool { return s.Role == System && !isSystem(s) }
	_, isMapped := d.file.who.roles["system"]
	if len(d.machine) == 0 || isMapped || !slices.ContainsFunc(d.speakers, isServing) {
		return
	}
	for _, i := range d.machine {
		d.dialogue.Turns[i].Role = Other
	}
	for i := range d.speakers {
		if isSystem(d.speakers[i]) {
			d.speakers[i].Role = Other
		}
	}
}

const (
	maxSpeakers = 100 // that are listed for a dialogue
	maxNamed    = 6   // that an error names
)

// emit yields the dialogue, or what is wrong with it, in the next place of the file. Speakers of unknown role are
// wrong; where people go by their names, all speakers are candidates for --system-name.
func (d *draft) emit() error {
	f := d.file
	f.position++
	if d.unrated != "" {
		if f.unrated++; f.unrated == 1 {
			f.firstUnrated = fmt.Sprintf("%s on line %d", d.unrated, d.unratedAt)
		}
	}
	if len(d.strange) > 0 {
		first, unknown := quote(d.strange[0]), slices.Clone(d.strange)
		hint := "say who it is with --role-map " + quote(d.strange[0]+"=system") + " (or =user, =other)"
		if len(d.strange) > 1 || f.format == Chat {
			hint = "say who is judged with --system-name NAME, where NAME is one of " + first
			for _, s := range d.speakers[:min(len(d.speakers), maxNamed-len(d.strange))] {
				d.strange = append(d.strange, s.Name)
			}
			for _, name := range d.strange[1:] {
				hint += ", " + quote(name)
			}
		}
		if d.err == nil {
			d.wrong(d.unknown, "unknown speaker "+first, hint)
			d.err.Speakers = unknown
		}
	}
	d.demote()
	for _, role := range []Role{System, User} {
		isSaid := func(t Turn) bool { return t.Role == role && t.Text != "" }
		if d.dialogue.Count(role) > 1 && !slices.ContainsFunc(d.dialogue.Turns, isSaid) {
			d.wrong(d.line, "no turn of the "+role.String()+" has words", "say where they are with --columns text=NAME")
		}
	}
	if d.err != nil {
		d.err.Position = f.position
		return f.emit(Sample{}, d.err)
	}
	if n := len(d.dialogue.Turns); d.isRequest && n > 0 {
		if f.requests++; d.dialogue.Turns[n-1].Role == User {
			f.unanswered++
		}
	}
	s := Sample{Dialogue: d.dialogue, Truth: d.truth}
	s.Source = Source{File: f.name, Format: f.format, Line: d.line, Position: f.position, Speakers: d.speakers}
	if slices.ContainsFunc(d.voices, func(v Voice) bool { return v != Voice{} }) {
		s.Source.Voices = d.voices
	}
	s.Source.Meta = NewMeta(slices.DeleteFunc(d.meta, func(f Field) bool { return setAside(f.Name) }))
	const most = 1<<53 - 1 // what every reader of JSON keeps exactly
	n, err := strconv.Atoi(d.id)
	if err == nil && 0 < n && n <= most && strconv.Itoa(n) == d.id {
		s.Dialogue.ID = n
	} else {
		s.Dialogue.ID, s.Source.ID = f.position, clean(d.id)
	}
	return f.emit(s, nil)
}
