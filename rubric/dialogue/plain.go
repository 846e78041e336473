package dialogue

import "strings"

// Plain text: "Agent: words", in any case, numbered or bold. A line that does not begin with a speaker goes
// on with the turn before it. Whether "Note: the fee is 5" is a turn of somebody called Note cannot be told
// from the line, so a label that is not a usual name is a speaker only where it behaves like one; see
// [survey.speaks]. Above the first turn there may be a heading of a few lines, which is no turn.

// maxHeading is how many lines may stand above the first turn.
const maxHeading = 10

// readPlain reads dialogues of labelled lines.
func (f *file) readPlain() error {
	return f.blocks(func(line string) bool {
		name, _, ok := label(line)
		return ok && (f.who.knows(name) || len(f.opt.SystemNames) > 0 && nameLike(name))
	}, f.parsePlain)
}

// parsePlain takes one dialogue apart. The text of a turn reaches to the next line with a speaker.
func (f *file) parsePlain(b block) error {
	d := f.draft(b.line, b.id)
	s := f.survey(b.text)
	t := turnSpan{text: b.text, start: -1}
	at, line, heading := 0, b.line-1, 0
	for row := range strings.Lines(b.text) {
		line++
		name, words, ok := label(row)
		switch {
		case ok && (f.who.knows(name) || s.speaks(name)):
			t.end(d, at)
			t = turnSpan{text: b.text, start: at + words, line: line, name: name}
		case t.start < 0 && strings.TrimSpace(row) != "":
			if heading++; heading > maxHeading {
				d.wrong(b.line, "no speaker in the first lines", "want lines such as \"Agent: Good morning\"")
			}
		}
		at += len(row)
	}
	if t.start < 0 {
		d.wrong(b.line, "no line begins with a speaker", "want lines such as \"Agent: Good morning\"")
	}
	t.end(d, at)
	return d.emit()
}

// turnSpan is a turn whose end is not yet known.
type turnSpan struct {
	text  string
	start int // of the words in text; -1 before the first turn
	line  int
	name  string
}

// end adds the turn, whose words end before position at of the text.
func (t turnSpan) end(d *draft, at int) {
	if t.start >= 0 {
		d.say(t.line, t.name, t.text[t.start:at])
	}
}

// survey is what a first look at a dialogue tells about its labels.
type survey struct {
	roles   uint8 // the roles that usual names speak, as bits
	strange map[string]*strangeLabel
}

// strangeLabel is a label that is like a name but is not a usual one.
type strangeLabel struct {
	lines int
	under uint8 // the roles of the turns that it stands in, as bits
}

const bothRoles = 1<<System | 1<<User

// maxStrange is how many different labels are counted; a dialogue with more is not made of speakers.
const maxStrange = 10_000

func (f *file) survey(text string) survey {
	s := survey{strange: make(map[string]*strangeLabel)}
	var now uint8
	for row := range strings.Lines(text) {
		name, words, ok := label(row)
		if !ok {
			continue
		}
		if f.who.knows(name) {
			role, _ := f.who.role(name)
			now = 1 << role
			s.roles |= now
			continue
		}
		if strings.HasPrefix(row[words:], "//") || !nameLike(name) {
			continue
		}
		seen := s.strange[name]
		if seen == nil {
			if len(s.strange) == maxStrange {
				continue
			}
			seen = &strangeLabel{}
			s.strange[name] = seen
		}
		seen.lines++
		seen.under |= now
	}
	s.roles &= bothRoles
	return s
}

// speaks reports whether a label that is not a usual name behaves like a speaker. "Note:" or "Total:" stands
// within the turns of one speaker; a speaker comes again, and follows both sides or takes the place of the
// side that is missing.
func (s survey) speaks(name string) bool {
	seen := s.strange[name]
	switch {
	case seen == nil:
		return false
	case s.roles == bothRoles:
		return seen.lines > 1 && seen.under&bothRoles == bothRoles
	}
	return seen.lines > 1 || len(s.strange) == 1
}
