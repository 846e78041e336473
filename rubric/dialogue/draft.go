package dialogue

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// draft is a dialogue while it is put together. The first thing that is wrong with it is kept and the rest
// of it is then passed over, so that a dialogue has one error and costs no memory after it.
type draft struct {
	file     *file
	id       string // as the source writes it; empty where it has none
	line     int
	dialogue Dialogue
	truth    Truth
	speakers []Speaker // in order of appearance
	meta     []Field   // as the source has it
	strange  []string  // speakers of unknown role, in order of appearance
	unknown  int       // the line of the first of them
	err      *SyntaxError
	local    map[string]Role // names that the source itself gives to a side of this dialogue, folded
	request  request         // what a log of requests must know of it
	elseUser bool            // one of them serves and speaks, so any other unknown name is a USER
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
	role, ok := d.file.who.role(name)
	if !ok {
		role, ok = d.local[FoldName(name)]
	}
	if !ok && d.elseUser {
		role, ok = User, name != ""
	}
	if ok {
		d.add(line, name, role, text)
	} else if len(d.strange) < maxNamed && !slices.Contains(d.strange, name) {
		d.strange = append(d.strange, name)
		d.unknown = cmp.Or(d.unknown, line)
	}
}

// serving gives names that the source has of one side of the dialogue, such as its agents.
func (d *draft) serving(names []string, role Role) {
	for _, name := range names {
		if name = FoldName(name); name != "" && len(d.local) < maxSpeakers {
			if d.local == nil {
				d.local = map[string]Role{}
			}
			d.local[name] = role
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
		d.wrong(line, tooLong, longHint)
		return
	}
	d.dialogue.Turns = append(d.dialogue.Turns, Turn{Role: role, Text: clean(strings.TrimSpace(text))})
	name = clean(name)
	i := slices.IndexFunc(d.speakers, func(s Speaker) bool { return s.Name == name })
	if i >= 0 {
		d.speakers[i].Turns++
	} else if name != "" && len(d.speakers) < maxSpeakers {
		d.speakers = append(d.speakers, Speaker{Name: name, Role: role, Turns: 1})
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
	if len(d.strange) > 0 {
		first := quote(d.strange[0])
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
		d.wrong(d.unknown, "unknown speaker "+first, hint)
	}
	if d.err != nil {
		d.err.Position = f.position
		return f.emit(Sample{}, d.err)
	}
	s := Sample{Dialogue: d.dialogue, Truth: d.truth}
	s.Source = Source{File: f.name, Format: f.format, Line: d.line, Position: f.position, Speakers: d.speakers}
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
