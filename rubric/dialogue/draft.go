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
	speakers speakers
	meta     []Field // as the source has it
	size     int
	strange  []string // speakers whose role nobody knows, in order of appearance
	unknown  int      // the line of the first of them
	err      *SyntaxError
}

func (f *file) draft(line int, id string) *draft { return &draft{file: f, line: line, id: id} }

// wrong notes what spoils the dialogue. Only the first counts.
func (d *draft) wrong(line int, msg, hint string) {
	if d.err == nil {
		d.err = &SyntaxError{File: d.file.name, Line: line, Msg: msg, Hint: hint}
		d.dialogue, d.truth = Dialogue{}, Truth{}
	}
}

// say adds a turn of the speaker whom the source calls name. A speaker of unknown role spoils the dialogue,
// but only at its end, so that the error can name all of them.
func (d *draft) say(line int, name, text string) {
	role, ok := d.file.who.role(name)
	if ok {
		d.add(line, name, role, text)
		return
	}
	if len(d.strange) < maxNamed && !slices.Contains(d.strange, name) {
		d.strange = append(d.strange, name)
		d.unknown = cmp.Or(d.unknown, line)
	}
}

// maxNamed is how many speakers an error names.
const maxNamed = 6

// refuseStrange spoils a dialogue with speakers of unknown role. Where people go by their names, all who
// speak are candidates for --system-name.
func (d *draft) refuseStrange() {
	if len(d.strange) == 0 {
		return
	}
	first := d.strange[0]
	msg, hint := "unknown speaker "+quote(first), "want the name of a speaker, such as Agent or Customer"
	switch {
	case len(first) > maxName:
	case len(d.strange) == 1 && d.file.format != Chat:
		hint = "say who it is with --role-map " + strconv.Quote(clean(first)+"=system") + " (or =user, =other)"
	default:
		var all []string
		for _, name := range d.strange {
			all = append(all, quote(name))
		}
		for _, s := range d.speakers.list[:min(len(d.speakers.list), maxNamed-len(all))] {
			all = append(all, quote(s.Name))
		}
		hint = "say who is judged with --system-name NAME, where NAME is one of " + strings.Join(all, ", ")
	}
	d.wrong(d.unknown, msg, hint)
}

// add adds a turn of known role. White space around its words is not kept.
func (d *draft) add(line int, name string, role Role, text string) {
	if d.err != nil {
		return
	}
	text = strings.TrimSpace(text)
	d.size += len(text)
	switch {
	case len(d.dialogue.Turns) == d.file.most.turns:
		d.wrong(line, tooMany, longHint)
		return
	case d.size > d.file.most.text:
		d.wrong(line, tooLong, longHint)
		return
	}
	d.dialogue.Turns = append(d.dialogue.Turns, Turn{Role: role, Text: clean(text)})
	if name != "" {
		d.speakers.add(name, role)
	}
}

// emit yields the dialogue, or what is wrong with it, in the next place of the file.
func (d *draft) emit() error {
	f := d.file
	f.position++
	d.refuseStrange()
	if d.err != nil {
		d.err.Position = f.position
		return f.report(d.err)
	}
	s := Sample{Dialogue: d.dialogue, Truth: d.truth}
	s.Source = Source{File: f.name, Format: f.format, Line: d.line, Position: f.position, Speakers: d.speakers.list}
	s.Source.Meta = NewMeta(slices.DeleteFunc(d.meta, func(f Field) bool { return setAside(f.Name) }))
	s.Dialogue.ID, s.Source.ID = identify(d.id, f.position)
	return f.emit(s)
}

// identify gives the integer that names a dialogue, and the source's own id where that is another.
func identify(id string, position int) (int, string) {
	const most = 1<<53 - 1 // what every reader of JSON keeps exactly
	n, err := strconv.ParseInt(id, 10, 64)
	if err == nil && 0 < n && n <= most && strconv.FormatInt(n, 10) == id {
		return int(n), ""
	}
	return position, clean(id)
}

// speakers counts the turns of each name, in order of appearance.
type speakers struct {
	list  []Speaker
	place map[string]int // into list, once it is too long to walk
}

func (s *speakers) add(name string, role Role) {
	const short = 8
	if i := s.find(name, short); i >= 0 {
		s.list[i].Turns++
		return
	}
	s.list = append(s.list, Speaker{Name: clean(name), Role: role, Turns: 1})
	if s.place == nil && len(s.list) > short {
		s.place = make(map[string]int)
	}
	if s.place != nil {
		s.place[name] = len(s.list) - 1
	}
}

func (s *speakers) find(name string, short int) int {
	for i := range s.list[:min(len(s.list), short)] {
		if s.list[i].Name == name {
			return i
		}
	}
	if i, ok := s.place[name]; ok {
		return i
	}
	return -1
}
