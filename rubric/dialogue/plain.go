package dialogue

import "strings"

// Plain text: "Agent: words", in any case, numbered or bold. A line that does not begin with a speaker continues
// the turn before it. Whether "Note: the fee is 5" is a turn of somebody called Note cannot be told
// from the line, so a label that is not a usual name is a speaker only where it behaves like one; see
// [survey.speaks]. Above the first turn there may be a heading of a few lines, which is no turn.

func (f *file) plain(text string) parser {
	s := f.survey(text)
	return func(line string) (string, int, bool) {
		name, words, ok := label(line)
		isNew := text == "" && f.who.elseUser && nameLike.MatchString(name)
		return name, words, ok && (isNew || f.who.knows(name) || s.speaks(name))
	}
}

// survey is what a first look at a dialogue tells about its labels. Roles are bits.
type survey struct {
	roles uint8            // that usual names speak
	lines map[string]int   // with a label that is like a name but is not a usual one
	under map[string]uint8 // the roles of the turns that such a label appears in
}

const bothRoles = 1<<System | 1<<User

func (f *file) survey(text string) survey {
	const most = 10_000 // different labels are counted; in a dialogue with more, they are not speakers
	s := survey{lines: map[string]int{}, under: map[string]uint8{}}
	var now uint8
	for row := range strings.Lines(text) {
		name, words, ok := label(row)
		switch {
		case !ok:
		case f.who.knows(name):
			role, _ := f.who.role(name)
			now = 1 << role
			s.roles |= now & bothRoles
		case !strings.HasPrefix(row[words:], "//") && nameLike.MatchString(name) && len(s.lines) < most:
			if _, isTime := ParseTime(strings.TrimSpace(row[words:])); !isTime { // as in "Date: 14.03.2024"
				s.lines[name]++
			}
			s.under[name] |= now
		}
	}
	return s
}

// speaks reports whether a label that is not a usual name behaves like a speaker. "Note:" or "Total:" appears
// within the turns of one speaker; a speaker comes again, and follows both sides or takes the place of the
// side that is missing.
func (s survey) speaks(name string) bool {
	lines := s.lines[name]
	if s.roles == bothRoles {
		return lines > 1 && s.under[name]&bothRoles == bothRoles
	}
	return lines > 1 || lines == 1 && len(s.lines) == 1
}
